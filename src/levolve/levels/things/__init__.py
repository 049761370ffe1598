"""Things in levels: keys, doors, levers, treasure, monsters and others, what they do, and proofs."""

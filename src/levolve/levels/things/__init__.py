"""Things in levels, such as keys, doors, levers and monsters: what they do, and proofs."""

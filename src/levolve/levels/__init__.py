"""A level: tiles, the places that matter in it, the proof that it can be won, and where it came from."""

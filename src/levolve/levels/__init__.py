"""Levels: tiles, named places, the proof that the level can be won, and its origin."""

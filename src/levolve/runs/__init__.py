"""Runs: a recipe and a seed say everything; a run carries them out and keeps what came of it."""

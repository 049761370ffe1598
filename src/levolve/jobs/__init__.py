"""Runs: a run executes a recipe with a seed, and stores the results."""

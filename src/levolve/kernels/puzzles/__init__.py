"""Kernels of puzzles: Reach the Flag and the sliding puzzle."""

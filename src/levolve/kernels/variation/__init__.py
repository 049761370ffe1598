"""Kernels of evolution: masks, selection, fronts, distances, and archives of elites."""

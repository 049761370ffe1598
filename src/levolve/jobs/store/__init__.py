"""The store of runs: one SQLite file with every job, its history, its checkpoints and its results.
Several processes may use it at once.
"""

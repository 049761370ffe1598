"""Proofs about levels with things: condensation to a small graph, exact searches over its states,
shortest solutions.
"""

"""Bits and memory: words, boards of bits, vectors, random streams, new arrays, and threads that
meet.
"""

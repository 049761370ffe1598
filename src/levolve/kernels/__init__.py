"""Kernels: compiled functions on plain arrays, with NumPy and Numba only. No code outside this
folder is compiled.
"""

"""The compiled floor: plain functions on plain arrays, NumPy and Numba only. Nothing above this folder is compiled."""

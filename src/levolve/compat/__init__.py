"""Modules with the names of the source programs: a program of theirs runs when its import changes.

`libFBCAGen` and `FBCAConsts` are the library of fashion-based cellular automata, `reach_the_flag`
and `eight_puzzle` the functions of the two documents about puzzles. They work on plain lists,
compute with levolve's kernels, and do not repeat the mistakes that the pages in docs/sources name.
"""

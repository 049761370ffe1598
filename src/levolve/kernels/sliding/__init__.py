"""The sliding puzzle on the compiled floor: tables of distances, iterative deepening on pattern databases, and populations of paths.

A board is flat, one byte per cell, row by row; 0 is the blank and the goal has the tile of each cell named after it: a goal with the blank in the
last cell is 1, 2, 3, … 0. Other goals are brought into this form by renaming tiles (`puzzles/sliding/rules.py`). A move is the way a *tile* slides,
u, d, l, r: the blank goes the other way.
"""

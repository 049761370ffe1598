"""Play: many players at once, each on a level or puzzle of its own. One call of a kernel makes one move for all of them.

A kernel changes the arrays of states in place and writes the results of the moves. Moves are 0 up, 1 down, 2 left, 3 right. A move that the rules do
not allow changes nothing but counts as a step. A player whose entry of `begins` is true stands at the start of a new episode: its action is
ignored, its reward is 0. An episode is truncated after `most` steps; every step costs `cost`.
"""

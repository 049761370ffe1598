"""Fashion-based cellular automata (FBCA): maps on which every cell follows the best-dressed of its neighbours.

A `Rule` is a score matrix and a neighbourhood. It runs a map, or, because every cell depends only on what is near, any window of a `World`
that has no edge. Everything here is loaded when it is first used.
"""

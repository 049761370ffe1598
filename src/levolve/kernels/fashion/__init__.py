"""Fashion-based cellular automata: every cell takes the state of the best-scoring cell among itself
and its neighbours.

A cell's score is the sum of S[own state, neighbour's state]; ties go to the cell itself, then to
the neighbours in the order of their list. Sums are exact, or 64-bit floats added in the order of
the neighbourhood, which decides some ties by rounding. Ways to run a map, all with the same result:

- `lines`: the padded map as one line, scores or their ranks from tables, four neighbours per pass.
  The usual way, also for mixed rules.
- `runs`: runs of whole maps as lines, and of windows of an unbounded map, which lose a margin in
  every update.
- `runs.run_summed`: adds the scores one by one. For sums of floats that no table holds, and for
  exact sums of more than 63 bits.
- `planes`: two states and the four nearest neighbours, 64 cells per word.

`starts` draws start maps and detects repeated maps, `pictures` filters and scales maps down and
fills regions.
"""

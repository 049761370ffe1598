"""Ask and tell: the search proposes genes, and your code scores them. Higher is better."""

import numpy as np

from levolve.levels.frame import Frame
from levolve.levels.measures.structure_features import exit_steps
from levolve.search.genotypes.digging import Barriers
from levolve.search.strategies.steady_state import SteadyState

frame = Frame(20, 12, {"entrance": (0, 6), "exit": (19, 6)})
genotype = Barriers(pairs=20)
search = SteadyState(population=40).search(
    genotype.space(frame),
    lambda seed, generation, count: genotype.start(frame, seed, generation, count),
    seed=1,
    generations=50,
)
for _ in range(50):
    genes = search.ask()
    levels = genotype.batch(genes, frame)
    # A custom score: a long path to the exit, with walls on at most a third of the tiles.
    few_walls = levels.tiles.mean(axis=(1, 2)) <= 1 / 3
    search.tell(np.where(few_walls, exit_steps(levels), 0))
print(f"best score {search.best_score:g} after {search.evaluations} evaluations")

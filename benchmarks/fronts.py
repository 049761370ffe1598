"""Compare Pareto fronts with ten times as many random levels: count the values of random levels
that dominate a level of a front.

Run it with `python benchmarks/fronts.py [--seeds 11,12,13,14,15] [--size 14x14]`.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

import levolve
from levolve.jobs.runs.run import Run
from levolve.levels.measures import MEASURES
from levolve.search.genotypes.direct import Direct

PAIRS = (
    ("dead_ends", "loops"),
    ("junctions", "culs_de_sac"),
    ("corridors", "plazas"),
    ("longest_path", "loops"),
)
# The shares of walls of random levels: no single one finds all that random levels can be.
FILLS = np.linspace(0.05, 0.9, 10)


def front_of(pair: tuple[str, str], seed: int, size: str) -> tuple[Run, NDArray[np.float64]]:
    """Return a run of 100 generations of 100 levels, and the `(n, 2)` values of its front."""
    strategy = {"kind": "nsga2", "objectives": dict.fromkeys(pair, "max")}
    run = levolve.evolve(
        "maze", size=size, seed=seed, generations=100, settings={"strategy": strategy}
    )
    return run, np.stack([run.front.values[name] for name in pair], axis=1)


def random_values(run: Run, pair: tuple[str, str], seed: int) -> NDArray[np.float64]:
    """Return the different values, `(n, 2)`, of ten times as many random winnable levels."""
    found = []
    for number, fill in enumerate(FILLS):
        genotype = Direct(float(fill))
        batch = genotype.batch(
            genotype.start(run.problem.frame, 1000 * seed + number, 0, run.evaluations),
            run.problem.frame,
        )
        winnable = MEASURES["exit_path"].values(batch) > 0
        found.append(np.stack([MEASURES[name].values(batch) for name in pair], axis=1)[winnable])
    return np.unique(np.concatenate(found), axis=0).astype(np.float64)


def main() -> None:
    """Print a line per pair of measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", default="11,12,13,14,15")
    parser.add_argument("--size", default="14x14")
    given = parser.parse_args()
    seeds = [int(seed) for seed in given.seeds.split(",")]
    for pair in PAIRS:
        counts, lengths = [], []
        for seed in seeds:
            run, front = front_of(pair, seed, given.size)
            values = random_values(run, pair, seed)
            dominated = np.logical_and(
                (values[:, np.newaxis] >= front).all(axis=2),
                (values[:, np.newaxis] > front).any(axis=2),
            )
            counts.append(int(np.count_nonzero(np.any(dominated, axis=1))))
            lengths.append(len(front))
        print(
            f"{' x '.join(pair)}: {counts} random values dominate levels of fronts of "
            f"{lengths} levels"
        )


if __name__ == "__main__":
    main()

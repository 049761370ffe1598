"""Which genotype makes the longest tours? All genotypes with one strategy and equal evaluations.

Run it with `python benchmarks/tours.py`; it prints the table of docs/dungeons.md. `LEVOLVE_SEEDS`
is the number of runs per genotype (by default 30), `LEVOLVE_EVALUATIONS` the length of each (by
default 5,000).
"""

import os
from typing import Any

import numpy as np

from levolve.jobs.executors import work_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.rank_tests import rank_pairs
from levolve.recipes.recipe import find_recipe

SEEDS = range(1, int(os.environ.get("LEVOLVE_SEEDS", "30")) + 1)
EVALUATIONS = int(os.environ.get("LEVOLVE_EVALUATIONS", "5000"))
# The genotype of the source, with which all others are compared.
SOURCE = "direct"
GENOTYPES: dict[str, dict[str, Any]] = {
    SOURCE: {"kind": "direct", "fill": 0.2},
    "chromatic": {"kind": "chromatic"},
    "barriers": {"kind": "barriers"},
    "tunnels": {"kind": "tunnels"},
    "automaton": {"kind": "automaton"},
    "rooms": {"kind": "rooms"},
    "passages": {"kind": "passages"},
    "patchwork": {"kind": "patchwork"},
    "mirror of direct": {"kind": "mirror", "of": {"kind": "direct", "fill": 0.2}},
    "mirror of passages": {"kind": "mirror", "of": {"kind": "passages"}},
}
# The size of the source with B drawn as there and with the best B, and a larger size.
COLUMNS = (("10x10", "tour_uniform"), ("10x10", "tour_best"), ("20x20", "tour_uniform"))


def score(genotype: str, size: str, rule: str, seed: int) -> float:
    """The steps of the best tour of one run."""
    recipe = find_recipe("maze").changed(
        {
            "size": size,
            "genotype": GENOTYPES[genotype],
            "places": rule,
            "objective": {"kind": "tour"},
            "generations": EVALUATIONS,
            "evaluations": EVALUATIONS,
        }
    )
    return float(Run(recipe, seed).finish().best_score)


def column(size: str, rule: str) -> dict[str, str]:
    """The cells of one column of the table, by genotype."""
    scores = {}
    with work_pool(2) as pool:
        for name in GENOTYPES:
            units = [(name, size, rule, seed) for seed in SEEDS]
            scores[name] = np.array(list(pool.map(score, *zip(*units, strict=True))))
    tests = {
        name: pair for pair in rank_pairs(scores, SOURCE) for name in (pair.first, pair.second)
    }
    cells = {}
    for name, found in scores.items():
        low, high = np.quantile(found, (0.25, 0.75))
        cells[name] = f"{np.median(found):.0f} ({low:.0f} to {high:.0f})"
        if name != SOURCE:
            pair = tests[name]
            wins = pair.wins if pair.first == name else 1 - pair.wins
            cells[name] += f", {wins:.0%}, p = {pair.p_corrected:.1g}"
    return cells


def main() -> None:
    """Print medians, quartiles, how often a genotype beats the source's, and p."""
    heads = [f"{size}, `{rule}`" for size, rule in COLUMNS]
    columns = [column(size, rule) for size, rule in COLUMNS]
    print(f"{len(SEEDS)} seeds, {EVALUATIONS:,} evaluations each")
    print(f"| genotype | {' | '.join(heads)} |")
    print(f"|{' --- |' * (len(heads) + 1)}")
    for name in GENOTYPES:
        print(f"| `{name}` | {' | '.join(cells[name] for cells in columns)} |")


if __name__ == "__main__":
    main()

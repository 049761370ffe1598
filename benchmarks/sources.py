"""The schemes of the five sources, with the settings of their documents, beside what these state.

Run it with `python benchmarks/sources.py`; `make proofs` does. `LEVOLVE_SEEDS` is the number of
runs of each scheme, by default 20. Set `LEVOLVE_ROUNDS` to a JSON list of the rounds of Reach the
Flag's author for his round 12; without it, round 12 of levolve takes its place, and the figures of
the document do not apply.
"""

import os
import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from levolve.jobs.runs.run import Run
from levolve.levels.measures.measuring import measure
from levolve.puzzles.position import Solution
from levolve.puzzles.solve_make import solve
from levolve.recipes.recipe import find_recipe
from puzzles import (  # type: ignore[attr-defined] # the file of this folder, not the tests
    random_board,
    rounds,
)

SEEDS = range(int(os.environ.get("LEVOLVE_SEEDS", "20")))
GENERATIONS = 100_000


def show(what: str, document: str, here: str) -> None:
    """Print one figure."""
    print(f"{what}\n  document  {document}\n  here      {here}", flush=True)


def solved(runs: list[Solution], most: int) -> str:
    """Say how many runs were solved, in how many generations, and with how many moves."""
    won = [run for run in runs if run.solved]
    if not won:
        return f"0 of {len(runs)} solved"
    soon = sum(run.generations < most for run in won)
    return (
        f"{len(won)} of {len(runs)} solved, {soon} in under {most:,} generations, "
        f"{statistics.mean(run.generations for run in won):,.0f} on average"
    )


def reach_the_flag() -> None:
    """Round 12 by the three versions of the source."""
    name = "round 12" if "round 12" in rounds() else "shipped 12"
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("source-1", {}, "34,000 generations on average"),
        ("source-1", {"swap": True}, "10,000 generations on average"),
        ("source-2", {}, "no figure"),
        ("source-3", {}, "no figure"),
    ]
    for scheme, settings, document in cases:
        runs = [
            solve(
                "flag",
                rounds()[name],
                scheme=scheme,
                seed=seed,
                generations=GENERATIONS,
                **settings,
            )
            for seed in SEEDS
        ]
        swap = " with swap" if settings else ""
        show(
            f"Reach the Flag, {name}, {scheme}{swap}, at most {GENERATIONS:,} generations",
            document if name == "round 12" else "no figure for this round",
            solved(runs, GENERATIONS),
        )


def eight_puzzle() -> None:
    """Random boards, without and with the enhanced part of the report."""
    dice = np.random.default_rng(3)
    boards = [random_board(9, 3, dice) for _ in SEEDS]
    for diversity in (False, True):
        runs = [
            solve("sliding", board, scheme="source", seed=seed, diversity=diversity)
            for seed, board in zip(SEEDS, boards, strict=True)
        ]
        show(
            f"8-puzzle, random boards, scheme source{', enhanced part' if diversity else ''}",
            "solutions 8 moves shorter" if diversity else "most boards in under 150 generations",
            f"{solved(runs, 150)}; "
            f"{statistics.mean(run.length or 0 for run in runs if run.solved):.1f} moves",
        )


def dungeons() -> None:
    """Single runs with the author's best settings."""
    tours = [
        int(measure(Run(find_recipe("dungeon-source"), seed).finish().best)["tour_tiles"][0])
        for seed in SEEDS
    ]
    show(
        "Dungeons, one run of dungeon-source",
        "107 tiles, the best of a whole meta-evolution",
        f"{statistics.mean(tours):.1f} tiles on average, {max(tours)} at most",
    )


def mazes() -> None:
    """The published settings, at 20x20, with a tenth of the mating events."""
    for name in ("direct", "chromatic", "positive", "negative"):
        recipe = find_recipe(f"ashlock-{name}").changed({"size": "20x20", "evaluations": 50_000})
        steps = [Run(recipe, seed).finish().best_score for seed in SEEDS]
        show(
            f"Mazes, ashlock-{name}, 20x20, 50,000 evaluations",
            "no figure",
            f"way out {statistics.median(steps):g} steps at the median, {max(steps):g} at most",
        )


PARTS: tuple[Callable[[], None], ...] = (reach_the_flag, eight_puzzle, dungeons, mazes)

if __name__ == "__main__":
    for part in PARTS:
        part()

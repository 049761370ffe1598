"""Measure the speed of a complete evolution with each genotype, in one process on one core, and the
quality of the mazes.

Run it with `make bench`.
"""

import statistics
import time
from math import log
from typing import Any

from levolve.jobs.runs.run import Run
from levolve.recipes.recipe import Recipe, find_recipe

MAZES = ("maze", "maze-long", "maze-chromatic", "maze-barriers", "maze-tunnels", "maze-automaton")
GENOTYPES = ("direct", "chromatic", "barriers", "tunnels", "automaton")
# Levels by construction, and what may be added to any genotype: changes to a recipe by name.
CONSTRUCTED: dict[str, dict[str, Any]] = {
    "direct": {},
    "passages": {"genotype": {"kind": "passages"}},
    "passages with loops": {"genotype": {"kind": "passages", "loops": 0.1, "braid": 0.5}},
    "rooms": {"genotype": {"kind": "rooms"}},
    "mirror of passages": {"genotype": {"kind": "mirror", "of": {"kind": "passages"}}},
    "direct, finished": {"finish": ["fill_pockets", "drop_specks", "thicken", "frame"]},
    "passages, placed": {"genotype": {"kind": "passages"}, "places": "sides"},
}
EVALUATIONS = 200_000
SEEDS = 20


def compare_speed() -> None:
    """Time complete evolutions of all genotypes in turn, with the same strategy and objective; the
    fastest run counts.
    """
    plain = find_recipe("maze").changed(
        {
            "strategy": {"kind": "generational", "mutation": {"kind": "uniform", "rate": 0.005}},
            "generations": 200,
        }
    )
    print(
        "complete evolution of each genotype: 20x20, population 120, 200 generations, exit "
        "path, best of 6 runs"
    )
    time_each({name: plain.changed({"genotype.kind": name}) for name in GENOTYPES})
    print("levels by construction, finish steps and places: the same at 21x21")
    framed = plain.changed({"size": "21x21", "entrance": "1,1", "exit": "-2,-2"})
    time_each({name: framed.changed(changes) for name, changes in CONSTRUCTED.items()})


def compare_sizes() -> None:
    """Time complete evolutions of large levels, and print how the time grows with the area."""
    print("large levels: recipe warren, 2,320 evaluations, one thread, processor time")
    before: tuple[int, float] | None = None
    for side in (64, 128, 256, 512, 1024):
        recipe = find_recipe("warren").changed({"size": f"{side}x{side}"})
        # The first run compiles.
        Run(recipe.changed({"generations": 1}), 1).finish()
        began = time.process_time()
        run = Run(recipe, 1).finish()
        seconds = time.process_time() - began
        growth = (
            ""
            if before is None
            else (
                "   exponent of the area "
                f"{log(seconds / before[1]) / log((side / before[0]) ** 2):.2f}"
            )
        )
        print(f"  {side}x{side:<6} {seconds:>7.2f} s   way {run.best_score:,.0f}{growth}")
        before = side, seconds


def time_each(recipes: dict[str, Recipe]) -> None:
    """Time recipes in turn, and print their evaluations per second."""
    best = dict.fromkeys(recipes, 0.0)
    for turn in range(6):
        for name, recipe in recipes.items():
            run = Run(recipe, turn).finish()
            best[name] = max(best[name], run.evaluations / run.seconds)
    for name, rate in best.items():
        print(f"  {name:<20} {rate:>12,.0f} evaluations/s   {rate / best['direct']:.2f} of direct")


def report(name: str, recipe: Recipe) -> None:
    """Print the best exit paths of several seeds after the same number of evaluations."""
    limited = recipe.changed(
        {"size": "20x20", "generations": EVALUATIONS, "evaluations": EVALUATIONS}
    )
    runs = [Run(limited, seed).finish() for seed in range(SEEDS)]
    scores = sorted(run.best_score for run in runs)
    seconds = statistics.median(run.seconds for run in runs)
    print(
        f"  {name:<28} median {statistics.median(scores):>5g}   worst {scores[0]:>5g}   best "
        f"{scores[-1]:>5g}   {seconds:.2f} s per run"
    )


def compare_quality() -> None:
    """Compare the recipes after 200,000 evaluations with each other and with a plain genetic
    algorithm.
    """
    print(f"exit path on 20x20 after {EVALUATIONS:,} evaluations, {SEEDS} seeds")
    maze = find_recipe("maze")
    plain = {"kind": "generational", "mutation": {"kind": "uniform", "rate": 0.005}}
    report("plain GA (1/2 of a percent)", maze.changed({"genotype.fill": 0.05, "strategy": plain}))
    paper = {
        "kind": "steady_state",
        "crossover": {"kind": "uniform", "exchange": 0.05},
        "mutation": {"kind": "uniform", "rate": 0.05},
    }
    report(
        "mating events, Pc = Pm = 0.05", maze.changed({"genotype.fill": 0.05, "strategy": paper})
    )
    for name in MAZES:
        report(name, find_recipe(name))


if __name__ == "__main__":
    compare_speed()
    compare_sizes()
    compare_quality()

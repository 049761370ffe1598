"""Figures for dungeons and meta-evolution: one run compared with plain Python and A*, schemes of
meta-evolution and Optuna, Dask and threads.

Run it with `make bench`, or one part alone: `python benchmarks/dungeons.py
plain|meta|race|cluster`. `LEVOLVE_SEEDS` is the number of meta-runs per method (by default 8),
`LEVOLVE_BUDGET` the evaluations of each (by default 5e6).
"""

import os
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

import numpy as np
import optuna

from levolve.bench.dungeons import ITERATIONS, Plain
from levolve.core.errors import InputError
from levolve.jobs.executors import thread_pool, work_pool
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.rank_tests import half_width, rank_pairs
from levolve.jobs.studies.setting_sets import fresh_set, stream_of
from levolve.jobs.studies.study import TrialOutcome, run_trial
from levolve.jobs.studies.tune import tune
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.recipes.search_space import Span
from levolve.version import VERSION

META_RUNS = range(1, int(os.environ.get("LEVOLVE_SEEDS", "8")) + 1)
BUDGET = float(os.environ.get("LEVOLVE_BUDGET", "5e6"))
# A number of generations that no budget allows.
ENDLESS = 100_000
# Seeds that no meta-evolution draws: what a set is worth on runs it was not chosen by.
FRESH = range(1 << 50, (1 << 50) + 100)


def beside_plain_python() -> None:
    recipe = find_recipe("dungeon")
    Run(recipe, 0).finish()
    ratios, slow, fast = [], 0.0, 0.0
    for turn in range(5):
        began = time.process_time()
        plain = Plain(turn)
        for _ in range(ITERATIONS):
            plain.step()
        slow = time.process_time() - began
        began = time.process_time()
        runs = [Run(recipe, 20 * turn + place).finish() for place in range(20)]
        fast = (time.process_time() - began) / len(runs)
        ratios.append(slow / fast)
    print(
        f"one run of 100 dungeons for 100 generations, side by side: {1000 * fast:.1f} ms "
        f"here ({runs[-1].evaluations:,} evaluations),"
    )
    print(f"  {slow:.2f} s in plain Python with A* ({plain.evaluations:,} evaluations);")
    print(
        f"  {statistics.median(ratios):.0f} times as fast (median of 5 turns, from "
        f"{min(ratios):.0f} to {max(ratios):.0f}; processor time)"
    )


def worth(recipe: Recipe, seeds: range = FRESH) -> float:
    """The mean score of a recipe on fresh seeds."""
    units = [(recipe.to_data(), (seed,), VERSION) for seed in seeds]
    with thread_pool() as pool:
        return statistics.mean(
            result.score
            for result in pool.map(run_trial, *zip(*units, strict=True))
            if isinstance(result, TrialOutcome)
        )


def random_sets(count: int) -> list[Recipe]:
    """So many random sets of dungeon-meta that can be run."""
    source = find_recipe("dungeon-meta")
    base = source.changed({"vary": None, "meta": None})
    found: list[Recipe] = []
    for individual in range(1000 * count):
        try:
            found.append(
                base.changed(fresh_set(source.variables, stream_of(99, 99, 0, individual)))
            )
        except InputError:
            continue
        if len(found) == count:
            break
    return found


def meta_evolution() -> None:
    """The two schemes as they are shipped, without a budget."""
    print(f"the complete schemes; worth is the mean of {len(FRESH)} runs with fresh seeds")
    for name in ("dungeon-meta", "dungeon-race"):
        worths = []
        for seed in META_RUNS:
            used = time.process_time()
            found = tune(name, seed=seed)
            used = time.process_time() - used
            worths.append(worth(found.recipe))
            spent = (
                f"{found.runs:,} runs, {found.evaluations:,} evaluations, {used:.1f} s of "
                "processor time"
            )
            print(
                (
                    f"  {name}, seed {seed}: {spent}; chosen by {found.best_score:.1f} "
                    f"({found.judged_by} runs), worth {worths[-1]:.1f}"
                ),
                flush=True,
            )
        print(f"  {name}: worth {statistics.mean(worths):.1f} on average")
    print(f"  the author's own set: {worth(find_recipe('dungeon')):.1f}")
    print(
        "  a random set: "
        f"{statistics.mean(worth(recipe, FRESH[:10]) for recipe in random_sets(50)):.1f} (50 "
        "sets, 10 fresh seeds each)"
    )


def race_beside_others() -> None:
    """Racing compared with the source's scheme, random search and Optuna's TPE, all with the same
    number of evaluations.
    """
    print(
        f"{len(META_RUNS)} meta-runs per method of {BUDGET:,.0f} evaluations; worth is the "
        f"mean of {len(FRESH)} runs with fresh seeds"
    )
    methods: dict[str, Callable[[int], tuple[Recipe, int]]] = {
        "race": lambda seed: tuned("dungeon-race", seed),
        "source": lambda seed: tuned("dungeon-meta", seed),
        "random": lambda seed: tuned("dungeon-meta", seed, random=True),
        "TPE": tpe,
    }
    worths: dict[str, Any] = {}
    for name, method in methods.items():
        worths[name] = np.empty(len(META_RUNS))
        used = []
        for place, seed in enumerate(META_RUNS):
            recipe, evaluations = method(seed)
            used.append(evaluations)
            worths[name][place] = worth(recipe)
        listed = ", ".join(f"{number:.1f}" for number in worths[name])
        print(
            (
                f"  {name:7} {worths[name].mean():.1f} ± {half_width(worths[name]):.1f} "
                f"({listed}), {statistics.mean(used):,.0f} evaluations"
            ),
            flush=True,
        )
    for pair in rank_pairs(worths, "race"):
        print(
            f"  {pair.first} beats {pair.second} in {pair.wins:.0%}, p = {pair.p:.2g}, "
            f"corrected {pair.p_corrected:.2g}"
        )
    print(f"  the author's own set: {worth(find_recipe('dungeon')):.1f}")


def tuned(name: str, seed: int, *, random: bool = False) -> tuple[Recipe, int]:
    """The recipe that a scheme finds within the budget, and the evaluations it used."""
    found = tune(name, seed=seed, random=random, generations=ENDLESS, budget=BUDGET)
    return found.recipe, found.evaluations


def on_a_cluster() -> None:
    recipe = find_recipe("dungeon").changed({"generations": 4000})
    Run(recipe, 0).finish()
    began = time.process_time()
    Run(recipe, 0).finish()
    alone = time.process_time() - began
    units = [(recipe.to_data(), (seed,), VERSION) for seed in range(40)]
    ratios = []
    # Both stay open, and take turns: others on the machine then get in the way of both alike.
    with work_pool(2) as threads, work_pool(2, "local") as workers:
        for pool in (threads, workers):
            seconds_of(pool, units[:4])
        for _ in range(7):
            on_threads, on_workers = seconds_of(threads, units), seconds_of(workers, units)
            ratios.append(on_threads / on_workers)
    print(
        f"runs of {1000 * alone:.0f} ms: two Dask workers here have "
        f"{statistics.median(ratios):.0%} of the throughput of two threads"
    )
    print(f"  (median of 7 turns, from {min(ratios):.0%} to {max(ratios):.0%})")


def seconds_of(pool: Executor, units: list[tuple[Any, ...]]) -> float:
    began = time.perf_counter()
    done = sum(
        isinstance(result, TrialOutcome)
        for result in pool.map(run_trial, *zip(*units, strict=True))
    )
    return (time.perf_counter() - began) / done


def tpe(seed: int) -> tuple[Recipe, int]:
    """The recipe that Optuna's TPE finds by one run per trial, and the evaluations it used; a set
    that makes no valid recipe scores -1.
    """
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    source = find_recipe("dungeon-meta")
    base = source.changed({"vary": None, "meta": None})
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
    used = 0
    while used < BUDGET:
        trial = study.ask()
        for variable in source.variables:
            if isinstance(variable, Span) and variable.whole:
                trial.suggest_int(
                    variable.path,
                    int(variable.low),
                    100 if isinstance(variable.high, str) else int(variable.high),
                )
            elif isinstance(variable, Span):
                trial.suggest_float(variable.path, float(variable.low), float(variable.high))
        try:
            run = Run(
                base.changed(bound(source, trial.params)), 10**6 * seed + trial.number
            ).finish()
        except InputError:
            study.tell(trial, -1.0)
            continue
        used += run.evaluations
        study.tell(trial, run.best_score)
    return base.changed(bound(source, study.best_params)), used


def bound(source: Recipe, settings: dict[str, float]) -> dict[str, float]:
    """A set whose counts do not exceed the setting that bounds them, as in our own sets."""
    return {
        variable.path: min(settings[variable.path], settings[variable.high])
        if isinstance(variable, Span) and isinstance(variable.high, str)
        else settings[variable.path]
        for variable in source.variables
    }


PARTS: dict[str, Callable[[], None]] = {
    "plain": beside_plain_python,
    "meta": meta_evolution,
    "race": race_beside_others,
    "cluster": on_a_cluster,
}

if __name__ == "__main__":
    for chosen in sys.argv[1:] or PARTS:
        PARTS[chosen]()

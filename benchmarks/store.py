"""Measure what a store costs a run: processor time with and without one, in turn in one process; and the time to store a short run."""

import tempfile
import time
from pathlib import Path
from statistics import median

from levolve.recipes.recipe import find_recipe
from levolve.runs.checkpoints import Keeper
from levolve.runs.run import Run
from levolve.runs.store.places import Storing

ROUNDS = 5
SHORT_ROUNDS = 20
SECONDS = 5.0
# Name, recipe, changes: a long history of small states, a usual run, and a few large states.
CASES = (
    ("maze 20x20", "maze", {"size": "20x20", "generations": 40_000}),
    ("maze 64x64", "maze", {"size": "64x64", "generations": 3_000}),
    ("maze 256x256", "maze", {"size": "256x256", "generations": 120}),
)


def timed(run: Run, path: Path | None) -> float:
    """Return the seconds of processor time of a run, stored or not."""
    began = time.process_time()
    for _ in Keeper(run, Storing(path), every=SECONDS).events():
        pass
    run.to_data()  # every command needs it
    return time.process_time() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, recipe, changes in CASES:
            changed = find_recipe(recipe).changed(changes)
            Run(changed.changed({"generations": 1}), 1).finish()
            pairs = [(timed(Run(changed, seed), None), timed(Run(changed, seed), Path(folder) / "runs.sqlite")) for seed in range(ROUNDS)]
            ratios = sorted(stored / plain for plain, stored in pairs)
            shown = ", ".join(f"{100 * (ratio - 1):+.1f} %" for ratio in ratios)
            print(f"{name}: {median(plain for plain, _ in pairs):.1f} s, with a store {shown}; median {100 * (median(ratios) - 1):+.1f} %")
        short = find_recipe("maze").changed({"size": "20x20", "generations": 100})
        times = []
        for seed in range(SHORT_ROUNDS):
            run = Run(short, seed).finish()
            run.to_data()
            began = time.perf_counter()
            used = timed(run, Path(folder) / "runs.sqlite")
            times.append((time.perf_counter() - began, used))
        waited, used = (1000 * median(column) for column in zip(*times, strict=True))
        print(f"a short run is stored in {used:.1f} ms of processor time, {waited:.1f} ms with the time to wait for the disk")


if __name__ == "__main__":
    main()

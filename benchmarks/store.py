"""Measure what a store costs a run: processor time with and without one, in turn in one process;
and the time to store a short run.
"""

import tempfile
import time
from pathlib import Path
from statistics import median

from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import Storing
from levolve.recipes.recipe import find_recipe

ROUNDS = 3
SHORT_ROUNDS = 20
SECONDS = 5.0
# Name and changes: a long history of small states, a usual run, and a few large states.
CASES = (
    ("maze 20x20", {"size": "20x20", "generations": 20_000}),
    ("maze 64x64", {"size": "64x64", "generations": 2_000}),
    ("maze 256x256", {"size": "256x256", "generations": 100}),
)


class Measured(JobRunner):
    """Counts the processor time of this thread that is spent on storing."""

    storing = 0.0

    def _save(self, status: str, problem: str | None = None) -> float:
        began = time.thread_time()
        wait = super()._save(status, problem)
        self.storing += time.thread_time() - began
        return wait


def timed(run: Run, path: Path | None) -> tuple[float, float]:
    """Return the seconds of processor time of a run, stored or not, and the share of them that is
    spent on storing.
    """
    runner = Measured(run, Storing(path), every=SECONDS)
    began = time.process_time()
    for event in runner.events():
        if event.kind == "ended":
            run.to_data()  # every command needs it
    used = time.process_time() - began
    return used, runner.storing / used


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "runs.sqlite"
        for name, changes in CASES:
            recipe = find_recipe("maze").changed(changes)
            timed(Run(recipe.changed({"generations": 1}), 1), store)  # loads the kernels
            plain, stored = zip(
                *(
                    (timed(Run(recipe, 1), None), timed(Run(recipe, 1), store))
                    for _ in range(ROUNDS)
                ),
                strict=True,
            )
            # The least time of each is the one that other programs disturbed least.
            without, with_store = min(plain)[0], min(stored)[0]
            share = median(share for _, share in stored)
            ratio = f"{100 * (with_store / without - 1):+.1f} %"
            print(
                f"{name}: {without:.2f} s, with a store {with_store:.2f} s: {ratio}; storing "
                f"takes {100 * share:.1f} %"
            )
        short = find_recipe("maze").changed({"size": "20x20", "generations": 100})
        times = []
        for seed in range(SHORT_ROUNDS):
            run = Run(short, seed).finish()
            run.to_data()
            began = time.perf_counter()
            used, _ = timed(run, store)
            times.append((used, time.perf_counter() - began))
        used, waited = (1000 * median(column) for column in zip(*times, strict=True))
        print(
            f"a short run is stored in {used:.1f} ms of processor time, {waited:.1f} ms with "
            "the time to wait for the disk"
        )


if __name__ == "__main__":
    main()

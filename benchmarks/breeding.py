"""Figures for breeding: what a simulated designer gets within ten sheets, with picks and without,
and how long a sheet takes.

The designer prefers levels that look the same when they are turned by half a turn. Run it with
`make bench`; `LEVOLVE_SEEDS` is the number of seeds (20 unless set).
"""

import os
import statistics
import time
from collections.abc import Callable

import numpy as np

from levolve.jobs.breeding.breed import breed
from levolve.jobs.breeding.session import Session
from levolve.levels.level import Level
from levolve.recipes.recipe import shipped

SHEETS = 10
# A level counts as symmetric from this correlation on.
SYMMETRIC = 0.3


def symmetry(level: Level) -> float:
    """The correlation of the walls with the walls after half a turn: 1 if they are the same, about
    0 for random ones, however many there are.
    """
    walls = level.tiles != 0
    cells, count = int(walls.size), int(walls.sum())
    both = int((walls & walls[::-1, ::-1]).sum())
    return (cells * both - count * count) / max(cells * count - count * count, 1)


def designer(session: Session) -> None:
    """Love the most symmetric level of the sheet, and like the two after it."""
    levels = session.levels
    order = sorted(range(len(levels)), key=lambda place: -symmetry(levels[place]))
    session.pick(dict(zip(order, ("love", "like", "like"), strict=False)))


def nobody(session: Session) -> None:
    """Pick nothing."""


def last_sheet(
    recipe: str, seed: int, who: Callable[[Session], None], sheets: int = SHEETS
) -> list[float]:
    """The symmetry of the levels on the last of some sheets."""
    session = breed(recipe, size=(14, 14), seed=seed)
    for _ in range(sheets - 1):
        who(session)
        session.next()
    return [symmetry(level) for level in session.levels]


def compare_designers(recipe: str, seeds: range) -> None:
    """Print the mean symmetry of the last sheet, and the share of symmetric levels, with picks and
    without.
    """
    figures = {}
    for name, who in (("with picks", designer), ("without", nobody)):
        sheets = [last_sheet(recipe, seed, who) for seed in seeds]
        symmetric = statistics.mean(value >= SYMMETRIC for sheet in sheets for value in sheet)
        figures[name] = [statistics.mean(sheet) for sheet in sheets]
        spread = statistics.stdev(figures[name])
        print(
            f"  {recipe:<15} {name:<11} symmetry {statistics.mean(figures[name]):.3f} ± "
            f"{spread:.3f}, symmetric levels {symmetric:.0%}"
        )
    wins = sum(a > b for a, b in zip(*figures.values(), strict=True))
    print(f"  {recipe:<15} more symmetric with picks for {wins} of {len(seeds)} seeds")


def time_sheets(recipe: str) -> None:
    """Print how long new sheets take one core at 20x20, kernels loaded: by picks, of two parents,
    of the same style, after ten generations.
    """
    session = breed(recipe, size=(20, 20), seed=3)
    ways: dict[str, Callable[[], object]] = {
        "next": session.next,
        "two parents": lambda: session.cross(0, 1),
        "more like": lambda: session.more_like(0),
        "10 generations": lambda: session.advance(10),
    }
    figures = []
    for name, way in ways.items():
        seconds = []
        for number in range(9):
            session.pick({0: "love", len(session.levels) - 1: "like"})
            began = time.process_time()
            way()
            # The first loads kernels.
            seconds += [time.process_time() - began] if number else []
        figures.append(
            f"{name} {1000 * float(np.median(seconds)):4.0f} (≤ {1000 * max(seconds):4.0f})"
        )
    print(f"  {recipe:<17} {len(session.levels)} levels, ms: {', '.join(figures)}", flush=True)


def main() -> None:
    """Print everything."""
    seeds = range(int(os.environ.get("LEVOLVE_SEEDS", "20")))
    print(
        f"a designer who prefers symmetric levels, sheet {SHEETS} of 12 levels, 14x14, "
        f"{len(seeds)} seeds"
    )
    for recipe in ("maze", "dungeon", "maze-barriers", "maze-tunnels", "maze-automaton"):
        compare_designers(recipe, seeds)
    print("the next sheet of 12 levels at 20x20")
    for recipe in shipped():
        time_sheets(recipe)


if __name__ == "__main__":
    main()

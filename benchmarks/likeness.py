"""Levels in the style of examples: how near they are to it, whether they are copies, and what they
cost. One thread.
"""

import sys
import time
from pathlib import Path

import numpy as np

import levolve
from levolve.levels.level import Level

STYLES = Path(__file__).parent.parent / "examples" / "styles"
COUNT = 20


def shuffled(example: Level, count: int) -> list[Level]:
    """Levels of random tiles with the same shares."""
    random = np.random.default_rng(1)
    return [
        Level(
            random.permutation(example.tiles.ravel()).reshape(example.tiles.shape),
            tileset=example.tileset,
        )
        for _ in range(count)
    ]


def main() -> None:
    curve = sys.argv[1] if len(sys.argv) > 1 else None
    print(
        f"{'style':<8} {'divergence':>10} {'shuffled':>9} {'ratio':>6} {'original':>9} "
        f"{'levels':>7} {'difficulty':>12} {'s per level':>12}"
    )
    levolve.pack(
        like=STYLES / "maze.txt", count=1, seed=9, executor=1, curve=curve
    )  # compiles the kernels
    for file in sorted(STYLES.glob("*.txt")):
        example = levolve.load(file)
        began = time.process_time()
        made = levolve.pack(like=file, count=COUNT, curve=curve, seed=1, executor=1)
        seconds = time.process_time() - began
        for level in made.levels:
            level.check()
        found = levolve.measure(made.levels, like=[example])
        random = levolve.measure(shuffled(example, 100), like=[example])["divergence"].mean()
        mean, least = found["divergence"].mean(), found["originality"].min()
        effort = f"{found['difficulty'].min()}..{found['difficulty'].max()}"
        print(
            f"{file.stem:<8} {mean:>10.3f} {random:>9.3f} {mean / random:>6.3f} "
            f"{least:>9.3f} {len(made.levels):>4}/{COUNT} {effort:>12} "
            f"{seconds / COUNT:>12.2f}"
        )
        if len(sys.argv) > 2:
            made.save(Path(sys.argv[2]) / file.stem, "txt")


if __name__ == "__main__":
    main()

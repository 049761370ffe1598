"""Evolve the sample level of each shipped recipe that the first screen of the studio shows: `python
docs/studio_samples.py [RECIPE…]`.
"""

import sys
from pathlib import Path

import levolve
from levolve.recipes.recipe import shipped

FOLDER = Path(__file__).parent.parent / "src" / "levolve" / "studio" / "samples"
SEED = 1


def main(names: list[str]) -> None:
    """Write one level per recipe as text, with its recipe, seed and solution."""
    for name in names or shipped():
        levolve.save(levolve.evolve(name, seed=SEED, store=False).best, FOLDER / f"{name}.txt")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Proofs of levels with things: levels per second by class, and shortest solutions.

Levels of rooms as the recipe `castle` draws them, furnished by assumed fill.
"""

from collections.abc import Iterator

import numpy as np

from levolve.bench.measuring import Effort, Figure, fastest
from levolve.levels.batch import Batch
from levolve.levels.measures.path_features import stops
from levolve.levels.measures.thing_features import tables
from levolve.levels.things.batch_proofs import prove_batch
from levolve.levels.things.batch_things import BatchThings
from levolve.levels.things.thing import Thing
from levolve.recipes.recipe import find_recipe

SUBJECT = "proofs"
SIDES = (25, 64)
# The things of each class, by kind.
CLASSES = {
    "A: 8 keys, 8 doors": {"key": 8, "door": 8},
    "C: 8 small keys and doors": {"small_key": 8, "small_door": 8},
    # More levers than furnishing places stand where keys would.
    "T: 8 levers, 16 gates": {"key": 8, "door": 16},
    "G: 3 of each, 4 one-ways": {
        "key": 3,
        "door": 3,
        "small_key": 3,
        "small_door": 3,
        "lever": 3,
        "gate": 3,
        "one_way": 4,
    },
}


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure the proofs of batches whose things are known as tables."""
    for side in SIDES:
        for name, things in CLASSES.items():
            count = effort.choose(16, 128)
            batch = furnished(side, things, count)
            if name.startswith("T"):
                batch.things = switched(batch.things)
            cells, own = stops(batch).astype(np.int32), tables(batch)
            for walked in (False, True) if side == SIDES[-1] else (False,):
                seconds = fastest(_prove, batch, cells, own, walked, seconds=effort.choose(0.05, 1))
                yield Figure(
                    SUBJECT,
                    f"{side}x{side}, {name}" + (", with the shortest solution" if walked else ""),
                    count / seconds,
                    "levels/s",
                )


def furnished(side: int, things: dict[str, int], count: int) -> Batch:
    """Return levels of rooms with these things."""
    recipe = find_recipe("castle").changed({"size": [side, side], "furnish": {"things": things}})
    problem = recipe.problem
    return problem.batch(problem.start(1, 0, count))


def switched(things: BatchThings | None) -> BatchThings | None:
    """Return levers and gates in the cells of keys and doors of the same colours, so that levels
    that can be won still can be.
    """
    if things is None:
        return None
    found = []
    for thing in things.prototypes:
        colour = thing.fields.get("color", "red")
        if thing.kind == "key":
            found.append(Thing("lever", (0, 0), colour))
        elif thing.kind == "door":
            found.append(Thing("gate", (0, 0), fields={"lever": colour}))
        else:
            found.append(thing)
    return BatchThings(tuple(found), things.cells)


def _prove(batch: Batch, cells: np.ndarray, own: object, walked: bool) -> None:  # noqa: FBT001 the kernel takes it as a plain value
    table = batch.tileset.table
    prove_batch(batch.tiles, table, cells, own, collects=False, walked=walked)  # type: ignore[arg-type]

"""The contract of measures.

The contract of objectives.
"""

import pickle
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.kernels.bits.packed_flood import WIDEST
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, Frame, checkpoint
from levolve.levels.measures.measure import Measure
from levolve.levels.measures.structure_features import unwinnable
from levolve.levels.things.batch_things import BatchThings
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import RAINBOW, WALLS, Tileset
from levolve.search.genotypes.genotype import Genotype
from levolve.search.objectives.objective import Objective
from levolve.testing.genotypes import SIZES, frames, need

# The first one is what the player has, on the start; levels without room lack the last ones.
_THINGS = (
    Thing("player", (0, 0), fields={"health": "3"}),
    Thing("key", (0, 0)),
    Thing("door", (0, 0)),
    Thing("monster", (0, 0)),
    Thing("small_key", (0, 0)),
    Thing("small_door", (0, 0)),
    Thing("treasure", (0, 0)),
    Thing("trap", (0, 0)),
    Thing("lever", (0, 0), "lever"),
    Thing("gate", (0, 0), fields={"lever": "lever"}),
    Thing("small_door", (0, 0)),
    Thing("one_way", (0, 0)),
)


def check_measure(measure: Measure, tilesets: Sequence[Tileset] = (WALLS, RAINBOW)) -> None:
    """Check that values have the declared type, depend only on their level, repeat, agree for
    packed levels, and stay within their bounds.

    Levels of several sizes are measured, with an entrance, an exit, checkpoints and a tour, of each
    tileset, and with things.
    """
    need("a measure has a meaning", holds=bool(measure.meaning))
    for width, height in SIZES:
        corner = {
            ENTRANCE: (0, 0),
            EXIT: (width - 1, height - 1),
            checkpoint(1): (width // 2, 0),
            checkpoint(2): (0, height // 2),
        }
        tour = {"A": (0, 0), "B": (width - 1, 0), "C": (width - 1, height - 1)}
        for places in (corner, tour):
            frame = Frame(width, height, places)
            for tileset in tilesets if measure.suits(frame) else ():
                _check_values(measure, frame, tileset, _sparse_tiles(frame, tileset))
        frame = Frame(width, height, corner, things=True)
        for tileset in tilesets if measure.suits(frame) else ():
            tiles = _sparse_tiles(frame, tileset)
            _check_values(measure, frame, tileset, tiles, _scattered(frame, tileset, tiles))


def _sparse_tiles(frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
    """Return six levels of a frame, from empty to half full, with all places on walkable tiles."""
    random = np.random.default_rng(frame.width)
    shape = (6, frame.height, frame.width)
    share = np.linspace(0, 0.5, 6)[:, np.newaxis, np.newaxis]
    tiles = np.where(
        random.random(shape) < share,
        random.integers(0, len(tileset.characters), shape),
        tileset.open_kind,
    ).astype(np.uint8)
    for x, y in frame.places.values():
        tiles[:, y, x] = tileset.open_kind
    return tiles


def _scattered(frame: Frame, tileset: Tileset, tiles: NDArray[np.uint8]) -> BatchThings:
    """Return things of several kinds on random walkable cells; those without room are absent."""
    random = np.random.default_rng(frame.height)
    width = frame.width
    ends = [y * width + x for x, y in (frame.entrance, frame.exit)]
    cells = np.full((len(tiles), len(_THINGS)), -1, np.int64)
    walkable = np.array([tileset.may_stand(kind) for kind in range(len(tileset.characters))])[
        tiles
    ].reshape(len(tiles), -1)
    for level, row in enumerate(cells):
        free = np.setdiff1d(np.flatnonzero(walkable[level]), ends)
        drawn = random.permutation(free)[: len(row) - 1]
        row[1 : 1 + len(drawn)] = drawn
        row[0] = ends[0]
    return BatchThings(_THINGS, cells)


def _check_values(
    measure: Measure,
    frame: Frame,
    tileset: Tileset,
    tiles: NDArray[np.uint8],
    things: BatchThings | None = None,
) -> None:
    def batch_of(
        given: NDArray[np.uint8] | None,
        rows: NDArray[np.uint64] | None = None,
        indices: slice = slice(None),
    ) -> Batch:
        made = Batch(frame, given, rows, tileset)
        made.things = things.take(indices) if things else None
        return made

    batch = batch_of(tiles)
    counted = np.asarray(measure.count(batch))
    need("there is one number per level", holds=counted.shape == (len(tiles),))
    need(
        "whole numbers are integers, fractions are 64-bit floats",
        holds=counted.dtype.kind in "iu" if measure.whole else counted.dtype == np.float64,
    )
    need("numbers are finite", holds=bool(np.isfinite(counted).all()))
    values = measure.values(batch)
    again = measure.values(batch_of(tiles.copy()))
    need("the same levels give the same numbers", holds=np.array_equal(values, again))
    for index in range(len(tiles)):
        one = slice(index, index + 1)
        alone = measure.values(batch_of(tiles[one], None, one))
        need(
            "a level's number does not depend on the other levels of its batch",
            holds=alone[0] == values[index],
        )
    if tileset.packs and frame.width <= WIDEST:
        packed = measure.values(batch_of(None, batch.rows.copy()))
        need(
            "packed levels give the same numbers as unpacked ones",
            holds=np.array_equal(values, packed),
        )
    least, most = measure.bounds(frame, tileset)
    won = values[unwinnable(batch) == 0]
    need(
        "levels that can be won stay within the bounds",
        holds=bool(((won >= least) & (won <= most)).all()),
    )
    strides = np.mod(won - least, measure.stride) if measure.whole else np.zeros(0)
    need("whole numbers are the least one plus a multiple of the stride", holds=not strides.any())


def check_objective(objective: Objective, genotype: Genotype) -> None:
    """Check that scores are finite, one per level, and that a level's score depends only on this
    level.
    """
    need(
        "an objective can be sent to other processes",
        holds=pickle.loads(pickle.dumps(objective)) == objective,
    )
    for frame in frames(genotype):
        objective.check(frame)
        genes = genotype.start(frame, 3, 0, 7)
        batch = genotype.batch(genes, frame)
        before = batch.tiles.copy()
        scores = np.array(objective.score(batch))
        need(
            "there is one score per level, a 64-bit float",
            holds=scores.shape == (7,) and scores.dtype == np.float64,
        )
        need("scores are finite", holds=bool(np.isfinite(scores).all()))
        need("scoring does not change the levels", holds=np.array_equal(batch.tiles, before))
        need(
            "no score is above the goal",
            holds=objective.goal is None or bool((scores <= objective.goal).all()),
        )
        need(
            "the same levels have the same scores each time",
            holds=np.array_equal(scores, objective.score(genotype.batch(genes, frame))),
        )
        need(
            "scores follow the order of the levels",
            holds=np.array_equal(
                scores[::-1], objective.score(genotype.batch(genes[::-1].copy(), frame))
            ),
        )
        for index in range(len(genes)):
            alone = objective.score(genotype.batch(genes[index : index + 1], frame))
            need(
                "a level's score does not depend on the other levels of its batch",
                holds=alone[0] == scores[index],
            )
    if objective.needs:
        need("a frame that lacks a place is rejected", holds=_rejects(objective, Frame(6, 6, {})))


def _rejects(objective: Objective, frame: Frame) -> bool:
    try:
        objective.check(frame)
    except InputError:
        return True
    return False

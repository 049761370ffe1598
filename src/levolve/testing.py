"""Checks for authors of plug-ins: what every genotype, objective and format must keep to. Our own tests run them over the registries.

Each function raises `AssertionError` with a sentence about the law that was broken.
"""

from pathlib import Path

import numpy as np

from levolve.errors import InputError
from levolve.formats.format import Format
from levolve.genotypes.genotype import Genotype
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, Frame, checkpoint
from levolve.levels.level import Level
from levolve.objectives.objective import Objective

SIZES = ((2, 2), (5, 9), (20, 20), (64, 7), (65, 6), (130, 3))


def _need(law: str, *, holds: bool) -> None:
    if not holds:
        raise AssertionError(law)


def frames(genotype: Genotype) -> list[Frame]:
    """Frames of several sizes, below and above what fits into a machine word, with the places that the genotype does not set itself."""
    if genotype.sets_places:
        return [Frame(width, height, {}, tours=True) for width, height in SIZES]
    centre = checkpoint(1)
    return [Frame(width, height, {ENTRANCE: (0, 0), EXIT: (width - 1, height - 1), centre: (width // 2, 0)}) for width, height in SIZES]


def check_genotype(genotype: Genotype) -> None:
    """Check that genes start by seed alone, become tiles one by one, and stay in range when they are varied."""
    for frame in frames(genotype):
        space = genotype.space(frame)
        genes = genotype.start(frame, 5, 0, 9)
        _need("start gives as many individuals as were asked for", holds=len(genes) == 9)  # noqa: PLR2004
        _need("the same seed gives the same start", holds=np.array_equal(genes, genotype.start(frame, 5, 0, 9)))
        _need("an individual does not depend on how many start with it", holds=np.array_equal(genes[:4], genotype.start(frame, 5, 0, 4)))
        tiles = genotype.express(genes, frame)
        _need("tiles are (n, height, width) bytes", holds=tiles.shape == (9, frame.height, frame.width) and tiles.dtype == np.uint8)
        for index in range(len(genes)):
            alone = genotype.express(genes[index : index + 1], frame)[0]
            _need("a level does not depend on the levels beside it", holds=np.array_equal(tiles[index], alone))
        _check_writing(genotype, genotype.batch(genes[:1], frame))
        masks = np.tile(space.free, (9, 1))
        parents = np.arange(10) % 9
        swapped = np.empty_like(genes)
        space.cross(genes, parents, np.tile(space.free, (5, 1)), swapped)
        _need("exchanging all free genes gives the other parent", holds=np.array_equal(swapped[:2], genes[[1, 0]]))
        space.mutate(genes, masks, 5, 1)
        batch = genotype.batch(genes, frame)
        _need("varied genes still stand for tiles of the tileset", holds=int(batch.tiles.max()) < len(batch.tileset.characters))
        for x, y in (frame.places[name] for name in (ENTRANCE, EXIT) if name in frame.places):
            kinds = {int(kind) for kind in batch.tiles[:, y, x]}
            _need("entrance and exit can always be stood on", holds=all(batch.tileset.may_stand(kind) for kind in kinds))


def _check_writing(genotype: Genotype, batch: Batch) -> None:
    """Check that a level which can be written down as genes is what those genes stand for."""
    level = Level(batch.tiles[0], batch.places_of(0), batch.tileset)
    try:
        genes = genotype.write(level, batch.frame)
    except InputError:
        return
    again = genotype.batch(genes[np.newaxis], batch.frame)
    _need("genes written down for a level stand for this level", holds=Level(again.tiles[0], again.places_of(0), again.tileset) == level)


def check_objective(objective: Objective, genotype: Genotype) -> None:
    """Check that scores are finite, one a level, and that a level's score does not depend on the levels beside it."""
    for frame in frames(genotype):
        objective.check(frame)
        genes = genotype.start(frame, 3, 0, 7)
        scores = objective.score(genotype.batch(genes, frame))
        _need("there is one score a level, a 64-bit float", holds=scores.shape == (7,) and scores.dtype == np.float64)
        _need("scores are finite", holds=bool(np.isfinite(scores).all()))
        for index in range(len(genes)):
            alone = objective.score(genotype.batch(genes[index : index + 1], frame))
            _need("a level's score does not depend on the levels beside it", holds=alone[0] == scores[index])


def check_format(entry: Format, level: Level) -> None:
    """Check that a level comes back equal, with its solution and origin, and that the bytes are the same each time.

    A format that does not hold the level's tileset must refuse it, and say so.
    """
    if level.tileset.name not in entry.tilesets:
        try:
            entry.encode(level)
        except InputError as problem:
            _need("a refusal names the tileset", holds=level.tileset.name in str(problem))
            return
        _need("a level of a tileset that the format cannot hold is refused", holds=False)
    content = entry.encode(level)
    again = entry.decode(content)
    _need("a level that is written and read again is equal", holds=again == level)
    _need("the solution comes back", holds=again.solution == level.solution)
    _need("the origin comes back", holds=again.origin == level.origin)
    _need("the same level gives the same bytes", holds=entry.encode(level) == content)
    beside = entry.beside(level)
    _need("files beside it have plain names of our own", holds=all(Path(name).name == name and name.startswith("levolve-") for name in beside))
    _need("files beside it have the same bytes each time", holds=dict(entry.beside(level)) == dict(beside))

"""Conversion between batches and single levels."""

from dataclasses import replace

from levolve.levels.batch import Batch
from levolve.levels.frame import Examples
from levolve.levels.level import Level
from levolve.levels.places import ENTRANCE, EXIT, TOUR, Place
from levolve.measures.features.tours import tours


def places_at(batch: Batch, index: int) -> dict[str, Place]:
    """Return the places of one level: those of the frame, and its own."""
    places = dict(batch.frame.places)
    if batch.ends is not None:
        cells = zip((ENTRANCE, EXIT), batch.ends[index].tolist(), strict=True)
        places |= {name: (cell % batch.frame.width, cell // batch.frame.width) for name, cell in cells}
    if batch.marks is not None:
        stops = zip(TOUR, tours(batch)[index].tolist(), strict=True)
        places |= {name: (cell % batch.frame.width, cell // batch.frame.width) for name, cell in stops if cell >= 0}
    return places


def level_at(batch: Batch, index: int = 0) -> Level:
    """Return the level at an index of the batch, without a solution."""
    areas = () if batch.areas is None else batch.areas(index)
    return Level(batch.tiles[index], places_at(batch, index), batch.tileset, goal=batch.frame.goal, areas=areas)


def batch_of(level: Level, like: Examples = ()) -> Batch:
    """Return a batch of one level, which measures can compare with examples."""
    frame = replace(level.frame, like=like) if like else level.frame
    return Batch(frame, tiles=level.tiles[None], tileset=level.tileset)

"""The contracts of genotypes and of formats; `need`: how a contract is stated."""

import pickle
from collections.abc import Callable
from pathlib import Path

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.look import Look
from levolve.kernels.bits.random_streams import MUTATE
from levolve.levels.batch import Batch
from levolve.levels.frame import ENTRANCE, EXIT, FREE, Frame, checkpoint
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.measures.measuring import level_at
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.things.thing import Thing
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.genotypes.genotype import Genotype

SIZES = ((2, 2), (5, 9), (20, 20), (64, 7), (65, 6), (130, 3))


def frames(genotype: Genotype) -> list[Frame]:
    """Return frames of several widths, below and above 64, with the places that the genotype does
    not set itself.

    Sizes that the genotype rejects with an `InputError` are left out; it must accept 20x20.
    """
    if genotype.sets_ends:
        sized = [Frame(width, height, {}, ends=True) for width, height in SIZES]
    elif genotype.sets_places:
        sized = [Frame(width, height, {}, tours=True) for width, height in SIZES]
    else:
        centre = checkpoint(1)
        sized = [
            Frame(
                width,
                height,
                {ENTRANCE: (0, 0), EXIT: (width - 1, height - 1), centre: (width // 2, 0)},
            )
            for width, height in SIZES
        ]
    return [frame for frame in sized if _fits(genotype, frame)]


def accepts(space: GeneSpace, genes: Genes) -> bool:
    """Whether genes are in the range of their space."""
    try:
        space.check(genes)
    except InputError:
        return False
    return True


def check_genotype(genotype: Genotype) -> None:
    """Check that genes depend only on seed and generation, that each individual is decoded
    independently, and that varied genes stay in range.
    """
    need(
        "a genotype can be sent to other processes",
        holds=pickle.loads(pickle.dumps(genotype)) == genotype,
    )
    seeded = aged = expressed = False
    for frame in frames(genotype):
        space = genotype.space(frame)
        genes = genotype.start(frame, 5, 0, 9)
        need(
            "start returns the requested number of individuals", holds=len(genes) == 9
        )  # the number asked for above
        need("the genes of a start are in the range of their space", holds=accepts(space, genes))
        need(
            "the same seed gives the same start",
            holds=np.array_equal(genes, genotype.start(frame, 5, 0, 9)),
        )
        need(
            "an individual does not depend on the size of the population",
            holds=np.array_equal(genes[:4], genotype.start(frame, 5, 0, 4)),
        )
        seeded |= not np.array_equal(genes, genotype.start(frame, 6, 0, 9))
        aged |= not np.array_equal(genes, genotype.start(frame, 5, 1, 9))
        before = genes.copy()
        tiles = genotype.express(genes, frame).copy()
        need("expressing genes does not change them", holds=np.array_equal(genes, before))
        need(
            "tiles are (n, height, width) bytes",
            holds=tiles.shape == (9, frame.height, frame.width) and tiles.dtype == np.uint8,
        )
        need(
            "the same genes give the same level each time",
            holds=np.array_equal(tiles, genotype.express(genes, frame)),
        )
        for index in range(len(genes)):
            alone = genotype.express(genes[index : index + 1], frame)[0]
            need(
                "a level does not depend on the other levels of its batch",
                holds=np.array_equal(tiles[index], alone),
            )
        _check_places(genotype.batch(genes, frame))
        _check_writing(genotype, genotype.batch(genes[:1], frame))
        _check_variation(genotype, frame, genes)
        expressed |= not np.array_equal(tiles, genotype.express(genes, frame))
    need("the genes of a start depend on the seed", holds=seeded)
    need("the genes of a start depend on the generation", holds=aged)
    need("levels depend on the genes", holds=expressed)
    _check_kept_cells(genotype)


def _fits(genotype: Genotype, frame: Frame) -> bool:
    """Whether the genotype has levels of this size. Every genotype has levels of 20x20."""
    try:
        genotype.space(frame)
    except InputError as problem:
        need(
            f"levels of 20x20 are possible, but: {problem}",
            holds=(frame.width, frame.height) != (20, 20),
        )
        return False
    return True


def _check_variation(genotype: Genotype, frame: Frame, genes: Genes) -> None:
    """Check crossover, rotation and mutation. Changes `genes`."""
    space = genotype.space(frame)
    swapped = np.empty_like(genes)
    space.cross(genes, np.arange(10) % 9, np.tile(space.free, (5, 1)), swapped)
    need(
        "exchanging all free genes swaps the parents",
        holds=np.array_equal(swapped[:2], genes[[1, 0]]),
    )
    need(
        "rotated genes are in the range of their space",
        holds=accepts(space, space.rotate(genes, MUTATE, 5, 1)),
    )
    space.mutate(genes, np.tile(space.free, (9, 1)), 5, 1)
    need("mutated genes are in the range of their space", holds=accepts(space, genes))
    batch = genotype.batch(genes, frame)
    need(
        "varied genes still give tiles of the tileset",
        holds=int(batch.tiles.max()) < len(batch.tileset.characters),
    )
    _check_places(batch)


def _check_places(batch: Batch) -> None:
    if batch.ends is not None:
        kinds = {
            int(kind)
            for kind in np.take_along_axis(
                batch.tiles.reshape(len(batch), -1), batch.ends, axis=1
            ).ravel()
        }
        need(
            "entrance and exit are always walkable",
            holds=all(batch.tileset.may_stand(kind) for kind in kinds),
        )
        need(
            "entrance and exit are different cells",
            holds=bool((batch.ends[:, 0] != batch.ends[:, 1]).all()),
        )
    for x, y in (
        batch.frame.places[name] for name in (ENTRANCE, EXIT) if name in batch.frame.places
    ):
        kinds = {int(kind) for kind in batch.tiles[:, y, x]}
        need(
            "entrance and exit are always walkable",
            holds=all(batch.tileset.may_stand(kind) for kind in kinds),
        )


def _check_kept_cells(genotype: Genotype) -> None:
    """Check that cells to keep have the required tile, even after every free gene has changed."""
    frame = next(
        frame for frame in frames(genotype) if frame.height > 4
    )  # the row of the kept cell
    characters = genotype.batch(genotype.start(frame, 5, 0, 1), frame).tileset.characters
    for kind in (0, len(characters) - 1):
        rows = [FREE * frame.width for _ in range(frame.height)]
        rows[4] = FREE * 2 + characters[kind] + FREE * (frame.width - 3)
        kept = Frame(
            frame.width, frame.height, frame.places, tuple(rows), frame.tours, ends=frame.ends
        )
        space, genes = genotype.space(kept), genotype.start(kept, 5, 0, 9)
        for _ in range(2):
            need(
                "cells to keep are kept",
                holds=bool((genotype.express(genes, kept)[:, 4, 2] == kind).all()),
            )
            space.mutate(genes, np.tile(space.free, (9, 1)), 5, 1)


def _check_writing(genotype: Genotype, batch: Batch) -> None:
    """Check that the genes written for a level give this level."""
    level = level_at(batch)
    try:
        genes = genotype.write(level, batch.frame)
    except InputError:
        return
    again = genotype.batch(genes[np.newaxis], batch.frame)
    need("genes written for a level give this level", holds=level_at(again) == level)


def need(law: str, *, holds: bool) -> None:
    """Raise `AssertionError` with the law unless it holds."""
    if not holds:
        raise AssertionError(law)


def raises(kind: type[Exception], call: Callable[[], object]) -> bool:
    """Whether a call raises an error of this kind."""
    try:
        call()
    except kind:
        return True
    return False


def check_format(entry: Format, level: Level) -> None:
    """Check that a loaded level equals the saved one, with its solution and origin, and that the
    bytes are the same each time.

    The same is checked without places, and with each registered goal. A format that does not
    support the level's tileset must raise `InputError`.
    """
    if not entry.holds(level.tileset):
        try:
            entry.encode(level)
        except InputError as problem:
            need(
                "an error about an unsupported tileset names it",
                holds=level.tileset.name in str(problem),
            )
            return
        need("a level with an unsupported tileset is rejected", holds=False)
    _check_round_trip(entry, level)
    _check_round_trip(entry, Level(level.tiles, {}, level.tileset))
    for name in GOALS:
        standable = all(
            level.tileset.may_stand(int(level.tiles[y, x])) for x, y in level.places.values()
        )
        if standable:
            _check_round_trip(
                entry, Level(level.tiles, level.places, level.tileset, goal=GOALS[name])
            )


def level_with_all_things() -> Level:
    """Return a level with a thing of each registered kind that can stand there, of a kind of its
    own and of an unknown kind.
    """
    things = [Thing("oil", (0, 1), "oil", {"amount": "2"}), Thing("torch", (1, 1))]
    cells = iter([(x, y) for y in range(2, 2 + len(KINDS)) for x in range(1, 4)])
    for name, kind in ((name, KINDS[name]) for name in KINDS):
        links = {kind.gate: "lever", kind.leads: "stairs" if name != "stairs" else "teleporter"}
        fields = {field: other for field, other in links.items() if field}
        cell = (0, 0) if kind.held else next(cells)
        things.append(Thing(name, cell, name, fields))
    lamp = Kind("oil", fields={"amount": "1"}, gives={"light": "amount"})
    tiles = np.zeros((2 + len(KINDS), 4), np.uint8)
    places = {ENTRANCE: (0, 0), EXIT: (3, 0)}
    return Level(tiles, places, things=tuple(things), kinds={"oil": lamp}).with_solution("rrr")


def check_format_things(entry: Format) -> None:
    """Check that a level with things of all registered kinds, of a kind of its own and of an
    unknown kind is preserved, or refused by an `InputError` that names a kind.
    """
    level = level_with_all_things()
    try:
        entry.encode(level)
    except InputError as problem:
        named = any(thing.kind in str(problem) for thing in level.things)
        need("an error about things names their kinds", holds=named)
        return
    _check_round_trip(entry, level)


def _check_round_trip(entry: Format, level: Level) -> None:
    content = entry.encode(level)
    again = entry.decode(content)
    need("a loaded level equals the saved one", holds=again == level)
    need("the tileset is preserved", holds=again.tileset == level.tileset)
    need("the goal is preserved", holds=again.goal == level.goal)
    need("the solution is preserved", holds=again.solution == level.solution)
    need("the origin is preserved", holds=again.origin == level.origin)
    need("the same level gives the same bytes", holds=entry.encode(level) == content)
    beside = entry.beside(level, Look())
    need(
        "additional files have plain names that begin with levolve",
        holds=all(
            Path(name).name == name and name.startswith(("levolve-", "levolve.")) for name in beside
        ),
    )
    need(
        "additional files have the same bytes each time",
        holds=dict(entry.beside(level, Look())) == dict(beside),
    )

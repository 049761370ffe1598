"""`Floors`: a genotype whose levels have several floors, joined by stairs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures.path_features import stops
from levolve.levels.places import ENTRANCE, EXIT, Place
from levolve.levels.things.batch_things import BatchThings
from levolve.levels.things.kinds import DOOR, KEY
from levolve.levels.things.thing import Thing, kinds_of
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.gene_space import BitGenes, Genes, GeneSpace, NumberGenes
from levolve.search.genotypes.genotype import Genotype

LOCKS = {"key": KEY, "door": DOOR}
# Colours of keys in the order in which floors use them.
COLOURS = (
    *("red", "blue", "green", "yellow", "purple", "orange", "cyan", "white", "pink", "brown"),
    *("grey", "gold", "silver", "black"),
)


@dataclass(frozen=True)
class Floors(Genotype):
    """Decodes each floor with another genotype, and joins the exit of each to the entrance of the
    next by stairs. The genes of the floors follow one after the other.

    Each floor is furnished as a level of its own. Then the last key of each floor opens the last
    door of the next one: the first floor has one door less, and the last floor one key less.
    """

    genotype: Genotype = field(metadata={"registry": GENOTYPES})
    floors: int = 3

    @property
    def sensitivity(self) -> float:
        """The share of genes that matter: as in the other genotype."""
        return self.genotype.sensitivity

    @property
    def sets_places(self) -> bool:
        """Whether every level has its own A, B and C; those of several floors cannot."""
        return self.genotype.sets_places

    @property
    def sets_ends(self) -> bool:
        """Whether every level has its own entrance and exit."""
        return self.genotype.sets_ends

    def exit_for(self, entrance: Place, width: int, height: int) -> Place | None:
        """Return the exit of a floor with this entrance, if the genotype defines it."""
        return self.genotype.exit_for(entrance, width, height)

    def space(self, frame: Frame) -> GeneSpace:
        """Return the gene space of as many levels as there are floors."""
        return _repeated(self.genotype.space(floor_frame(frame)), self.floors)

    def start(self, frame: Frame, seed: int, generation: int, count: int) -> Genes:
        """Draw the genes of all floors."""
        inner = floor_frame(frame)
        genes = self.genotype.start(inner, seed, generation, count * self.floors)
        return genes.reshape(count, -1)

    def batch(self, genes: Genes, frame: Frame) -> Batch:
        """Decode the floors, and join them."""
        inner = floor_frame(frame)
        single = np.ascontiguousarray(genes.reshape(len(genes) * self.floors, -1))
        floors = self.genotype.batch(single, inner)
        wall = floors.tileset.wall
        if wall is None:
            raise InputError(
                f"floors: expected levels with walls, got the tileset {floors.tileset.name!r}"
            )
        count, height, width = len(genes), inner.height, inner.width
        tiles = np.full((count, self.floors, height + 1, width), wall, np.uint8)
        tiles[:, :, :height] = floors.tiles.reshape(count, self.floors, height, width)
        whole = tiles.reshape(count, -1, width)[:, : frame.height]
        batch = Batch(frame, tiles=np.ascontiguousarray(whole), tileset=floors.tileset)
        batch.floors, batch.has_rooms = floors, floors.has_rooms
        band = (height + 1) * width * np.arange(self.floors)
        ends = stops(floors)[:, [0, -1]].reshape(count, self.floors, 2) + band[:, np.newaxis]
        if frame.ends:
            batch.ends = np.stack([ends[:, 0, 0], ends[:, -1, 1]], axis=1)
        batch.things = _things(floors.things, ends, band)
        return batch

    def result(self, level: Level) -> Level | None:
        """Return the level with its proof, as the other genotype does."""
        return self.genotype.result(level)


@lru_cache(maxsize=64)
def whole_frame(frame: Frame, floors: int) -> Frame:
    """Return the frame of levels whose floors have a frame."""
    unfit = [name for name in frame.places if name not in {ENTRANCE, EXIT}]
    if unfit or frame.kept or frame.tours or frame.goal.stops != (ENTRANCE, EXIT):
        raise InputError(
            "floors: expected levels from an entrance to an exit, without cells to keep, got "
            f"{', '.join(unfit) or 'cells to keep, a tour or another goal'}"
        )
    height = frame.height * floors + floors - 1
    places = dict(frame.places)
    if EXIT in places:
        x, y = places[EXIT]
        places[EXIT] = x, y + (frame.height + 1) * (floors - 1)
    return replace(frame, height=height, places=places, things=True, floors=floors)


@lru_cache(maxsize=64)
def floor_frame(frame: Frame) -> Frame:
    """Return the frame of each floor, given that of whole levels."""
    height = (frame.height + 1) // frame.floors - 1
    places = dict(frame.places)
    if EXIT in places:
        x, y = places[EXIT]
        places[EXIT] = x, y % (height + 1)
    return replace(frame, height=height, places=places, floors=1)


@lru_cache(maxsize=64)
def _repeated(inner: GeneSpace, floors: int) -> GeneSpace:
    free = np.zeros(inner.length, bool)
    free[inner.free_genes] = True
    if isinstance(inner, BitGenes):
        return BitGenes(list(inner.rows) * floors, np.tile(free, floors))
    if isinstance(inner, NumberGenes):
        return NumberGenes(np.tile(inner.bounds, floors), np.tile(free, floors))
    raise InputError(
        f"floors: expected a genotype with genes of bits or numbers, got {type(inner).__name__}"
    )


def _things(
    own: BatchThings | None, ends: NDArray[np.int64], band: NDArray[np.int64]
) -> BatchThings:
    """Return the things of all floors and the stairs between them; `ends` are `(n, floors, 2)`."""
    count, floors = ends.shape[:2]
    things: list[Thing] = []
    columns: list[NDArray[np.int64]] = []
    kinds = {} if own is None else dict(own.kinds)
    if own is not None:
        cells = own.cells.reshape(count, floors, -1)
        locks = _Locks(own.prototypes, floors)
        known = kinds_of(own.prototypes, kinds)
        for floor in range(floors):
            for index, thing in enumerate(own.prototypes):
                held = thing.kind in known and known[thing.kind].held
                if (held and floor) or locks.is_left_out(thing, floor):
                    continue
                things.append(_held(thing, floors) if held else locks.on_floor(thing, floor))
                cell = cells[:, floor, index]
                columns.append(np.where(cell < 0, -1, cell + band[floor]))
    for floor in range(floors - 1):
        down, up = f"down{floor + 1}", f"up{floor + 2}"
        things += [Thing("stairs", (0, 0), down, {"to": up})]
        things += [Thing("stairs", (0, 0), up, {"to": down})]
        columns += [ends[:, floor, 1], ends[:, floor + 1, 0]]
    return BatchThings(tuple(things), np.stack(columns, axis=1), kinds)


def _held(thing: Thing, floors: int) -> Thing:
    """Return what the player has at the start: health for all floors."""
    health = int(thing.fields.get("health", "0")) * floors
    return Thing(thing.kind, thing.cell, thing.id, {**thing.fields, "health": str(health)})


class _Locks:
    """Colours and ids of the things on each floor. The last colour that keys and doors share is
    that of the key of one floor and the door of the next.
    """

    def __init__(self, things: tuple[Thing, ...], floors: int) -> None:
        self.floors = floors
        colours = {
            kind: [_colour(thing) for thing in things if thing.kind == kind] for kind in LOCKS
        }
        self.order = list(dict.fromkeys(colours["key"] + colours["door"]))
        shared = [name for name in self.order if all(name in colours[kind] for kind in LOCKS)]
        self.last = shared[-1] if shared else ""

    def is_left_out(self, thing: Thing, floor: int) -> bool:
        """Whether it is the last door of the first floor, or the last key of the last floor."""
        if thing.kind not in LOCKS or _colour(thing) != self.last:
            return False
        return floor == (0 if thing.kind == "door" else self.floors - 1)

    def on_floor(self, thing: Thing, floor: int) -> Thing:
        """Return the prototype of a thing on a floor, with its colour and id there."""
        fields = dict(thing.fields)
        for name in ("lever", "to"):
            if fields.get(name):
                fields[name] = f"{fields[name]}-{floor + 1}"
        if thing.kind in LOCKS:
            own = _colour(thing)
            from_before = thing.kind == "door" and own == self.last
            place = len(self.order) * (floor - from_before) + self.order.index(own)
            fields["color"] = COLOURS[place % len(COLOURS)]
        return Thing(thing.kind, thing.cell, f"{thing.id}-{floor + 1}" if thing.id else "", fields)


def _colour(thing: Thing) -> str:
    return thing.value("color", LOCKS)

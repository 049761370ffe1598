"""Finish: steps that tidy levels after genes are decoded, before anything is measured. A new step
is one file and one line here.

`FinishStep`: the base class of finish steps.

Frame: a closed border of walls around the level.

Kinds of tiles and fixed cells, as finish steps need them.

Thicken: walls that touch only at a corner are joined or separated.

Smooth: a majority filter that turns ragged walls into rounded ones.

The margin that finish steps add to levels. Loads no kernels, because recipes are read without them.

Fill pockets: regions that no path of the level enters become walls.

Drop specks: single walls, and other small groups of walls, become floor.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from annotated_types import Interval
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.registry import Registry
from levolve.core.settings import Configurable, setting
from levolve.kernels.building.finishing import (
    drop_specks,
    fill_pockets,
    join_halls,
    smooth,
    thicken,
)
from levolve.levels.frame import FREE, Frame
from levolve.levels.places import ENTRANCE, EXIT, Place
from levolve.levels.tileset import Tileset
from levolve.search.genotypes.fixed_cells import fixed_cells, hall_cells


class FinishStep(Configurable):
    """A change to decoded levels. A subclass is a frozen dataclass whose fields are its
    settings.
    """

    @property
    def margin(self) -> int:
        """The number of rows and columns that the step adds on each side."""
        return 0

    @property
    def grows(self) -> bool:
        """Whether the size of a recipe is the size before the margin is added."""
        return False

    @abstractmethod
    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Return the changed levels.

        Parameters
        ----------
        tiles
            `(n, height, width)` tiles, without the margin; they may be changed in place.
        frame
            The size and the places of the levels after the step.
        tileset
            The kinds of tiles.
        """


FINISHES: Registry[type[FinishStep]] = Registry(
    "finish",
    {
        "fill_pockets": "levolve.search.genotypes.finish_steps:FillPockets",
        "drop_specks": "levolve.search.genotypes.finish_steps:DropSpecks",
        "thicken": "levolve.search.genotypes.finish_steps:Thicken",
        "smooth": "levolve.search.genotypes.finish_steps:Smooth",
        "frame": "levolve.search.genotypes.finish_steps:Border",
    },
    "levolve.finishes",
    classes="levolve.search.genotypes.finish_steps:FinishStep",
)


def walls_of(tileset: Tileset, step: str) -> tuple[int, int]:
    """Return the kinds of an empty and of a closed cell; raise `InputError` for a tileset without
    walls.
    """
    if tileset.floor is None or tileset.wall is None:
        message = (
            f"finish {step}: expected levels with walls, got the tileset {tileset.name!r}, in "
            "which every tile is walkable; leave this step out"
        )
        raise InputError(message)
    return tileset.floor, tileset.wall


def walkable_kinds(tileset: Tileset) -> NDArray[np.uint8]:
    """Return 1 for each walkable kind of tile."""
    return np.array([tileset.may_stand(kind) for kind in range(len(tileset.characters))], np.uint8)


def fixed_bytes(frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
    """Return `(height, width)` bytes, 1 for cells that must not change."""
    return fixed_cells(frame, tileset)[0].view(np.uint8)


@dataclass(frozen=True)
class Border(FinishStep):
    """Closes the border: genes describe the cells inside it. Places on the border move to the
    nearest cell inside.
    """

    thickness: Annotated[int, Interval(ge=1, le=64)] = setting(
        1, "How many walls thick the border is."
    )
    grow: bool = setting(
        False,
        (
            "Whether the level grows by the border. By default it keeps its size, and the border "
            "is part of it."
        ),
    )

    @property
    def margin(self) -> int:
        """The thickness of the border."""
        return self.thickness

    @property
    def grows(self) -> bool:
        """Whether the size of a recipe is the size inside the border."""
        return self.grow

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Return the levels with walls around them."""
        _, wall = walls_of(tileset, "frame")
        framed = np.full((len(tiles), frame.height, frame.width), wall, np.uint8)
        framed[:, self.thickness : -self.thickness, self.thickness : -self.thickness] = tiles
        return framed


@dataclass(frozen=True)
class Thicken(FinishStep):
    """Joins walls that touch only at a corner, where that blocks no way; elsewhere it opens one of
    them.
    """

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Remove contacts by a corner only."""
        floor, wall = walls_of(tileset, "thicken")
        thicken(tiles, walkable_kinds(tileset), fixed_bytes(frame, tileset), floor, wall)
        return tiles


CHANGES = ("both", "fill", "open")


@dataclass(frozen=True)
class Smooth(FinishStep):
    """Makes each cell what most of the 3x3 cells around it are, wall or floor. It may cut regions
    apart.

    With `only = "fill"` no wall is opened, so that thin walls stay and corners become round; with
    "open", no floor is filled.
    """

    passes: Annotated[int, Interval(ge=1, le=100)] = setting(
        1, "How often the majority filter is applied."
    )

    only: Literal["both", "fill", "open"] = setting(
        "both", "Whether cells become walls and floor, only walls, or only floor."
    )

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Apply the majority filter; cells outside count as walls."""
        floor, wall = walls_of(tileset, "smooth")
        smooth(
            tiles,
            walkable_kinds(tileset),
            fixed_bytes(frame, tileset),
            self.passes,
            CHANGES.index(self.only),
            floor,
            wall,
        )
        return tiles


def margin_of(steps: Sequence[FinishStep]) -> int:
    """Return the number of rows and columns that all steps together add on each side."""
    return sum(step.margin for step in steps)


def moved_inside(
    places: Mapping[str, Place], width: int, height: int, margin: int
) -> dict[str, Place]:
    """Move places in the margin to the nearest cell inside. Places outside the level stay
    outside.
    """
    moved: dict[str, Place] = {}
    for name, (x, y) in places.items():
        inside = 0 <= x < width and 0 <= y < height
        moved[name] = (
            (min(max(x, margin), width - 1 - margin), min(max(y, margin), height - 1 - margin))
            if inside
            else (x, y)
        )
    return moved


def padded_rows(rows: Sequence[str], margin: int) -> tuple[str, ...]:
    """Return rows of cells to keep with free cells around them."""
    width = len(rows[0]) + 2 * margin if rows else 0
    sides = FREE * margin
    return (
        *[FREE * width] * margin,
        *[f"{sides}{row}{sides}" for row in rows],
        *[FREE * width] * margin,
    )


@dataclass(frozen=True)
class FillPockets(FinishStep):
    """Fills regions without entrance, exit or another stop of the goal; in levels without these,
    all regions except the largest.

    A hall of a given level, whose walls are kept, is not filled: a way into it is opened.
    """

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Fill the regions without a place. A one-way step also connects its two cells."""
        floor, wall = walls_of(tileset, "fill_pockets")
        # Checkpoints that the goal does not visit may lie in walls, so that they do not keep a
        # pocket.
        names = dict.fromkeys((ENTRANCE, EXIT, *frame.goal.stops_in(frame.places)))
        stops = np.array(
            [
                y * frame.width + x
                for x, y in (frame.places[name] for name in names if name in frame.places)
            ],
            np.int64,
        )
        linked = tileset.table if tileset.reversible else tileset.table | tileset.table.T
        halls = hall_cells(frame)
        if halls.size:
            join_halls(tiles, linked, stops, halls, floor)
        fill_pockets(tiles, linked, stops, fixed_bytes(frame, tileset), wall)
        return tiles


@dataclass(frozen=True)
class DropSpecks(FinishStep):
    """Opens groups of at most `largest` adjacent walls."""

    largest: Annotated[int, Interval(ge=1, le=1024)] = setting(
        1, "The most walls of a group that is opened."
    )

    def apply(self, tiles: NDArray[np.uint8], frame: Frame, tileset: Tileset) -> NDArray[np.uint8]:
        """Open small groups of walls."""
        floor, _ = walls_of(tileset, "drop_specks")
        drop_specks(
            tiles, walkable_kinds(tileset), fixed_bytes(frame, tileset), self.largest, floor
        )
        return tiles

"""Areas: rooms, corridors and doorways of a level as shapes of cells, found from its tiles.

Areas are optional, and are no part of a level's text form or digest. A cell is *wide* if it lies in
a square of walkable cells; connected wide cells are a room, unless they are much longer than wide.
The side of the square is two, three or four cells, with which there are most rooms: so corridors
may be up to three cells wide. A doorway is a narrow cell between walls that leads into a room;
other connected cells are corridors. The role of a room follows from what is in it; a corridor has
one if the level begins or ends there.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.levels.places import ENTRANCE, EXIT, Place

if TYPE_CHECKING:
    from levolve.levels.level import Level

ROOM, CORRIDOR, DOORWAY = "room", "corridor", "doorway"
ROLES = ("entrance", "exit", "boss", "treasure", "secret", "shop")
# Connected wide cells are a room if they are at most this many squares of their width long.
LONGEST_ROOM = 5
# The least sides of rooms that are tried.
SIDES_OF_ROOMS = (2, 3, 4)
_WORD = "[a-z]+"
_SIDES = ((0, -1), (0, 1), (-1, 0), (1, 0))


@dataclass(frozen=True, order=True)
class Area:
    """A shape of cells with a kind and a role, words of lower-case letters.

    Parameters
    ----------
    kind
        `room`, `corridor` or `doorway`, or another word.
    x, y, width, height
        The rectangle around the shape; `x`, `y` is its upper left cell.
    mask
        One bit per cell of the rectangle in reading order, the first cell in the lowest bit; 0 if
        the shape fills the rectangle.
    role
        What a room is for, such as `boss`; empty for nothing special.
    """

    kind: str
    x: int
    y: int
    width: int
    height: int
    mask: int = 0
    role: str = ""

    def moved(self, x: int, y: int) -> "Area":
        """Return the area moved by some columns and rows."""
        return Area(
            self.kind, self.x + x, self.y + y, self.width, self.height, self.mask, self.role
        )

    def contains(self, x: int, y: int) -> bool:
        """Whether a cell is part of the shape."""
        column, row = x - self.x, y - self.y
        inside = 0 <= column < self.width and 0 <= row < self.height
        return inside and (not self.mask or bool(self.mask >> (row * self.width + column) & 1))

    @property
    def cells(self) -> tuple[Place, ...]:
        """The cells (x, y) of the shape in reading order."""
        return tuple(
            (self.x + index % self.width, self.y + index // self.width)
            for index, bit in enumerate(self._bits)
            if bit == "1"
        )

    @property
    def _bits(self) -> str:
        """One digit per cell of the rectangle: looking up bits of a large number is slow."""
        size = self.width * self.height
        return f"{self.mask:b}"[::-1].ljust(size, "0") if self.mask else "1" * size

    @property
    def rectangles(self) -> tuple[tuple[int, int, int, int], ...]:
        """Rectangles (x, y, width, height) that cover each cell of the shape once."""
        if not self.mask:
            return ((self.x, self.y, self.width, self.height),)
        found: list[list[int]] = []
        last: dict[tuple[int, int], list[int]] = {}
        bits = self._bits
        for y in range(self.y, self.y + self.height):
            begin = (y - self.y) * self.width
            row = [bit == "1" for bit in bits[begin : begin + self.width]] + [False]
            start = None
            for x, inside in enumerate(row, self.x):
                if inside and start is None:
                    start = x
                elif not inside and start is not None:
                    # A run as wide as one that ends above it makes that rectangle higher.
                    above = last.get((start, x))
                    if above is not None and above[1] + above[3] == y:
                        above[3] += 1
                    else:
                        found.append([start, y, x - start, 1])
                        last[start, x] = found[-1]
                    start = None
        return tuple((x, y, width, height) for x, y, width, height in found)

    @classmethod
    def of(cls, kind: str, cells: Iterable[Place], role: str = "") -> "Area":
        """Create an area of cells (x, y), of which there is at least one."""
        listed = list(cells)
        left, top = (min(cell[axis] for cell in listed) for axis in (0, 1))
        width, height = (
            max(cell[axis] for cell in listed) - low + 1 for axis, low in enumerate((left, top))
        )
        bits = bytearray(b"0" * (width * height))
        for x, y in listed:
            bits[~((y - top) * width + x - left)] = ord("1")
        mask = int(bits, 2) if ord("0") in bits else 0
        return cls(kind, left, top, width, height, mask, role)


def find_areas(level: "Level") -> tuple[Area, ...]:
    """Return the rooms with their roles, the corridors and the doorways of a level; each walkable
    cell is in one of them.
    """
    walkable = level.walkable
    found = (_rooms(walkable, side) for side in SIDES_OF_ROOMS)
    rooms = max(found, key=len)
    room_of = np.zeros(walkable.shape, np.int32)
    for number, cells in enumerate(rooms, 1):
        for x, y in cells:
            room_of[y, x] = number
    doorway = _doorways(walkable, room_of)
    corridors = _connected(walkable & (room_of == 0) & ~doorway)
    rows, columns = np.nonzero(doorway)
    return (
        *(Area.of(ROOM, cells, _role(level, set(cells))) for cells in rooms),
        *(Area.of(DOORWAY, [(int(x), int(y))]) for y, x in zip(rows, columns, strict=True)),
        *(Area.of(CORRIDOR, cells, _end_role(level, set(cells))) for cells in corridors),
    )


def links(areas: Iterable[Area]) -> list[tuple[int, int]]:
    """Return the pairs of areas, by index, that have neighbouring cells: the graph of rooms."""
    listed = list(areas)
    owner = {cell: index for index, area in enumerate(listed) for cell in area.cells}
    found: set[tuple[int, int]] = set()
    for (x, y), index in owner.items():
        for other in (owner.get((x + 1, y), index), owner.get((x, y + 1), index)):
            if other != index:
                found.add((min(index, other), max(index, other)))
    return sorted(found)


def described(areas: Iterable[Area]) -> dict[str, str]:
    """Return each area in words by its kind and number, such as `room 1`: `boss, 5x4 at 1,1`."""
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for area in areas:
        counts[area.kind] = counts.get(area.kind, 0) + 1
        size = f"{area.width}x{area.height} "
        size = f"{len(area.cells)} cells in {size}" if area.mask else size
        words = f"{'' if size == '1x1 ' else size}at {area.x},{area.y}"
        found[f"{area.kind} {counts[area.kind]}"] = f"{area.role}, {words}" if area.role else words
    return found


def _wide(walkable: NDArray[np.bool_], side: int) -> NDArray[np.bool_]:
    """Return the cells that lie in a block of side x side walkable cells."""
    height, width = walkable.shape
    if height < side or width < side:
        return np.zeros_like(walkable)
    windows = np.lib.stride_tricks.sliding_window_view(walkable, (side, side)).all(axis=(2, 3))
    wide = np.zeros_like(walkable)
    for row in range(side):
        for column in range(side):
            wide[row : row + windows.shape[0], column : column + windows.shape[1]] |= windows
    return wide


def _rooms(walkable: NDArray[np.bool_], side: int) -> list[list[Place]]:
    wide = _wide(walkable, side)
    return [cells for cells in _connected(wide) if _is_room(wide, cells)]


def _is_room(wide: NDArray[np.bool_], cells: list[Place]) -> bool:
    alone = np.zeros_like(wide)
    for x, y in cells:
        alone[y, x] = True
    side = 2
    while _wide(alone, side + 1).any():
        side += 1
    return len(cells) <= LONGEST_ROOM * side * side or side > 2  # corridors are up to two wide


def _connected(open_cells: NDArray[np.bool_]) -> list[list[Place]]:
    """Return the connected sets of open cells, in reading order of their first cells."""
    left = {(int(x), int(y)) for y, x in zip(*np.nonzero(open_cells), strict=True)}
    found = []
    for start in sorted(left, key=lambda cell: (cell[1], cell[0])):
        if start not in left:
            continue
        left.discard(start)
        cells = [start]
        for x, y in cells:
            for change_x, change_y in _SIDES:
                near = (x + change_x, y + change_y)
                if near in left:
                    left.discard(near)
                    cells.append(near)
        found.append(cells)
    return found


def _doorways(walkable: NDArray[np.bool_], room_of: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return the cells outside rooms that lead into one between two walls."""
    height, width = walkable.shape
    around = np.pad(walkable, 1)
    rooms = np.pad(room_of, 1) > 0

    def shifted(cells: NDArray[np.bool_], x: int, y: int) -> NDArray[np.bool_]:
        part: NDArray[np.bool_] = cells[1 + y : 1 + y + height, 1 + x : 1 + x + width]
        return part

    found = np.zeros_like(walkable)
    for x, y in _SIDES:
        closed = ~shifted(around, y, x) & ~shifted(around, -y, -x)
        found |= shifted(rooms, x, y) & closed
    found &= walkable & (room_of == 0)
    return found


def _end_role(level: "Level", cells: set[Place]) -> str:
    """Return the role of a corridor: that of the end of the level in it, if it is only one."""
    ends = [name for name in (ENTRANCE, EXIT) if level.places.get(name) in cells]
    return _role(level, cells) if len(ends) == 1 else ""


def _role(level: "Level", cells: set[Place]) -> str:
    """Return the role of a room: what is in it, the rarest first."""
    inside = [thing for thing in level.things if thing.cell in cells]
    kinds = {thing.kind for thing in inside}
    if level.places.get(ENTRANCE) in cells:
        return "entrance"
    if "boss" in kinds:
        return "boss"
    if level.places.get(EXIT) in cells:
        return "exit"
    if any(thing.kind == "spawn" and thing.fields.get("of") == "shop" for thing in inside):
        return "shop"
    hidden = {thing.cell for thing in level.things if thing.kind == "secret_door"}
    if any((x + a, y + b) in hidden for x, y in cells for a, b in _SIDES):
        return "secret"
    return "treasure" if "treasure" in kinds else ""


def check_areas(areas: Iterable[Area], width: int, height: int) -> None:
    """Raise `InputError` for areas outside a level of this size, and for other words."""
    for area in areas:
        if (
            min(area.width, area.height) < 1
            or min(area.x, area.y) < 0
            or area.x + area.width > width
            or area.y + area.height > height
        ):
            raise InputError(
                f"areas: expected areas inside the {width}x{height} level, got "
                f"{write_areas([area])}"
            )
        if not 0 <= area.mask < 1 << (area.width * area.height):
            raise InputError(
                f"areas: expected one bit per cell of the rectangle, got {shown(area.mask)}"
            )
        for name, word in (("kind", area.kind), ("role", area.role or "none")):
            if re.fullmatch(_WORD, word) is None:
                raise InputError(
                    f"areas: expected a {name} of lower-case letters such as room, got {word!r}"
                )


def write_areas(areas: Iterable[Area]) -> str:
    """Return areas as text, such as `room 1,1,5x3 role=boss; room 8,1,2x2 cells=7`; the cells are
    the mask as a hexadecimal number.
    """
    return "; ".join(
        f"{area.kind} {area.x},{area.y},{area.width}x{area.height}"
        + (f" role={area.role}" if area.role else "")
        + (f" cells={area.mask:x}" if area.mask else "")
        for area in areas
    )


def read_areas(text: str) -> tuple[Area, ...]:
    """Parse the result of `write_areas`."""
    found = []
    for entry in filter(None, (part.strip() for part in text.split(";"))):
        match = re.fullmatch(
            rf"({_WORD}) (\d{{1,9}}),(\d{{1,9}}),(\d{{1,9}})x(\d{{1,9}})"
            rf"(?: role=({_WORD}))?(?: cells=([0-9a-f]+))?",
            entry,
        )
        if match is None:
            raise InputError(f"areas: expected entries such as 'room 1,1,5x3', got {entry[:40]!r}")
        x, y, width, height = (int(number) for number in match.groups()[1:5])
        mask = int(match[7] or "0", 16)
        found.append(Area(match[1], x, y, width, height, mask, match[6] or ""))
    return tuple(found)


def areas_to_data(areas: Iterable[Area]) -> list[dict[str, Any]]:
    """Return areas as plain data: kind, rectangle, and the role and the cells if there are any."""
    return [
        {
            "kind": area.kind,
            "x": area.x,
            "y": area.y,
            "width": area.width,
            "height": area.height,
            **({"role": area.role} if area.role else {}),
            **({"cells": f"{area.mask:x}"} if area.mask else {}),
        }
        for area in areas
    ]


def areas_from_data(data: object) -> tuple[Area, ...]:
    """Create areas from the result of `areas_to_data`."""
    keys = ("x", "y", "width", "height")

    def is_area(entry: object) -> bool:
        return (
            isinstance(entry, Mapping)
            and isinstance(entry.get("kind"), str)
            and all(type(entry.get(key)) is int for key in keys)
            and isinstance(entry.get("role", ""), str)
            and isinstance(entry.get("cells", "0"), str)
            and re.fullmatch("[0-9a-f]+", entry.get("cells", "0")) is not None
        )

    if not isinstance(data, list) or not all(map(is_area, data)):
        raise InputError(
            "areas: expected a list of objects with a kind and whole numbers x, y, width and "
            f"height, got {shown(data)}"
        )
    return tuple(
        Area(
            entry["kind"],
            entry["x"],
            entry["y"],
            entry["width"],
            entry["height"],
            mask=int(entry.get("cells", "0"), 16),
            role=entry.get("role", ""),
        )
        for entry in data
    )

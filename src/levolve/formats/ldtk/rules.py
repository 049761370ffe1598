"""Auto-layer rules: how LDtk draws the tiles of an atlas from the values of an IntGrid layer, and
which rule draws each tile.

A rule compares a square of cells around a cell with its pattern: 0 matches anything, n the value n,
-n any other value. The first rule that matches a cell draws its tile. The value of kind n of a
tileset is n + 1; the value 0 is an empty cell.

The unique numbers (uids) of an LDtk project.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.formats.ldtk.text import RawList
from levolve.formats.themes.atlas import COLUMNS, EMPTY, FLOOR, TILES, Atlas
from levolve.formats.themes.theme import SEED, VARIED
from levolve.formats.themes.wall_shapes import DIRECTIONS, MASKS, reduced


class Numbering:
    """Unique numbers from 1, given to keys in the order of their first use, so that the same levels
    give the same bytes.
    """

    def __init__(self) -> None:
        """Start without any number."""
        self._numbers: dict[Hashable, int] = {}

    def __call__(self, *key: Hashable) -> int:
        """Return the number of a key."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    @property
    def following(self) -> int:
        """The first number that no key has."""
        return len(self._numbers) + 1


SIDE = 3
# In a pattern, any value but 0.
NOT_EMPTY = 1_000_001


@dataclass(frozen=True)
class TileRule:
    """A rule: its number, its pattern, and the tiles that it draws, one of them in each cell."""

    uid: int
    pattern: tuple[int, ...]
    tiles: tuple[int, ...]
    chance: float = 1.0
    outside: int | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the definition of the rule in LDtk."""
        return {
            "uid": self.uid,
            "active": True,
            "size": SIDE if len(self.pattern) > 1 else 1,
            "tileRectsIds": [[tile] for tile in self.tiles],
            "alpha": 1,
            "chance": self.chance,
            "breakOnMatch": True,
            "pattern": list(self.pattern),
            "flipX": False,
            "flipY": False,
            "xModulo": 1,
            "yModulo": 1,
            "xOffset": 0,
            "yOffset": 0,
            "tileXOffset": 0,
            "tileYOffset": 0,
            "tileRandomXMin": 0,
            "tileRandomXMax": 0,
            "tileRandomYMin": 0,
            "tileRandomYMax": 0,
            "checker": "None",
            "tileMode": "Single",
            "pivotX": 0,
            "pivotY": 0,
            "outOfBoundsValue": self.outside,
            "invalidated": False,
            "perlinActive": False,
            "perlinSeed": 0,
            "perlinScale": 0.2,
            "perlinOctaves": 2,
        }


@dataclass(frozen=True)
class RuleGroup:
    """The rules of one layer, in the order in which they are tried, and the random seed that makes
    them choose the variants of the atlas.
    """

    uid: int
    name: str
    rules: tuple[TileRule, ...]
    seed: int

    def to_data(self) -> dict[str, Any]:
        """Return the definition of the group in LDtk."""
        return {
            "uid": self.uid,
            "name": self.name,
            "color": None,
            "icon": None,
            "active": True,
            "isOptional": False,
            "rules": [rule.to_data() for rule in self.rules],
            "usesWizard": False,
            "requiredBiomeValues": [],
            "biomeRequirementMode": 0,
        }

    def drawn(self, shown: NDArray[np.int32], side: int) -> RawList:
        """Return the drawn tiles of a layer whose cells show the tiles `shown`, as LDtk writes
        them: the last rule first, cell by cell.
        """
        rules = {tile: position for position, rule in enumerate(self.rules) for tile in rule.tiles}
        width = shown.shape[1]
        cells = [
            (-rules[tile], cell, tile)
            for cell, tile in enumerate(shown.ravel().tolist())
            if tile != EMPTY
        ]
        return tile_list(
            (
                cell % width * side,
                cell // width * side,
                tile % COLUMNS * side,
                tile // COLUMNS * side,
                tile,
                self.rules[-rule].uid,
                cell,
            )
            for rule, cell, tile in sorted(cells)
        )


def tile_list(tiles: Iterable[Sequence[int]]) -> RawList:
    """Return a list of drawn tiles: x and y in the layer, x and y in the tileset, the tile, the
    rule, and the cell of each.
    """
    lines = [
        f'{{"px":[{x},{y}],"src":[{left},{top}],"f":0,"t":{tile},"d":[{rule},{cell}],"a":1}}'
        for x, y, left, top, tile, rule, cell in tiles
    ]
    return RawList("[" + ",\n".join(lines) + "]" if lines else "[]")


def groups_of(atlas: Atlas, numbering: Numbering, *, alone: bool = True) -> dict[str, RuleGroup]:
    """Return the rules of each layer of an atlas, by the names that `Atlas.layers` uses.

    Unless the atlas is `alone` in its project, levels of other tilesets have these layers too, all
    cells of which are empty: nothing is drawn there.
    """
    wall = atlas.tileset.wall
    if wall is None:
        return {TILES: _floor_group(atlas, numbering, TILES, 0)}
    return {
        FLOOR: _floor_group(atlas, numbering, FLOOR, 0 if alone else NOT_EMPTY),
        "walls": _wall_group(atlas, numbering, wall),
    }


def _wall_group(atlas: Atlas, numbering: Numbering, wall: int) -> RuleGroup:
    """One rule per neighbourhood. Cells outside the level count as walls."""
    name = atlas.tileset.name
    first = atlas.first[wall]
    rules = [
        TileRule(
            numbering("rule", name, mask),
            wall_pattern(mask, wall + 1),
            (first + position,),
            outside=wall + 1,
        )
        for position, mask in enumerate(MASKS)
    ]
    # The more neighbours a pattern names, the earlier it is tried.
    rules.sort(key=lambda rule: -sum(value != 0 for value in rule.pattern))
    return RuleGroup(
        numbering("group", name, "walls"), f"levolve {name}: walls", tuple(rules), SEED
    )


def wall_pattern(mask: int, value: int) -> tuple[int, ...]:
    """Return the pattern of a wall with these neighbours. A corner that does not count may be
    anything.
    """
    pattern = [0] * SIDE**2
    pattern[SIDE**2 // 2] = value
    for bit, (column, row) in enumerate(DIRECTIONS):
        counts = reduced(mask | 1 << bit) & 1 << bit
        pattern[1 + column + SIDE * (1 + row)] = (
            0 if not counts else value if mask & 1 << bit else -value
        )
    return tuple(pattern)


def _floor_group(atlas: Atlas, numbering: Numbering, layer: str, anything: int) -> RuleGroup:
    """Two rules per kind: one that sometimes draws a variant, and one for all other cells.
    `anything` matches the cells with floor below walls.
    """
    tileset, count = atlas.tileset, atlas.theme.variants
    kinds = range(len(tileset.names))
    # LDtk adds the number of a rule to the seed: consecutive numbers give the seeds of consecutive
    # kinds.
    varied = [numbering("variants", tileset.name, kind) for kind in kinds]
    floor = tileset.open_kind if layer == FLOOR else None
    rules: list[TileRule] = []
    for kind in sorted(kinds, key=lambda kind: kind == floor):
        if layer == FLOOR and kind == tileset.wall:
            continue
        pattern = (anything,) if kind == floor else (kind + 1,)
        first = atlas.first[kind]
        if count > 1:
            rules.append(
                TileRule(
                    varied[kind],
                    pattern,
                    tuple(range(first + 1, first + count)),
                    chance=VARIED / 100,
                )
            )
        rules.append(TileRule(numbering("rule", tileset.name, "plain", kind), pattern, (first,)))
    return RuleGroup(
        numbering("group", tileset.name, layer),
        f"levolve {tileset.name}: {layer}",
        tuple(rules),
        SEED - varied[0],
    )

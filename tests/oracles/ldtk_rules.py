"""The auto-layer rules of an LDtk project, applied plainly as LDtk does it: what LDtk would draw from
the values of an IntGrid layer. It shares no code with the rules that levolve writes.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError, shown
from levolve.formats.reading.budgets import check_amount
from levolve.formats.themes.theme import draws

# Pattern values: any value but 0; from 1000 on, a group of values.
ANYTHING, GROUPS = 1_000_001, 1000
# A cell outside the level for a rule that does not say what is there: it matches no pattern.
NOWHERE = -1
SIZES = (1, 3, 5, 7, 9)
# A thousand rules in a level of 512x512.
MOST_WORK = 1 << 28
# LDtk skips a rule that needs a value which does not occur in the squares of this side around a
# cell.
AREA = 10

Cells = NDArray[np.int64]
Marks = NDArray[np.bool_]


class Evaluator:
    """Draws one layer.

    Parameters
    ----------
    definition, source
        The definitions of the layer and of the IntGrid layer whose values it draws.
    tileset
        The definition of the layer's tileset.
    values
        The `(height, width)` values of the IntGrid layer.
    instance
        The layer of one level: its seed, and the optional groups of rules that are applied in it.
    biomes
        The biomes of the level; None if it has no field for them.
    covered
        Cells in which the layer draws nothing, because another layer has tiles there.

    Rules with Perlin noise draw nothing: they vary the look, and LDtk applies them when it applies
    its rules again.
    """

    def __init__(
        self,
        definition: Mapping[str, Any],
        source: Mapping[str, Any],
        tileset: Mapping[str, Any],
        values: Cells,
        instance: Mapping[str, Any],
        *,
        biomes: Collection[str] | None = None,
        covered: Collection[int] = (),
    ) -> None:
        """Prepare the values."""
        self.definition, self.tileset, self.values, self.biomes, self.covered = (
            definition,
            tileset,
            values,
            biomes,
            covered,
        )
        self.seed, self.optional = int(instance.get("seed", 0)), instance.get("optionalRules", [])
        self.side = int(definition["gridSize"])
        places: Cells = np.indices(values.shape, np.int64)
        self.rows: Cells = places[0]
        self.columns: Cells = places[1]
        self.groups = {
            entry["value"]: entry.get("groupUid", 0) for entry in source["intGridValues"]
        }
        pixels = tileset.get("cachedPixelData") or {}
        self.opaque = str(pixels.get("opaqueTiles", ""))

    def tiles(self) -> list[dict[str, Any]]:
        """Return the drawn tiles in the order in which LDtk writes them."""
        rules = list(self._rules())
        check_amount(
            len(rules) * self.values.size,
            MOST_WORK,
            "comparisons of a rule with a cell",
            f"layer {self.definition['identifier']}",
        )
        drawn = [self._apply(rule) for rule in rules]
        locked: set[int] = set()
        for rule, cells in zip(rules, drawn, strict=True):
            for cell in list(cells):
                if cell in locked:
                    del cells[cell]
                elif rule["breakOnMatch"] or self._covers(rule, cells[cell]):
                    locked.add(cell)
        return [tile for cells in reversed(drawn) for cell in sorted(cells) for tile in cells[cell]]

    def _rules(self) -> Iterator[Mapping[str, Any]]:
        for group in self.definition["autoRuleGroups"]:
            if self._applied(group):
                yield from (rule for rule in group["rules"] if rule["active"])

    def _applied(self, group: Mapping[str, Any]) -> bool:
        wanted = group.get("requiredBiomeValues")
        if group["active"] and wanted and self.biomes is not None:
            return (any if group.get("biomeRequirementMode") == 0 else all)(
                biome in self.biomes for biome in wanted
            )
        return bool(
            (group["active"] and not group.get("isOptional")) or group["uid"] in self.optional
        )

    def _covers(self, rule: Mapping[str, Any], tiles: list[dict[str, Any]]) -> bool:
        """Whether what a rule drew in a cell hides everything below."""
        moved = any(
            rule.get(key)
            for key in (
                "tileXOffset",
                "tileYOffset",
                "tileRandomXMin",
                "tileRandomXMax",
                "tileRandomYMin",
                "tileRandomYMax",
            )
        )
        return (
            not moved
            and rule.get("alpha", 1) >= 1
            and any(self.opaque[tile["t"] : tile["t"] + 1] == "1" for tile in tiles)
        )

    def _apply(self, rule: Mapping[str, Any]) -> dict[int, list[dict[str, Any]]]:
        """Return the tiles that a rule draws, by cell."""
        drawn: dict[int, list[dict[str, Any]]] = {}
        if not rule["tileRectsIds"] or rule.get("perlinActive"):
            return drawn
        if (
            rule["size"] not in SIZES
            or len(rule["pattern"]) != rule["size"] ** 2
            or min(rule["xModulo"], rule["yModulo"]) < 1
        ):
            message = (
                f"layer {self.definition['identifier']}: expected rules of 1x1 to "
                f"{SIZES[-1]}x{SIZES[-1]} cells, got one of {shown(rule['size'])}"
            )
            raise InputError(message)
        possible = self._relevant(rule) & self._regular(rule)
        if rule["chance"] < 1:
            possible &= (
                draws(self.rows, self.columns, self.seed + rule["uid"]) % 100 < rule["chance"] * 100
            )
        done = np.zeros(self.values.shape, bool)
        for flips in (0, 1, 2, 3):
            if (flips & 1 and not rule["flipX"]) or (flips & 2 and not rule["flipY"]):
                continue
            matched = possible & self._matches(rule, flips) & ~(done & rule["breakOnMatch"])
            done |= matched
            for row, column in np.argwhere(matched).tolist():
                cell = row * self.values.shape[1] + column
                if cell not in self.covered:
                    drawn.setdefault(cell, []).extend(self._draw(rule, column, row, flips))
        return drawn

    def _relevant(self, rule: Mapping[str, Any]) -> Marks:
        """Return the cells around which all values occur that the pattern needs."""
        radius = 1 if rule["size"] <= 1 else rule["size"] // 2
        reach = (
            [(0, 0)]
            if rule["size"] == 1
            else [(-radius, -radius), (radius, -radius), (radius, radius), (-radius, radius)]
        )
        found = np.ones(self.values.shape, bool)
        for value in {value for value in rule["pattern"] if value > 0 and value != ANYTHING}:
            here = self._is(value, self.values)
            areas = set(
                zip(
                    (self.rows[here] // AREA).tolist(),
                    (self.columns[here] // AREA).tolist(),
                    strict=True,
                )
            )
            height, width = (-(-side // AREA) + 2 for side in self.values.shape)
            known = np.zeros((height, width), bool)
            for row, column in areas:
                known[row, column] = True
            # Fractions are cut off towards zero: a little outside the level is still its first
            # square.
            near = [
                known[np.maximum(self.rows + y, 0) // AREA, np.maximum(self.columns + x, 0) // AREA]
                for x, y in reach
            ]
            found &= np.logical_or.reduce(near)
        return found

    def _regular(self, rule: Mapping[str, Any]) -> Marks:
        """Return the cells that the rule's modulo allows."""
        x, y, across, down, checker = (
            self.columns,
            self.rows,
            rule["xModulo"],
            rule["yModulo"],
            rule.get("checker", "None"),
        )
        rows = (
            (y + x // across % 2) % down if checker == "Vertical" else (y - rule["yOffset"]) % down
        )
        columns = (
            (x + y // down % 2) % across
            if checker == "Horizontal"
            else (x - rule["xOffset"]) % across
        )
        found: Marks = (rows == 0) & (columns == 0)
        return found

    def _matches(self, rule: Mapping[str, Any], flips: int) -> Marks:
        """Return the cells whose surroundings match the pattern, mirrored as `flips` says."""
        size, outside = rule["size"], rule.get("outOfBoundsValue")
        radius = size // 2
        height, width = self.values.shape
        padded = np.pad(
            self.values, radius, constant_values=NOWHERE if outside is None else outside
        )
        found = np.ones(self.values.shape, bool)
        for place, wanted in enumerate(rule["pattern"]):
            if wanted == 0:
                continue
            x, y = place % size - radius, place // size - radius
            x, y = -x if flips & 1 else x, -y if flips & 2 else y
            there = padded[radius + y : radius + y + height, radius + x : radius + x + width]
            found &= (there != NOWHERE) & (self._is(abs(wanted), there) == (wanted > 0))
        return found

    def _is(self, wanted: int, values: Cells) -> Marks:
        members = [value for value, group in self.groups.items() if group == wanted // GROUPS - 1]
        found: Marks = (
            values != 0
            if wanted == ANYTHING
            else np.isin(values, members)
            if wanted >= GROUPS
            else values == wanted
        )
        return found

    def _draw(self, rule: Mapping[str, Any], x: int, y: int, flips: int) -> list[dict[str, Any]]:
        """Return the tiles of one cell: one of the rule's tiles, or rectangles of tiles."""
        chosen = rule["tileRectsIds"][
            self._drawn(rule["uid"] + flips, x, y, len(rule["tileRectsIds"]))
        ]
        columns, spacing, padding = (
            int(self.tileset[key]) for key in ("__cWid", "spacing", "padding")
        )
        step = int(self.tileset["tileGridSize"]) + spacing
        left, top = (
            self.side * x + self._moved(rule, "X", x, y, flips),
            self.side * y + self._moved(rule, "Y", x, y, flips),
        )
        tiles = []
        for tile, (right, down) in zip(
            chosen, self._stamp(rule, chosen, columns, flips), strict=True
        ):
            source = [padding + tile % columns * step, padding + tile // columns * step]
            cell = x + y * self.values.shape[1]
            tiles.append(
                {
                    "px": [left + right, top + down],
                    "src": source,
                    "f": flips,
                    "t": tile,
                    "d": [rule["uid"], cell],
                    "a": rule.get("alpha", 1),
                }
            )
        return tiles

    def _drawn(self, seed: int, x: int, y: int, most: int) -> int:
        return int(draws(np.array([y]), np.array([x]), self.seed + seed)[0]) % most

    def _moved(self, rule: Mapping[str, Any], axis: str, x: int, y: int, flips: int) -> int:
        """Return by how many pixels a tile is moved."""
        least, most = rule.get(f"tileRandom{axis}Min", 0), rule.get(f"tileRandom{axis}Max", 0)
        sign = -1 if flips & (1 if axis == "X" else 2) else 1
        seed = rule["uid"] + (flips if axis == "X" else 1)
        by_chance = self._drawn(seed, x, y, most - least + 1) + least if least or most else 0
        return int(sign * (rule.get(f"tile{axis}Offset", 0) + by_chance))

    def _stamp(
        self, rule: Mapping[str, Any], tiles: list[int], columns: int, flips: int
    ) -> list[tuple[int, int]]:
        """Return the offsets of the tiles of a rectangle, in pixels."""
        if rule["tileMode"] == "Single":
            return [(0, 0)] * len(tiles)
        across, down = [tile % columns for tile in tiles], [tile // columns for tile in tiles]
        pivots = (
            float(self.definition.get("tilePivotX", 0)),
            float(self.definition.get("tilePivotY", 0)),
        )
        offsets = []
        for x, y in zip(across, down, strict=True):
            right = int(
                (x - min(across) - rule["pivotX"] * (max(across) - min(across)) + pivots[0])
                * self.side
            ) * (-1 if flips & 1 else 1)
            below = int(
                (y - min(down) - rule["pivotY"] * (max(down) - min(down)) + pivots[1]) * self.side
            ) * (-1 if flips & 2 else 1)
            offsets.append((right, below))
        return offsets

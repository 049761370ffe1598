"""Repair of tile maps: the right number of each tile, one region, and what lies on the way.

Growth of connected maps: a tree of corridors, more or less winding, with about as much floor as
wall.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from levolve.bridges.pcg_benchmark.rules import EMPTY, SOLID, TileRules, Way
from levolve.kernels.bits.random_streams import REPAIR, draw_below, open_stream

if TYPE_CHECKING:
    from levolve.search.genotypes.gene_space import Genes

Tiles = NDArray[np.integer]
# Regions of at most this many cells may be filled instead of joined.
SMALL = 3


class MapDraws:
    """Random numbers of one individual, in order."""

    def __init__(self, seed: int, generation: int, individual: int) -> None:
        """Open the stream of an individual."""
        start, step = open_stream(np.uint64(seed), REPAIR, generation, individual)
        self._stream = (np.uint64(start), np.uint64(step))
        self._index = 0

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1."""
        self._index += 1
        return int(draw_below(self._stream, self._index, bound))

    def coin(self) -> bool:
        """Return True or False."""
        return self.below(2) == 1


class TileRepair:
    """Gives tile maps what they need: counts of tiles first, then one region, then its way.

    Called by mutations with genes of the maps, one gene per cell.
    """

    def __init__(self, rules: TileRules, height: int, width: int) -> None:
        """Set what the maps need, and their size."""
        self.rules = rules
        self.height, self.width = height, width
        # Tiles that are counted: filling a region or placing another tile must not remove them.
        self._wanted = {tile for need in rules.needs for tile in need.tiles} | {
            tile for pair in rules.equal for tile in pair
        }

    def __call__(self, genes: Genes, seed: int, generation: int) -> None:
        """Repair `(n, height * width)` genes in place."""
        for individual in range(len(genes)):
            draws = MapDraws(seed, generation, individual)
            tiles = genes[individual].tolist()
            self.count(tiles, draws)
            if self.rules.connected:
                self.connect(tiles, draws)
            if self.rules.way is not None:
                self.line(tiles, self.rules.way, draws)
            genes[individual] = tiles

    def count(self, tiles: list[int], draws: MapDraws) -> None:
        """Remove tiles of which there are too many, and place those of which there are too few, at
        random cells.
        """
        for need in self.rules.needs:
            places = [cell for cell, tile in enumerate(tiles) if tile in need.tiles]
            kept = (
                len(places)
                if len(places) <= need.high
                else need.low + draws.below(need.high - need.low + 1)
            )
            while len(places) > kept:
                tiles[places.pop(draws.below(len(places)))] = self.rules.fillers[
                    draws.below(len(self.rules.fillers))
                ]
            self._place(tiles, need.tiles, need.low - len(places), draws)
        for one, other in self.rules.equal:
            counts = tiles.count(one), tiles.count(other)
            surplus, tile = counts[0] - counts[1], one
            if surplus < 0:
                surplus, tile = -surplus, other
            places = [cell for cell, found in enumerate(tiles) if found == tile]
            for _ in range(surplus):
                tiles[places.pop(draws.below(len(places)))] = EMPTY

    def _place(
        self, tiles: list[int], kinds: tuple[int, ...], missing: int, draws: MapDraws
    ) -> None:
        for _ in range(missing):
            free = [cell for cell, tile in enumerate(tiles) if tile == EMPTY] or [
                cell for cell, tile in enumerate(tiles) if tile not in self._wanted
            ]
            if not free:
                return
            tiles[free[draws.below(len(free))]] = kinds[draws.below(len(kinds))]

    def connect(self, tiles: list[int], draws: MapDraws) -> None:
        """Join regions by the shortest tunnel, or fill one without a required tile, until there is
        one region.
        """
        open_tiles = set(self.rules.connected)
        while True:
            regions = self.regions(tiles, open_tiles)
            if not regions:
                tiles[draws.below(len(tiles))] = EMPTY
                return
            if len(regions) == 1:
                return
            regions.sort(key=len)
            smallest = regions[0]
            if (
                len(smallest) <= SMALL
                and draws.coin()
                and not any(tiles[cell] in self._wanted for cell in smallest)
            ):
                for cell in smallest:
                    tiles[cell] = SOLID
                continue
            for cell in self.tunnel(tiles, smallest, open_tiles, draws):
                tiles[cell] = EMPTY

    def line(self, tiles: list[int], way: Way, draws: MapDraws) -> None:
        """Move tiles that must lie on the way to empty cells of it, until there are enough of them
        or no room is left.
        """
        if way.start not in tiles or way.end not in tiles:
            return
        path = self._way(tiles, tiles.index(way.start), tiles.index(way.end))
        free = [cell for cell in path if tiles[cell] == EMPTY]
        away = [
            cell for cell, tile in enumerate(tiles) if tile in way.tiles and cell not in set(path)
        ]
        missing = way.count - sum(tiles[cell] in way.tiles for cell in path)
        for _ in range(min(missing, len(free), len(away))):
            source, target = away.pop(draws.below(len(away))), free.pop(draws.below(len(free)))
            tiles[source], tiles[target] = EMPTY, tiles[source]

    def _way(self, tiles: list[int], start: int, end: int) -> list[int]:
        """Return the cells of a shortest way through connected tiles, with both ends; empty if
        there is none.
        """
        before = {start: start}
        front = [start]
        for cell in front:
            for beside in self.neighbours(cell):
                if beside not in before and tiles[beside] in self.rules.connected:
                    before[beside] = cell
                    front.append(beside)
        if end not in before:
            return []
        path = [end]
        while path[-1] != start:
            path.append(before[path[-1]])
        return path

    def neighbours(self, cell: int) -> Iterator[int]:
        """Yield the cells beside a cell."""
        row, column = divmod(cell, self.width)
        if row:
            yield cell - self.width
        if row + 1 < self.height:
            yield cell + self.width
        if column:
            yield cell - 1
        if column + 1 < self.width:
            yield cell + 1

    def regions(self, tiles: list[int], open_tiles: set[int]) -> list[list[int]]:
        """Return the cells of each region, in the order in which they are reached."""
        seen = [tile not in open_tiles for tile in tiles]
        found = []
        for start in range(len(tiles)):
            if seen[start]:
                continue
            seen[start] = True
            region = [start]
            for cell in region:
                for beside in self.neighbours(cell):
                    if not seen[beside]:
                        seen[beside] = True
                        region.append(beside)
            found.append(region)
        return found

    def tunnel(
        self, tiles: list[int], region: list[int], open_tiles: set[int], draws: MapDraws
    ) -> list[int]:
        """Return the walls of a shortest way from a region to any other, one of several by
        chance.
        """
        inside = set(region)
        before: dict[int, int] = {}
        front = list(region)
        reached = set(region)
        while front:
            ends: list[tuple[int, int]] = []
            following = []
            for cell in front:
                for beside in self.neighbours(cell):
                    if beside in reached:
                        continue
                    if tiles[beside] in open_tiles:
                        ends.append((cell, beside))
                        continue
                    reached.add(beside)
                    before[beside] = cell
                    following.append(beside)
            if ends:
                cell = ends[draws.below(len(ends))][0]
                way = []
                while cell not in inside:
                    way.append(cell)
                    cell = before[cell]
                return way
            front = following
        return []


# The persistence of a corridor: the probability in percent that it goes on from its newest cell.
# The higher, the longer the ways of a map.
HIGHEST = 100
# The share of floor in percent at which leaves of the tree are no longer removed. Maps with half of
# each differ most from each other.
LEAST_FLOOR, MOST_FLOOR = 45, 55


def grow(grid: TileRepair, draws: MapDraws) -> list[int]:
    """Return the tiles of a map in reading order: one region without loops, grown from a random
    cell.

    A cell joins the tree if it touches exactly one cell of it. Half of the maps have the highest
    persistence, the others any, so that maps with short and with long ways occur. Afterwards random
    leaves are removed, but not the ends of the longest way.
    """
    cells = grid.height * grid.width
    tiles = [SOLID] * cells
    persistence = HIGHEST if draws.coin() else draws.below(HIGHEST)
    start = draws.below(cells)
    tiles[start] = EMPTY
    growing = [start]
    while growing:
        newest = draws.below(HIGHEST) < persistence
        place = len(growing) - 1 if newest else draws.below(len(growing))
        free = [
            beside
            for beside in grid.neighbours(growing[place])
            if tiles[beside] == SOLID and _touching(grid, tiles, beside) == 1
        ]
        if not free:
            growing.pop(place)
            continue
        cell = free[draws.below(len(free))]
        tiles[cell] = EMPTY
        growing.append(cell)
    _prune(
        grid, tiles, cells * (LEAST_FLOOR + draws.below(MOST_FLOOR - LEAST_FLOOR + 1)) // 100, draws
    )
    return tiles


def _touching(grid: TileRepair, tiles: list[int], cell: int) -> int:
    """Return how many cells beside a cell are floor."""
    return sum(tiles[beside] == EMPTY for beside in grid.neighbours(cell))


def _farthest(grid: TileRepair, tiles: list[int], start: int) -> int:
    """Return the cell that is farthest from a cell of a tree: the last one that a breadth-first
    search reaches.
    """
    reached = {start: None}
    order = [start]
    for cell in order:
        new = [
            beside
            for beside in grid.neighbours(cell)
            if tiles[beside] == EMPTY and beside not in reached
        ]
        reached.update(dict.fromkeys(new))
        order += new
    return order[-1]


def _prune(grid: TileRepair, tiles: list[int], floor: int, draws: MapDraws) -> None:
    """Remove random leaves until only `floor` cells are left, or only the longest way."""
    # In a tree, the cell farthest from any cell is an end of a longest way.
    first = _farthest(grid, tiles, tiles.index(EMPTY))
    ends = {first, _farthest(grid, tiles, first)}
    leaves = [
        cell
        for cell, tile in enumerate(tiles)
        if tile == EMPTY and cell not in ends and _touching(grid, tiles, cell) <= 1
    ]
    for _ in range(tiles.count(EMPTY) - floor):
        if not leaves:
            return
        cell = leaves.pop(draws.below(len(leaves)))
        tiles[cell] = SOLID
        beside = [
            other for other in grid.neighbours(cell) if tiles[other] == EMPTY and other not in ends
        ]
        leaves += [other for other in beside if _touching(grid, tiles, other) == 1]

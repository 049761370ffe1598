"""Growth of connected maps: a tree of corridors, more or less winding, with about as much floor as wall."""

from levolve.bridges.pcg_benchmark.repair import MapDraws, TileRepair
from levolve.bridges.pcg_benchmark.rules import EMPTY, SOLID

# The persistence of a corridor: the probability in percent that it goes on from its newest cell. The higher, the longer the ways of a map.
HIGHEST = 100
# The share of floor in percent at which leaves of the tree are no longer removed. Maps with half of each differ most from each other.
LEAST_FLOOR, MOST_FLOOR = 45, 55


def grow(grid: TileRepair, draws: MapDraws) -> list[int]:
    """Return the tiles of a map in reading order: one region without loops, grown from a random cell.

    A cell joins the tree if it touches exactly one cell of it. Half of the maps have the highest persistence, the others any, so that maps with short
    and with long ways occur. Afterwards random leaves are removed, but not the ends of the longest way.
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
        free = [beside for beside in grid.neighbours(growing[place]) if tiles[beside] == SOLID and _touching(grid, tiles, beside) == 1]
        if not free:
            growing.pop(place)
            continue
        cell = free[draws.below(len(free))]
        tiles[cell] = EMPTY
        growing.append(cell)
    _prune(grid, tiles, cells * (LEAST_FLOOR + draws.below(MOST_FLOOR - LEAST_FLOOR + 1)) // 100, draws)
    return tiles


def _touching(grid: TileRepair, tiles: list[int], cell: int) -> int:
    """Return how many cells beside a cell are floor."""
    return sum(tiles[beside] == EMPTY for beside in grid.neighbours(cell))


def _farthest(grid: TileRepair, tiles: list[int], start: int) -> int:
    """Return the cell that is farthest from a cell of a tree: the last one that a breadth-first search reaches."""
    reached = {start: None}
    order = [start]
    for cell in order:
        new = [beside for beside in grid.neighbours(cell) if tiles[beside] == EMPTY and beside not in reached]
        reached.update(dict.fromkeys(new))
        order += new
    return order[-1]


def _prune(grid: TileRepair, tiles: list[int], floor: int, draws: MapDraws) -> None:
    """Remove random leaves until only `floor` cells are left, or only the longest way."""
    # In a tree, the cell farthest from any cell is an end of a longest way.
    first = _farthest(grid, tiles, tiles.index(EMPTY))
    ends = {first, _farthest(grid, tiles, first)}
    leaves = [cell for cell, tile in enumerate(tiles) if tile == EMPTY and cell not in ends and _touching(grid, tiles, cell) <= 1]
    for _ in range(tiles.count(EMPTY) - floor):
        if not leaves:
            return
        cell = leaves.pop(draws.below(len(leaves)))
        tiles[cell] = SOLID
        beside = [other for other in grid.neighbours(cell) if tiles[other] == EMPTY and other not in ends]
        leaves += [other for other in beside if _touching(grid, tiles, other) == 1]

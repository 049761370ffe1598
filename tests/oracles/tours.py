"""Tours by the letter: list the floor tiles in reading order, place A, B and C, and add up three
plain searches.
"""

from oracles.walking import distances

Cell = tuple[int, int]


def floor_cells(tiles: list[list[int]]) -> list[int]:
    """The numbers of the floor tiles in reading order."""
    width = len(tiles[0])
    return [y * width + x for y, row in enumerate(tiles) for x, kind in enumerate(row) if kind == 0]


def length(
    tiles: list[list[int]], steps: tuple[tuple[bool, ...], ...], tour: tuple[int, int, int]
) -> int:
    """Steps A to B to C to A, -1 if one of the legs cannot be walked."""
    width = len(tiles[0])
    first, middle, last = ((cell % width, cell // width) for cell in tour)
    legs = [
        distances(tiles, steps, start).get(goal, -1)
        for start, goal in ((first, middle), (middle, last), (last, first))
    ]
    return sum(legs) if min(legs) >= 0 else -1


def place(
    tiles: list[list[int]], steps: tuple[tuple[bool, ...], ...], mark: int
) -> tuple[tuple[int, int, int], int]:
    """A, B, C and the steps, B being the first floor tile between A and C from the mark on, around
    and around.
    """
    floor = floor_cells(tiles)
    cells = len(tiles) * len(tiles[0])
    if len(floor) < 2:
        return (floor[0] if floor else -1, -1, -1), -1
    between = floor[1:-1]
    if not between:
        return (floor[0], -1, floor[-1]), -1
    middle = min(between, key=lambda cell: (cell - mark) % cells)
    tour = floor[0], middle, floor[-1]
    return tour, length(tiles, steps, tour)


def best(tiles: list[list[int]], steps: tuple[tuple[bool, ...], ...]) -> int:
    """The steps of the longest tour over all places for B, -1 if there is none."""
    floor = floor_cells(tiles)
    return max(
        (length(tiles, steps, (floor[0], middle, floor[-1])) for middle in floor[1:-1]), default=-1
    )

"""Bounds: the least and the greatest value of a measure for winnable levels of a frame and a
tileset.

Spans: the range of a measure in which most designed levels lie. Illumination divides it into cells
by default.

The bounds of a measure are the values that are possible at all. Taken together they are rarely met:
a level that is nearly all wall has no long path.
"""

from math import ceil, log2

from levolve.levels.frame import Frame
from levolve.levels.measures.measure import Range
from levolve.levels.places import ENTRANCE, EXIT
from levolve.levels.tileset import Tileset


def most_steps(frame: Frame, tileset: Tileset) -> int:
    """Return an upper bound for the steps of a shortest path in a level of this size.

    A shortest path between walls is an induced path of k cells: at most two of the four neighbours
    of a cell are on the path, and every cell next to the path has at most four neighbours. Counting
    the edges between the two, 4k - 2(w + h) - 2(k - 1) <= 4(wh - k), so k <= (2wh + w + h - 1) / 3.
    In a tileset where steps can be illegal without a wall, a path can visit every cell.
    """
    width, height = frame.width, frame.height
    cells = width * height
    return min((2 * cells + width + height - 1) // 3, cells) - 1 if tileset.packs else cells - 1


def straight_steps(frame: Frame) -> int:
    """Return the Manhattan distance between entrance and exit; 1 if every level has its own, 2 if
    one is missing or the goal is another.
    """
    if frame.ends and frame.goal.stops[:1] + frame.goal.stops[-1:] == (ENTRANCE, EXIT):
        return 1
    if (
        ENTRANCE not in frame.places
        or EXIT not in frame.places
        or frame.goal.stops[:1] + frame.goal.stops[-1:] != (ENTRANCE, EXIT)
    ):
        return 2 if frame.goal.stops else 0
    (x, y), (to_x, to_y) = frame.entrance, frame.exit
    return abs(x - to_x) + abs(y - to_y)


def of_exit_path(frame: Frame, tileset: Tileset) -> Range:
    """From the straight distance to the longest possible path."""
    if frame.ends:
        return 1, most_steps(frame, tileset)
    (x, y), (to_x, to_y) = frame.entrance, frame.exit
    return abs(x - to_x) + abs(y - to_y), most_steps(frame, tileset)


def of_longest_path(frame: Frame, tileset: Tileset) -> Range:
    """From the straight distance to the longest possible path."""
    return straight_steps(frame), most_steps(frame, tileset)


def of_sweep_path(frame: Frame, tileset: Tileset) -> Range:
    """From half the straight distance, which the second sweep cannot fall below where steps lead
    both ways, to the longest possible path.
    """
    return (ceil(straight_steps(frame) / 2) if tileset.reversible else 0), most_steps(
        frame, tileset
    )


def of_regions(frame: Frame, tileset: Tileset) -> Range:
    """From 1 to the regions of a chessboard pattern; in a tileset where steps can be illegal
    without a wall, each cell may be a region.
    """
    cells = frame.width * frame.height
    return (1 if frame.goal.stops else 0), (ceil(cells / 2) if tileset.packs else cells)


def of_reached_cells(frame: Frame, tileset: Tileset) -> Range:
    """From the cells of a straight path to all cells."""
    return (straight_steps(frame) + 1 if frame.goal.stops else 0), frame.width * frame.height


def of_reachable(frame: Frame, tileset: Tileset) -> Range:
    """From the cells of a straight path to all cells; from 1 if the goal does not start at the
    entrance.
    """
    return (
        straight_steps(frame) + 1 if frame.goal.stops[:1] == (ENTRANCE,) else 1
    ), frame.width * frame.height


def of_walls(frame: Frame, tileset: Tileset) -> Range:
    """From 0 to all cells except a straight path; 0 if every kind of tile is walkable."""
    least_open = straight_steps(frame) + 1 if frame.goal.stops else 0
    return 0, (0 if tileset.wall is None else frame.width * frame.height - least_open)


def of_ends(frame: Frame, tileset: Tileset) -> Range:
    """At least 1, because some cell is the farthest."""
    return 1, frame.width * frame.height


def of_cells(frame: Frame, tileset: Tileset) -> Range:
    """Any number of cells."""
    return 0, frame.width * frame.height


def of_tour_steps(frame: Frame, tileset: Tileset) -> Range:
    """At least 4, the shortest tour over three different cells and back."""
    return 4, 3 * most_steps(frame, tileset)


def of_tour_tiles(frame: Frame, tileset: Tileset) -> Range:
    """The same in tiles."""
    return 7, 3 * most_steps(frame, tileset) + 3


def of_checkpoints(frame: Frame, tileset: Tileset) -> Range:
    """Any number of the checkpoints."""
    return 0, len(frame.checkpoints)


def of_share(frame: Frame, tileset: Tileset) -> Range:
    """Any share."""
    return 0, 1


def of_pockets(frame: Frame, tileset: Tileset) -> Range:
    """All regions but one."""
    return 0, of_regions(frame, tileset)[1] - 1


def of_specks(frame: Frame, tileset: Tileset) -> Range:
    """Up to the walls of a chessboard pattern; 0 if every kind of tile is walkable."""
    return 0, (0 if tileset.wall is None else ceil(frame.width * frame.height / 2))


def of_squares(frame: Frame, tileset: Tileset) -> Range:
    """Any number of 2x2 squares."""
    return 0, (frame.width - 1) * (frame.height - 1)


def of_wall_squares(frame: Frame, tileset: Tileset) -> Range:
    """Any number of 2x2 squares; 0 if every kind of tile is walkable."""
    return (0, 0) if tileset.wall is None else of_squares(frame, tileset)


def of_turns(frame: Frame, tileset: Tileset) -> Range:
    """At least 1 if entrance and exit are the only stops and in different rows and columns; at most
    one per step after the first.
    """
    stops = frame.goal.stops_in(frame.place_names)
    bent = (
        stops == (ENTRANCE, EXIT)
        and not frame.ends
        and frame.entrance[0] != frame.exit[0]
        and frame.entrance[1] != frame.exit[1]
    )
    return int(bent), max((len(stops) - 1) * most_steps(frame, tileset) - 1, 0)


def of_straight(frame: Frame, tileset: Tileset) -> Range:
    """Up to the longer side; a way between two different cells has at least one step."""
    return 0, max(frame.width, frame.height) - 1


def of_entropy(frame: Frame, tileset: Tileset) -> Range:
    """Up to that of windows with all different patterns, as far as there are as many."""
    return 0, log2(min(len(tileset.characters) ** 4, (frame.width - 1) * (frame.height - 1)))


def spans_of_walls(frame: Frame, tileset: Tileset) -> Range:
    """Up to three fifths of the cells."""
    return 0, frame.width * frame.height * 3 // 5


def of_path(frame: Frame, tileset: Tileset) -> Range:
    """From a straight path to half of the cells, which is a level full of winding corridors."""
    straight = straight_steps(frame)
    return straight, straight + max(frame.width * frame.height // 2 - straight, 0) // 2 * 2


def spans_of_turns(frame: Frame, tileset: Tileset) -> Range:
    """Up to a quarter of the cells."""
    return 0, frame.width * frame.height // 4


def of_long_walks(frame: Frame, tileset: Tileset) -> Range:
    """Up to the number of cells, which takes going back and forth."""
    return 0, frame.width * frame.height


def of_small_share(frame: Frame, tileset: Tileset) -> Range:
    """Up to a tenth."""
    return 0, 0.1


def of_damage(frame: Frame, tileset: Tileset) -> Range:
    """Up to what a dozen monsters and a boss take."""
    return 0, 16

"""What no level can be: wishes that are refused before any search, because they can be known to be impossible."""

from math import ceil, floor, inf

from levolve.errors import InputError
from levolve.levels.frame import ENTRANCE, EXIT, FREE, Frame, Place
from levolve.levels.tileset import WALLS, Tileset
from levolve.packs.wanted import Range


def most_steps(frame: Frame, tileset: Tileset) -> int:
    """No shortest walk in a level of this size has more steps.

    A shortest walk between walls is an induced path of k cells: of the four neighbours of a cell two at most are on the path, and every cell
    beside it has four neighbours at most. Counting the edges between the two, 4k - 2(w + h) - 2(k - 1) <= 4(wh - k), so k <= (2wh + w + h - 1) / 3.
    Where a step may be closed without a wall, a walk can go through every cell.
    """
    width, height = frame.width, frame.height
    cells = width * height
    return min((2 * cells + width + height - 1) // 3, cells) - 1 if tileset == WALLS else cells - 1


def _straight(start: Place, goal: Place) -> int:
    return abs(start[0] - goal[0]) + abs(start[1] - goal[1])


def bounds_of(measure: str, frame: Frame, tileset: Tileset) -> Range:
    """The least and the most that a level which can be won may measure."""
    cells = frame.width * frame.height
    steps = most_steps(frame, tileset)
    exits = frame.has(ENTRANCE) and frame.has(EXIT)
    straight = _straight(frame.entrance, frame.exit) if exits else 2
    known: dict[str, Range] = {
        "exit_path": (straight, steps),
        "longest_path": (straight, steps),
        "regions": (1, ceil(cells / 2) if tileset == WALLS else cells),
        "largest_region": (straight + 1, cells),
        "walls": (0, cells - straight - 1 if tileset == WALLS else 0),
        "reachable": (straight + 1, cells),
        "culs_de_sac": (1, cells),
        "branching": (0, cells),
        "tour_steps": (4, 3 * steps),
        "tour_tiles": (7, 3 * steps + 3),
        "exit_members": (0, len(frame.checkpoints)),
    }
    return known.get(measure, (0, inf))


def check_wanted(measure: str, wanted: Range, frame: Frame, tileset: Tileset) -> None:
    """Refuse a range in which no level can lie."""
    low, high = wanted
    least, most = bounds_of(measure, frame, tileset)
    said = f"{low:g}" if low == high else f"{low:g}..{high:g}"
    if high < least or low > most:
        possible = f"{least:g} or more" if most == inf else f"{least:g} to {most:g}"
        message = f"target {measure}: expected something a {frame.width}x{frame.height} level that can be won may have, {possible}, got {said}"
        raise InputError(message)
    first, last = ceil(low), floor(high)
    if first > last:
        message = f"target {measure}: expected a range with a whole number in it, got {said}; every measure is a count"
        raise InputError(message)
    if measure == "exit_path" and first == last and (first - int(least)) % 2:
        message = f"target {measure}: expected an {'odd' if int(least) % 2 else 'even'} number, as every walk to this exit has, got {said}"
        raise InputError(message)


def check_distinct(distinct: float, least: int, count: int, frame: Frame, tileset: Tileset) -> None:
    """Refuse more levels, or more distinct ones, than there is room for, by Plotkin's bound on codes."""
    kept = sum(character != FREE for row in frame.kept for character in row)
    free = frame.width * frame.height - kept
    if count > 1 and least > free:
        message = f"distinct: expected at most {free / (frame.width * frame.height):.3g}, the share of cells that are not kept, got {distinct:g}"
        raise InputError(message)
    kinds = len(tileset.characters)
    # Scaled by the number of kinds, so that all are whole numbers: d > n (1 - 1/q) allows at most d / (d - n (1 - 1/q)) words.
    surplus = kinds * least - free * (kinds - 1)
    if surplus > 0 and count > kinds * least // surplus:
        most = kinds * least // surplus
        message = (
            f"distinct: no more than {most} levels of {frame.width}x{frame.height} can differ in {distinct:g} of their cells between any two "
            f"(Plotkin's bound), got a count of {count}; {(kinds - 1) / kinds:.2g} or less has room for many"
        )
        raise InputError(message)

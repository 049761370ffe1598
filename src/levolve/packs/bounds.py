"""Detection of impossible targets before the search."""

from math import ceil, floor, inf

from levolve.errors import InputError
from levolve.levels.frame import UNKEPT, Frame
from levolve.levels.tileset import Tileset
from levolve.measures import MEASURES
from levolve.measures.measure import Range


def check_wanted(measure: str, wanted: Range, frame: Frame, tileset: Tileset) -> None:
    """Raise `InputError` if no level of this frame and tileset can meet a range of a measure; `wanted` is its least and its greatest value."""
    low, high = wanted
    entry = MEASURES[measure]
    least, most = entry.bounds(frame, tileset)
    given = f"{low:g}" if low == high else f"{low:g}..{high:g}"
    if high < least or low > most:
        possible = f"{least:g} or more" if most == inf else f"{least:g} to {most:g}"
        message = f"target {measure}: expected a possible value for a winnable {frame.width}x{frame.height} level, {possible}, got {given}"
        raise InputError(message)
    if not entry.whole:
        return
    first, last = ceil(low), floor(high)
    if first > last:
        message = f"target {measure}: expected a range that contains a whole number, got {given}; this measure is a count"
        raise InputError(message)
    if not any((value - int(least)) % entry.stride == 0 for value in range(first, min(last, first + entry.stride - 1) + 1)):
        kinds = f"an {'odd' if int(least) % 2 else 'even'} number" if entry.stride == 2 else f"{least:g} plus a multiple of {entry.stride}"  # noqa: PLR2004
        message = f"target {measure}: expected {kinds}, like all levels of this frame, got {given}"
        raise InputError(message)


def check_distinct(distinct: float, least: int, count: int, frame: Frame, tileset: Tileset) -> None:
    """Raise `InputError` if there cannot be this many distinct levels, by Plotkin's bound on codes."""
    kept = sum(character not in UNKEPT for row in frame.kept for character in row)
    free = frame.width * frame.height - kept
    if count > 1 and least > free:
        message = f"distinct: expected at most {free / (frame.width * frame.height):.3g}, the share of cells that are not kept, got {distinct:g}"
        raise InputError(message)
    kinds = len(tileset.characters)
    # Scaled by the number of kinds, to use integers only: d > n (1 - 1/q) allows at most d / (d - n (1 - 1/q)) words.
    surplus = kinds * least - free * (kinds - 1)
    if surplus > 0 and count > kinds * least // surplus:
        most = kinds * least // surplus
        message = (
            f"distinct: no more than {most} levels of {frame.width}x{frame.height} can differ in {distinct:g} of their cells between any two "
            f"(Plotkin's bound), got a count of {count}; {(kinds - 1) / kinds:.2g} or less allows many"
        )
        raise InputError(message)

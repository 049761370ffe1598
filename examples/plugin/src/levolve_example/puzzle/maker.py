"""New lakes: rocks are moved until the shortest solution has a requested length."""

from collections.abc import Iterator
from dataclasses import dataclass

from levolve.core.errors import LevolveError
from levolve.core.events import Watch
from levolve.kernels.bits.random_streams import Draws
from levolve.puzzles.progress import Attempts
from levolve.puzzles.settings import (
    check_making,
    check_pair,
    check_range,
    read_range,
    read_size,
    setting,
)
from levolve.search.problem import choose_seed
from levolve_example.puzzle.rules import MOST_SIDE, Lake, Place
from levolve_example.puzzle.solvers import explore

PATIENCE = 60


@dataclass(frozen=True)
class IceRequest:
    """The properties that a new lake must have."""

    size: tuple[int, int] = setting((9, 9), "Width and height, such as 9x9.", read_size)
    length: tuple[int, int] = setting(
        (6, 9),
        "The least and the largest number of moves of the shortest solution, such as 6..9.",
        read_range,
    )
    rocks: float = setting(0.18, "The share of cells that are rocks.")

    def __post_init__(self) -> None:
        """Check every field."""
        check_range("size, width", self.size[0], 3, MOST_SIDE)
        check_range("size, height", self.size[1], 3, MOST_SIDE)
        check_pair("length", self.length, 1, 60)
        check_range("rocks", self.rocks, 0, 0.6, whole=False)


def make(
    count: int, request: IceRequest | None, seed: int | None, tries: int, watch: Watch | None
) -> Iterator[Lake]:
    """New lakes that meet the request, no two the same but for rotation and reflection."""
    check_making(count, tries)
    return _lakes(count, request or IceRequest(), choose_seed(seed), tries, watch)


def _lakes(
    count: int, request: IceRequest, seed: int, tries: int, watch: Watch | None
) -> Iterator[Lake]:
    known: set[str] = set()
    for number in range(count):
        lake, stops = _evolve(request, Draws(seed, number), Attempts(number, tries, watch), known)
        known.add(lake.likeness())
        yield lake.with_facts(
            {"length": len(lake.solution or ""), "stops": stops, "seed": seed, "number": number}
        )


def _evolve(
    request: IceRequest, draws: Draws, attempts: Attempts, known: set[str]
) -> tuple[Lake, int]:
    """Change one rock at a time, keep what is not worse, and start anew after a while without
    progress.
    """
    low, high = request.length
    best: tuple[int, Lake] | None = None
    since = 0
    for _ in attempts:
        best = None if since > PATIENCE else best
        since = 0 if best is None else since + 1
        lake = _fresh(request, draws) if best is None else _changed(best[1], draws)
        attempts.count(lake.to_text())
        ways, _ = explore(lake)
        moves = ways.get(lake.exit)
        miss = high if moves is None else max(low - len(moves), len(moves) - high, 0)
        if moves is not None and miss == 0 and lake.likeness() not in known:
            return lake.with_solution(moves), len(ways)
        if best is None or miss <= best[0]:
            since = since if best is not None and miss == best[0] else 0
            best = miss, lake
        nearest = best[1]
        attempts.report(float(best[0]), lambda nearest=nearest: nearest)  # type: ignore[misc] # bound now
    message = (
        f"no lake that meets the request came out of {attempts.tries:,} tries; allow more tries, "
        "or a wider range of length"
    )
    raise LevolveError(message)


def _fresh(request: IceRequest, draws: Draws) -> Lake:
    width, height = request.size
    start, exit_place = _place(width, height, draws), _place(width, height, draws)
    while exit_place == start:
        exit_place = _place(width, height, draws)
    cells = [["~"] * width for _ in range(height)]
    for _ in range(round(request.rocks * width * height)):
        x, y = _place(width, height, draws)
        if (x, y) not in {start, exit_place}:
            cells[y][x] = "o"
    return Lake(tuple("".join(row) for row in cells), start, exit_place)


def _changed(lake: Lake, draws: Draws) -> Lake:
    """The lake with one cell turned from ice to rock or back."""
    x, y = _place(lake.width, lake.height, draws)
    if (x, y) in {lake.start, lake.exit}:
        return lake
    rows = list(lake.rows)
    rows[y] = rows[y][:x] + ("~" if rows[y][x] == "o" else "o") + rows[y][x + 1 :]
    return Lake(tuple(rows), lake.start, lake.exit)


def _place(width: int, height: int, draws: Draws) -> Place:
    return draws.below(width), draws.below(height)

"""`PuzzleSource`: many puzzles, no two alike, along a curve of the effort they cost a solver."""

from collections.abc import Iterator, Sequence
from typing import Any

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Watch
from levolve.jobs.packs.order import PuzzleOrder
from levolve.jobs.packs.section import MissedLevel, PackSource, Take, seed_of
from levolve.jobs.packs.targets import Range, parse_curve
from levolve.levels.level import Level
from levolve.puzzles import PUZZLES
from levolve.puzzles.load_save import decode_json, puzzle_of
from levolve.puzzles.position import Position
from levolve.puzzles.settings import changed_settings
from levolve.puzzles.solve_make import make

# Candidates for every puzzle of the pack: the more, the more even the curve.
CANDIDATES = 2
# Tries for one candidate: there are others.
TRIES = 1000

Made = tuple[Position, dict[str, int]]


def make_candidate(
    puzzle: str,
    size: tuple[int, int],
    number: int,
    count: int,
    seed: int,
    wanted: tuple[tuple[str, Any], ...] = (),
) -> tuple[Position, ...]:
    """A unit of work: candidate `number` of `count`, from short solutions to long ones; nothing
    where it could not be made.

    `wanted` are other fields of the request.
    """
    kind = PUZZLES[puzzle]
    low, high = kind.lengths(size)
    length = low + (high - low) * number // max(count - 1, 1)
    changes = {**dict(wanted), "size": size, "length": (length, min(length + 2, high))}
    request = changed_settings(kind.request, changes, f"a request for {kind.plural}")
    try:
        position = next(iter(kind.make(1, request, seed=seed_of(seed, number), tries=TRIES)))
        position.check()
    except InputError:
        raise
    except LevolveError:
        return ()
    return (position,)


class PuzzleSource(PackSource):
    """Makes the puzzles of an order. The units of work are candidates; each counts as a search."""

    order: PuzzleOrder
    advice = "Choose a larger size"

    def search(self, take: Take) -> Iterator[int]:
        """Make all candidates; of those that are alike the first is taken."""
        puzzle, size, request = self.order.puzzle, self.order.size, self.order.request
        count = CANDIDATES * self.order.count
        units = [(puzzle, size, number, count, self.seed, request) for number in range(count)]
        for made in take(make_candidate, units):
            for position in made:
                self._found.setdefault(position.likeness(), position)
            yield 0

    @staticmethod
    def encode(unit: Sequence[Position]) -> list[str]:
        """Return the candidate, if it could be made, as JSON."""
        return [puzzle_of(position).encode_json(position).decode() for position in unit]

    @staticmethod
    def decode(state: Sequence[str]) -> tuple[Level | Position, ...]:
        """Return the candidate that `encode` described."""
        return tuple(decode_json(text.encode()) for text in state)

    @property
    def decided(self) -> float:
        """The number of puzzles whose candidates are made."""
        return self.searches / CANDIDATES

    @property
    def missed(self) -> list[MissedLevel]:
        """The puzzles for which there is no candidate."""
        unmet = (f"only {self.found} were found that are not alike",)
        return [MissedLevel(index, unmet) for index in range(self.found, self.order.count)]

    @property
    def items(self) -> tuple[Position, ...]:
        """The chosen ones of the candidates made so far, along the curve."""
        order = self.order
        return tuple(choose(order.puzzle, list(self._found.values()), order.count, order.curve))


def make_along(
    puzzle: str,
    count: int,
    curve: str | Sequence[float],
    *,
    seed: int | None = None,
    tries: int = 4000,
    watch: Watch | None = None,
    **request: object,
) -> list[Position]:
    """Make puzzles that meet a request, evenly spread over their difficulty along a curve:
    `CANDIDATES` times as many are made.

    >>> made = make_along("sliding", 3, "hard..easy", seed=1)
    >>> hardness = [PUZZLES["sliding"].measures(position)["difficulty"] for position in made]
    >>> hardness == sorted(hardness, reverse=True)
    True
    """
    made = list(make(puzzle, CANDIDATES * count, seed=seed, tries=tries, watch=watch, **request))
    return choose(puzzle, made, count, parse_curve(curve))


def choose(
    puzzle: str, positions: Sequence[Position], count: int, curve: Range | None
) -> list[Position]:
    """As many of the puzzles as requested, spread evenly over their difficulty along the curve; by
    default from the easiest to the hardest.
    """
    measured: list[Made] = [
        (position, PUZZLES[puzzle].measures(position)) for position in positions
    ]
    ordered = sorted(measured, key=_difficulty)
    if len(ordered) <= count:
        chosen = ordered
    else:
        first, last = curve or (0.0, 1.0)
        low, high = min(first, last), max(first, last)
        easiest, hardest = (_difficulty(ordered[end]) for end in (0, -1))
        left, chosen = list(ordered), []
        for number in range(count):
            wanted = easiest + (hardest - easiest) * (
                low + (high - low) * number / max(count - 1, 1)
            )
            nearest = min(left, key=lambda made: abs(_difficulty(made) - wanted))
            left.remove(nearest)
            chosen.append(nearest)
        chosen.sort(key=_difficulty)
    turned = chosen[::-1] if curve is not None and curve[0] > curve[1] else chosen
    return [position for position, _ in turned]


def _difficulty(made: Made) -> int:
    return made[1]["difficulty"]

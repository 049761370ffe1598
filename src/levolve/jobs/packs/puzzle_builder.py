"""`PuzzlePackBuilder`: many puzzles at once, no two alike, along a curve of the effort they cost a solver."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, ClassVar, Self

import numpy as np

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Watch
from levolve.jobs.executors import stop_requested
from levolve.jobs.job import JobOutcome
from levolve.jobs.packs.events import SearchFinished
from levolve.jobs.packs.order import PuzzleOrder
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.section import MissedLevel, PackPart
from levolve.jobs.packs.targets import Range, parse_curve
from levolve.jobs.units import UnitJob
from levolve.kernels.bits.random_streams import PACK, draw, open_stream
from levolve.puzzles import PUZZLES
from levolve.puzzles.position import Position
from levolve.puzzles.settings import changed_settings
from levolve.puzzles.solve_make import make
from levolve.search.problem import choose_seed

# Candidates for every puzzle of the pack: the more, the more even the curve.
CANDIDATES = 2
# Tries for one candidate: there are others.
TRIES = 1000

Made = tuple[Position, dict[str, int]]


def make_candidate(
    puzzle: str, size: tuple[int, int], number: int, count: int, seed: int, wanted: tuple[tuple[str, Any], ...] = ()
) -> tuple[Position, ...]:
    """A unit of work: candidate `number` of `count`, from short solutions to long ones; nothing where it could not be made.

    `wanted` are other fields of the request.
    """
    kind = PUZZLES[puzzle]
    low, high = kind.lengths(size)
    length = low + (high - low) * number // max(count - 1, 1)
    changes = {**dict(wanted), "size": size, "length": (length, min(length + 2, high))}
    request = changed_settings(kind.request, changes, f"a request for {kind.plural}")
    start, step = open_stream(np.uint64(seed), PACK, number, 0)
    own_seed = int(draw((np.uint64(start), np.uint64(step)), 0))
    try:
        position = next(iter(kind.make(1, request, seed=own_seed, tries=TRIES)))
        position.check()
    except InputError:
        raise
    except LevolveError:
        return ()
    return (position,)


class PuzzlePackBuilder(UnitJob[Pack, tuple[Position, ...]]):
    """Makes a pack of a puzzle. `events()` yields an event per candidate; a candidate counts as a search.

    Parameters
    ----------
    order
        The puzzle, its size, the number of puzzles and their curve.
    seed
        From 0 to 2**64 - 1; by default a random one.
    executor
        Any `concurrent.futures.Executor` to make candidates with; by default this thread. It does not change the result.
    stop
        Called between candidates; return True to end early with a `CancelledError`.
    """

    kind: ClassVar[str] = "puzzle-pack"

    def __init__(
        self, order: PuzzleOrder, seed: int | None = None, executor: Executor | None = None, stop: Callable[[], bool] = stop_requested
    ) -> None:
        """Prepare; nothing is made yet."""
        self.order = order
        self.name = order.name
        super().__init__(choose_seed(seed), executor, stop)

    def _reset(self) -> None:
        self.found: dict[str, Position] = {}
        self.searches = 0
        self.evaluations = 0

    @property
    def count(self) -> int:
        """The number of puzzles."""
        return self.order.count

    @property
    def title(self) -> str:
        """The puzzle and its size."""
        return self.order.title

    @property
    def advice(self) -> str:
        """What to do if too few were found."""
        return "Choose a larger size"

    def call(self) -> dict[str, Any]:
        """Return all arguments as JSON-compatible data."""
        curve = None if self.order.curve is None else list(self.order.curve)
        request = {"request": dict(self.order.request)} if self.order.request else {}
        return {"puzzle": self.name, "count": self.count, "size": list(self.order.size), "curve": curve, **request, "seed": self.seed}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Return the builder that `call` describes."""
        return cls(PuzzleOrder.of(**{key: value for key, value in call.items() if key != "seed"}), call["seed"], executor, stop)

    def _advance(self) -> Iterator[SearchFinished]:
        """Make all candidates; of those that are alike the first is taken."""
        candidates = CANDIDATES * self.count
        units = [(self.name, self.order.size, number, candidates, self.seed, self.order.request) for number in range(candidates)]
        for number, made in enumerate(self._in_order(make_candidate, units), 1):
            self.found |= {position.likeness(): position for position in made if position.likeness() not in self.found}
            self.searches = number
            yield SearchFinished(self.name, self.count, self.decided, self.chosen, self.searches, self.evaluations)

    def _to_state(self, unit: tuple[Position, ...]) -> list[str]:
        return [PUZZLES[self.name].encode_json(position).decode() for position in unit]

    def _from_state(self, state: Sequence[str]) -> tuple[Position, ...]:
        decoded = (PUZZLES[self.name].decode(text.encode()) for text in state)
        return tuple(position for position in decoded if position is not None)

    @property
    def decided(self) -> int:
        """The number of puzzles whose candidates are made."""
        return self.searches // CANDIDATES

    @property
    def chosen(self) -> int:
        """The number of puzzles in the pack of the candidates made so far."""
        return min(len(self.found), self.count)

    @property
    def pack(self) -> Pack:
        """The pack of the candidates made so far."""
        chosen = tuple(choose(self.name, list(self.found.values()), self.count, self.order.curve))
        unmet = (f"only {len(chosen)} were found that are not alike",)
        missed = tuple(MissedLevel(index, unmet) for index in range(len(chosen), self.count))
        return Pack(self.name, chosen, (PackPart(self.order, self.seed, len(chosen), missed, self.searches, self.evaluations),), self.seconds)

    @property
    def result(self) -> Pack:
        """The puzzles found so far, as a pack."""
        return self.pack

    @property
    def size(self) -> str:
        """The size of the puzzles."""
        return f"{self.order.size[0]}x{self.order.size[1]}"

    @property
    def progress(self) -> float:
        """The share of the candidates that are made."""
        return self.searches / (CANDIDATES * self.count)

    @property
    def headline(self) -> str:
        """How many puzzles were found."""
        return f"{self.chosen} of {self.count} puzzles"

    def outcome(self) -> JobOutcome:
        """Return the manifest, and the puzzles as JSON."""
        return self.pack.outcome()


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
    """Make puzzles that meet a request, evenly spread over their difficulty along a curve: `CANDIDATES` times as many are made.

    >>> made = make_along("sliding", 3, "hard..easy", seed=1)
    >>> hardness = [PUZZLES["sliding"].measures(position)["difficulty"] for position in made]
    >>> hardness == sorted(hardness, reverse=True)
    True
    """
    made = list(make(puzzle, CANDIDATES * count, seed=seed, tries=tries, watch=watch, **request))
    return choose(puzzle, made, count, parse_curve(curve))


def choose(puzzle: str, positions: Sequence[Position], count: int, curve: Range | None) -> list[Position]:
    """As many of the puzzles as requested, spread evenly over their difficulty along the curve; by default from the easiest to the hardest."""
    measured: list[Made] = [(position, PUZZLES[puzzle].measures(position)) for position in positions]
    ordered = sorted(measured, key=_difficulty)
    if len(ordered) <= count:
        chosen = ordered
    else:
        first, last = curve or (0.0, 1.0)
        low, high = min(first, last), max(first, last)
        easiest, hardest = (_difficulty(ordered[end]) for end in (0, -1))
        left, chosen = list(ordered), []
        for number in range(count):
            wanted = easiest + (hardest - easiest) * (low + (high - low) * number / max(count - 1, 1))
            nearest = min(left, key=lambda made: abs(_difficulty(made) - wanted))
            left.remove(nearest)
            chosen.append(nearest)
        chosen.sort(key=_difficulty)
    turned = chosen[::-1] if curve is not None and curve[0] > curve[1] else chosen
    return [position for position, _ in turned]


def _difficulty(made: Made) -> int:
    return made[1]["difficulty"]

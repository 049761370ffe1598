"""`puzzle_pack`: many puzzles at once, no two alike, along a curve of the effort they cost a solver."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from math import ceil, sqrt
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from PIL import Image, ImageDraw

from levolve.errors import InputError, LevolveError
from levolve.events import Event, Watch
from levolve.evolution.seeds import choose_seed
from levolve.formats.marks import INK, PAPER, font
from levolve.formats.png import picture_bytes
from levolve.kernels.streams import PACK, draw, open_stream
from levolve.packs.folder import write_folder
from levolve.packs.manifest import FORMAT, MANIFEST, PAGE, SHEET, encode_manifest
from levolve.packs.targets import Range, parse_curve
from levolve.packs.webpage import page
from levolve.puzzles import PUZZLES
from levolve.puzzles.position import Position
from levolve.puzzles.puzzle import Puzzle
from levolve.puzzles.settings import changed_settings, check_range
from levolve.recipes.values import parse_size
from levolve.runs.checkpoints import complete
from levolve.runs.executors import stop_requested, work_pool
from levolve.runs.jobs import JobOutcome
from levolve.runs.store.places import StoreSource
from levolve.runs.units import UnitJob
from levolve.version import VERSION

# Candidates for every puzzle of the pack: the more, the more even the curve.
CANDIDATES = 2
# Tries for one candidate: there are others.
TRIES = 1000
THUMBNAIL = 160
DEFAULT_FORMS = ("json", "png")

Made = tuple[Position, dict[str, int]]


@dataclass(frozen=True)
class CandidateMade(Event):
    """Candidate `number` of `count`, counted from 1, is done: `found` says whether it gave a puzzle unlike those before."""

    kind: ClassVar[str] = "candidate_made"

    number: int
    count: int
    found: bool


@dataclass(frozen=True)
class PuzzlePack:
    """Puzzles that were made together, each with a proven solution; `wanted` is the number that was requested."""

    puzzle: str
    size: tuple[int, int]
    wanted: int
    curve: Range | None
    seed: int
    positions: tuple[Position, ...]

    @property
    def kind(self) -> Puzzle[Any]:
        """The puzzle."""
        return PUZZLES[self.puzzle]

    @property
    def met(self) -> bool:
        """Whether as many were found as were requested."""
        return len(self.positions) == self.wanted

    @property
    def names(self) -> list[str]:
        """A file name for each puzzle, without its suffix."""
        digits = max(len(str(len(self.positions))), 2)
        return [f"{number:0{digits}}-{self.puzzle}" for number in range(1, len(self.positions) + 1)]

    @property
    def measures(self) -> list[dict[str, int]]:
        """The measures of each puzzle, by name."""
        return [self.kind.measures(position) for position in self.positions]

    @property
    def digest(self) -> str:
        """Sha256 over the digests of the puzzles, in their order."""
        return hashlib.sha256("\n".join(position.digest for position in self.positions).encode()).hexdigest()

    def to_data(self, files: Sequence[Sequence[str]] = (), folder: Path | None = None) -> dict[str, Any]:
        """The manifest; `files` are the names of each puzzle's files, and `folder` is where they are."""
        order = {"puzzle": self.puzzle, "size": f"{self.size[0]}x{self.size[1]}", "count": self.wanted, "seed": self.seed}
        entries = [
            {
                "name": name,
                "files": list(files[index]) if files else [],
                "steps": len(position.solution or ""),
                "difficulty": measures["difficulty"],
                "digest": position.digest,
                "measures": measures,
            }
            for index, (name, position, measures) in enumerate(zip(self.names, self.positions, self.measures, strict=True))
        ]
        curve = {} if self.curve is None else {"curve": list(self.curve)}
        head = {"format": FORMAT, "version": VERSION, "name": self.puzzle, "digest": self.digest, "met": self.met}
        where = {"folder": str(folder.resolve()) if folder is not None else None} if not files else {}
        return {**head, "orders": [{**order, **curve}], "levels": entries, **where}

    def files(self, forms: Iterable[str]) -> dict[str, bytes]:
        """Every file of the pack's folder and its bytes."""
        kind, chosen = self.kind, forms_of(self.puzzle, forms)
        names = [[f"{name}.{form}" for form in chosen] for name in self.names]
        numbered = list(zip(self.names, self.positions, strict=True))
        files = {f"{name}.{form}": kind.encode(position, form) for name, position in numbered for form in chosen}
        files[SHEET] = picture_bytes(_sheet([kind.draw(position) for position in self.positions], self.names))
        data = self.to_data(names)
        entries = [
            {
                **kind.play_data(position),
                "type": self.puzzle,
                "kind": self.puzzle,
                "solution": position.solution,
                **{key: entry[key] for key in ("name", "measures", "files")},
            }
            for position, entry in zip(self.positions, data["levels"], strict=True)
        ]
        files[PAGE] = page(kind.plural, self.digest, {}, entries, [kind.page_script()])
        files[MANIFEST] = encode_manifest(data, files)
        return files

    def save(self, folder: str | Path, forms: Iterable[str] = ("png",)) -> Path:
        """Write the pack's folder, and give the page's path."""
        return write_folder(Path(folder), self.files(forms))


def forms_of(puzzle: str, forms: str | Iterable[str]) -> list[str]:
    """Forms in which a puzzle can be written, by name, each once; a list, or a text with commas."""
    listed = forms.split(",") if isinstance(forms, str) else forms
    return list(dict.fromkeys(PUZZLES[puzzle].suffix(form) for form in listed))


def make_candidate(puzzle: str, size: tuple[int, int], number: int, count: int, seed: int) -> tuple[Position, ...]:
    """A unit of work: candidate `number` of `count`, from short solutions to long ones; nothing where it could not be made."""
    kind = PUZZLES[puzzle]
    low, high = kind.lengths(size)
    length = low + (high - low) * number // max(count - 1, 1)
    request = changed_settings(kind.request, {"size": size, "length": (length, min(length + 2, high))}, f"a request for {kind.plural}")
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


class PuzzlePackBuilder(UnitJob[PuzzlePack, tuple[Position, ...]]):
    """Makes a pack of a puzzle. `events()` yields an event per candidate. See `puzzle_pack` for the parameters."""

    kind: ClassVar[str] = "puzzle-pack"

    def __init__(  # noqa: PLR0913 as many options
        self,
        puzzle: str,
        *,
        count: int = 24,
        size: str | Sequence[int] | None = None,
        curve: str | Sequence[float] | None = None,
        seed: int | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> None:
        """Check the request; nothing is made yet."""
        check_range("count", count, 1, 10_000)
        default: Any = PUZZLES[puzzle].request()
        self.name = puzzle
        self.count = count
        self.sides: tuple[int, int] = default.size if size is None else parse_size(size)
        self.curve = None if curve is None else parse_curve(curve)
        super().__init__(choose_seed(seed), executor, stop)

    def _reset(self) -> None:
        self.found: dict[str, Position] = {}
        self.made = 0

    def call(self) -> dict[str, Any]:
        """Return all arguments as JSON-compatible data."""
        curve = None if self.curve is None else list(self.curve)
        return {"puzzle": self.name, "count": self.count, "size": list(self.sides), "curve": curve, "seed": self.seed}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Return the builder that `call` describes."""
        return cls(**call, executor=executor, stop=stop)

    def _advance(self) -> Iterator[CandidateMade]:
        """Make all candidates; of those that are alike the first is taken."""
        count = CANDIDATES * self.count
        units = [(self.name, self.sides, number, count, self.seed) for number in range(count)]
        for number, made in enumerate(self._in_order(make_candidate, units), 1):
            new = [position for position in made if position.likeness() not in self.found]
            self.found |= {position.likeness(): position for position in new}
            self.made = number
            yield CandidateMade(number, count, bool(new))

    def _to_state(self, unit: tuple[Position, ...]) -> list[str]:
        return [PUZZLES[self.name].encode_json(position).decode() for position in unit]

    def _from_state(self, state: Sequence[str]) -> tuple[Position, ...]:
        decoded = (PUZZLES[self.name].decode(text.encode()) for text in state)
        return tuple(position for position in decoded if position is not None)

    @property
    def result(self) -> PuzzlePack:
        """The pack of the candidates made so far."""
        chosen = choose(self.name, list(self.found.values()), self.count, self.curve)
        return PuzzlePack(self.name, self.sides, self.count, self.curve, self.seed, tuple(chosen))

    @property
    def size(self) -> str:
        """The size of the puzzles."""
        return f"{self.sides[0]}x{self.sides[1]}"

    @property
    def progress(self) -> float:
        """The share of the candidates that are made."""
        return self.made / (CANDIDATES * self.count)

    @property
    def headline(self) -> str:
        """How many puzzles were found."""
        return f"{min(len(self.found), self.count)} of {self.count} puzzles"

    def outcome(self) -> JobOutcome:
        """Return the manifest, and the puzzles as JSON."""
        pack = self.result
        files = tuple((position.digest, pack.kind.encode_json(position)) for position in pack.positions)
        return JobOutcome(pack.to_data(), pack.digest, files)


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


def puzzle_pack(  # noqa: PLR0913 as many options
    puzzle: str,
    *,
    count: int = 24,
    size: str | tuple[int, int] | None = None,
    curve: str | Sequence[float] | None = None,
    seed: int | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> PuzzlePack:
    """Make a pack of a puzzle, from easy to hard by the effort of a solver.

    `puzzle` is a name such as "flag"; `count` is from 1 to 10,000; `size` is `7x7` or (width, height), by default the usual one of the puzzle's
    requests; `curve` is `easy..hard` or two shares of the difficulty from 0 to 1. Candidates are made by `threads`, by default one per core, by a
    Dask `cluster` ("local" or an address), or by any `executor`; the result is the same. `watch` receives `CANDIDATES` events of `CandidateMade` for
    each puzzle of the pack. `store` is where the pack is stored while it is made: a path, a `Store`, True for the user's own, by default nowhere.

    >>> made = puzzle_pack("sliding", count=3, seed=1)
    >>> hardness = [measures["difficulty"] for measures in made.measures]
    >>> hardness == sorted(hardness)
    True
    """
    with work_pool(threads, cluster, executor) as pool:
        return complete(PuzzlePackBuilder(puzzle, count=count, size=size, curve=curve, seed=seed, executor=pool), store, watch)


def _sheet(pictures: Sequence[Image.Image], captions: Sequence[str]) -> Image.Image:
    """All pictures on one, each scaled to fit, with its caption below."""
    columns = max(ceil(sqrt(len(pictures))), 1)
    gap, line = 24, 26
    rows = ceil(len(pictures) / columns)
    sheet = Image.new("RGB", (gap + columns * (THUMBNAIL + gap), gap + rows * (THUMBNAIL + line + gap)), PAPER)
    pen = ImageDraw.Draw(sheet)
    for index, (picture, caption) in enumerate(zip(pictures, captions, strict=True)):
        left, top = gap + index % columns * (THUMBNAIL + gap), gap + index // columns * (THUMBNAIL + line + gap)
        scale = THUMBNAIL / max(picture.size)
        sheet.paste(picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.Resampling.LANCZOS), (left, top))
        pen.text((left, top + THUMBNAIL + 6), caption, fill=INK, font=font(14))
    return sheet

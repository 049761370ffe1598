"""`make_map`: a map by a fashion rule, by several rules that change into each other, or a window of
a world without an edge.
"""

import dataclasses
import hashlib
import itertools
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from levolve.core.display import Displayed
from levolve.core.errors import InputError
from levolve.formats.look import Look
from levolve.formats.reading.files import read_text
from levolve.formats.writing import write_file
from levolve.levels.level import Level
from levolve.search.problem import choose_seed
from levolve.worlds import pictures
from levolve.worlds.courses import (
    Course,
    GivenCourse,
    RuleCourse,
    WindowCourse,
    morph_course,
    world_of,
)
from levolve.worlds.design import Design, RuleLike
from levolve.worlds.files import check_content, check_frames, check_map_path, encode_map
from levolve.worlds.lambda_fields import DEFAULT_LENGTH
from levolve.worlds.legend import find_palette, palette_for
from levolve.worlds.pictures import (
    encode_animation,
    encode_picture,
    encode_with_legend,
    terminal_picture,
)
from levolve.worlds.records import Record, appended, write_maps, write_records
from levolve.worlds.rule import Map, Outcome
from levolve.worlds.shipped import find_design, read_start
from levolve.worlds.starts import checked_size

DEFAULT_SIZE = (100, 100)
PIXELS = 4
MOST_SHOWN = 1024


@dataclass(frozen=True, eq=False, repr=False)
class FashionMap(Displayed):
    """A finished map: its design, the seed of its start map, how it developed, and what it came to
    before it was smoothed and poured.
    """

    design: Design
    seed: int
    tiles: Map
    course: Course
    outcome: Outcome
    given_start: bool = False

    def __repr__(self) -> str:
        """The rule, the size, the seed and the digest."""
        return (
            f"<FashionMap {self.design.name} {'x'.join(map(str, self.size))}, seed {self.seed}, "
            f"{self.digest[:12]}>"
        )

    def _picture(self) -> bytes:
        # Large maps are shown with fewer pixels per cell.
        return self.encode(".png", pixels=max(1, min(PIXELS, MOST_SHOWN // max(self.size))))

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """The bytes of the file that `save` writes for a path."""
        if look is not None:
            raise InputError(
                f"theme and tile: expected a level, got the map {path}; use --palette, or "
                "to_level()"
            )
        check_map_path(path)
        return {path: self.encode(path.suffix.lower())}

    @property
    def start(self) -> Map | None:
        """The start map; None for a window of a world."""
        return self.course.start

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.tiles.shape[1], self.tiles.shape[0]

    @property
    def shares(self) -> dict[str, float]:
        """The share of the cells that each state of the legend has, rounded to four digits."""
        return {
            name: round(float((self.tiles == state).mean()), 4)
            for state, name in enumerate(self.design.legend.names)
        }

    @property
    def digest(self) -> str:
        """The SHA-256 of size and cells."""
        width, height = self.size
        return hashlib.sha256(f"{width}x{height}\n".encode() + self.tiles.tobytes()).hexdigest()

    def frames(self) -> Iterator[Map]:
        """The map after 0, 1, 2 … updates, before it was smoothed and poured. Each is computed when
        it is asked for.
        """
        return self.course.frames()

    def to_level(self) -> Level:
        """A level that can be won: open states are floor, entrance and exit are far apart."""
        return pictures.level_of(self.tiles, self.design.legend)

    @property
    def given(self) -> str | None:
        """What the map is made from: None for a start map drawn by seed, `start` for one that was
        given, `result` for a finished map.
        """
        if isinstance(self.course, GivenCourse):
            return "result"
        return "start" if self.given_start else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that whoever reads the result should know."""
        if self.design.stated or self.given != "start":
            return ()
        name, updates = self.design.name, self.design.updates
        return (
            (
                f"{name}: the record does not say whether its map is the start or the result of "
                f"{updates} updates; it was taken as the start"
            ),
        )

    def to_data(self) -> dict[str, Any]:
        """The result as plain data that JSON can hold."""
        width, height = self.size
        return {
            "rule": self.design.name,
            "seed": None if self.given == "result" else self.seed,
            "size": f"{width}x{height}",
            "updates": self.design.updates,
            "arithmetic": self.design.rule.arithmetic,
            "given": self.given,
            "outcome": str(self.outcome) if self.course.settles else None,
            "shares": self.shares,
            "digest": self.digest,
        }

    def to_text(self, content: str = "record") -> str:
        """The map in the source's text form.

        `content` is what it holds: `record` is the map and the parameters, `every` the map of every
        update and the parameters, `map` the map alone and `parameters` the parameters alone.
        """
        check_content(content)
        if content == "map":
            return write_maps([self.tiles])
        record = Record(
            self.design.rule, self.design.updates, self.size, self.tiles, stated="result"
        )
        if content == "every":
            record = dataclasses.replace(record, earlier=tuple(self.frames())[:-1])
        return write_records(
            [
                record
                if content != "parameters"
                else dataclasses.replace(record, tiles=None, stated=None)
            ]
        )

    def save(
        self,
        path: str | Path,
        *,
        pixels: int = PIXELS,
        legend: bool = False,
        content: str = "record",
        append: bool = False,
    ) -> Path:
        """Write the map by the path's suffix.

        `.png` is a picture with `pixels` pixels per cell, with `legend` a strip below it; `.gif`
        shows all updates; `.npy` is the array; `.txt` is the source's text form, with `content` as
        for `to_text`, after what is in the file with `append`; `.toml` and `.json` are the rule
        with the start map, from which the map can be made again.
        """
        path = Path(path)
        check_map_path(path, append=append)
        if append and path.exists():
            return write_file(
                path, appended(read_text(path), self.to_text(content), str(path)).encode()
            )
        return write_file(
            path, self.encode(path.suffix.lower(), pixels=pixels, legend=legend, content=content)
        )

    def encode(
        self, suffix: str, *, pixels: int = PIXELS, legend: bool = False, content: str = "record"
    ) -> bytes:
        """The bytes of the file that `save` writes for a suffix such as `.png`."""
        design = self.design
        if suffix == ".txt":
            return self.to_text(content).encode()
        colours = palette_for(design.rule.states, design.palette)
        if suffix == ".gif":
            return encode_animation(
                self.frames(), colours, pixels, f"rule {design.name}, seed {self.seed}"
            )
        if legend and suffix == ".png":
            return encode_with_legend(self.tiles, colours, design.legend, pixels)
        if suffix in {".toml", ".json"}:
            return encode_map(self._with_start(), self.tiles, suffix)
        return encode_map(
            design, self.tiles, suffix, pixels, {"rule": design.to_json(), "seed": str(self.seed)}
        )

    def _with_start(self) -> Design:
        """The design with the map from which this one can be made again; a result that was given
        stays one.
        """
        if self.given == "result":
            return self.design
        return dataclasses.replace(self.design.without_map(), start=self.start)

    def save_frames(
        self, folder: str | Path, *, pixels: int = PIXELS, prefix: str = ""
    ) -> list[Path]:
        """Write a PNG for the start map and for the map after each update in a folder: `0.png` and
        so on, with a prefix `PREFIX 0.png`.
        """
        folder = Path(folder)
        check_frames(folder, prefix)
        colours = palette_for(self.design.rule.states, self.design.palette)
        names = (
            f"{prefix} {number}.png" if prefix else f"{number}.png" for number in itertools.count()
        )
        return [
            write_file(folder / name, encode_picture(tiles, colours, pixels))
            for name, tiles in zip(names, self.frames(), strict=False)
        ]

    def terminal_picture(self, columns: int = 80, rows: int = 20, *, colour: bool = True) -> str:
        """The map as lines of half blocks, two cells per character, scaled down to fit so many
        columns and rows.
        """
        return terminal_picture(
            self.tiles, find_palette(self.design.palette), columns, rows, colour=colour
        )


def make_map(
    rule: RuleLike,
    *,
    size: tuple[int, int] | str | None = None,
    updates: int | None = None,
    seed: int | None = None,
    window: tuple[int, int, int, int] | None = None,
    scale: int = 1,
    morph: Sequence[RuleLike] = (),
    field: str | Path | ArrayLike = "linear",
    length: int = DEFAULT_LENGTH,
    border: str | None = None,
    arithmetic: str | None = None,
    smooth: int | None = None,
    pour: Sequence[tuple[int, int, int]] = (),
    start: str | Path | ArrayLike | None = None,
    palette: str | Sequence[Sequence[int]] | None = None,
    record: int = 1,
    map_is: str | None = None,
    executor: Executor | None = None,
    check: Callable[[tuple[int, int]], None] = lambda _: None,
) -> FashionMap:
    """A map by a fashion rule.

    - `rule`: a shipped rule's name, the path of a rule or record file, a `Rule` or a `Design`.
    - `size`: (width, height) or `"WIDTHxHEIGHT"`, from 1x1. Default: that of the map that comes
      with the rule, else 100x100. With a size, a record's own map is not used; a file of maps alone
      needs it.
    - `updates`, `border` (torus or bounded), `arithmetic`, `smooth` (passes of the majority filter
      at the end), `palette`: default as the rule says.
    - `seed`: from 0 to 2**64 - 1; decides the start map. Default: a random one.
    - `window`: (x, y, width, height) of the world without an edge that belongs to rule and seed,
      each cell the most common state of `scale` x `scale` cells.
    - `morph`: further rules; the map changes from `rule` into each of them from place to place, as
      `field` says: linear, vertical, radial, noise, the path of a grey PNG of the map's size (black
      is the first rule), or λ in 256ths as `(height, width)` whole numbers. In a window one of the
      first four: the rules change over `length` cells around the cell (0, 0), noise has squares so
      wide.
    - `pour`: (x, y, state) each; the region around that cell gets another state at the end.
    - `start`: a `(height, width)` map of states to start from, or the path of a file that holds
      one. Default: the one that comes with the rule, else one drawn by seed.
    - `record`: which record, from 1, of a file with several.
    - `map_is`: whether a record's map is the `start` of its updates or their `result`. Default: as
      the file says, start if it says nothing. A result is shown as it is: no update is run.
    - `executor`: a thread pool whose threads share the work on a large map. The result is the same.
    - `check`: called with the width and the height as soon as they are known, before the first
      update. It may raise an error, for files that cannot hold the map.
    """
    wanted = None if size is None else checked_size(size)
    design = find_design(rule, record=record, size=wanted)
    if map_is is not None:
        design = design.with_map(map_is)
    if (wanted is not None and not design.ruleless) or window is not None or start is not None:
        design = design.without_map()
    design = _checked_result(design, updates, morph).adapted(
        updates=updates, border=border, arithmetic=arithmetic, smooth=smooth, palette=palette
    )
    if window is None and scale != 1:
        raise InputError(f"scale: expected a window to show at scale {scale}, got none")
    if window is not None:
        for name, value in {"size": size, "border": border, "start": start}.items():
            if value is not None:
                raise InputError(f"{name}: cannot be used together with window")
    _check_pours(pour, design.rule.states)
    chosen = choose_seed(seed)
    check(_known_size(design, wanted, window, start))
    if window is not None:
        course: Course = WindowCourse(world_of(design, morph, field, length, chosen), window, scale)
    elif design.result is not None:
        course = GivenCourse((*design.earlier, design.result), design.updates)
    else:
        tiles = _start_map(design, wanted, chosen, start)
        check((tiles.shape[1], tiles.shape[0]))
        course = (
            morph_course(design, tiles, morph, field, chosen)
            if morph
            else RuleCourse(design.rule, tiles, design.updates)
        )
    outcome = course.develop(executor)
    # A result was smoothed when it was made; it is smoothed again only where that is asked for.
    final = design.rule.smoothed(
        outcome.final, design.smooth if design.result is None else smooth or 0
    )
    for x, y, state in pour:
        final = pictures.pour(final, x, y, state)
    given = start is not None or design.start is not None
    return FashionMap(design, chosen, final, course, outcome, given_start=given)


def _checked_result(design: Design, updates: int | None, morph: Sequence[RuleLike]) -> Design:
    """Refuse to run updates on a map that is the result of updates."""
    for name, value in {"updates": updates, "morph": morph or None}.items():
        if value is not None and design.result is not None:
            raise InputError(
                f"{name}: the map of {design.name} is already the result of {design.updates} "
                "updates; "
                "say map_is='start' to run updates on it, or give a size for a new map"
            )
    return design


def _known_size(
    design: Design, size: tuple[int, int] | None, window: tuple[int, ...] | None, start: object
) -> tuple[int, int]:
    """The width and the height of a map before anything is computed; 1x1 if a file or an array
    decides it.
    """
    if window is not None:
        return window[2], window[3]
    given = (start, design.start, design.result)
    return (size or DEFAULT_SIZE) if all(each is None for each in given) else (1, 1)


def _start_map(
    design: Design, size: tuple[int, int] | None, seed: int, start: str | Path | ArrayLike | None
) -> Map:
    """The map given; else the one that comes with the design; else one drawn by seed."""
    if start is None:
        return design.starting(size or DEFAULT_SIZE, seed)
    tiles = design.rule.checked_map(
        read_start(start, size) if isinstance(start, str | Path) else start
    )
    height, width = tiles.shape
    if size is not None and size != (width, height):
        raise InputError(
            f"size: expected that of the start map, {width}x{height}, got {size[0]}x{size[1]}"
        )
    return tiles


def _check_pours(pours: Sequence[tuple[int, int, int]], states: int) -> None:
    """Refuse a state that the rule does not have before the map is made."""
    for _, _, state in pours:
        if not 0 <= state < states:
            raise InputError(f"pour: expected a state from 0 to {states - 1}, got {state}")

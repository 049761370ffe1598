"""Large parts of a world, written tile by tile in bounded memory by any executor. Tiles that an
earlier call has written are not made again.

`write_array` makes one `.npy` file, `write_pyramid` a folder of PNG tiles at full scale and at
every half of it down to a single tile; `write_tiles` makes either from a rule's name or file.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from PIL import Image

from levolve.core.errors import InputError, OutputError
from levolve.core.events import Event, Watch
from levolve.formats.writing import check_writable, write_file
from levolve.kernels.fashion.pictures import most_common
from levolve.search.problem import choose_seed
from levolve.worlds.design import Design, RuleLike
from levolve.worlds.legend import Palette, palette_for
from levolve.worlds.pictures import encode_picture
from levolve.worlds.rule import Map
from levolve.worlds.shipped import find_design
from levolve.worlds.starts import checked_size
from levolve.worlds.tile_file import Box, TileFile
from levolve.worlds.world import World

Area = tuple[int, int, int, int]

TILE = 1024
PICTURE_TILE = 512
MOST_TILE = 8192
MOST_SIDE = 1 << 24
WAITING = 2
DEFAULT_SIZE = (4096, 4096)


def _boxes(width: int, height: int, tile: int) -> list[Box]:
    """(left, top, width, height) of every tile, in reading order."""
    return [
        (x, y, min(tile, width - x), min(tile, height - y))
        for y in range(0, height, tile)
        for x in range(0, width, tile)
    ]


@dataclass(frozen=True)
class TilesWritten(Event):
    """`done` of `total` tiles are written, those of an earlier call included."""

    kind: ClassVar[str] = "tiles_written"
    done: int
    total: int


@dataclass(frozen=True)
class Tiles:
    """A part of a world that was written in tiles: which rule and seed, the area (x, y, width,
    height), and the file or folder.
    """

    rule: str
    seed: int
    area: Area
    path: Path

    def to_data(self) -> dict[str, Any]:
        """The result as plain data that JSON can hold."""
        tiles = str(self.path)
        return {"rule": self.rule, "seed": self.seed, "area": list(self.area), "tiles": tiles}


def write_tiles(
    rule: RuleLike,
    path: str | Path,
    *,
    area: Area | None = None,
    size: tuple[int, int] | str | None = None,
    seed: int | None = None,
    updates: int | None = None,
    arithmetic: str | None = None,
    palette: str | Sequence[Sequence[int]] | None = None,
    record: int = 1,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Tiles:
    """Write a large part of a rule's world tile by tile: as one array where `path` ends in `.npy`,
    else as a folder of PNG tiles.

    `rule` and `record` are as for `make_map`. `area` is (x, y, width, height); or `size` is (width,
    height) or `"WIDTHxHEIGHT"` of the area at (0, 0), 4096x4096 by default. `seed` is from 0 to
    2**64 - 1, random by default; `updates`, `arithmetic` and `palette` are by default as the rule
    says. `executor` is any `concurrent.futures.Executor`. `watch` receives a `TilesWritten` after
    every tile. A call that was stopped and is repeated continues where it was.
    """
    plan = plan_tiles(
        rule,
        path,
        area=area,
        size=size,
        seed=seed,
        updates=updates,
        arithmetic=arithmetic,
        palette=palette,
        record=record,
    )
    for event in plan.events(executor):
        if watch is not None:
            watch(event)
    return plan.tiles


@dataclass(frozen=True)
class TilePlan:
    """What to write in tiles, and where to: the design of the map, the seed, the area (x, y, width,
    height), and the file or folder.
    """

    design: Design
    seed: int
    area: Area
    path: Path

    @property
    def tiles(self) -> Tiles:
        """What has been written when all tiles are."""
        return Tiles(self.design.name, self.seed, self.area, self.path)

    def events(self, executor: Executor | None = None) -> Iterator[TilesWritten]:
        """Write all tiles that are not written yet, and yield an event after each."""
        design = self.design
        world = World(design.rule, self.seed, design.updates, design.weights)
        if self.path.suffix.lower() == ".npy":
            return array_tiles(world, self.path, self.area, executor=executor)
        palette = palette_for(design.rule.states, design.palette)
        return pyramid_tiles(world, self.path, self.area, palette, executor=executor)


def plan_tiles(
    rule: RuleLike,
    path: str | Path,
    *,
    area: Area | None = None,
    size: tuple[int, int] | str | None = None,
    seed: int | None = None,
    updates: int | None = None,
    arithmetic: str | None = None,
    palette: str | Sequence[Sequence[int]] | None = None,
    record: int = 1,
) -> TilePlan:
    """Return what `write_tiles` writes; see there for the parameters."""
    design = find_design(rule, record=record).adapted(
        updates=updates, arithmetic=arithmetic, palette=palette
    )
    if area is not None and size is not None:
        raise InputError("size: cannot be used together with area")
    if area is None:
        area = (0, 0, *checked_size(DEFAULT_SIZE if size is None else size, MOST_SIDE**2))
    _check_area(area, TILE)
    return TilePlan(design, choose_seed(seed), area, Path(path))


def _check_area(area: Area, tile: int) -> None:
    for name, value in zip(("width", "height"), area[2:], strict=True):
        if not 1 <= value <= MOST_SIDE:
            raise InputError(f"{name}: expected from 1 to {MOST_SIDE}, got {value!r}")
    if not 16 <= tile <= MOST_TILE:  # smaller ones are all margin
        raise InputError(f"tile: expected from 16 to {MOST_TILE} cells, got {tile!r}")


def _identity(world: World, area: Area, tile: int, *more: Any) -> str:
    rule = world.rule
    parts: list[Any] = [str(rule.exact), str(rule.neighbourhood), world.seed, world.updates]
    parts += [str(world.weights), area, tile, *more]
    if rule.arithmetic != "exact":
        parts.append(rule.arithmetic)
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _window(world: World, area: Area, box: Box) -> tuple[Box, Map]:
    left, top, width, height = box
    return box, world.window(area[0] + left, area[1] + top, width, height)


def _each(
    executor: Executor | None, function: Callable[..., Any], calls: Iterable[tuple[Any, ...]]
) -> Iterator[Any]:
    """The results of some calls in any order; only as many are under way as workers need."""
    if executor is None:
        yield from (function(*arguments) for arguments in calls)
        return
    most = WAITING * int(getattr(executor, "workers", os.cpu_count() or 1))
    running: set[Future[Any]] = set()
    for arguments in calls:
        running.add(executor.submit(function, *arguments))
        if len(running) >= most:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    yield from (future.result() for future in running)


def write_array(
    world: World,
    path: str | Path,
    area: Area,
    *,
    tile: int = TILE,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Path:
    """Write the area (x, y, width, height) of a world as one `.npy` array of bytes. A call that was
    stopped and is repeated continues where it was.

    `tile` is the side of a tile in cells, from 16 to 8192. `TileFile` describes the files that hold
    the tiles written so far. `executor` is any `concurrent.futures.Executor`; `watch` receives a
    `TilesWritten` after every tile.
    """
    for event in array_tiles(world, path, area, tile=tile, executor=executor):
        if watch is not None:
            watch(event)
    return Path(path)


def array_tiles(
    world: World,
    path: str | Path,
    area: Area,
    *,
    tile: int = TILE,
    executor: Executor | None = None,
) -> Iterator[TilesWritten]:
    """Write like `write_array`, and yield an event after every tile."""
    path = Path(path)
    _check_area(area, tile)
    check_writable(path)
    boxes = _boxes(area[2], area[3], tile)
    with TileFile(path, _identity(world, area, tile), (area[3], area[2]), boxes) as file:
        yield TilesWritten(len(file.done), len(boxes))
        numbers = {box: number for number, box in enumerate(boxes)}
        todo = ((world, area, box) for number, box in enumerate(boxes) if number not in file.done)
        for box, tiles in _each(executor, _window, todo):
            file.put(numbers[box], tiles)
            yield TilesWritten(len(file.done), len(boxes))


def _picture(
    world: World, area: Area, box: Box, palette: Palette, path: Path
) -> tuple[Path, bytes]:
    """A tile as PNG, and where to write it; a worker of a cluster has another disk."""
    return path, encode_picture(_window(world, area, box)[1], palette)


def _near(executor: Executor | None) -> Executor | None:
    """The executor if its workers have this disk, as threads do; else None, for this thread."""
    return executor if isinstance(executor, ThreadPoolExecutor) else None


def _half(folder: Path, level: int, column: int, row: int, palette: Palette) -> Path:
    """A tile of half the scale, from the up to four tiles it covers: of each 2 x 2 cells the most
    common state.
    """
    rows = []
    for y in (2 * row, 2 * row + 1):
        line = [
            _read(path)
            for x in (2 * column, 2 * column + 1)
            if (path := tile_path(folder, level - 1, x, y)).exists()
        ]
        rows += [np.concatenate(line, axis=1)] if line else []
    joined = np.concatenate(rows, axis=0)
    even = np.pad(joined, [(0, side % 2) for side in joined.shape], mode="edge")
    out = np.empty((even.shape[0] // 2, even.shape[1] // 2), np.uint8)
    most_common(even, len(palette), 2, out)
    return write_file(tile_path(folder, level, column, row), encode_picture(out, palette))


def _read(path: Path) -> Map:
    with Image.open(path) as image:
        return np.array(image, np.uint8)


def _identity_in(index: Path) -> object:
    """The identity in a file; None where it holds none."""
    try:
        data = json.loads(index.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return data.get("identity") if isinstance(data, dict) else None


def _is_whole(path: Path) -> bool:
    """Whether a tile exists and its checksums are right."""
    try:
        with Image.open(path) as image:
            image.verify()
    except (OSError, SyntaxError, ValueError):
        return False
    return True


def tile_path(folder: Path, level: int, column: int, row: int) -> Path:
    """Where a tile lies: level 0 is full scale, each next one half of it."""
    return folder / str(level) / str(row) / f"{column}.png"


def write_pyramid(
    world: World,
    folder: str | Path,
    area: Area,
    palette: Palette,
    *,
    tile: int = PICTURE_TILE,
    executor: Executor | None = None,
    watch: Watch | None = None,
) -> Path:
    """Write the area (x, y, width, height) of a world as PNG tiles LEVEL/ROW/COLUMN.png, and
    `index.json` that says what they are.

    `palette` has a colour per state; `tile` is the side of a tile in cells, even, from 16 to 8192.
    Whole tiles that exist are not made again; a folder that holds another world is refused.
    `executor` is any `concurrent.futures.Executor`; `watch` receives a `TilesWritten` after every
    tile.
    """
    for event in pyramid_tiles(world, folder, area, palette, tile=tile, executor=executor):
        if watch is not None:
            watch(event)
    return Path(folder)


def pyramid_tiles(
    world: World,
    folder: str | Path,
    area: Area,
    palette: Palette,
    *,
    tile: int = PICTURE_TILE,
    executor: Executor | None = None,
) -> Iterator[TilesWritten]:
    """Write like `write_pyramid`, and yield an event after every tile."""
    folder = Path(folder)
    _check_area(area, tile)
    if tile % 2:
        raise InputError(f"tile: expected an even number, got {tile}")
    colours = palette[: max(world.rule.states, 1)]
    identity = _identity(world, area, tile, palette)
    grids = [(-(-area[2] // tile), -(-area[3] // tile))]
    while grids[-1] != (1, 1):
        grids.append((-(-grids[-1][0] // 2), -(-grids[-1][1] // 2)))
    index = folder / "index.json"
    if index.exists():
        if _identity_in(index) != identity:
            raise OutputError(
                f"output {folder}: holds the tiles of another map; choose another folder, or "
                "remove it"
            )
    else:
        data = {
            "identity": identity,
            "area": list(area),
            "tile": tile,
            "levels": [list(grid) for grid in grids],
            "seed": world.seed,
        }
        write_file(index, (json.dumps(data, indent=2) + "\n").encode())
    total, done = sum(columns * rows for columns, rows in grids), 0
    for level, (columns, rows) in enumerate(grids):
        places = [(column, row) for row in range(rows) for column in range(columns)]
        missing = [place for place in places if not _is_whole(tile_path(folder, level, *place))]
        done += len(places) - len(missing)
        yield TilesWritten(done, total)
        if level == 0:
            boxes = {
                (box[0] // tile, box[1] // tile): box for box in _boxes(area[2], area[3], tile)
            }
            calls = (
                (world, area, boxes[place], colours, tile_path(folder, 0, *place))
                for place in missing
            )
            results: Iterator[Any] = (
                write_file(path, content) for path, content in _each(executor, _picture, calls)
            )
        else:
            results = _each(
                _near(executor), _half, ((folder, level, *place, colours) for place in missing)
            )
        for _ in results:
            done += 1
            yield TilesWritten(done, total)

"""Levels and positions of every puzzle to and from files, by the file's suffix."""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from levolve.core.errors import InputError
from levolve.formats.json import decode
from levolve.formats.level_files import (
    certified,
    encode_all,
    load_level,
    read_level,
    read_parts,
    split_part,
)
from levolve.formats.originals import Original
from levolve.formats.reading.files import naming, read_bytes
from levolve.levels.level import Level
from levolve.puzzles import PUZZLES
from levolve.puzzles.position import Position
from levolve.puzzles.puzzle import PICTURES, Puzzle
from levolve.puzzles.solvers import AnyPosition
from levolve.puzzles.tile_map import MAP_FORMS, from_level, puzzle_data, to_level

if TYPE_CHECKING:
    from levolve.formats.look import Look

Found = TypeVar("Found")


def puzzle_of(position: Position) -> Puzzle[Any]:
    """The registered puzzle that a position belongs to."""
    for name in PUZZLES:
        if isinstance(position, PUZZLES[name].position_type):
            return PUZZLES[name]
    raise InputError(
        f"expected a position of a registered puzzle ({', '.join(PUZZLES)}), got "
        f"{type(position).__name__}"
    )


def encode_files(
    thing: Level | Position,
    path: str | Path,
    look: "Look | None" = None,
    original: Original | None = None,
    *,
    allow_loss: bool = False,
) -> dict[Path, bytes]:
    """Return the bytes of the file of a level or a position, and of the files that it needs beside
    its own, by path. A level that can be lost is only encoded with `allow_loss`.

    A look is that of levels, and of positions in files for editors and engines; None for the
    default one. A level has the foreign parts of the original.
    """
    if isinstance(thing, Level):
        return encode_all(thing, path, look, original, allow_loss=allow_loss)
    puzzle = puzzle_of(thing)
    form = form_of(puzzle, path)
    if form in MAP_FORMS:
        return encode_all(to_level(puzzle, thing), path, look)
    if look is not None:
        raise InputError(
            "theme and tile: expected a file for an editor or an engine, such as FILE.tmx, got "
            f"{path} for {puzzle.noun}"
        )
    return {Path(path): puzzle.encode(thing, form)}


def form_of(puzzle: Puzzle[Any], path: str | Path) -> str:
    """Return the form that a path's suffix names. A path whose suffix names no form of the puzzle's
    positions is refused.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in puzzle.forms:
        raise InputError(
            f"{path}: expected a file name for {puzzle.noun}, ending in "
            f"{', '.join('.' + known for known in puzzle.forms)}"
        )
    return form


def decode_json(content: bytes) -> Level | Position:
    """Return the level or the position in the bytes of a JSON file; its solution must hold."""
    position = _position_in(content, [PUZZLES[name] for name in PUZZLES])
    if position is not None:
        return position
    level = decode(content)
    if level.solution is not None:
        level.check(loss=level.certificate is None)
    return level


def _position_in(content: bytes, readers: Iterable[Puzzle[Any]]) -> Position | None:
    """Return the position of the first puzzle that finds one, with a solution that holds; None if
    there is none.
    """
    for puzzle in readers:
        found: Position | None = puzzle.decode(content)
        if found is not None:
            if found.solution is not None:
                found.check()
            return found
    return None


@overload
def load(path: str | Path) -> Level | Any: ...


@overload
def load(path: str | Path, kind: type[Found]) -> Found: ...


def load(path: str | Path, kind: type[Any] = object) -> Any:
    """Read a file by its suffix: a `Level`, as `load_level` reads it, or a position of a puzzle,
    whose solution must hold.

    A file of an editor or engine may have been edited: its position gets a new solution if the old
    one does not hold, or none if it cannot be won. With a `kind`, such as `Level`, a file of
    anything else is refused, and type checkers know what is returned.
    """
    found = _read(path)
    if not isinstance(found, kind):
        raise InputError(
            f"{path}: expected a file of {kind.__name__}, got one of {type(found).__name__}"
        )
    return found


def _read(path: str | Path) -> Level | Position:
    suffix = split_part(path)[0].suffix.lower().removeprefix(".")
    if suffix in MAP_FORMS:
        return _shown(path, read_level(path))
    readers = [
        PUZZLES[name]
        for name in PUZZLES
        if suffix in PUZZLES[name].suffixes and suffix not in PICTURES
    ]
    if readers:
        content = read_bytes(path)
        with naming(path):
            position = _position_in(content, readers)
        if position is not None:
            return position
    return load_level(path)


def load_parts(path: str | Path) -> dict[str, Callable[[], Level | Position]]:
    """Return what loads each level or position of a file, by FILE#NAME, or by the path itself if it
    contains one. The file is parsed once.
    """
    return {name: partial(_load_part, name, read) for name, read in read_parts(path).items()}


def _load_part(path: str, read: Callable[[], Level]) -> Level | Position:
    return _shown(path, read())


def _shown(path: str | Path, level: Level) -> Level | Position:
    """Return a level that was read from a map, or the position of a puzzle that it shows."""
    with naming(path):
        puzzle = _puzzle_shown(level)
        return certified(path, level) if puzzle is None else from_level(puzzle, level)


def _puzzle_shown(level: Level) -> Puzzle[Any] | None:
    """Return the puzzle that a level names, or whose tiles it has; None for other levels."""
    named = puzzle_data(level).get("name")
    if named is not None:
        return PUZZLES[named]
    maps = ((PUZZLES[name], PUZZLES[name].tile_map()) for name in PUZZLES)
    return next(
        (
            puzzle
            for puzzle, tile_map in maps
            if tile_map is not None and tile_map.tileset == level.tileset
        ),
        None,
    )


def read_position(puzzle: Puzzle[AnyPosition], path: Path) -> AnyPosition:
    """The position of one puzzle in a file."""
    if split_part(path)[0].suffix.lower().removeprefix(".") in MAP_FORMS:
        level = read_level(path)
        with naming(path):
            return from_level(puzzle, level)
    content = read_bytes(path)
    with naming(path):
        found = puzzle.decode(content)
    if found is None:
        raise InputError(f"{path}: expected {puzzle.noun} as JSON or text, got something else")
    return found

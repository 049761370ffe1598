"""`save` and `load`: levels and positions of every puzzle, by the file's suffix."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from levolve.errors import InputError
from levolve.formats.files import load_level, save_level
from levolve.formats.json import decode
from levolve.formats.look import look_of
from levolve.formats.reading.files import naming, read_bytes
from levolve.formats.themes.theme import Theme
from levolve.formats.writing import write_file
from levolve.levels.level import Level
from levolve.puzzles import PUZZLES
from levolve.puzzles.position import Position
from levolve.puzzles.puzzle import PICTURES, Puzzle
from levolve.puzzles.search import AnyPosition


def puzzle_of(position: Position) -> Puzzle[Any]:
    """The registered puzzle that a position belongs to."""
    for name in PUZZLES:
        if isinstance(position, PUZZLES[name].position_type):
            return PUZZLES[name]
    message = f"expected a position of a registered puzzle ({', '.join(PUZZLES)}), got {type(position).__name__}"
    raise InputError(message)


def save(thing: Level | Position, path: str | Path, *, theme: str | Path | Theme | None = None, tile: int | None = None) -> Path:
    """Write a level or a puzzle's position in the form that the path's suffix names. A solution that does not hold is never written.

    A level may need files beside its own, which are written too. `theme` (a name or a TOML file, see `levolve parts themes`) and `tile` (pixels per
    tile) are its look in pictures and in files for editors and engines. A position is written as .json, .txt, .png or .gif.
    """
    if isinstance(thing, Level):
        return save_level(thing, path, look_of(theme, tile))
    if not isinstance(thing, Position):
        message = f"save: expected a level or a position of a puzzle, got {type(thing).__name__}"
        raise InputError(message)
    if theme is not None or tile is not None:
        message = f"theme and tile: expected a level beside them, got a position of {puzzle_of(thing).noun}"
        raise InputError(message)
    return write_file(path, encode_position(thing, path))


def encode_position(position: Position, path: str | Path) -> bytes:
    """The bytes of a position's file, in the form that the path's suffix names."""
    puzzle = puzzle_of(position)
    check_suffix(puzzle, path)
    return puzzle.encode(position, Path(path).suffix)


def check_suffix(puzzle: Puzzle[Any], path: str | Path) -> None:
    """Refuse a path whose suffix names no form of the puzzle's positions."""
    if Path(path).suffix.lower().removeprefix(".") not in puzzle.suffixes:
        message = f"{path}: expected a file name for {puzzle.noun}, ending in {', '.join('.' + form for form in puzzle.suffixes)}"
        raise InputError(message)


def decode_json(content: bytes) -> Level | Position:
    """Return the level or the position in the bytes of a JSON file; its solution must hold."""
    position = _position_in(content, [PUZZLES[name] for name in PUZZLES])
    if position is not None:
        return position
    level = decode(content)
    if level.solution is not None:
        level.check()
    return level


def _position_in(content: bytes, readers: Iterable[Puzzle[Any]]) -> Position | None:
    """Return the position of the first puzzle that finds one, with a solution that holds; None if there is none."""
    for puzzle in readers:
        found: Position | None = puzzle.decode(content)
        if found is not None:
            if found.solution is not None:
                found.check()
            return found
    return None


def load(path: str | Path) -> Any:  # noqa: ANN401 a level, or a position of any puzzle
    """Read a file by its suffix: a `Level`, as `load_level` reads it, or a position of a puzzle, whose solution must hold."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    readers = [PUZZLES[name] for name in PUZZLES if suffix in PUZZLES[name].suffixes and suffix not in PICTURES]
    if readers:
        content = read_bytes(path)
        with naming(path):
            position = _position_in(content, readers)
        if position is not None:
            return position
    return load_level(path)


def read_position(puzzle: Puzzle[AnyPosition], path: Path) -> AnyPosition:
    """The position of one puzzle in a file."""
    content = read_bytes(path)
    with naming(path):
        found = puzzle.decode(content)
    if found is None:
        message = f"{path}: expected {puzzle.noun} as JSON or text, got something else"
        raise InputError(message)
    return found

"""`save` and `load`: the one way from objects to files and back.

A kind of file is named by the key `format` in its JSON, or, without one, by other keys. Only the
module of that kind is imported. A suffix that is not JSON or TOML is that of a level or a puzzle.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from levolve.core.arguments import named_arguments
from levolve.core.errors import InputError
from levolve.core.registry import Reference
from levolve.formats.level_files import read_original, split_part
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import read_bytes, read_data
from levolve.formats.tables import Savable
from levolve.formats.writing import write_files

if TYPE_CHECKING:
    from levolve.formats.look import Look
    from levolve.formats.originals import Original
    from levolve.formats.themes.theme import Theme
    from levolve.levels.level import Level

Found = TypeVar("Found")


@dataclass(frozen=True)
class FileKind:
    """What `save` writes and `load` reads as the same object.

    Parameters
    ----------
    noun
        What it is, for messages.
    classes
        The classes of its objects, as `module:name`.
    read
        The function that takes a path and returns the object, as `module:name`.
    encode
        The function that takes the object and a path and returns the bytes of its files by path;
        empty if the kind has another way of writing.
    suffixes
        Those of the paths that `encode` takes; "" is a folder.
    write
        The function that takes the object and a path and writes it, instead of `encode`.
    markers
        Values of the key `format` in its files.
    keys
        Keys one of which its files have, if they lack a marker.
    member
        A file that its folder contains.
    """

    noun: str
    classes: tuple[str, ...]
    read: str
    encode: str = ""
    suffixes: tuple[str, ...] = ()
    write: str = ""
    markers: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    member: str = ""

    def owns(self, thing: object) -> bool:
        """Whether an object is of this kind; nothing is imported."""
        return any(
            f"{each.__module__}:{each.__qualname__}" in self.classes for each in type(thing).__mro__
        )


# The first kind that fits is taken. Owners are named by text: they are above this module.
FILE_KINDS = {
    "level": FileKind(
        "a level",
        ("levolve.levels.level:Level",),
        "levolve.formats.level_files:load_level",
        markers=("levolve level",),
    ),
    "position": FileKind(
        "a position of a puzzle",
        ("levolve.puzzles.position:Position",),
        "levolve.puzzles.load_save:load",
        markers=("levolve board", "levolve round"),
    ),
    "pack": FileKind(
        "a pack",
        ("levolve.jobs.packs.pack:Pack",),
        "levolve.jobs.packs.files:load_pack",
        write="levolve.jobs.packs.files:save_pack",
        suffixes=("",),
        markers=("levolve pack",),
        member="pack.json",
    ),
    "archive": FileKind(
        "an archive",
        ("levolve.jobs.archives.archive:Archive",),
        "levolve.jobs.archives.files:load_archive",
        "levolve.jobs.archives.files:archive_files",
        ("", ".npz", ".json"),
        markers=("levolve archive",),
        member="archive.json",
    ),
    "run": FileKind(
        "a run",
        ("levolve.jobs.runs.run:Run", "levolve.jobs.runs.run:ContentRun"),
        "levolve.jobs.runs.run:read_run",
        "levolve.jobs.runs.run:encode_run_file",
        (".json",),
        markers=("levolve run",),
    ),
    "session": FileKind(
        "a breeding session",
        ("levolve.jobs.breeding.session:Session",),
        "levolve.jobs.breeding.breed:read_session",
        "levolve.jobs.breeding.breed:encode_session",
        (".json",),
        markers=("levolve session",),
    ),
    "design": FileKind(
        "a fashion rule",
        ("levolve.worlds.design:Design", "levolve.worlds.rule:Rule"),
        "levolve.worlds.files:read_map",
        "levolve.worlds.files:encode_design",
        (".toml", ".json", ".txt"),
        keys=("scores",),
    ),
    "recipe": FileKind(
        "a recipe",
        ("levolve.recipes.recipe:Recipe", "levolve.recipes.content_recipe:ContentRecipe"),
        "levolve.recipes.finding:read_recipe",
        "levolve.recipes.finding:encode_recipe",
        (".toml", ".json"),
        keys=("genotype", "content"),
    ),
}
# Everything levolve writes has its marker first, so that most files are read once.
_FIRST = re.compile(rb'\s*\{\s*"format"\s*:\s*"([a-z ]{1,40})"')
JSON, TOML, ARRAYS, TEXT = ".json", ".toml", ".npz", ".txt"
# The sign of a record of a fashion rule in a text.
RECORD = b"sMs["


@named_arguments()
def save(
    thing: Any,
    path: str | Path,
    *,
    theme: "str | Path | Theme | None" = None,
    tile: int | None = None,
    original: str | Path | None = None,
    allow_loss: bool = False,
) -> Path:
    """Write an object to a file or a folder; `load` gives it back.

    Parameters
    ----------
    thing
        A level, in any format; a position of a puzzle; a pack or an archive, to a folder; a run, a
        breeding session or an archive, as .json; a recipe, a fashion rule or a map, as .toml or
        .json. Results are also written in other forms, which cannot be loaded: a run as its film
        (.gif) or its best level; a map as a picture; a history, pack, front or comparison as a
        table (.csv, .parquet) or a picture (.png).
    path
        Its suffix selects the form. A solution that does not hold is never written. Additional
        files that a level needs are written too. A rule as .txt is a record of the source, without
        its name.
    theme, tile
        The look in pictures and in files for editors and engines: a theme (a name or a TOML file,
        see `levolve parts themes`) and the pixels per tile.
    original
        For a level: a level file whose parts that a person added, such as layers of a Tiled map,
        are in the new file of the same format too.
    allow_loss
        Write a level with things even if a player can get into a state from which it cannot be won.
    """
    look = None
    if theme is not None or tile is not None:
        from levolve.formats.look import look_of

        look = look_of(theme, tile)
    path = Path(path)
    kind = next((kind for kind in FILE_KINDS.values() if kind.owns(thing)), None)
    if kind is not None and path.suffix.lower() in kind.suffixes:
        _refuse(original, kind.noun)
        if look is not None and not kind.write:
            raise InputError(
                f"theme and tile: expected a picture or a level, got {path}, which holds "
                f"{kind.noun}"
            )
        if kind.write:
            Reference(kind.write).load()(thing, path, look)
        else:
            write_files(Reference(kind.encode).load()(thing, path))
        return path
    write_files(_encoded(thing, path, look, original, allow_loss=allow_loss))
    return path


def _encoded(
    thing: Any,
    path: Path,
    look: "Look | None",
    original: str | Path | None,
    *,
    allow_loss: bool,
) -> dict[Path, bytes]:
    """Return the bytes of a level, a position or a result in the form that a suffix names."""
    if FILE_KINDS["level"].owns(thing) or FILE_KINDS["position"].owns(thing):
        from_file: Original | None = None if original is None else read_original(original)
        encode = Reference("levolve.puzzles.load_save:encode_files").load()
        files: dict[Path, bytes] = encode(thing, path, look, from_file, allow_loss=allow_loss)
        return files
    if isinstance(thing, Savable):
        _refuse(original, type(thing).__name__)
        return thing.encoded_files(path, look)
    kind = next((kind for kind in FILE_KINDS.values() if kind.owns(thing)), None)
    if kind is not None:
        raise InputError(
            f"{path}: expected a file name for {kind.noun}, ending in {', '.join(kind.suffixes)}"
        )
    nouns = ", ".join(each.noun for each in FILE_KINDS.values())
    raise InputError(
        f"save: expected {nouns}, or a result such as a comparison, got {type(thing).__name__}"
    )


def _refuse(original: str | Path | None, given: str) -> None:
    if original is not None:
        raise InputError(f"original: expected a level to be written, got {given}")


@overload
def load(path: str | Path) -> "Level | Any": ...


@overload
def load(path: str | Path, kind: type[Found]) -> Found: ...


@named_arguments()
def load(path: str | Path, kind: type[Any] = object) -> Any:
    """Read what `save` wrote, or a file of an editor or of another program.

    Parameters
    ----------
    path
        A file or a folder. A JSON or TOML file says itself what it holds; any other suffix is that
        of a level or a puzzle. FILE#NAME is one of several levels in a file.
    kind
        The class of the object, such as `Level` or `levolve.Pack`: a file of anything else is
        refused, and type checkers know what is returned.

    The solution of a level or a puzzle must hold. A file of an editor or engine may have been
    edited: it gets a new solution if the old one does not hold, or none if it cannot be won. Runs,
    packs, archives and breeding sessions are compared with the digests in their files.
    """
    found = Reference(FILE_KINDS[kind_of(path)].read).load()(path)
    if not isinstance(found, kind):
        raise InputError(
            f"{path}: expected a file of {kind.__name__}, got one of {type(found).__name__}"
        )
    return found


def kind_of(path: str | Path) -> str:
    """Return the name of the kind of a file or a folder; "position" is any level or position."""
    file = split_part(path)[0]
    suffix = file.suffix.lower()
    if file.is_dir():
        return _of_folder(file)
    if suffix == JSON:
        return _of_json(read_bytes(file), str(file))
    if suffix == TOML:
        return _of_data(read_data(file, "file")) or "recipe"
    beside = file.with_suffix(JSON)
    if (
        suffix == ARRAYS
        and beside.is_file()
        and _of_json(read_bytes(beside), str(beside)) == "archive"
    ):
        return "archive"
    return "design" if suffix == TEXT and RECORD in read_bytes(file) else "position"


def _of_folder(folder: Path) -> str:
    for name, kind in FILE_KINDS.items():
        if kind.member and (folder / kind.member).exists():
            return name
    members = [kind.member for kind in FILE_KINDS.values() if kind.member]
    raise InputError(
        f"{folder}: expected a file, or the folder of a pack or an archive with "
        f"{' or '.join(members)}, got neither"
    )


def _of_json(content: bytes, source: str) -> str:
    first = _FIRST.match(content)
    if first is not None:
        named = _of_marker(first[1].decode())
        if named:
            return named
    return _of_data(parse_json(content, source)) or "position"


def _of_data(data: object) -> str:
    """Return the kind that a marker or a key names; empty if none does."""
    if not isinstance(data, Mapping):
        return ""
    marked = _of_marker(data.get("format"))
    return marked or _first(
        name
        for name, kind in FILE_KINDS.items()
        if "format" not in data and any(key in data for key in kind.keys)
    )


def _of_marker(marker: object) -> str:
    return _first(name for name, kind in FILE_KINDS.items() if marker in kind.markers)


def _first(names: Iterable[str]) -> str:
    return next(iter(names), "")

"""The manifest of a pack, `pack.json`: what the pack is, and a SHA-256 of every file that belongs
to it.

The manifest carries a checksum of its own content. One that was written by hand or edited has a
wrong checksum: it says nothing about which files levolve wrote, so none is removed because of it.
Names are those of files in the folder itself; links are never followed.

Files that contain several levels of a pack, such as an LDtk project, and which level is where in
them.
"""

import hashlib
import io
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.level_files import PART
from levolve.formats.look import Look
from levolve.formats.metadata import RIGHTS, YOURS
from levolve.formats.originals import Original
from levolve.formats.reading.budgets import MOST_BYTES
from levolve.formats.reading.data import parse_json
from levolve.levels.level import Level
from levolve.puzzles.load_save import load, load_parts
from levolve.puzzles.position import Position

MANIFEST, PAGE, SHEET = "pack.json", "index.html", "sheet.png"
FORMAT = "levolve pack"


@dataclass(frozen=True)
class Manifest:
    """A manifest with a right checksum: all its data, and the SHA-256 of each file by name."""

    data: Mapping[str, Any]
    files: Mapping[str, str]

    @property
    def levels(self) -> list[dict[str, Any]]:
        """The entries of the levels: name, files, digest and measures."""
        return list(self.data["levels"])


def encode_manifest(data: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a manifest for all other files of the pack."""
    complete = {
        **data,
        RIGHTS: YOURS,
        "files": {name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
    }
    return (json.dumps({**complete, "checksum": _checksum(complete)}, indent=2) + "\n").encode()


def decode_manifest(content: bytes) -> Manifest:
    """Read a manifest; raise `InputError` for one that levolve did not write, or that was
    changed.
    """
    try:
        data = parse_json(content, MANIFEST)
        if data["format"] != FORMAT:
            raise ValueError  # noqa: TRY301 handled like any other content that is no manifest
        checksum, files, levels = data.pop("checksum"), data["files"], data["levels"]
        known = checksum == _checksum(data)
        plain = isinstance(files, dict) and all(
            is_plain_name(name) and isinstance(digest, str) for name, digest in files.items()
        )
        whole = all(
            isinstance(level["name"], str) and set(level["files"]) <= set(files) for level in levels
        )
    except (ValueError, LookupError, TypeError, AttributeError) as problem:
        raise InputError(
            "expected a manifest with checksums, as 'levolve pack' writes it, got another file"
        ) from problem
    if not (known and plain and whole):
        raise InputError("the manifest was changed after it was written: its checksum is wrong")
    return Manifest(data, files)


def read_manifest(path: Path) -> Manifest | None:
    """Return the manifest at a path; None if there is none that levolve wrote."""
    content = read_regular(path)
    try:
        return None if content is None else decode_manifest(content)
    except InputError:
        return None


def is_plain_name(name: str) -> bool:
    """Whether a text is the name of a visible file in a folder, and not a path out of it."""
    return (
        bool(name)
        and not name.startswith(".")
        and not set(name) & set("/\\\0")
        and name != MANIFEST
    )


def read_regular(path: Path) -> bytes | None:
    """Return the bytes of a regular file; None for a link, a folder, a pipe, a file that is too
    large, or none.
    """
    with _opened(path) as file:
        return None if file is None or os.fstat(file.fileno()).st_size > MOST_BYTES else file.read()


def digest_of(path: Path) -> str | None:
    """Return the SHA-256 of a regular file; None for a link, a folder, a pipe, or none."""
    with _opened(path) as file:
        return None if file is None else hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _opened(path: Path) -> Iterator[io.BufferedReader | None]:
    """Open a regular file; give None for anything else, without waiting for the other end of a
    pipe.
    """
    try:
        descriptor = os.open(
            path,
            os.O_RDONLY
            | getattr(os, "O_NOFOLLOW", 0)
            | getattr(os, "O_NONBLOCK", 0)
            | getattr(os, "O_BINARY", 0),
        )
    except (OSError, ValueError):
        yield None
        return
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        yield None
        return
    with os.fdopen(descriptor, "rb") as file:
        yield file


def _checksum(data: Mapping[str, Any]) -> str:
    """Return the SHA-256 of JSON data, whatever the order of its keys and its spaces."""
    return hashlib.sha256(
        json.dumps(data, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


# The key of a level's entry in the manifest: the name of the level in each file that contains
# several.
PARTS = "parts"


def single_formats(suffixes: Iterable[str], original: Original | None = None) -> list[str]:
    """Return the formats in which each level has a file of its own: also those in which it has the
    foreign parts of the original.
    """
    return [suffix for suffix in suffixes if FORMATS[suffix].single or _joins(suffix, original)]


def _joins(suffix: str, original: Original | None) -> bool:
    """Whether levels are written together with the foreign parts of an original that contains one
    level.
    """
    return (
        original is not None
        and original.suffix == suffix
        and original.part is None
        and bool(original.foreign)
    )


def bundles(
    name: str,
    levels: Mapping[str, Level],
    suffixes: Iterable[str],
    look: Look,
    original: Original | None = None,
) -> tuple[dict[str, bytes], dict[str, dict[str, str]]]:
    """Return the files for all levels together, and for each level the name that it has in each
    file that contains levels.
    """
    files: dict[str, bytes] = {}
    parts: dict[str, dict[str, str]] = {called: {} for called in levels}
    for suffix in suffixes:
        entry = FORMATS[suffix]
        if entry.bundle is None or not levels or (not entry.single and _joins(suffix, original)):
            continue
        if (
            original is not None
            and original.part is not None
            and original.suffix == suffix
            and original.foreign
        ):
            original.warn("not kept in packs, which have a project of their own")
        made = entry.bundle(re.sub(r"[^\w.-]+", "-", name), levels, look)
        files |= made
        if entry.levels is not None:
            there = [
                (file, part)
                for file, content in made.items()
                if file.endswith(f".{suffix}")
                for part in entry.levels(content)
            ]
            for called, (file, part) in zip(levels, there, strict=True):
                parts[called][file] = part
    return files, parts


class PackLoader:
    """Loads levels from the files of a pack. A file that contains several levels is parsed once."""

    def __init__(self) -> None:
        """Start without any file."""
        self._files: dict[Path, Mapping[str, Callable[[], Level | Position]]] = {}

    def load(self, path: Path, part: str | None) -> Any:
        """Return what is in a file, or the level with a name in it."""
        if part is None:
            return load(path)
        if path not in self._files:
            self._files[path] = load_parts(path)
        read = self._files[path].get(f"{path}{PART}{part}")
        return load(f"{path}{PART}{part}") if read is None else read()

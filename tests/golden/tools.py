"""Tools of the golden cases: how results are hashed, and how commands are called.

Left out of what is hashed: times, paths, versions, the digest of levolve itself, and how PNG and
ZIP files are compressed.
"""

import contextlib
import functools
import hashlib
import io
import json
import os
import re
import struct
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import levolve

# All that is not reached through public names of levolve. The other modules import these names from
# here.
from levolve.cli.app import run as call_command
from levolve.cli.command_table import COMMANDS
from levolve.core.errors import LevolveError
from levolve.jobs.resume import JOBS
from levolve.version import ENGINE

__all__ = ["COMMANDS", "JOBS", "LevolveError"]

Case = Callable[[], object]
Cases = Iterator[tuple[str, Case]]

SEEDS = (1, 2, 3)
# Keys of JSON data, and of the metadata of files, that are not compared.
OMITTED = (
    "version",
    "levolve",
    "engine",
    "written_by",
    "made_by",
    "seconds",
    "path",
    "folder",
    "meaning",
    "updated",
    "started",
    "process",
    "host",
    "began",
    "ended",
    "created",
    # They have cases of their own, so that a new measure changes one line.
    "measures",
)


def plain(value: Any) -> Any:  # noqa: PLR0911 any result, by its type
    """Return data without times, paths and versions, as JSON takes it."""
    if isinstance(value, Mapping):
        return {
            str(key): plain(part)
            for key, part in value.items()
            if key not in OMITTED or isinstance(part, int)
        }
    if isinstance(value, levolve.Level):
        return [
            value.to_text(),
            value.solution,
            value.digest,
            plain(value.origin and value.origin.recipe),
        ]
    if isinstance(value, np.ndarray):
        return [
            str(value.dtype),
            list(value.shape),
            hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest(),
        ]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, bytes):
        return hashlib.sha256(scrubbed(value)).hexdigest()
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str):
        return [plain(part) for part in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return scrubbed(value.encode()).decode() if isinstance(value, str) else facts_of(value)


def scrubbed(content: bytes) -> bytes:
    """Return the content of a file, or a text, without versions; packed content is unpacked."""
    if content.startswith(b"\x89PNG"):
        return b"".join(_chunks(content))
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return b"".join(
                name.encode() + b"\n" + scrubbed(archive.read(name)) for name in archive.namelist()
            )
    if content.startswith((b"\x93NUMPY", b"GIF")):
        for text in (levolve.__version__, ENGINE):
            for coding in ("ascii", "utf-32-le"):
                content = content.replace(text.encode(coding), b"")
        return content
    text = content.decode(errors="surrogateescape").replace(ENGINE, "")
    text = re.sub(rf"(?<![\w.]){re.escape(levolve.__version__)}(?![\w.])", "", text)
    text = re.sub(r'(\\*"|&quot;)(version|levolve|engine)\1\s*:\s*\1[^"&\\]*\1,?\s*', "", text)
    text = re.sub(r'\\*"seconds\\*"\s*:\s*[0-9.e+-]+,?\s*', "", text)
    text = re.sub(r"(?m)^\W*(version|engine): .*\n?", "", text)
    text = re.sub(r'\s*<property name="(version|engine)"[^>]*/>', "", text)
    return text.encode(errors="surrogateescape")


def _chunks(content: bytes) -> Iterator[bytes]:
    place, pixels = 8, b""
    while place < len(content):
        length, kind = struct.unpack(">I4s", content[place : place + 8])
        data = content[place + 8 : place + 8 + length]
        if kind == b"IDAT":
            pixels += data
        elif kind == b"leVl":
            yield kind + scrubbed(zlib.decompress(data))
        elif kind == b"zTXt":
            name, packed = data.split(b"\0", 1)
            yield name + scrubbed(zlib.decompress(packed[1:]))
        elif kind == b"iTXt":
            name, packed = data.split(b"\0", 1)
            rest = packed[2:].split(b"\0", 2)[2]
            yield name + scrubbed(zlib.decompress(rest) if packed[0] else rest)
        else:
            yield kind + scrubbed(data) if kind == b"tEXt" else kind + data
        place += length + 12
    yield zlib.decompress(pixels)


def facts_of(thing: Any) -> object:
    """Return the data of an object, or else its fields."""
    return plain(thing.to_data() if hasattr(thing, "to_data") else vars(thing))


def digest_of(value: object) -> str:
    """Return the digest of any result."""
    return hashlib.sha256(json.dumps(plain(value), sort_keys=True).encode()).hexdigest()[:20]


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """Work in an empty folder: names of files in messages and results are then relative."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def saved(thing: Any, name: str, **look: Any) -> dict[str, bytes]:
    """Return the files that saving writes."""
    with workplace() as folder:
        levolve.save(thing, name, **look)
        return files_in(folder)


def called(*words: str) -> tuple[int, Any]:
    """Return the exit code of a command and what it prints on standard output, as data if it is
    JSON.
    """
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        code = call_command(list(words))
    text = printed.getvalue().replace(str(Path.cwd()), "")
    try:
        return code, json.loads(text)
    except ValueError:
        return code, text


def commanded(*commands: str, words: str = "") -> object:
    """Return what the last of several commands prints, and all files that they wrote, except for
    stores.
    """
    with workplace() as folder:
        before, sys.stdin = sys.stdin, io.StringIO(words)
        try:
            printed = [called(*command.split()) for command in commands]
        finally:
            sys.stdin = before
        codes = [code for code, _ in printed]
        assert not any(codes), f"expected commands that succeed, got {codes}"
        return printed[-1], {
            name: content for name, content in files_in(folder).items() if ".sqlite" not in name
        }


@functools.cache
def parts() -> dict[str, dict[str, Any]]:
    """Return the names in all registries."""
    named: dict[str, dict[str, Any]] = called("parts", "--json")[1]
    return named


FORMER = levolve.Level.from_text("S.#...\n.#..#.\n...#..\n.##..#\n.....E")


@functools.cache
def puzzle(name: str) -> Any:
    """Return one position of a puzzle."""
    return next(levolve.make(name, seed=1))


def outcome(run: Any) -> object:
    """Return all that a run gives."""
    found = [
        run.to_data(),
        run.best,
        run.best_score,
        run.evaluations,
        list(run.history.best),
        list(run.history.mean),
    ]
    return [*found, run.levels[:10]] if hasattr(run, "levels") else found

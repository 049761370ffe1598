"""Files that contain several levels of a pack, such as an LDtk project, and which level is where in them."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from levolve.formats import FORMATS
from levolve.formats.files import PART
from levolve.formats.look import Look
from levolve.formats.originals import Original
from levolve.levels.level import Level
from levolve.puzzles.files import load, load_parts
from levolve.puzzles.position import Position

# The key of a level's entry in the manifest: the name of the level in each file that contains several.
PARTS = "parts"


def single_formats(suffixes: Iterable[str], original: Original | None = None) -> list[str]:
    """Return the formats in which each level has a file of its own: also those in which it has the foreign parts of the original."""
    return [suffix for suffix in suffixes if FORMATS[suffix].single or _joins(suffix, original)]


def _joins(suffix: str, original: Original | None) -> bool:
    """Whether levels are written together with the foreign parts of an original that contains one level."""
    return original is not None and original.suffix == suffix and original.part is None and bool(original.foreign)


def bundles(
    name: str, levels: Mapping[str, Level], suffixes: Iterable[str], look: Look, original: Original | None = None
) -> tuple[dict[str, bytes], dict[str, dict[str, str]]]:
    """Return the files for all levels together, and for each level the name that it has in each file that contains levels."""
    files: dict[str, bytes] = {}
    parts: dict[str, dict[str, str]] = {called: {} for called in levels}
    for suffix in suffixes:
        entry = FORMATS[suffix]
        if entry.bundle is None or not levels or (not entry.single and _joins(suffix, original)):
            continue
        if original is not None and original.part is not None and original.suffix == suffix and original.foreign:
            original.warn("not kept in packs, which have a project of their own")
        made = entry.bundle(re.sub(r"[^\w.-]+", "-", name), levels, look)
        files |= made
        if entry.levels is not None:
            there = [(file, part) for file, content in made.items() if file.endswith(f".{suffix}") for part in entry.levels(content)]
            for called, (file, part) in zip(levels, there, strict=True):
                parts[called][file] = part
    return files, parts


class PackLoader:
    """Loads levels from the files of a pack. A file that contains several levels is parsed once."""

    def __init__(self) -> None:
        """Start without any file."""
        self._files: dict[Path, Mapping[str, Callable[[], Level | Position]]] = {}

    def load(self, path: Path, part: str | None) -> Any:  # noqa: ANN401 a level, or a position of any puzzle
        """Return what is in a file, or the level with a name in it."""
        if part is None:
            return load(path)
        if path not in self._files:
            self._files[path] = load_parts(path)
        read = self._files[path].get(f"{path}{PART}{part}")
        return load(f"{path}{PART}{part}") if read is None else read()

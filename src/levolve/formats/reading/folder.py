"""`Folder`: the files that a map or a scene names, read from its own folder. One budget holds for
all that one load touches.
"""

import os
from collections.abc import Callable
from pathlib import Path, PureWindowsPath
from typing import Any, TypeVar

from levolve.formats.reading.budgets import (
    MOST_BYTES,
    MOST_NAMED,
    MOST_TILE_SIZES,
    check_amount,
)
from levolve.formats.reading.files import inside_folder, read_bytes

Found = TypeVar("Found")


class LoadBudget:
    """Amounts of one load, summed by what they count."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._used: dict[str, int] = {}
        self._sizes: set[int] = set()

    def take(self, amount: int, most: int, noun: str, what: str) -> None:
        """Add an amount; raise `InputError` if the sum of all files is more than `most`."""
        self._used[noun] = self._used.get(noun, 0) + amount
        check_amount(self._used[noun], most, noun, what)

    def take_size(self, size: int, what: str) -> None:
        """Add a size of tiles that are compared with ours; the same one is free."""
        if size not in self._sizes:
            self._sizes.add(size)
            self.take(1, MOST_TILE_SIZES, "sizes of tiles in all pictures", what)


class Folder:
    """The folder of a file. Names are resolved first: a file with several names, or behind several
    links, is read once.
    """

    def __init__(self, path: Path | None, budget: LoadBudget | None = None) -> None:
        """Create a folder; without a path it has no files. `budget` is that of the load, in which
        the first file may have a part.
        """
        self._path = path
        self.budget = budget or LoadBudget()
        self._resolved: dict[tuple[str, Path | None], Path | None] = {}
        self._read: dict[tuple[Path, str], Any] = {}

    @property
    def unknown(self) -> bool:
        """Whether the folder is not known, so that no other file is found."""
        return self._path is None

    def leads_out(self, source: str) -> bool:
        """Whether a name leads to a file outside the folder, which is never read."""
        relative = PureWindowsPath(source)
        if relative.drive or relative.root or ".." in relative.parts:
            return True
        return self._path is not None and os.path.lexists(self._path / Path(*relative.parts))

    def find(
        self, source: str, suffixes: tuple[str, ...], folder: Path | None = None
    ) -> Path | None:
        """Return the path of a file in the folder, after all links; None if it is outside, or of
        another kind.

        `folder` is that of the file which names it, if that is in a folder inside this one.
        """
        key = (source, folder)
        if key not in self._resolved:
            self.budget.take(1, MOST_NAMED, "names of other files", "references")
            self._resolved[key] = inside_folder(folder or self._path, source, suffixes)
        return self._resolved[key]

    def read(self, path: Path, use: str, parse: Callable[[bytes], Found]) -> Found:
        """Return what `parse` makes of a file that was found; it is called once per file and
        `use`.
        """
        if (path, use) not in self._read:
            content = read_bytes(path)
            self.budget.take(len(content), MOST_BYTES, "bytes in all files", path.name)
            self._read[path, use] = parse(content)
        found: Found = self._read[path, use]
        return found

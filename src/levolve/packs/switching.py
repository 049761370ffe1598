"""The second half of replacing a pack: moving a complete new pack into its place. `packs/folder.py` describes the whole.

The hidden folder `.levolve-switch` holds a new pack that is complete, with its manifest. `settle` moves it into its place; after an interruption at
any point, it can be repeated, and does what is left to do.
"""

import itertools
import os
import stat
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from levolve.errors import OutputError
from levolve.formats.writing import flush_folders
from levolve.packs.locks import locked
from levolve.packs.manifest import MANIFEST, Manifest, digest_of, read_manifest
from levolve.printable import printable

SWITCH = ".levolve-switch"
NAMED = 3


class FileKeptWarning(UserWarning):
    """Files that levolve did not write had names that a pack needs, and were renamed."""


def finish_switch(folder: Path) -> None:
    """Finish the replacement of a pack that was interrupted, if there is one and the folder can be written to."""
    if os.path.lexists(folder / SWITCH):
        with opened_pack(folder):
            pass


@contextmanager
def opened_pack(folder: Path) -> Iterator[tuple[Manifest | None, dict[str, Path]]]:
    """Give the manifest of the pack in a folder, None if there is none, and the path of each of its files. No other process replaces it meanwhile."""
    place = folder.resolve()
    kept: list[Path] = []
    with locked(place):
        with suppress(OSError, OutputError):
            settle(place, kept)
        # If the folder is read-only, a file that was not moved yet is still in the hidden folder.
        manifest, source = _pending(place), place / SWITCH
        if manifest is None:
            manifest, source = read_manifest(place / MANIFEST), place
        names = [] if manifest is None else [*manifest.files, MANIFEST]
        yield manifest, {name: source / name if os.path.lexists(source / name) else place / name for name in names}
    warn_of_kept(folder, kept)


def settle(folder: Path, kept: list[Path]) -> None:
    """Move the files of a complete new pack into their place, and remove those of the old one. Files in the way are renamed and added to `kept`."""
    new = _pending(folder)
    if new is None:
        # Only the last step was missing: the hidden folder is empty.
        with suppress(OSError):
            (folder / SWITCH).rmdir()
        return
    old = read_manifest(folder / MANIFEST)
    known = dict(old.files) if old else {}
    # All files are read first, so that the moves follow each other without a pause.
    moved = [name for name in new.files if os.path.lexists(folder / SWITCH / name)]
    foreign = [name for name in moved if digest_of(folder / name) not in {known.get(name, new.files[name]), new.files[name]}]
    removed = [name for name in sorted(known.keys() - new.files.keys()) if digest_of(folder / name) == known[name]]
    for name in foreign:
        keep(folder / name, kept)
    for name in moved:
        _move(folder / SWITCH / name, folder / name)
    for name in removed:
        (folder / name).unlink(missing_ok=True)
    flush_folders([folder])
    # The manifest comes last: the old one is needed until here, and the new one marks the switch as unfinished.
    if old is None:
        keep(folder / MANIFEST, kept)
    _move(folder / SWITCH / MANIFEST, folder / MANIFEST)
    with suppress(OSError):
        (folder / SWITCH).rmdir()
    flush_folders([folder])


def _pending(folder: Path) -> Manifest | None:
    """Return the manifest of a pack that is complete, but not yet in its place; None for a damaged one, or if the hidden folder is a link."""
    switch = folder / SWITCH
    if not is_folder(switch):
        return None
    manifest = read_manifest(switch / MANIFEST)
    if manifest is None:
        return None
    staged = {name: digest for name, digest in manifest.files.items() if os.path.lexists(switch / name)}
    return manifest if all(digest_of(switch / name) == digest for name, digest in staged.items()) else None


def _move(source: Path, target: Path) -> None:
    # Where locks do not work, another process may have moved it.
    with suppress(FileNotFoundError):
        source.replace(target)


def keep(path: Path, kept: list[Path]) -> None:
    """Rename a file, a link or a folder that levolve did not write, if there is one."""
    if not os.path.lexists(path):
        return
    plain = path.name.lstrip(".")
    names = itertools.chain([f"kept-{plain}"], (f"kept-{number}-{plain}" for number in itertools.count(2)))
    new = next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))
    path.rename(new)
    kept.append(new)


def warn_of_kept(folder: Path, kept: list[Path]) -> None:
    """Print one warning about all files that were renamed."""
    if not kept:
        return
    names = ", ".join(path.name for path in kept[:NAMED]) + (f" and {len(kept) - NAMED} more" if len(kept) > NAMED else "")
    message = f"{folder}: files with names that the pack needs were edited, or not written by levolve; they were kept as {names}"
    warnings.warn(printable(message), FileKeptWarning, stacklevel=2)


def is_folder(path: Path) -> bool:
    """Whether a path is a folder, and not a link to one."""
    return os.path.lexists(path) and stat.S_ISDIR(path.lstat().st_mode)

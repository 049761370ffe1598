"""The folder of a pack. At every moment it holds one whole pack, the old one or the new one; other files in it stay.

**A new folder** is built complete under a temporary name beside its place, flushed to the disk, and renamed. It appears with all its files or not
at all.

**An old pack is replaced** inside its folder, so that the folder itself stays: its permissions, a mount, a link to it, a shell or a web server in it.

1. All new files are written into a hidden folder in it, with their final names, and flushed. An error, a full disk or a kill up to here leaves the
   old pack as it was; the hidden folder is removed at once, or by the next process that writes here (`formats/leftovers.py`).
2. The hidden folder is renamed to `.levolve-switch`. This single rename is the moment at which the new pack replaces the old one.
3. The files are moved to their places, files of the old pack that the new one does not have are removed, and the manifest is moved last. Then
   `.levolve-switch` is empty and removed.

If step 3 is interrupted, everything that is needed to finish it is on the disk: the new manifest in `.levolve-switch` lists the new files, the old
manifest lists those to remove, and each rename is done or not. `packs/switching.py` does what is left; every command that reads or writes a pack
calls it first. In a folder that is read-only, a reader still gets the whole new pack: a file in `.levolve-switch` precedes one in the folder.

**What is removed.** A file is removed or replaced only if its SHA-256 is the one that the manifest of the old pack (or of the new one) lists for its
name. Any other file with a name that the new pack needs, such as an edited level, is renamed to `kept-NAME`, with a warning. A manifest that was
edited or written by hand counts as such a file, and lists nothing.

**Two processes** that write to one folder do so one after the other (`packs/locks.py`); the last one wins.
"""

import errno
import os
from collections.abc import Mapping
from pathlib import Path

from levolve.errors import OutputError
from levolve.formats.leftovers import remove_leftovers, remove_temporary, temporary_path
from levolve.formats.writing import (
    check_writable,
    copy_permissions,
    explained,
    flush_files,
    flush_folders,
    make_folders,
    remove_folders,
    write_new,
)
from levolve.packs.locks import locked
from levolve.packs.manifest import MANIFEST, PAGE, SHEET, digest_of
from levolve.packs.switching import SWITCH, is_folder, keep, settle, warn_of_kept


def check_folder(folder: Path) -> None:
    """Raise an error, before any work, for a folder that cannot be written to."""
    if folder.exists() and not folder.is_dir():
        message = f"output {folder}: expected a folder, got a file; choose another path"
        raise OutputError(message)
    for name in (MANIFEST, PAGE, SHEET):
        check_writable(folder / name)


def check_new(folder: Path) -> None:
    """Raise an error for a path at which there is something, except an empty folder."""
    if os.path.lexists(folder) and not (is_folder(folder) and not any(folder.iterdir())):
        message = f"output {folder}: expected a new folder, got one that exists; choose another path"
        raise OutputError(message)


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write the folder of a pack, in place of the pack that is there, and return the path of its page.

    `files` are all files of the pack by name, with the manifest that `encode_manifest` makes of the others.
    """
    check_folder(folder)
    with explained(folder):
        place = folder.resolve()
    if place.is_dir() or not _write_new_folder(folder, place, files):
        _write_into_folder(folder, place, files)
    return folder / PAGE


def _write_new_folder(folder: Path, place: Path, files: Mapping[str, bytes]) -> bool:
    """Build a folder that does not exist; return whether it did not exist until the end."""
    made: list[Path] = []
    try:
        with explained(folder, f"cannot write to the folder {folder.parent}"):
            made = make_folders(place.parent)
            remove_leftovers(place.parent)
        staging = _stage(folder, place.parent, files)
        try:
            with explained(folder):
                staging.rename(place)
        except OutputError as problem:
            remove_temporary(staging)
            if isinstance(problem.__cause__, OSError) and problem.__cause__.errno in {errno.EEXIST, errno.ENOTEMPTY}:
                # Another process has made the folder meanwhile.
                return False
            raise
        flush_folders([place.parent, *(parent.parent for parent in made)])
    except BaseException:
        remove_folders(made)
        raise
    return True


def _write_into_folder(folder: Path, place: Path, files: Mapping[str, bytes]) -> None:
    """Replace what an existing folder holds of a pack."""
    remove_leftovers(place)
    staging = _stage(folder, place, files)
    kept: list[Path] = []
    try:
        with explained(folder), locked(place):
            settle(place, kept)
            if not is_folder(place / SWITCH) or any((place / SWITCH).iterdir()):
                # Damaged, or not from here.
                keep(place / SWITCH, kept)
            for name in files:
                if digest_of(place / name) is not None:
                    copy_permissions(place / name, staging / name)
            staging.rename(place / SWITCH)
            try:
                flush_folders([place])
                settle(place, kept)
            except KeyboardInterrupt:
                # Moving the rest takes a moment, and leaves nothing to do for the next command.
                settle(place, kept)
                raise
    except BaseException:
        remove_temporary(staging)
        raise
    warn_of_kept(folder, kept)


def _stage(folder: Path, parent: Path, files: Mapping[str, bytes]) -> Path:
    """Write all files into a new folder with a temporary name, flushed to the disk."""
    staging = temporary_path(parent)
    try:
        with explained(folder):
            staging.mkdir()
        for name, content in files.items():
            with explained(folder / name):
                write_new(staging / name, content, private=False)
        flush_files({folder / name: staging / name for name in files})
        flush_folders([staging, parent])
    except BaseException:
        remove_temporary(staging)
        raise
    return staging

"""The folder of a pack. At every moment it holds one whole pack, the old one or the new one; other
files in it stay.

**A new folder** is built complete under a temporary name beside its place, flushed to the disk, and
renamed. It appears with all its files or not at all.

**An old pack is replaced** inside its folder, so that the folder itself stays: its permissions, a
mount, a link to it, a shell or a web server in it.

1. All new files are written into a hidden folder in it, with their final names, and flushed. An
   error, a full disk or a kill up to here leaves the old pack as it was; the hidden folder is
   removed at once, or by the next process that writes here (`formats/writing.py`).
2. The hidden folder is renamed to `.levolve-switch`. This single rename is the moment at which the
   new pack replaces the old one.
3. The files are moved to their places, files of the old pack that the new one does not have are
   removed, and the manifest is moved last. Then `.levolve-switch` is empty and removed.

If step 3 is interrupted, everything that is needed to finish it is on the disk: the new manifest in
`.levolve-switch` lists the new files, the old manifest lists those to remove, and each rename is
done or not. `settle` does what is left; every command that reads or writes a pack calls it first.
In a folder that is read-only, a reader still gets the whole new pack: a file in `.levolve-switch`
precedes one in the folder.

**What is removed.** A file is removed or replaced only if its SHA-256 is the one that the manifest
of the old pack (or of the new one) lists for its name. Any other file with a name that the new pack
needs, such as an edited level, is renamed to `kept-NAME`, with a warning. A manifest that was
edited or written by hand counts as such a file, and lists nothing.

**Two processes** that write to one folder do so one after the other; the last one wins.

The second half of replacing a pack: moving a complete new pack into its place.
`jobs/packs/replace_folder.py` describes the whole.

The hidden folder `.levolve-switch` holds a new pack that is complete, with its manifest. `settle`
moves it into its place; after an interruption at any point, it can be repeated, and does what is
left to do.

A lock on a folder: processes that write or check a pack in the same folder do so one after the
other.

The lock is one of the operating system on the folder itself. It leaves no file behind, and ends
with the process that holds it. On a file system without such locks, and on Windows, there is none.
"""

import errno
import itertools
import os
import stat
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from levolve.core.errors import OutputError
from levolve.core.safe_text import printable
from levolve.formats.writing import (
    check_writable,
    copy_permissions,
    explained,
    flush_files,
    flush_folders,
    make_folders,
    remove_folders,
    remove_leftovers,
    remove_temporary,
    temporary_path,
    write_new,
)
from levolve.jobs.packs.manifest import MANIFEST, PAGE, SHEET, Manifest, digest_of, read_manifest

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# A pack is moved into its place in a fraction of a second; checking a large one takes longer. A
# process that has the lock for so long hangs.
LONGEST_WAIT_SECONDS = 600.0
PAUSE_SECONDS = 0.01


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder. Raises `OutputError` if another process does not give it back."""
    if fcntl is None:
        yield
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        limit = time.monotonic() + LONGEST_WAIT_SECONDS
        while not _taken(file):
            if time.monotonic() > limit:
                raise OutputError(
                    f"output {folder}: another process has been using the pack in this folder "
                    "for ten minutes; end it, or choose another folder"
                )
            time.sleep(PAUSE_SECONDS)
        yield
    finally:
        os.close(file)


def _taken(file: int) -> bool:
    """Whether the lock was taken, or does not exist on this file system."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


SWITCH = ".levolve-switch"
NAMED = 3


class FileKeptWarning(UserWarning):
    """Files that levolve did not write had names that a pack needs, and were renamed."""


def finish_switch(folder: Path) -> None:
    """Finish the replacement of a pack that was interrupted, if there is one and the folder can be
    written to.
    """
    if os.path.lexists(folder / SWITCH):
        with opened_pack(folder):
            pass


@contextmanager
def opened_pack(folder: Path) -> Iterator[tuple[Manifest | None, dict[str, Path]]]:
    """Give the manifest of the pack in a folder, None if there is none, and the path of each of its
    files. No other process replaces it meanwhile.
    """
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
        yield (
            manifest,
            {
                name: source / name if os.path.lexists(source / name) else place / name
                for name in names
            },
        )
    warn_of_kept(folder, kept)


def settle(folder: Path, kept: list[Path]) -> None:
    """Move the files of a complete new pack into their place, and remove those of the old one.
    Files in the way are renamed and added to `kept`.
    """
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
    foreign = [
        name
        for name in moved
        if digest_of(folder / name) not in {known.get(name, new.files[name]), new.files[name]}
    ]
    removed = [
        name
        for name in sorted(known.keys() - new.files.keys())
        if digest_of(folder / name) == known[name]
    ]
    for name in foreign:
        keep(folder / name, kept)
    for name in moved:
        _move(folder / SWITCH / name, folder / name)
    for name in removed:
        (folder / name).unlink(missing_ok=True)
    flush_folders([folder])
    # The manifest comes last: the old one is needed until here, and the new one marks the switch as
    # unfinished.
    if old is None:
        keep(folder / MANIFEST, kept)
    _move(folder / SWITCH / MANIFEST, folder / MANIFEST)
    with suppress(OSError):
        (folder / SWITCH).rmdir()
    flush_folders([folder])


def _pending(folder: Path) -> Manifest | None:
    """Return the manifest of a pack that is complete, but not yet in its place; None for a damaged
    one, or if the hidden folder is a link.
    """
    switch = folder / SWITCH
    if not is_folder(switch):
        return None
    manifest = read_manifest(switch / MANIFEST)
    if manifest is None:
        return None
    staged = {
        name: digest for name, digest in manifest.files.items() if os.path.lexists(switch / name)
    }
    return (
        manifest
        if all(digest_of(switch / name) == digest for name, digest in staged.items())
        else None
    )


def _move(source: Path, target: Path) -> None:
    # Where locks do not work, another process may have moved it.
    with suppress(FileNotFoundError):
        source.replace(target)


def keep(path: Path, kept: list[Path]) -> None:
    """Rename a file, a link or a folder that levolve did not write, if there is one."""
    if not os.path.lexists(path):
        return
    plain = path.name.lstrip(".")
    names = itertools.chain(
        [f"kept-{plain}"], (f"kept-{number}-{plain}" for number in itertools.count(2))
    )
    new = next(path.with_name(name) for name in names if not os.path.lexists(path.with_name(name)))
    path.rename(new)
    kept.append(new)


def warn_of_kept(folder: Path, kept: list[Path]) -> None:
    """Print one warning about all files that were renamed."""
    if not kept:
        return
    names = ", ".join(path.name for path in kept[:NAMED]) + (
        f" and {len(kept) - NAMED} more" if len(kept) > NAMED else ""
    )
    message = (
        f"{folder}: files with names that the pack needs were edited, or not written by levolve; "
        f"they were kept as {names}"
    )
    warnings.warn(printable(message), FileKeptWarning, stacklevel=2)


def is_folder(path: Path) -> bool:
    """Whether a path is a folder, and not a link to one."""
    return os.path.lexists(path) and stat.S_ISDIR(path.lstat().st_mode)


def check_folder(folder: Path) -> None:
    """Raise an error, before any work, for a folder that cannot be written to."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"output {folder}: expected a folder, got a file; choose another path")
    for name in (MANIFEST, PAGE, SHEET):
        check_writable(folder / name)


def check_new(folder: Path) -> None:
    """Raise an error for a path at which there is something, except an empty folder."""
    if os.path.lexists(folder) and not (is_folder(folder) and not any(folder.iterdir())):
        raise OutputError(
            f"output {folder}: expected a new folder, got one that exists; choose another path"
        )


def write_folder(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write the folder of a pack, in place of the pack that is there, and return the path of its
    page.

    `files` are all files of the pack by name, with the manifest that `encode_manifest` makes of the
    others.
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
            if isinstance(problem.__cause__, OSError) and problem.__cause__.errno in {
                errno.EEXIST,
                errno.ENOTEMPTY,
            }:
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

"""Run under `preload.c`: write files and packs again and again, and let each call that changes
something fail in turn.

For each call number, a child process writes and is killed, or gets an error, at that call. Then it
is checked that everything is whole, old or new; that an error leaves nothing behind; and that the
next write succeeds and removes what is left. Arguments are a folder, and CASE:FAULTS:WITHOUT for
each sweep, where WITHOUT is a protection to remove or `nothing`. Prints for each the number of
calls, and what was broken, as JSON.
"""

import contextlib
import ctypes
import errno
import json
import os
import shutil
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from levolve.core.errors import InputError, OutputError
from levolve.formats import writing
from levolve.jobs.packs import replace_folder as folders
from levolve.jobs.packs.check_pack import check_pack
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.replace_folder import SWITCH
from levolve.levels.level import Level

KILL = -1
FAULTS = {
    "kill": (KILL, False),
    "full": (errno.ENOSPC, True),
    "space": (errno.ENOSPC, False),
    "damage": (errno.EIO, False),
}
LEVELS = tuple(
    Level.from_text(text).with_solution("rdrd")
    for text in ("S.#\n..1\n#.E", "S..\n...\n#.E", "S..\n#..\n..E")
)
OLD, NEW = Pack("old", LEVELS[:2], ()).files("json"), Pack("old", LEVELS[2:], ()).files("json,txt")
NOTES = {"notes.md": b"mine"}
Contents = dict[str, bytes]


def contents(folder: Path) -> Contents:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


class Case:
    """Something that is written in a folder of its own."""

    old: ClassVar[Contents] = {}
    new: ClassVar[Contents] = {}

    def prepare(self, folder: Path) -> None:
        """Put the old content there."""
        for name, content in self.old.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)

    def write(self, folder: Path) -> None:
        """Write the new content."""
        raise NotImplementedError

    def whole(self, found: Contents) -> bool:
        """Whether the visible files are whole, as a command finds them."""
        return found in (self.old, self.new)

    def repair(self, folder: Path) -> None:
        """What a command does that reads it."""


class OneFile(Case):
    old: ClassVar[Contents] = {"a.json": b"old" * 5000}
    new: ClassVar[Contents] = {"a.json": b"new" * 9000}

    def write(self, folder: Path) -> None:
        writing.write_file(folder / "a.json", self.new["a.json"])


class SeveralFiles(Case):
    """Some that exist, and one in a folder that does not. Each is whole; a full disk changes
    none.
    """

    old: ClassVar[Contents] = {"a.tscn": b"old", "b.png": b"old"}
    new: ClassVar[Contents] = {"a.tscn": b"new", "b.png": b"new", "deep/c.png": b"new"}

    def write(self, folder: Path) -> None:
        writing.write_files({folder / name: content for name, content in self.new.items()})

    def whole(self, found: Contents) -> bool:
        return (
            all(
                content in {self.old.get(name), self.new.get(name)}
                for name, content in found.items()
            )
            and self.old.keys() <= found.keys()
        )


class NewPack(Case):
    new: ClassVar[Contents] = {f"new/pack/{name}": content for name, content in NEW.items()}

    def write(self, folder: Path) -> None:
        folders.write_folder(folder / "new" / "pack", NEW)


class PackOverPack(Case):
    old: ClassVar[Contents] = {
        f"pack/{name}": content for name, content in {**OLD, **NOTES}.items()
    }
    new: ClassVar[Contents] = {
        f"pack/{name}": content for name, content in {**NEW, **NOTES}.items()
    }

    def write(self, folder: Path) -> None:
        folders.write_folder(folder / "pack", NEW)

    def repair(self, folder: Path) -> None:
        if not check_pack(folder / "pack").winnable:
            message = "check finds no whole pack"
            raise InputError(message)


class PackOverEdits(PackOverPack):
    """A level was edited, and a file of the user has a name that the pack needs."""

    edits: ClassVar[Contents] = {"01-old.json": b"edited", "01-old.txt": b"mine"}
    kept: ClassVar[Contents] = {"kept-01-old.json": b"edited", "kept-01-old.txt": b"mine"}
    old: ClassVar[Contents] = {
        f"pack/{name}": content for name, content in {**OLD, **NOTES, **edits}.items()
    }
    new: ClassVar[Contents] = {
        f"pack/{name}": content for name, content in {**NEW, **NOTES, **kept}.items()
    }

    def repair(self, folder: Path) -> None:
        with contextlib.suppress(InputError):
            super().repair(folder)


CASES: dict[str, Case] = {
    "file": OneFile(), "files": SeveralFiles(), "new-pack": NewPack(), "pack": PackOverPack(), "edited-pack": PackOverEdits(),
}  # fmt: skip


def write_plainly(path: Path, content: bytes) -> Path:
    """Write a file without any protection."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def write_plain_files(files: Mapping[Path, bytes]) -> list[Path]:
    return [write_plainly(path, content) for path, content in files.items()]


def replace_in_place(folder: Path, files: Mapping[str, bytes]) -> Path:
    """Write a pack as levolve once did: the old one is removed first."""
    for name in OLD:
        (folder / name).unlink(missing_ok=True)
    for name, content in files.items():
        writing.write_file(folder / name, content)
    return folder


def leave_everything(path: Path) -> None:
    """Remove no temporary file."""


def settle_manifest_first(folder: Path, kept: list[Path]) -> None:
    """Move the manifest first, so that nothing marks an unfinished switch."""
    if not (folder / SWITCH / "pack.json").exists():
        return
    (folder / SWITCH / "pack.json").replace(folder / "pack.json")
    for path in sorted((folder / SWITCH).iterdir()):
        path.replace(folder / path.name)
    for name in OLD.keys() - NEW.keys():
        (folder / name).unlink(missing_ok=True)
    (folder / SWITCH).rmdir()
    kept.clear()


# The parts of the writers that can be replaced, to see that their absence is noticed.
REPLACEMENTS: dict[str, list[tuple[ModuleType, str, Callable[..., object]]]] = {
    "nothing": [],
    "rename": [(writing, "write_file", write_plainly), (writing, "write_files", write_plain_files)],
    "complete": [(folders, "write_folder", replace_in_place)],
    "manifest": [(folders, "settle", settle_manifest_first)],
    "leftovers": [
        (module, name, leave_everything)
        for module in (writing, folders)
        for name in ("remove_temporary", "remove_leftovers")
    ],
}


def in_child(action: Callable[[], None]) -> tuple[str, int]:
    """Do something in a child process: 'done', 'error' for an `OutputError`, 'killed' or 'crashed',
    and the number of calls counted there.
    """
    reading, told = os.pipe()
    child = os.fork()
    if child == 0:
        code = 3
        try:
            action()
            code = 0
        except OutputError:
            code = 1
        except BaseException:  # noqa: BLE001 the parent reports that it crashed
            traceback.print_exc()
        os.write(told, str(LIBRARY.fault_calls()).encode())
        os._exit(code)
    os.close(told)
    status = os.waitpid(child, 0)[1]
    with os.fdopen(reading, "rb") as pipe:
        counted = int(pipe.read() or 0)
    if os.WIFSIGNALED(status):
        return "killed", counted
    return {0: "done", 1: "error"}.get(os.WEXITSTATUS(status), "crashed"), counted


def write_with_fault(case: Case, folder: Path, number: int, fault: str) -> None:
    """Write with a fault at a call."""
    error, lasting = FAULTS[fault]
    LIBRARY.fault_arm(os.fsencode(folder), number, error, int(lasting), -1)
    case.write(folder)


def is_hidden(name: str) -> bool:
    return "/.levolve-" in f"/{name}"


def problems_at(case: Case, folder: Path, number: int, fault: str) -> list[str]:
    """What is wrong after a fault at a call."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    case.prepare(folder)
    how, _ = in_child(lambda: write_with_fault(case, folder, number, fault))
    found = contents(folder)
    problems = []
    if how == "crashed" or (how == "killed") != (fault == "kill"):
        problems.append(f"the process {how}")
    hidden = [name for name in found if is_hidden(name)]
    switching = any(SWITCH in name for name in hidden)
    if hidden and how != "killed" and not switching:
        problems.append(f"left behind: {hidden}")
    if fault == "full" and how == "error" and not switching and found not in (case.old, case.new):
        problems.append("a full disk changed something")
    # What a command sees that reads it next.
    try:
        case.repair(folder)
    except Exception as problem:  # noqa: BLE001 reported to the parent
        problems.append(f"cannot be read: {problem}")
    visible = {name: content for name, content in contents(folder).items() if not is_hidden(name)}
    if not case.whole(visible):
        problems.append(f"not whole: {sorted(visible)}")
    how, _ = in_child(lambda: case.write(folder))
    if how != "done" or contents(folder) != case.new:
        problems.append(f"the next write: {how}, {sorted(contents(folder))}")
    return problems


def try_every_call(asked: str, folder: Path) -> None:
    """Try every call of one case, and print the result as a line of JSON."""
    name, faults, without = asked.split(":")
    for module, attribute, replacement in REPLACEMENTS[without]:
        setattr(module, attribute, replacement)
    case = CASES[name]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    case.prepare(folder)

    def count() -> None:
        LIBRARY.fault_arm(os.fsencode(folder), 0, 0, 0, -1)
        case.write(folder)

    how, calls = in_child(count)
    broken = [] if how == "done" else [f"without a fault: {how}"]
    for fault in faults.split(","):
        for number in range(1, calls + 1):
            broken += [
                f"{fault} at call {number}: {problem}"
                for problem in problems_at(case, folder, number, fault)
            ]
    print(  # noqa: T201 read by the test
        json.dumps({"case": name, "without": without, "calls": calls, "broken": broken}), flush=True
    )


if __name__ == "__main__":
    LIBRARY = ctypes.CDLL(os.environ["LD_PRELOAD"])
    LIBRARY.fault_arm.argtypes = [
        ctypes.c_char_p,
        ctypes.c_long,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_long,
    ]
    LIBRARY.fault_calls.restype = ctypes.c_long
    warnings.simplefilter("ignore")
    for asked in sys.argv[2:]:
        in_child(partial(try_every_call, asked, Path(sys.argv[1])))

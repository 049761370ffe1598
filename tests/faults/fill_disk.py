"""Run commands of every kind on a disk that is full: a clear error with the path, the previous
files as they were, and nothing left behind.

Arguments are a folder, and how its disk becomes full: `mounted` (the folder is on a small disk of
its own, which is filled with a file) or `injected` (by `preload.c`), and `all`, `some` or `one` for
the number of commands. Prints a line of JSON per command.
"""

import contextlib
import ctypes
import io
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from levolve.cli.app import run
from levolve.formats import FORMATS, writing
from levolve.formats.writing import explained

LEVELS = {1: "S.#\n..1\n#.E\nsolution: rdrd\n", 2: "S..\n..1\n#.E\nsolution: rdrd\n"}
# OUT is the folder on the small disk, IN one with levels, SEED a number.
COMMANDS = [
    "evolve maze --size 8x8 --generations 20 --seed SEED -o OUT/a.json -o OUT/a.gif",
    "pack maze --size 8x8 --count 2 --seed SEED -o OUT/pack",
    "pack sliding --count 2 --seed SEED -o OUT/pack",
    "compare maze maze-barriers --size 8x8 --runs 2 --evaluations 400 --seed SEED -o OUT/a.json",
    "meta dungeon-meta --population 2 --generations 1 --seed SEED -o OUT/a.toml",
    "solve sliding 8672543_1 --seed SEED -o OUT/a.gif",
    "make sliding --count 2 --seed SEED -o OUT/boards --to json,png",
    "map caverns --size 100x100 --seed SEED -o OUT/a.png",
    "map caverns --size 40x40 --seed SEED -o OUT/a.txt",
    "show IN/SEED.txt -o OUT/a.png",
    "fingerprint caverns --side 1SEED --portrait OUT/a.png",
    *(f"convert IN/SEED.txt OUT/a.{suffix}" for suffix in FORMATS),
]

# The short form: one of each way to write.
SOME = [
    *COMMANDS[:3],
    *COMMANDS[7:10],
    "convert IN/SEED.txt OUT/a.tscn",
    "convert IN/SEED.txt OUT/a.csv",
]
# It writes each puzzle as soon as it is made.
ONE_BY_ONE = "make "
Contents = dict[str, bytes]


def contents(folder: Path) -> Contents:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def carried_out(words: str, folder: Path, seed: int) -> tuple[int, str]:
    """Run a command; return its exit code, and what it says on standard error."""
    complaints = io.StringIO()
    arguments = (
        words.replace("OUT", str(folder / "out"))
        .replace("IN", str(folder / "in"))
        .replace("SEED", str(seed))
        .split()
    )
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complaints):
        code = run([*arguments, "--quiet"])
    return code, complaints.getvalue()


@contextlib.contextmanager
def filled_by_file(folder: Path, space: int) -> Iterator[None]:
    """Fill the disk of a folder, but for some space."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    os.truncate(filler, max(filler.stat().st_size - space // 4096 * 4096, 0))
    yield
    filler.unlink()


@contextlib.contextmanager
def filled_by_injection(folder: Path, space: int) -> Iterator[None]:
    """Let writes below a folder fail after so many bytes."""
    library = ctypes.CDLL(os.environ["LD_PRELOAD"])
    library.fault_arm.argtypes = [
        ctypes.c_char_p,
        ctypes.c_long,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_long,
    ]
    library.fault_arm(os.fsencode(folder / "out"), 0, 0, 0, space)
    yield
    library.fault_arm(b"", 0, 0, 0, -1)


def problems_of(
    words: str, folder: Path, filled: Callable[[Path, int], contextlib.AbstractContextManager[None]]
) -> list[str]:
    """What is wrong with a command when the disk is full from the beginning, or when half of it has
    been written, over old files and over none.
    """
    problems = []
    out = folder / "out"
    size = 0
    for over_old in (True, False):
        for share in (0.0, 0.5):
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            if over_old:
                code, complaint = carried_out(words, folder, 1)
                problems += [f"exit code {code}: {complaint}"] if code else []
            old = contents(out)
            size = size or sum(map(len, old.values()))
            with filled(folder, int(size * share)):
                code, complaint = carried_out(words, folder, 2)
                found = contents(out)
            # A file that was replaced makes room for the next one.
            enough = code == 0 and share > 0 and words.startswith(ONE_BY_ONE)
            if not enough and (
                code != 1 or "No space left on device" not in complaint or str(out) not in complaint
            ):
                problems.append(f"exit code {code}, {share}: {complaint}")
            code, complaint = carried_out(words, folder, 2)
            problems += [f"with space again: exit code {code}: {complaint}"] if code else []
            changed = [
                name for name in found.keys() | old.keys() if found.get(name) != old.get(name)
            ]
            if words.startswith(ONE_BY_ONE):
                # Those that were made before the disk was full are whole, and stay.
                changed = [name for name in changed if found.get(name) != contents(out).get(name)]
            problems += [f"changed, {share}: {sorted(changed)}"] if changed else []
    return problems


def write_in_place(files: dict[Path, bytes]) -> list[Path]:
    """Write files without protection."""
    for path, content in files.items():
        with explained(Path(path)):
            Path(path).write_bytes(content)
    return [Path(path) for path in files]


def main(folder: Path, how: str, number: str) -> None:
    """Try commands."""
    if "FAULT_UNPROTECTED" in os.environ:
        for attribute, replacement in {
            "write_files": write_in_place,
            "write_file": lambda path, content: write_in_place({path: content})[0],
        }.items():
            setattr(writing, attribute, replacement)
    (folder / "in").mkdir()
    for seed, level in LEVELS.items():
        (folder / "in" / f"{seed}.txt").write_text(level)
    for words in {"all": COMMANDS, "some": SOME, "one": SOME[-1:]}[number]:
        problems = problems_of(
            words, folder, filled_by_file if how == "mounted" else filled_by_injection
        )
        print(json.dumps({"command": words, "problems": problems}), flush=True)  # noqa: T201 read by the test


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])

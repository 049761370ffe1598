"""Start commands, kill them with SIGKILL at random moments, and continue until they are done:
nothing may be lost or different.

Each command is run once without a fault, which gives its files, its output and its time. Then it is
run again and again, over the files of an older run, in a process of its own that is killed at a
random moment. What it leaves must be whole, old or new. `levolve resume last` continues it, and may
be killed as well; if nothing was stored yet, or if the command is not one that is stored, it is
started again. In the end, files and output are the same.

Arguments are a folder, a seed, the number of kills, `all` or `none` (which removes the protection
of atomic writing, to see that it is noticed), and the names of commands. Prints a line of JSON per
trial. Commands run in forks of this process, which has loaded all modules, so that most moments are
in their work and not in its preparation.
"""

import contextlib
import io
import itertools
import json
import os
import random
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

from levolve.cli.app import run
from levolve.formats import writing
from levolve.formats import writing as leftovers
from levolve.jobs.packs.check_pack import check_pack

LEVEL = "S.#\n..1\n#.E\nsolution: rdrd\n"
MOST_STARTS = 50
# How often a process that continues is killed too.
AGAIN = 0.6
# How often there are files of an older run.
OVER_OLD = 0.7
LONGEST = 600.0
# What `resume` says if the process was killed before it had stored anything.
NOTHING_STORED = ("there are no runs yet", "there is no checkpoint of it")
Contents = dict[str, bytes]


# OUT is the folder of a command, SEED a number.
COMMANDS = {
    "evolve": (
        "evolve maze --size 16x16 --generations 300 --seed SEED --json --quiet -o OUT/a.json -o "
        "OUT/a.png -o OUT/a.gif"
    ),
    "pack": (
        "pack maze --size 10x10 --count 5 --target regions=1 --distinct 0.3 --seed SEED --json "
        "--quiet --to json,txt,tmx -o OUT/pack"
    ),
    "puzzle-pack": "pack sliding --count 4 --seed SEED --json --quiet -o OUT/pack",
    "compare": (
        "compare maze maze-barriers --size 10x10 --runs 4 --evaluations 2000 --seed SEED --json "
        "--quiet -o OUT/a.json"
    ),
    "meta": (
        "meta dungeon-meta --population 4 --generations 3 --seed SEED --json --quiet -o OUT/a.toml"
    ),
    "solve": "solve sliding 8672543_1 --seed SEED --json --quiet -o OUT/a.json -o OUT/a.gif",
    "map": "map caverns --size 300x200 --seed SEED --quiet -o OUT/a.png -o OUT/a.npy",
    "convert": "convert OUT/level-SEED.txt OUT/a.tscn --quiet",
}


def arguments_of(words: str, out: Path, seed: int) -> list[str]:
    return words.replace("OUT", str(out)).replace("SEED", str(seed)).split()


def contents(folder: Path) -> Contents:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def visible(found: Contents) -> Contents:
    return {name: content for name, content in found.items() if "/.levolve-" not in f"/{name}"}


def start(arguments: list[str], store: Path, output: Path) -> int:
    """Start a command in a child process; return its number."""
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        os.environ |= {"LEVOLVE_STORE": str(store), "LEVOLVE_CHECKPOINT_SECONDS": "0"}
        # A new process has searched no folder for leftovers yet; this one is a copy of one that
        # has.
        leftovers._searched.clear()
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(os.open(output.with_suffix(".err"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        code = run(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def finish(child: int) -> int:
    """Wait for a child; return its exit code."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def printed(output: Path) -> Any:
    """What a command printed, without what depends on time."""
    text = output.read_text()
    return without_times(json.loads(text)) if text.startswith("{") else text


def without_times(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_times(value) for key, value in data.items() if "seconds" not in key}
    return [without_times(entry) for entry in data] if isinstance(data, list) else data


class Trials:
    """All trials of one command."""

    def __init__(self, name: str, folder: Path) -> None:
        """Run it twice without a fault, for the old files and the new ones."""
        self.words = COMMANDS[name]
        self.folder = folder / name
        self.out = self.folder / "out"
        self.output = self.folder / "output.txt"
        self.store = self.folder / "runs.sqlite"
        # In this process, which loads the modules and kernels for all that follow.
        self._clear({})
        os.environ |= {"LEVOLVE_STORE": str(self.store), "LEVOLVE_CHECKPOINT_SECONDS": "0"}
        with contextlib.redirect_stdout(io.StringIO()):
            run(arguments_of(self.words, self.out, 2))
        self.old = contents(self.out)
        self.new = self._reference(1)
        self.expected = printed(self.output)
        began = time.monotonic()
        self._reference(1)
        self.seconds = time.monotonic() - began

    def _reference(self, seed: int) -> Contents:
        self._clear({})
        code = finish(start(arguments_of(self.words, self.out, seed), self.store, self.output))
        if code:
            message = (
                f"{self.words}: exit code {code}: {self.output.with_suffix('.err').read_text()}"
            )
            raise RuntimeError(message)
        return contents(self.out)

    def _clear(self, files: Contents) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        self.out.mkdir(parents=True)
        for name, content in {
            **files,
            "notes.md": b"mine",
            "level-1.txt": LEVEL.encode(),
            "level-2.txt": LEVEL.encode(),
        }.items():
            (self.out / name).parent.mkdir(exist_ok=True)
            (self.out / name).write_bytes(content)

    def trial(self, source: random.Random) -> dict[str, Any]:
        """Kill it, continue it until it is done, and compare."""
        self._clear(self.old if source.random() < OVER_OLD else {})
        before = contents(self.out)
        problems: list[str] = []
        kills = resumed = 0
        again = arguments = arguments_of(self.words, self.out, 1)
        for _ in range(MOST_STARTS):
            limit = (
                source.uniform(0, 1.1 * self.seconds)
                if source.random() < AGAIN or not kills
                else LONGEST
            )
            code = wait(start(arguments, self.store, self.output), limit)
            if code is None:
                kills += 1
                problems += self.after_kill(before)
                arguments = ["resume", "last"] if self.store.exists() else again
                continue
            if code == 0:
                resumed += arguments is not again
                break
            complaint = self.output.with_suffix(".err").read_text()
            if arguments is again or not any(words in complaint for words in NOTHING_STORED):
                problems.append(f"exit code {code}: {complaint}")
                break
            # It was killed before anything was stored.
            arguments = again
        else:
            problems.append("never done")
        found = contents(self.out)
        if found != self.new:
            problems.append(
                "different files: "
                f"{sorted(name for name in found.keys() | self.new.keys() if found.get(name) != self.new.get(name))}"
            )
        if printed(self.output) != self.expected:
            problems.append("different output")
        return {"kills": kills, "resumed": resumed, "problems": problems}

    def after_kill(self, before: Contents) -> list[str]:
        """What is wrong after a kill: a file that is neither old nor new, or a folder without a
        whole pack.
        """
        problems = []
        pack = self.out / "pack"
        # A new folder appears when it is whole.
        if any(name.startswith("pack/") for name in before) or pack.exists():
            try:
                result = check_pack(pack)
                problems += [] if result.winnable else [f"no whole pack: {result.why}"]
            except Exception as problem:  # noqa: BLE001 reported with the command
                problems.append(f"no whole pack: {problem}")
        found = visible(contents(self.out))
        whole = all(
            content in {before.get(name), self.new.get(name)} for name, content in found.items()
        )
        if (
            not whole
            or not {name for name in before if not name.startswith("pack/")} <= found.keys()
        ):
            problems.append(f"not whole: {sorted(found)}")
        return problems


def wait(child: int, limit: float) -> int | None:
    """Wait for a child, and kill it after so many seconds; return its exit code, None if it was
    killed.
    """
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    code = finish(child)
    return None if code == -signal.SIGKILL else code


def slow_plain_write(files: dict[Path, bytes]) -> list[Path]:
    """Write files without protection, slowly, so that a kill finds them half-written."""
    for path, content in files.items():
        with Path(path).open("wb", buffering=0) as file:
            for part in range(0, len(content), max(len(content) // 20, 1)):
                file.write(content[part : part + max(len(content) // 20, 1)])
                time.sleep(0.01)
    return [Path(path) for path in files]


def main(folder: Path, seed: int, kills: int, protection: str, names: list[str]) -> None:
    """Kill commands in turn, until so many processes were killed."""
    source = random.Random(seed)
    if protection == "none":
        writers = {
            "write_files": slow_plain_write,
            "write_file": lambda path, content: slow_plain_write({path: content})[0],
        }
        for attribute, replacement in writers.items():
            setattr(writing, attribute, replacement)
    trials = {name: Trials(name, folder) for name in names}
    done = 0
    for name in itertools.cycle(trials):
        if done >= kills:
            break
        result = trials[name].trial(source)
        done += result["kills"]
        print(json.dumps({"command": name, **result}), flush=True)  # noqa: T201 read by the test


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5].split(","))

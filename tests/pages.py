"""Read a page of the documentation and do what it prints, as a reader would.

The folder is empty at first. Commands are processes, one after the other in the order of the page;
all Python on a page runs in one other process, as in one session of a reader. Comments in the
source of a page say what the reader sees from the text around a block:

- `<!-- file: NAME -->` before a block: the text to save under this name;
- `<!-- typed -->` before a block: what to type into `levolve breed`;
- `<!-- shown -->` before a block: an example that is not there to be run;
- `<!-- run by PATH: COMMAND -->` before a block: this command needs more than a folder, such as a
  browser or another environment, and PATH runs it in a process. Without a command: the whole block.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli.processes import COMMAND

ROOT = Path(__file__).parent.parent
FENCE = re.compile(
    r"(?P<marks>(?:^<!-- [^\n]*-->\n)*)^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
MARK = re.compile(
    r"^<!-- (?P<kind>file|typed|shown|run by)(?: (?P<path>[^:\n]+?))?(?:: (?P<text>[^\n]*?))? -->$",
    re.MULTILINE,
)
LANGUAGES = {"python", "sh"}
SECONDS = 600
SESSION = """
import json, sys, contextlib, io, traceback
names = {"__name__": "__main__"}
for line in sys.stdin:
    kind, code, given = json.loads(line)
    said, shown = "", io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            if kind == "run":
                exec(compile(code, "page", "exec"), names)
            elif not eval(code, {"Path": __import__("pathlib").Path, **names, **given}):
                said = "expected to be true: " + code
        except BaseException:
            said = traceback.format_exc()
    print(json.dumps([said, shown.getvalue()]), flush=True)
"""


@dataclass(frozen=True)
class Block:
    """A block of a page with its marks."""

    language: str
    text: str
    files: list[str]
    typed: bool
    shown: bool
    elsewhere: dict[str, str]
    "Commands that another file runs, and which; an empty text stands for the whole block."


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page in their order."""
    found = []
    for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
        marks = [mark.groupdict() for mark in MARK.finditer(fence["marks"])]
        kinds = [mark["kind"] for mark in marks]
        assert len(marks) == len(fence["marks"].splitlines()), (
            f"{page.name}: unknown mark in {fence['marks']}"
        )
        files = [mark["text"] for mark in marks if mark["kind"] == "file"]
        elsewhere = {mark["text"] or "": mark["path"] for mark in marks if mark["kind"] == "run by"}
        assert all((ROOT / path).exists() for path in elsewhere.values()), (
            f"{page.name}: {elsewhere}"
        )
        found.append(
            Block(
                fence["language"],
                fence["text"],
                files,
                "typed" in kinds,
                "shown" in kinds,
                elsewhere,
            )
        )
    return found


def commands_of(block: Block) -> list[str]:
    """Return the commands of a block without the comments behind them."""
    lines = block.text.replace("\\\n", " ").splitlines()
    return [
        shlex.join(shlex.split(line, comments=True))
        for line in lines
        if line.strip() and not line.startswith("#")
    ]


@dataclass
class Reader:
    """A folder and a Python session in which the parts of a page are done."""

    folder: Path
    session: subprocess.Popen[str]
    environment: Mapping[str, str]
    typed: str = ""
    output: str = ""
    done: list[str] = field(default_factory=list)

    def carry_out(self, page: Path) -> None:
        """Do what a page says."""
        blocks = blocks_of(page)
        self.typed = "".join(block.text for block in blocks if block.typed)
        for block in blocks:
            if block.files:
                for name in block.files:
                    (self.folder / name).write_text(block.text, encoding="utf-8")
            elif block.typed or block.shown or "" in block.elsewhere:
                continue
            elif block.language == "python":
                self.python(block.text)
            else:
                assert block.language == "sh", f"{page.name}: nobody runs {block}"
                commands = commands_of(block)
                assert {shlex.join(shlex.split(command)) for command in block.elsewhere} <= set(
                    commands
                ), block.elsewhere
                for command in commands:
                    if command not in map(shlex.join, map(shlex.split, block.elsewhere)):
                        self.command(command)

    def command(self, command: str, code: int = 0) -> None:
        """Start a command, and wait for its end."""
        words = shlex.split(command)
        assert words[0] == "levolve", command
        finished = subprocess.run(
            [COMMAND, *words[1:]],
            cwd=self.folder,
            env=self.environment,
            input=self.typed if words[1] == "breed" else "",
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
        assert finished.returncode == code, f"{command}: {finished.returncode}: {finished.stderr}"
        assert "Traceback" not in finished.stderr, finished.stderr
        self.output = finished.stdout + finished.stderr
        self.done.append(command)

    def python(self, code: str) -> None:
        """Run Python in the session."""
        self.output = self._ask("run", code)

    def expect(self, expression: str) -> None:
        """Check an expression in the session; `output` is what was printed last."""
        self._ask("expect", expression)

    def _ask(self, kind: str, code: str) -> str:
        assert self.session.stdin is not None
        assert self.session.stdout is not None
        self.session.stdin.write(json.dumps([kind, code, {"output": self.output}]) + "\n")
        self.session.stdin.flush()
        answer: list[Any] = json.loads(
            self.session.stdout.readline() or '["the session has ended", ""]'
        )
        assert not answer[0], f"{code}\n{answer[0]}"
        return str(answer[1])


@contextmanager
def reading(folder: Path) -> Iterator[Reader]:
    """Return a reader in an empty folder, whose runs are stored where a user's own are."""
    inside, data = folder / "reader", folder / "data"
    inside.mkdir()
    kept = {name: value for name, value in os.environ.items() if name != "LEVOLVE_STORE"}
    environment = {**kept, "XDG_DATA_HOME": str(data), "MPLBACKEND": "agg", "NO_COLOR": "1"}
    with subprocess.Popen(
        [sys.executable, "-c", SESSION],
        cwd=inside,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as session:
        try:
            yield Reader(inside, session, environment)
        finally:
            assert session.stdin is not None
            session.stdin.close()

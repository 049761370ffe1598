"""Every command with every option, as a user types them: see `lines.py` for what is typed."""

import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from as_a_user.lines import ELSEWHERE, FILES, GROUPS, STUDIO, TERMINAL, TYPED, WRONG
from as_a_user.user import COMMAND, SECONDS, empty_home, levolve, lines_of, on_terminal
from levolve.cli.command_table import COMMANDS, load_command

COLUMNS = 80


def words_of(lines: str) -> list[list[str]]:
    return [shlex.split(line)[1:] for line in lines.strip().splitlines()]


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command and every command of a group by its words."""
    for name in COMMANDS:
        command = load_command(name)
        yield name, command
        for inner, found in getattr(command, "commands", {}).items():
            yield f"{name} {inner}", found


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with nothing but the files of a user."""
    folder = tmp_path / "desk"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("group", GROUPS)
def test_the_lines_of_a_group_work_in_their_order(group: str, desk: Path) -> None:
    for words in words_of(GROUPS[group]):
        done = levolve(desk, *words, typed=TYPED.get(words[0], ""))
        assert done.code == 0, f"{shlex.join(words)}: {done.err}"
        if "--quiet" in words and "--json" not in words and words[0] != "breed":
            assert done.err == "", words


def test_every_command_and_every_option_is_typed() -> None:
    """A new command or option fails here until it is typed in `lines.py`."""
    typed = [words for lines in (*GROUPS.values(), TERMINAL, STUDIO) for words in words_of(lines)]
    missing = []
    for name, command in commands():
        if name in ELSEWHERE:
            continue
        parts = name.split()
        own = [words for words in typed if words[: len(parts)] == parts]
        if not own:
            missing.append(name)
        given = {word.partition("=")[0] for words in own for word in words}
        for parameter in command.params:
            options = {*parameter.opts, *parameter.secondary_opts}
            if getattr(parameter, "hidden", False):
                # An old spelling, which a test of its own types.
                continue
            if parameter.param_type_name == "option" and not options & {
                *given,
                *ELSEWHERE,
                "--help",
            }:
                missing.append(f"{name} {'/'.join(sorted(options))}")
    assert missing == []
    assert {words[0] for words in words_of(WRONG)} >= set(COMMANDS), (
        "every command is called wrongly, too"
    )


@pytest.mark.parametrize("words", words_of(WRONG), ids=shlex.join)
def test_a_wrong_call_is_refused_in_one_sentence_and_writes_nothing(
    words: list[str], tmp_path: Path
) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    (folder / "broken.json").write_text('{"levolve": ')
    done = levolve(folder, *words)
    assert (done.code, done.out) == (2, ""), done
    assert done.err.startswith("levolve: ")
    assert len(done.err.splitlines()) == 1, done.err
    assert [path.name for path in folder.iterdir()] == ["broken.json"]


@pytest.mark.parametrize("name", ["", *(name for name, _ in commands())])
def test_help_fits_a_terminal(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    code, seen = on_terminal(folder, *name.split(), "--help")
    assert code == 0, seen
    assert f"levolve {name}".strip() in seen
    assert [line for line in lines_of(seen) if len(line) > COLUMNS] == []


def test_what_is_drawn_fits_a_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    for words in words_of(TERMINAL):
        code, seen = on_terminal(folder, *words)
        assert code == (0 if words else 2), (words, seen)
        assert "Traceback" not in seen
        # Paths of the test's own folder are as long as they are.
        lines = [line for line in lines_of(seen) if str(tmp_path) not in line]
        assert [line for line in lines if len(line) > COLUMNS] == [], words


def test_a_first_command_compiles_what_it_needs_and_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    command = [COMMAND, "solve", "sliding", "_13425786", "--seed", "1", "--no-store"]
    outputs = []
    for _ in ("cold", "warm"):
        environment = {
            **os.environ,
            **empty_home(folder),
            "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
        }
        outputs.append(
            subprocess.run(
                command,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
                timeout=SECONDS,
            )
        )
    cold, warm = outputs
    assert (cold.stderr.count("first run only"), warm.stderr) == (1, "")
    assert cold.stdout.splitlines()[:-1] == warm.stdout.splitlines()[:-1]

"""What the documents show is what happens."""

import re
import shlex
from pathlib import Path

import pytest

from levolve.cli.app import run

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
CODE = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHELL = "".join(re.findall(r"```sh\n(.*?)```", README, re.DOTALL))
COMMANDS = re.findall(r"^levolve [^#\n]*", SHELL, re.MULTILINE)


@pytest.mark.parametrize("code", CODE, ids=range(len(CODE)))
def test_the_python_in_the_readme_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 our own page
    assert (tmp_path / "maze.png").exists()


def test_the_commands_in_the_readme_run_in_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) > 5
    for command in COMMANDS:
        assert run(shlex.split(command)[1:]) == 0, command


def test_every_page_that_is_linked_to_exists() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"

"""The pages "Coming from …": their tables are those of the data files, and every row works."""

import ast
import importlib.util
import shlex
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from levolve.cli.app import run
from levolve.cli.commands import load_command

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "sources"


def load_tables() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tables", FOLDER / "tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TABLES = load_tables()
SOURCES: tuple[str, ...] = TABLES.SOURCES


class Desk:
    """A folder and a namespace in which the rows of one page run, one after the other."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture
        self.names: dict[str, Any] = {}
        exec("from pathlib import Path\nimport levolve", self.names)  # noqa: S102 what every line on the pages may use

    def carry_out(self, entry: dict[str, Any]) -> None:
        assert ("run" in entry) != ("python" in entry), entry
        exec(entry.get("prepare", ""), self.names)  # noqa: S102 our own page
        self.capture.readouterr()
        if "run" in entry:
            words = shlex.split(entry["run"])
            assert words[0] == "levolve", entry
            code = run(words[1:])
            shown = self.capture.readouterr()
            assert code == entry.get("exit", 0), f"{entry['run']}: {shown.err}"
            self.names["output"] = shown.out + shown.err
        else:
            exec(compile(entry["python"], entry["python"], "exec"), self.names)  # noqa: S102 our own page
            self.names["output"] = self.capture.readouterr().out
        if "expect" in entry:
            assert eval(entry["expect"], self.names), f"{entry}: {self.names['output']}"  # noqa: S307 same


@pytest.mark.parametrize("source", SOURCES)
def test_every_row_of_a_page_works(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    data = TABLES.read_data(source)
    for name, text in data.get("files", {}).items():
        (tmp_path / name).write_text(text)
    desk = Desk(capsys)
    assert len(data["rows"]) > 10
    for row in data["rows"]:
        desk.carry_out(row)
    for figure in data["figures"]:
        if "expect" in figure:
            desk.carry_out(figure)


@pytest.mark.parametrize("source", SOURCES)
def test_how_a_figure_is_reproduced_can_be_called(source: str) -> None:
    for figure in TABLES.read_data(source)["figures"]:
        if "python" in figure:
            ast.parse(figure["python"])
            continue
        words = shlex.split(figure["run"])
        if words[0] in {"python", "pytest"}:
            assert (ROOT / words[1]).exists(), figure
        else:
            assert words[0] == "levolve", figure
            load_command(words[1]).make_context(words[1], words[2:])


@pytest.mark.parametrize("source", SOURCES)
def test_a_page_is_up_to_date_with_its_data_file(source: str) -> None:
    assert TABLES.page_of(source) == (FOLDER / f"{source}.md").read_text(), "run 'make docs'"


def test_the_readme_names_every_page() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [source for source in SOURCES if f"(docs/sources/{source}.md)" not in readme] == []

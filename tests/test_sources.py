"""The pages "Coming from …": their tables are those of the data files, and every row works."""

import ast
import importlib.util
import shlex
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from levolve.cli.command_table import load_command
from pages import Reader, reading

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
# What an entry of a data file may hold.
ROW, FIGURE = (
    {"theirs", "run", "python", "note", "exit", "expect"},
    {"what", "theirs", "ours", "run", "python", "expect"},
)


def carry_out(reader: Reader, entry: dict[str, Any]) -> None:
    """Do what a row says, and check what it should give."""
    assert set(entry) <= ROW | FIGURE, entry
    assert ("run" in entry) != ("python" in entry), entry
    if "run" in entry:
        reader.command(entry["run"], entry.get("exit", 0))
    else:
        reader.python(entry["python"])
    if "expect" in entry:
        reader.expect(entry["expect"])


@pytest.mark.parametrize("source", SOURCES)
def test_every_row_of_a_page_works(source: str, tmp_path: Path) -> None:
    page, data = FOLDER / f"{source}.md", TABLES.read_data(source)
    assert set(data) == {"rows", "figures"}, "nothing is prepared that the page does not show"
    assert len(data["rows"]) > 10
    text = page.read_text(encoding="utf-8")
    assert text.rindex("```") < text.index("<!-- rows"), "what the rows need comes first"
    with reading(tmp_path) as reader:
        reader.carry_out(page)
        for row in data["rows"]:
            carry_out(reader, row)
        for figure in data["figures"]:
            if "expect" in figure:
                carry_out(reader, figure)


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


def test_the_summary_is_up_to_date_and_names_every_difference() -> None:
    summary = TABLES.summary()
    assert summary == (FOLDER / "README.md").read_text(), "run 'make docs'"
    for source in SOURCES:
        page = (FOLDER / f"{source}.md").read_text()
        differences = page.partition("## What was corrected")[2].partition("\n## ")[0]
        named = [
            line.split("**")[1].rstrip(".") for line in differences.splitlines() if "**" in line
        ]
        assert len(named) > 2
        assert [name for name in named if name not in summary] == []


def test_the_readme_names_every_page() -> None:
    readme = (ROOT / "README.md").read_text()
    assert [source for source in SOURCES if f"(docs/sources/{source}.md)" not in readme] == []

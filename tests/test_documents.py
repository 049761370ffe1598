"""What the documents show is what happens."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from levolve.core.plugins import BUILT_IN
from levolve.formats import FORMATS
from levolve.formats.look import DEFAULT_THEME
from levolve.formats.pictures.pixels import SIGN_COLOURS
from levolve.formats.themes import THEMES
from levolve.levels.measures import MEASURES
from levolve.levels.tileset import RAINBOW, WALLS
from levolve.search.strategies import STRATEGIES
from pages import blocks_of, reading

ROOT = Path(__file__).parent.parent
# The page about the architecture has nothing to run.
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name != "architecture.md"),
]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks_of(page)], ids=lambda page: page.name
)
def test_a_page_works_as_it_is_printed(page: Path, tmp_path: Path) -> None:
    with reading(tmp_path) as reader:
        reader.carry_out(page)


def test_a_file_that_a_page_needs_is_named_in_its_text() -> None:
    for page in [*PAGES, *(ROOT / "docs" / "sources").glob("*.md")]:
        text = re.sub("<!--.*?-->", "", page.read_text(encoding="utf-8"))
        assert [
            name for block in blocks_of(page) for name in block.files if f"`{name}`" not in text
        ] == []


def test_the_page_about_formats_names_every_format_and_every_colour() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    assert [name for name in FORMATS if f"`.{name}`" not in page] == []
    colours = [
        "#{:02x}{:02x}{:02x}".format(*colour)
        for colour in (*WALLS.colours, *SIGN_COLOURS.values(), *RAINBOW.colours)
    ]
    assert re.findall(r"#[0-9a-f]{6}", page) == sorted(colours, key=page.index)


def test_the_page_about_themes_names_every_theme() -> None:
    page = (ROOT / "docs" / "themes.md").read_text()
    named = dict(re.findall(r"^\| `([a-z]+)` \| (.*?)(?:; the default)? \|$", page, re.MULTILINE))
    assert named == {name: THEMES[name].meaning for name in THEMES}
    assert f"| `{DEFAULT_THEME}` | {THEMES[DEFAULT_THEME].meaning}; the default |" in page


def test_the_page_about_strategies_names_every_strategy() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text()
    assert [
        name
        for name in STRATEGIES
        if STRATEGIES.origin_of(name) == BUILT_IN and f"| `{name}` |" not in page
    ] == []


def test_the_page_about_measures_defines_every_measure() -> None:
    page = (ROOT / "docs" / "measures.md").read_text()
    assert [
        name
        for name in MEASURES
        if MEASURES.origin_of(name) == BUILT_IN and f"`{name}`" not in page
    ] == []


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_runs(example: Path) -> None:
    finished = subprocess.run(
        [sys.executable, str(example)], capture_output=True, text=True, check=False, timeout=600
    )
    assert finished.returncode == 0, finished.stderr
    assert "score" in finished.stdout


def test_every_page_that_is_linked_to_exists() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"

"""What the documents show is what happens."""

import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from levolve.cli.app import run
from levolve.evolution import STRATEGIES
from levolve.formats import FORMATS
from levolve.formats.look import DEFAULT_THEME
from levolve.formats.pixels import SIGN_COLOURS
from levolve.formats.themes import THEMES
from levolve.levels.tileset import RAINBOW, WALLS
from levolve.measures import MEASURES
from levolve.plugins import BUILT_IN

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / "README.md",
    *(
        ROOT / "docs" / f"{name}.md"
        for name in (
            "mazes",
            "genotypes",
            "dungeons",
            "meta",
            "fashion",
            "puzzles",
            "formats",
            "engines",
            "packs",
            "breeding",
            "measures",
            "runs",
            "likeness",
            "themes",
            "strategies",
            "studies",
        )
    ),
]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.mark.parametrize("code", blocks(PAGES[0], "python"))
def test_the_python_in_the_readme_runs(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 our own page
    assert (tmp_path / "maze.png").exists()


@pytest.mark.parametrize(
    "name",
    [
        "breeding",
        "fashion",
        "formats",
        "functions",
        "genotypes",
        "gymnasium",
        "likeness",
        "mazes",
        "measures",
        "meta",
        "packs",
        "puzzles",
        "runs",
        "strategies",
        "studies",
        "themes",
    ],
)
def test_the_python_on_a_page_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code = "".join(blocks(ROOT / "docs" / f"{name}.md", "python"))
    exec(compile(code, f"{name}.md", "exec"), {})  # noqa: S102 our own page


def test_the_page_about_formats_names_every_format_and_every_colour() -> None:
    page = (ROOT / "docs" / "formats.md").read_text()
    assert [name for name in FORMATS if f"`.{name}`" not in page] == []
    colours = ["#{:02x}{:02x}{:02x}".format(*colour) for colour in (*WALLS.colours, *SIGN_COLOURS.values(), *RAINBOW.colours)]
    assert re.findall(r"#[0-9a-f]{6}", page) == sorted(colours, key=page.index)


def test_the_page_about_themes_names_every_theme() -> None:
    page = (ROOT / "docs" / "themes.md").read_text()
    named = dict(re.findall(r"^\| `([a-z]+)` \| (.*?)(?:; the default)? \|$", page, re.MULTILINE))
    assert named == {name: THEMES[name].meaning for name in THEMES}
    assert f"| `{DEFAULT_THEME}` | {THEMES[DEFAULT_THEME].meaning}; the default |" in page


def test_the_page_about_strategies_names_every_strategy() -> None:
    page = (ROOT / "docs" / "strategies.md").read_text()
    assert [name for name in STRATEGIES if STRATEGIES.origin_of(name) == BUILT_IN and f"| `{name}` |" not in page] == []


def test_the_page_about_measures_defines_every_measure() -> None:
    page = (ROOT / "docs" / "measures.md").read_text()
    assert [name for name in MEASURES if MEASURES.origin_of(name) == BUILT_IN and f"`{name}`" not in page] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_on_a_page_run_in_their_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LEVOLVE_STORE", str(tmp_path / "runs.sqlite"))
    # Other libraries are slow; that each of them solves the task is tested with the benchmarks.
    monkeypatch.setattr("levolve.bench.evolution.installed_peers", tuple)
    (tmp_path / "kept.txt").write_text("????????\n?##.????\n????????\n????????\n")
    commands = re.findall(r"^levolve [^#\n]*", "".join(blocks(page, "sh")), re.MULTILINE)
    assert len(commands) > 2
    typed = "".join(blocks(page, "text"))
    for command in commands:
        # What the page says to type, for commands that read it.
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        assert run(shlex.split(command)[1:]) == 0, command


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_runs(example: Path) -> None:
    finished = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False, timeout=600)
    assert finished.returncode == 0, finished.stderr
    assert "score" in finished.stdout


def test_every_page_that_is_linked_to_exists() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"

"""Projects with several levels: one is named in the path, all are checked, and a pack is one
project.
"""

import json
from pathlib import Path

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError, UnknownNameError
from levolve.formats import FORMATS
from levolve.formats.ldtk.writing import MOST_DRAWN
from levolve.formats.level_files import split_part
from levolve.formats.look import Look
from levolve.formats.themes import THEMES
from levolve.jobs.packs.check_pack import check_path
from levolve.levels.level import Level
from levolve.puzzles.load_save import load_parts

LEVELS = {
    "01-maze": Level.from_text("S.#\n..1\n#.E").with_solution("rdrd"),
    "02-colours": Level.from_text("ROO\nYGB\nentrance: 0,0\nexit: 2,0"),
    "03-maze": Level.from_text("S...#\n.#..E").with_solution("rrdrr"),
}
NAMES = ["Level_01_maze", "Level_02_colours", "Level_03_maze"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    assert FORMATS["ldtk"].bundle is not None
    files = FORMATS["ldtk"].bundle("mine", LEVELS, Look(THEMES["paper"]))
    assert set(files) == {"mine.ldtk", "levolve-walls-paper-16.png", "levolve-rainbow-paper-16.png"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path / "mine.ldtk"


@pytest.mark.parametrize("form", ["Level_01_maze", "level_01_maze", "01-maze", "01_maze"])
def test_a_level_of_a_project_is_named_in_the_path(project: Path, form: str) -> None:
    assert levolve.load(f"{project}#{form}") == LEVELS["01-maze"]
    assert levolve.load(f"{project}#{form}").solution == "rdrd"


def test_each_level_has_its_tileset_and_its_own_places(project: Path) -> None:
    for name, level in zip(NAMES, LEVELS.values(), strict=True):
        found = levolve.load(f"{project}#{name}")
        assert found == level
        assert found.tileset == level.tileset


def test_without_a_name_the_levels_are_listed(project: Path) -> None:
    with pytest.raises(
        InputError,
        match=(
            "got Level_01_maze, Level_02_colours, Level_03_maze; add the name of one to the "
            "path, such as"
        ),
    ):
        levolve.load(project)
    with pytest.raises(UnknownNameError, match="unknown level '01-mase': Known: Level_01_maze, "):
        levolve.load(f"{project}#01-mase")


def test_every_level_is_checked_also_after_a_damaged_one(project: Path) -> None:
    results = check_path(project)
    assert [result.file for result in results] == [f"{project}#{name}" for name in NAMES]
    assert all(result.winnable for result in results)
    data = json.loads(project.read_bytes())
    data["levels"][0]["layerInstances"] = None
    project.write_text(json.dumps(data))
    first, *others = check_path(project)
    assert "Save levels to separate files" in str(first.why)
    assert all(result.winnable for result in others)


def test_a_file_whose_own_name_has_the_sign_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "odd.ldtk#1.json"
    levolve.save(LEVELS["01-maze"], path)
    assert levolve.load(path) == LEVELS["01-maze"]
    assert split_part("a.json#b") == (Path("a.json#b"), None)
    assert split_part("a.ldtk#b") == (Path("a.ldtk"), "b")
    assert list(load_parts(path)) == [str(path)]


def test_levels_that_are_too_large_for_one_project_are_in_several() -> None:
    large = Level(np.zeros((2, MOST_DRAWN // 4 + 1), np.uint8))
    assert FORMATS["ldtk"].bundle is not None
    files = FORMATS["ldtk"].bundle(
        "wide", {"01-a": large, "02-a": large, "03-a": LEVELS["01-maze"]}, Look()
    )
    assert [name for name in files if name.endswith(".ldtk")] == ["wide-1.ldtk", "wide-2.ldtk"]


def test_names_with_the_same_letters_stay_different() -> None:
    assert FORMATS["ldtk"].bundle is not None
    assert FORMATS["ldtk"].levels is not None
    content = FORMATS["ldtk"].bundle(
        "p", {"1-ä": LEVELS["01-maze"], "1-ö": LEVELS["03-maze"]}, Look()
    )["p.ldtk"]
    assert list(FORMATS["ldtk"].levels(content)) == ["Level_1_", "Level_1__"]

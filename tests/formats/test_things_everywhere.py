"""Things in files of all formats: none is lost, and what people change in simple files is what the
level has.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import levolve
from levels.things.inputs import levels_with_things
from levolve.core.errors import InputError, PlaceError
from levolve.formats import FORMATS
from levolve.formats.level_files import UnseenThingsWarning
from levolve.formats.pictures.png import CHUNK
from levolve.formats.reading.pictures import png_chunks
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import TILESETS, WALLS
from levolve.testing.genotypes import check_format_things

LEVEL = Level.from_text(
    "S....\n.###.\n....E\nthing: key 2,0 color=blue\nthing: door 2,2 color=blue"
)
BLIND = ("tiles.png", "xsb")


@pytest.mark.parametrize("name", FORMATS)
def test_no_format_loses_things(name: str) -> None:
    check_format_things(FORMATS[name])


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=20)
@given(level=levels_with_things())
def test_levels_with_things_survive_every_format(name: str, level: Level) -> None:
    entry = FORMATS[name]
    if level.tileset.name not in TILESETS or not entry.holds(level.tileset):
        return
    if level.goal.name not in GOALS:
        level = Level(level.tiles, {}, level.tileset, things=level.things, kinds=level.kinds)
    assert entry.decode(entry.encode(level)) == level


@pytest.mark.parametrize("name", BLIND)
def test_a_warning_says_what_programs_do_not_show(name: str, tmp_path: Path) -> None:
    with pytest.warns(UnseenThingsWarning, match="show no things; only levolve .* file: key, door"):
        levolve.save(LEVEL, tmp_path / f"a.{name}", allow_loss=True)
    assert levolve.load(tmp_path / f"a.{name}") == LEVEL


@pytest.mark.parametrize("name", ["csv", "xsb", "txt"])
def test_things_are_lines_that_people_change(name: str) -> None:
    entry = FORMATS[name]
    text = entry.encode(LEVEL).decode()
    assert text.count("thing: door 2,2 color=blue") == 1
    moved = entry.decode(text.replace("door 2,2", "door 1,0").encode())
    assert [thing.cell for thing in moved.things] == [(1, 0), (2, 0)]
    assert moved.solution is None
    more = text.replace("thing: door 2,2 color=blue", "thing: door 2,2 color")
    with pytest.raises(InputError, match=r"line \d+: expected 'KIND x,y' and fields"):
        entry.decode(more.encode())


def test_lines_of_earlier_versions_are_read() -> None:
    text = FORMATS["csv"].encode(LEVEL).decode()
    before = text.replace(
        "# thing: key 2,0 color=blue\n# thing: door", "# things: key 2,0 color=blue; door"
    )
    assert FORMATS["csv"].decode(before.encode()) == LEVEL
    with pytest.raises(InputError, match="things: expected one line for each, or one for all"):
        FORMATS["csv"].decode(f"# thing: key 1,0\n{before}".encode())


def test_arrays_have_a_row_per_thing(tmp_path: Path) -> None:
    arrays = np.load(levolve.save(LEVEL, tmp_path / "a.npz"))
    assert arrays["thing_kinds"].tolist() == ["key", "door"]
    assert arrays["thing_cells"].tolist() == [[2, 0], [2, 2]]
    assert arrays["thing_ids"].tolist() == ["", ""]
    assert arrays["thing_fields"].tolist() == ["color=blue", "color=blue"]
    assert "things" not in arrays
    kept = {name: arrays[name] for name in ("tiles", "place_names", "places")}
    table = {name: arrays[name] for name in arrays if name.startswith("thing_")}
    np.savez(tmp_path / "b.npz", **kept, **table)
    assert levolve.load(tmp_path / "b.npz").things == LEVEL.things
    for name, wrong in (
        ("thing_cells", np.zeros((3, 2), int)),
        ("thing_cells", np.zeros((2, 2))),
        ("thing_ids", np.zeros(2)),
        ("thing_fields", np.array(["a=1"])),
    ):
        np.savez(tmp_path / "c.npz", **kept, **{**table, name: wrong})
        with pytest.raises(InputError, match=f"expected a row per thing.*{name}"):
            levolve.load(tmp_path / "c.npz")
    np.savez(tmp_path / "d.npz", **kept, **{**table, "thing_fields": np.array(["color", ""])})
    assert levolve.load(tmp_path / "d.npz").things == (
        Thing("key", (2, 0), fields={"color": ""}), Thing("door", (2, 2))
    )  # fmt: skip


def test_painting_keeps_the_things_and_a_wall_on_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.tiles.png"
    with pytest.warns(UnseenThingsWarning):
        levolve.save(LEVEL, path, allow_loss=True)
    wall = WALLS.colours[1]
    chunk = next(each for each in png_chunks(path.read_bytes()) if each[0] == CHUNK)
    for cell, fits in (((1, 0), True), ((2, 0), False)):
        with Image.open(path) as image:
            image.putpixel(cell, wall)
            information = PngInfo()
            information.add(*chunk)
            image.save(tmp_path / "b.tiles.png", pnginfo=information)
        if fits:
            assert levolve.load(tmp_path / "b.tiles.png").things == LEVEL.things
        else:
            with pytest.raises(PlaceError, match="key at 2,0: expected a walkable tile"):
                levolve.load(tmp_path / "b.tiles.png")

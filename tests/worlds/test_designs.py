"""Rule files, legends, palettes, pictures, and maps as levels."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from levolve.core.errors import InputError, LevolveError
from levolve.worlds.design import Design, design_from_data
from levolve.worlds.files import encode_map
from levolve.worlds.legend import PALETTES, Legend, find_palette, palette_for, usual_legend
from levolve.worlds.pictures import encode_animation, encode_picture, level_of, open_cells, pour
from levolve.worlds.records import write_records
from levolve.worlds.rule import Rule
from levolve.worlds.shipped import find_designs, shipped_rules
from levolve.worlds.starts import random_start


@pytest.mark.parametrize("name", shipped_rules())
def test_shipped_rules_say_what_they_make_and_survive_toml_and_json(
    name: str, tmp_path: Path
) -> None:
    (design,) = find_designs(name)
    assert design.name == name
    assert design.summary
    for suffix, text in ((".toml", design.to_toml()), (".json", design.to_json())):
        path = tmp_path / f"{name}{suffix}"
        path.write_text(text)
        (again,) = find_designs(path)
        assert again.rule == design.rule
        assert again.to_data() == design.to_data()
    # With the source's default scores one state takes over.
    assert (len(np.unique(design.make((60, 60), 1))) > 1) == (name != "source-default")


def test_a_start_map_travels_with_its_design(tmp_path: Path) -> None:
    start = random_start(2, (7, 5), 3)
    design = Design(
        "mine", Rule([[0, 1], [1, 0]]), updates=2, weights=(1, 3), smooth=1, start=start
    )
    path = tmp_path / "mine.toml"
    path.write_text(design.to_toml())
    (again,) = find_designs(path)
    assert again.start is not None
    assert np.array_equal(again.start, start)
    assert np.array_equal(again.make((9, 9)), design.make((9, 9)))
    assert (again.weights, again.smooth) == ((1, 3), 1)


def test_a_file_of_records_gives_a_design_each(tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    design = find_designs("source")[0]
    path.write_text(
        write_records(
            [
                replace(design, start=random_start(2, (4, 3), 1)).to_record(),
                design.to_record((4, 3)),
            ]
        )
    )
    first, second = find_designs(path)
    assert (first.name, second.name) == ("two-1", "two-2")
    assert first.start is not None
    assert second.start is None


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ([], "table with 'scores'"),
        ({}, "key 'scores'"),
        ({"scores": [[0, 1], [1, 0]], "udates": 3}, "did you mean 'updates'"),
        ({"scores": [["0", "1"], ["1", "0"]]}, "take the quotes away"),
        ({"scores": [[0, 1], [1, 0]], "legend": ["open"]}, "2 words"),
        ({"scores": [[0, 1], [1, 0]], "updates": "many"}, "updates"),
        ({"scores": [[0, 1], [1, 0]], "weights": [0, 0]}, "weights"),
        ({"scores": [[0, 1], [1, 0]], "palette": "rainbow"}, "unknown palette"),
        ({"scores": [[0, 1], [1, 0]], "start": ["012"]}, "states from 0 to 1"),
        ({"scores": [[0, 1], [1, 0]], "smooth": -1}, "smooth"),
        ({"scores": [[0, 1], [1, 0]], "neighbourhood": []}, "neighbourhood"),
    ],
)
def test_rule_files_that_are_none_are_refused(data: object, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        design_from_data(data, "rule x")


def test_palettes_come_by_name_or_file(tmp_path: Path) -> None:
    assert len(find_palette("source")) == 11
    for name, text in (
        ("a.txt", "#ff0000\n0 255 0\n"),
        ("a.json", '{"colours": ["#ff0000", [0, 255, 0]]}'),
        ("a.toml", 'colours = ["ff0000", "00ff00"]'),
    ):
        path = tmp_path / name
        path.write_text(text)
        assert find_palette(path) == ((255, 0, 0), (0, 255, 0))
    with pytest.raises(InputError, match="at least 3 colours"):
        palette_for(3, tmp_path / "a.txt")
    (tmp_path / "bad.txt").write_text("#ff00\n")
    with pytest.raises(InputError, match="colour 0"):
        find_palette(tmp_path / "bad.txt")
    with pytest.raises(InputError, match="did you mean 'source'"):
        find_palette("sorce")


def test_a_picture_has_the_colours_of_its_states() -> None:
    tiles = random_start(5, (6, 4), 2)
    with Image.open(io.BytesIO(encode_picture(tiles, PALETTES["source"], 3))) as image:
        shown = np.array(image.convert("RGB"))
    assert np.array_equal(shown[::3, ::3], np.array(PALETTES["source"], np.uint8)[tiles])
    assert shown.shape == (12, 18, 3)


def test_an_animation_takes_a_tenth_of_a_second_an_update_and_loops() -> None:
    frames = list(find_designs("spirals")[0].rule.frames(random_start(6, (20, 20), 1), 5))
    with Image.open(io.BytesIO(encode_animation(frames, PALETTES["source"]))) as image:
        assert getattr(image, "n_frames", 1) == 6
        assert (image.info["duration"], image.info["loop"]) == (100, 0)
        image.seek(5)
        assert np.array_equal(
            np.array(image.convert("RGB")), np.array(PALETTES["source"], np.uint8)[frames[5]]
        )
    assert encode_animation(frames, PALETTES["source"]) == encode_animation(
        frames, PALETTES["source"]
    )


def test_a_map_becomes_a_level_with_entrance_and_exit_far_apart_and_joined() -> None:
    (design,) = find_designs("coral")
    tiles = design.make((60, 50), 2)
    level = level_of(tiles, design.legend)
    level.check()
    assert level.solution is not None
    assert len(level.solution) > 30
    assert np.array_equal(level.tiles, open_cells(tiles, design.legend))
    with pytest.raises(LevolveError, match="open cells"):
        level_of(np.ones((5, 5), np.uint8), design.legend)


def test_a_region_is_poured_into_another_state() -> None:
    tiles = np.array([[0, 0, 1], [1, 1, 0], [0, 0, 0]], np.uint8)
    assert pour(tiles, 1, 0, 2).tolist() == [[2, 2, 1], [1, 1, 0], [0, 0, 0]]
    assert tiles[0, 0] == 0, "the map given is left as it is"
    for x, y, state in ((3, 0, 1), (0, -1, 1), (0, 0, 300)):
        with pytest.raises(InputError, match="pour"):
            pour(tiles, x, y, state)


def test_a_legend_names_every_state() -> None:
    assert usual_legend(3).names == ("open", "wall", "water")
    assert len(set(usual_legend(14).names)) == 14
    assert [Legend(("wall", "open")).is_open(state) for state in (0, 1)] == [False, True]
    with pytest.raises(InputError, match="one word per state"):
        Legend(("open", ""))


def test_a_file_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(InputError, match="ends in one of"):
        encode_map(find_designs("source")[0], random_start(2, (3, 3), 1), ".bmp")

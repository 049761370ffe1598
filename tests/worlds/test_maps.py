"""Maps made by the library: what the command line does with a rule, as functions with results that
are plain data.
"""

import hashlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError
from levolve.worlds.fingerprints import fingerprint, fingerprint_rules, portrait
from levolve.worlds.maps import make_map
from levolve.worlds.morph import Morph, linear
from levolve.worlds.rule import Rule
from levolve.worlds.shipped import find_design, find_designs
from levolve.worlds.starts import random_start
from levolve.worlds.world import World

SOURCE = Rule([[0, 0.5], [0.2, 0.6]])


def test_a_map_is_what_its_rule_makes_of_its_start() -> None:
    made = make_map("caverns", size=(30, 20), seed=3, updates=5)
    design = find_design("caverns")
    start = design.starting((30, 20), 3)
    assert made.start is not None
    assert np.array_equal(made.start, start)
    assert np.array_equal(made.tiles, design.rule.run(start, 5))
    assert [tiles.tolist() for tiles in made.frames()] == [
        tiles.tolist() for tiles in design.rule.frames(start, 5)
    ]
    assert made.digest == hashlib.sha256(b"30x20\n" + made.tiles.tobytes()).hexdigest()
    data = made.to_data()
    assert (data["rule"], data["seed"], data["size"], data["updates"]) == ("caverns", 3, "30x20", 5)
    assert data["outcome"] == str(design.rule.develop(start, 5))
    assert sum(data["shares"].values()) == pytest.approx(1)


def test_a_rule_may_be_a_name_a_file_a_rule_or_a_design(tmp_path: Path) -> None:
    design = find_design("coral")
    (tmp_path / "coral.toml").write_text(design.to_toml())
    digests = {
        make_map(rule, size="20x10", seed=1).digest
        for rule in ("coral", tmp_path / "coral.toml", design, design.rule)
    }
    assert len(digests) == 1


def test_a_start_map_is_used_as_given() -> None:
    start = random_start(2, (12, 9), 5)
    assert np.array_equal(make_map(SOURCE, start=start, updates=2).tiles, SOURCE.run(start, 2))
    assert np.array_equal(
        make_map(SOURCE, start=start.tolist(), updates=0, size=(12, 9)).tiles, start
    )


def test_a_window_is_that_of_the_world_and_its_frames_end_with_it() -> None:
    made = make_map("spirals", window=(2**61, -70, 20, 10), scale=2, seed=3, updates=3)
    assert np.array_equal(
        made.tiles, World(find_design("spirals").rule, 3, 3).window(2**61, -70, 20, 10, 2)
    )
    frames = list(made.frames())
    assert len(frames) == 4
    assert np.array_equal(frames[-1], made.tiles)
    assert made.start is None
    assert made.to_data()["outcome"] is None


def test_a_morph_may_take_its_field_as_numbers() -> None:
    rules = [find_design(name).rule for name in ("lagoon", "spirals")]
    field = linear((30, 20))
    made = make_map("lagoon", morph=["spirals"], field=field, size=(30, 20), seed=3, updates=4)
    start = random_start(6, (30, 20), 3)
    assert np.array_equal(made.tiles, Morph(rules).run(start, field, 4))
    assert np.array_equal(
        make_map("lagoon", morph=[rules[1]], size=(30, 20), seed=3, updates=4).tiles, made.tiles
    )
    frames = list(made.frames())
    assert [
        np.array_equal(frame, Morph(rules).run(start, field, count))
        for count, frame in enumerate(frames)
    ] == [True] * 5


def test_a_map_is_smoothed_then_poured() -> None:
    rule = SOURCE.with_border("bounded")
    start = random_start(2, (30, 20), 3)
    expected = levolve.fashion.pour(rule.smoothed(rule.run(start, 6), 2), 4, 5, 1)
    made = make_map(
        SOURCE, size=(30, 20), seed=3, updates=6, border="bounded", smooth=2, pour=[(4, 5, 1)]
    )
    assert np.array_equal(made.tiles, expected)


def test_a_map_is_written_by_its_suffix_and_its_frames_into_a_folder(tmp_path: Path) -> None:
    made = make_map("caverns", size=(16, 12), seed=3, updates=3)
    for suffix in ("png", "gif", "npy", "txt", "toml", "json"):
        assert made.save(tmp_path / f"a.{suffix}") == tmp_path / f"a.{suffix}"
    assert np.array_equal(np.load(tmp_path / "a.npy"), made.tiles)
    assert np.array_equal(find_designs(tmp_path / "a.toml")[0].make((1, 1)), made.tiles)
    assert [path.name for path in made.save_frames(tmp_path / "steps", pixels=1)] == [
        "0.png",
        "1.png",
        "2.png",
        "3.png",
    ]
    with Image.open(tmp_path / "steps" / "3.png") as image:
        assert np.array_equal(np.array(image), made.tiles)
    made.to_level().check()
    assert made.to_level().tiles.shape == (12, 16)


def test_a_map_can_be_sent_to_another_process() -> None:
    made = make_map("lagoon", morph=["spirals"], size=(20, 10), seed=3, updates=2)
    assert pickle.loads(pickle.dumps(made)).digest == made.digest


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({"size": "20"}, "size: expected WIDTHxHEIGHT"),
        ({"size": (0, 5)}, "size: expected from 1x1"),
        ({"size": (100_000, 100_000)}, "in tiles"),
        ({"scale": 2}, "scale: expected a window"),
        ({"window": (0, 0, 9, 9), "size": (9, 9)}, "size: cannot be used together with window"),
        (
            {"window": (0, 0, 9, 9), "border": "bounded"},
            "border: cannot be used together with window",
        ),
        ({"window": (0, 0, 9, 9), "start": [[0, 1]]}, "start: cannot be used together with window"),
        ({"start": [[0, 1]], "size": (3, 3)}, "size: expected that of the start map, 2x1, got 3x3"),
        ({"start": [[0, 2]]}, "start: expected states from 0 to 1"),
        ({"border": "round"}, "border: expected"),
        ({"updates": -1}, "updates: expected"),
        ({"smooth": 101}, "smooth: expected"),
        ({"pour": [(0, 0, 2)]}, "pour: expected a state from 0 to 1, got 2"),
        ({"size": (9, 9), "pour": [(9, 0, 1)]}, "pour: expected a cell inside"),
        ({"morph": ["lagoon"]}, "rules: expected the states"),
        ({"morph": ["cracks"], "field": "zigzag"}, "field: expected one of"),
        ({"morph": ["cracks"], "field": "none.png"}, "none.png: expected a file that can be read"),
        ({"morph": ["cracks"], "field": [[0.5]]}, "field: expected"),
        ({"record": 2}, "record: expected from 1 to 1"),
        ({"palette": "none"}, "unknown palette"),
        ({"seed": -1}, "seed: expected"),
    ],
)
def test_an_impossible_map_is_refused_by_the_name_of_the_argument(
    arguments: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        make_map("caverns", **{"updates": 1, **arguments})


def test_files_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    made = make_map(SOURCE, size=(4, 4), seed=1, updates=1)
    with pytest.raises(InputError, match="output: expected a file name that ends in one of"):
        made.save(tmp_path / "a.bmp")


def test_fingerprints_carry_the_names_of_their_rules(tmp_path: Path) -> None:
    named, bare = fingerprint_rules(["source", SOURCE], arithmetic="exact")
    assert named.fingerprint == bare.fingerprint == fingerprint(SOURCE)
    data = named.to_data()
    assert data["rule"] == "source"
    assert data["number"] == str(fingerprint(SOURCE).number)
    picture = portrait(SOURCE, side=8).save(tmp_path / "p.png")
    with Image.open(picture) as image:
        assert image.size == (8, 8)
    with pytest.raises(InputError, match=r"portrait: expected a file name that ends in \.png"):
        portrait(SOURCE, side=8).save(tmp_path / "p.gif")

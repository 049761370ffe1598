"""Worlds of the studio are those of the library: the same cells, colours and files, within
limits.
"""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve.jobs.store.store import Store
from levolve.studio.worlds import Worlds
from levolve.worlds import Morph, Rule, World, find_design, random_start, read_records
from levolve.worlds.legend import PALETTES
from levolve.worlds.morph import radial
from levolve.worlds.views import WorldView
from studio.server import Studio

RULE: dict[str, Any] = {"scores": [[0, 0.5], [0.2, 0.6]], "updates": 6, "seed": 3, "palette": "ink"}


def colours_of(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def world_of(studio: Studio, description: dict[str, Any]) -> str:
    identity: str = studio.json("POST", "/api/worlds", description)["id"]
    return identity


def shipped(studio: Studio, name: str) -> dict[str, Any]:
    rules = studio.json("GET", "/api/worlds/rules")["rules"]
    found: dict[str, Any] = next(rule["description"] for rule in rules if rule["name"] == name)
    return found


@pytest.mark.parametrize(
    ("zoom", "x", "y"), [(0, 0, 0), (0, -3, 7), (-1, 2, -5), (-3, -1, 0), (0, 2**40, -(2**40))]
)
def test_a_tile_has_the_colours_of_the_window(studio: Studio, zoom: int, x: int, y: int) -> None:
    identity, scale = world_of(studio, RULE), 1 << -zoom
    status, content, headers = studio.request(
        "GET", f"/api/worlds/{identity}/tiles/{zoom}/{x}/{y}.png"
    )
    expected = World(Rule(RULE["scores"]), seed=3, updates=6).window(
        x * 256 * scale, y * 256 * scale, 256, 256, scale
    )
    assert (status, "immutable" in headers["cache-control"]) == (200, True)
    assert (colours_of(content) == np.array(PALETTES["ink"], np.uint8)[expected]).all()


def test_a_part_equals_the_tiles_it_overlaps(studio: Studio) -> None:
    identity = world_of(studio, shipped(studio, "coral"))
    part = colours_of(
        studio.request("GET", f"/api/worlds/{identity}/part/-1.png?x=200&y=-40&width=90&height=80")[
            1
        ]
    )
    rows = [
        [
            colours_of(studio.request("GET", f"/api/worlds/{identity}/tiles/-1/{x}/{y}.png")[1])
            for x in (0, 1)
        ]
        for y in (-1, 0)
    ]
    assert (part == np.vstack([np.hstack(row) for row in rows])[216:296, 200:290]).all()


def test_equal_descriptions_have_one_identity(studio: Studio) -> None:
    first, again = world_of(studio, RULE), world_of(studio, {**RULE, "seed": "3"})
    others: list[dict[str, Any]] = [
        {"seed": 4},
        {"updates": 7},
        {"palette": "cave"},
        {"weights": [1, 2]},
        {"neighbourhood": [[0, 1], [0, -1], [1, 0], [-1, 0]]},
        {"arithmetic": "float"},
    ]
    assert first == again
    assert len({first, *(world_of(studio, {**RULE, **other}) for other in others)}) == 1 + len(
        others
    )


def test_every_shipped_rule_has_a_picture_of_its_world(studio: Studio) -> None:
    for rule in studio.json("GET", "/api/worlds/rules")["rules"]:
        design = find_design(rule["name"])
        picture = colours_of(studio.request("GET", rule["picture"])[1])
        tiles = World(design.rule, 1, design.updates).window(
            0, 0, picture.shape[1], picture.shape[0]
        )
        assert (picture == np.array(WorldView(design).colours, np.uint8)[tiles]).all()
        assert world_of(studio, rule["description"])


def test_a_window_is_a_picture_a_level_a_record_and_an_array(
    studio: Studio, tmp_path: Path
) -> None:
    identity = world_of(studio, {**shipped(studio, "caverns"), "seed": 5})
    design = find_design("caverns")
    expected = World(design.rule, 5, design.updates).window(-7, 9, 40, 30)

    def file(name: str) -> bytes:
        status, content, _ = studio.request(
            "GET", f"/api/worlds/{identity}/file?format={name}&x=-7&y=9&width=40&height=30&pixels=2"
        )
        assert status == 200, content
        return content

    [record] = read_records(file("txt").decode())
    assert record.tiles is not None
    assert (record.tiles == expected).all()
    assert (np.load(io.BytesIO(file("npy"))) == expected).all()
    assert (
        colours_of(file("png"))[::2, ::2] == np.array(PALETTES["cave"], np.uint8)[expected]
    ).all()
    with zipfile.ZipFile(io.BytesIO(file("tmx"))) as archive:
        archive.extractall(tmp_path)
    level = levolve.load(next(tmp_path.glob("*.tmx")))
    level.check()
    assert (level.tiles == (expected == 1)).all()
    (tmp_path / "rule.toml").write_bytes(file("toml"))
    assert find_design(tmp_path / "rule.toml").rule == design.rule


def test_a_saved_rule_is_read_back(studio: Studio) -> None:
    given = {
        **shipped(studio, "lagoon"),
        "neighbourhood": [[2, 0], [-1, 3]],
        "weights": [1, 2, 3, 4, 5, 6],
        "palette": ["#102030"] * 6,
    }
    identity = world_of(studio, {**given, "seed": 9})
    for name in ("toml", "json"):
        text = studio.request("GET", f"/api/worlds/{identity}/file?format={name}")[1].decode()
        read = studio.json("POST", "/api/worlds/read", {"text": text, "format": name})
        assert world_of(studio, {**read, "seed": 9}) == identity


def test_a_rule_file_cannot_name_another_file(studio: Studio) -> None:
    text = 'scores = [[0, 1], [1, 0]]\npalette = "/etc/passwd.toml"\n'
    status, content, _ = studio.request(
        "POST", "/api/worlds/read", {"text": text, "format": "toml"}
    )
    assert (status, b"palette" in content) == (400, True)


def test_a_start_map_is_updated_as_the_library_does(studio: Studio) -> None:
    world = {**shipped(studio, "coral"), "seed": 2}
    rule = find_design("coral").rule
    start = random_start(4, (96, 64), 2)
    rows = studio.json("POST", "/api/maps/start", {"world": world})["rows"]
    assert rows == ["".join(f"{state:x}" for state in row) for row in start.tolist()]
    found = studio.json("POST", "/api/maps/run", {"world": world, "rows": rows, "updates": 3})[
        "rows"
    ]
    assert found == ["".join(f"{state:x}" for state in row) for row in rule.run(start, 3).tolist()]
    other = shipped(studio, "scales")["scores"]
    found = studio.json(
        "POST",
        "/api/maps/run",
        {"world": world, "rows": rows, "updates": 3, "morph": {"scores": other, "field": "radial"}},
    )["rows"]
    expected = Morph([rule, Rule(other)]).run(start, radial((96, 64)), 3)
    assert found == ["".join(f"{state:x}" for state in row) for row in expected.tolist()]


def test_a_map_is_saved_with_what_it_was_made_from(studio: Studio, tmp_path: Path) -> None:
    world = shipped(studio, "coral")
    rows = studio.json("POST", "/api/maps/start", {"world": world, "width": 20, "height": 10})[
        "rows"
    ]
    made = studio.json("POST", "/api/maps/run", {"world": world, "rows": rows, "updates": 4})[
        "digest"
    ]
    for name in ("png", "gif", "txt", "toml"):
        status, content, _ = studio.request(
            "POST", "/api/maps/file", {"world": world, "rows": rows, "updates": 4, "format": name}
        )
        assert status == 200
        (tmp_path / f"map.{name}").write_bytes(content)
    assert levolve.fashion.make_map(tmp_path / "map.toml").digest == made
    assert levolve.fashion.make_map(tmp_path / "map.txt").digest == made


def test_favourites_are_kept_in_the_store(studio: Studio) -> None:
    favourite: dict[str, Any] = {
        "description": {**RULE, "name": "mine", "seed": 2**64 - 1},
        "x": 1000.5,
        "y": -2000,
        "zoom": 1.5,
    }
    number = studio.json("POST", "/api/favourites", favourite)["id"]
    assert (
        studio.request("POST", "/api/favourites", {"description": {"scores": [[1, 2]]}})[0] == 400
    )
    with Store(studio.json("GET", "/api/about")["store"]) as store:
        assert store.worlds.find(number).name == "mine"
        broken = store.worlds.add("broken", {"description": {"scores": 7}})
    listed = studio.json("GET", "/api/favourites")
    assert [(one["id"], one["name"]) for one in listed] == [(broken, "broken"), (number, "mine")]
    assert "delete it" in listed[0]["problem"]
    assert (listed[1]["x"], listed[1]["zoom"], listed[1]["description"]["seed"]) == (
        1000.5,
        1.5,
        str(2**64 - 1),
    )
    assert world_of(studio, listed[1]["description"]) == world_of(studio, favourite["description"])
    picture = colours_of(studio.request("GET", listed[1]["picture"])[1])
    tiles = World(Rule(RULE["scores"]), 2**64 - 1, 6).window(1000 - 36, -2000 - 24, 72, 48)
    assert (picture == np.array(PALETTES["ink"], np.uint8)[tiles]).all()
    for one in (broken, number):
        studio.json("DELETE", f"/api/favourites/{one}")
    assert studio.json("GET", "/api/favourites") == []
    assert studio.request("DELETE", f"/api/favourites/{number}")[0] == 400


TWO = [[0, 1], [1, 0]]
BOX = [[x, y] for x in range(-3, 4) for y in range(-3, 4) if (x, y) != (0, 0)]


@pytest.mark.parametrize(
    ("description", "word"),
    [
        ({}, "scores"),
        ({"scores": [[1, 2]]}, "square matrix"),
        ({"scores": [[1, 2], [3]]}, "square matrix"),
        ({"scores": [[None, 2], [3, 4]]}, "scores.0.0"),
        ({"scores": [[1] * 17] * 17}, "at most 16"),
        ({"scores": [[1e10, 0], [0, 1]]}, "scores.0.0"),
        ({"scores": TWO, "neighbourhood": []}, "neighbourhood"),
        ({"scores": TWO, "neighbourhood": [[4, 0]]}, "neighbourhood"),
        ({"scores": TWO, "neighbourhood": [*BOX, [1, 1]]}, "at most 48"),
        ({"scores": TWO, "updates": 201}, "updates"),
        ({"scores": TWO, "updates": 200, "neighbourhood": BOX}, "expected at most 136"),
        ({"scores": TWO, "weights": [0, 0]}, "weights"),
        ({"scores": TWO, "weights": [1]}, "weights"),
        ({"scores": TWO, "seed": -1}, "seed"),
        ({"scores": TWO, "seed": 2**64}, "seed"),
        ({"scores": TWO, "palette": "../x.json"}, "palette"),
        ({"scores": TWO, "palette": ["red"]}, "palette"),
        ({"scores": TWO, "legend": ["open"]}, "legend"),
        ({"scores": TWO, "border": "bounded"}, "border"),
    ],
)
def test_a_wrong_description_is_explained_in_a_sentence(
    studio: Studio, description: dict[str, Any], word: str
) -> None:
    status, content, _ = studio.request("POST", "/api/worlds", description)
    assert (status in {400, 422}, word in json.loads(content)["error"]) == (True, True), (
        status,
        content,
    )


@pytest.mark.parametrize(
    "path",
    [
        "tiles/1/0/0.png",
        "tiles/-13/0/0.png",
        f"tiles/-12/{2**52}/0.png",
        f"tiles/0/{2**54}/0.png",
        "tiles/0/x/0.png",
        "part/0.png?x=0&y=0&width=4097&height=1",
        "part/0.png?x=0&y=0&width=0&height=1",
        "file?width=4096&height=4096",
        "file?format=tmx&width=1000&height=1000",
        "file?format=exe",
        "file?format=png&pixels=100",
    ],
)
def test_a_picture_beyond_the_limits_is_refused(studio: Studio, path: str) -> None:
    identity = world_of(studio, RULE | {"neighbourhood": BOX})
    assert studio.request("GET", f"/api/worlds/{identity}/{path}")[0] in {400, 422}


def test_an_unknown_world_or_rule_is_not_found(studio: Studio) -> None:
    for path in (
        "/api/worlds/00000000000000000000000000000000/tiles/0/0/0.png",
        "/api/worlds/rules/cave.png",
        "/api/worlds/rules/..%2f..%2fx.png",
    ):
        assert studio.request("GET", path)[0] == 404, path


@pytest.mark.parametrize(
    "rows", [[], [""], ["01", "0"], ["0g"], ["02"], ["0" * 257], ["0"] * 257, ["é1"]]
)
def test_a_wrong_map_is_refused(studio: Studio, rows: list[str]) -> None:
    assert studio.request("POST", "/api/maps/run", {"world": {"scores": TWO}, "rows": rows})[0] in {
        400,
        422,
    }


def test_the_pictures_kept_stay_within_their_bytes() -> None:
    view = WorldView(find_design("source"), 1)
    size = len(view.tile(0, 0, 0))
    worlds = Worlds(most_worlds=2, most_bytes=4 * size)
    worlds.add(view)
    for x in range(8):
        worlds.make(view, 0, x, 0)
        assert worlds.size <= 4 * size
    assert worlds.kept(view.digest, 0, 0, 0) is None
    assert worlds.kept(view.digest, 0, 7, 0) == view.tile(0, 7, 0)
    for seed in (2, 3):
        worlds.add(WorldView(find_design("source"), seed))
    with pytest.raises(levolve.core.errors.InputError, match="send its description again"):
        worlds.find(view.digest)

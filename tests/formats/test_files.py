"""Saving and loading."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError, ProofError, UnknownNameError
from levolve.formats.json import level_to_data
from levolve.formats.look import Look
from levolve.formats.pictures.colours import PAPER
from levolve.formats.pictures.drawing import contact_sheet, draw_level, end_cells
from levolve.formats.pictures.gif import MOST_FRAMES, encode_frames
from levolve.formats.pictures.png import encode
from levolve.formats.pictures.terminal import terminal_picture
from levolve.formats.pictures.walk_lines import path_cells
from levolve.formats.writing import write_file
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")


def test_a_level_is_saved_and_loaded_by_its_suffix(tmp_path: Path) -> None:
    for suffix in ("txt", "json", "png", "PNG"):
        path = levolve.save(LEVEL, tmp_path / "deep" / f"level.{suffix}")
        loaded = levolve.load(path)
        assert loaded == LEVEL
        assert loaded.solution == "rdrd"
    assert sorted(entry.name for entry in (tmp_path / "deep").iterdir()) == [
        "level.PNG",
        "level.json",
        "level.png",
        "level.txt",
    ]


def test_a_false_proof_is_never_written(tmp_path: Path) -> None:
    with pytest.raises(ProofError, match="not a legal step"):
        levolve.save(LEVEL.with_solution("rr"), tmp_path / "level.json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_with_a_false_proof_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "level.json"
    path.write_text(changed(solution="rr"))
    with pytest.raises(ProofError, match=r"level.json: proof: move 2"):
        levolve.load(path)


def changed(**changes: object) -> str:
    return json.dumps({**level_to_data(LEVEL), **changes})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "expected valid JSON"),
        ("[]", "a list of rows called 'tiles'"),
        ('{"tiles": ["..", "."]}', "rows of equal length"),
        ('{"tiles": ["..", ".x"]}', "rows of equal length"),
        (changed(tileset="wall"), "did you mean 'walls'"),
        (changed(places={"entrance": [0]}), r"name: \[x, y\]"),
        (changed(places={"entrance": [2, 0]}, digest=None), "got wall at 2,0"),
        (changed(places={"door": [0, 0]}, digest=None), "unknown place 'door'"),
        (changed(solution=5), "a text of moves"),
        (changed(tiles=["..#", "...", "..."]), "the file was changed"),
        (changed(recipe={}, seed="x"), "origin: expected"),
        (changed(recipe={}, seed=1, index=-1, version="1"), "origin: expected"),
        (changed(digest=[]), "the file was changed"),
        (changed(width=9), "width: expected 3 like the tiles, got 9"),
        (changed(places={"entrance": [True, False]}), "whole numbers"),
        (changed(places={"checkpoint " + "1" * 5000: [0, 0]}), "unknown place"),
        ('{"tiles": ' + "1" * 5000 + "}", "numbers of at most 300 digits"),
        ("[" * 100_000, "at most 64 nested lists"),
        ('{"tiles": []}', "at least 2x2"),
    ],
)
def test_a_wrong_json_file_is_refused_and_the_reason_is_named(
    content: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "level.json"
    path.write_text(content)
    with pytest.raises(InputError, match=words) as problem:
        levolve.load(path)
    assert "level.json" in str(problem.value)


def test_other_files_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.png"
    Image.new("RGB", (3, 3)).save(other)
    with pytest.raises(InputError, match="written by levolve"):
        levolve.load(other)
    other.write_bytes(b"no picture")
    with pytest.raises(InputError, match="expected a picture"):
        levolve.load(other)
    with pytest.raises(UnknownNameError, match="did you mean 'json'"):
        levolve.load(tmp_path / "a.jsn")
    with pytest.raises(InputError, match=r"ends in one of \.txt, \.json"):
        levolve.load(tmp_path / "a")
    with pytest.raises(InputError, match="expected a file that can be read"):
        levolve.load(tmp_path / "none.json")
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="expected text"):
        levolve.load(binary)


def test_a_picture_has_the_given_tile_size_and_shows_the_path_only_if_requested() -> None:
    assert draw_level(LEVEL, 20).size == (60, 60)
    assert draw_level(LEVEL, 1).size == (3, 3)
    assert encode(LEVEL, Look(tile=20)) != encode(LEVEL, Look(tile=20), path=False)
    assert draw_level(LEVEL, 20).getpixel((30, 30)) != draw_level(LEVEL, 20, path=False).getpixel(
        (30, 30)
    )
    assert list(path_cells(LEVEL)) == [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]


def test_an_animation_has_a_frame_for_each_level_up_to_a_limit(tmp_path: Path) -> None:
    other = Level.from_text("S..\n...\n#.E").with_solution("rdrd")
    frames = [(f"generation {n}", LEVEL if n % 2 else other) for n in range(300)]
    path = write_file(tmp_path / "a.gif", encode_frames(frames))
    with Image.open(path) as picture:
        assert 90 <= getattr(picture, "n_frames", 1) <= MOST_FRAMES + 1
        assert picture.info["loop"] == 0
        assert json.loads(picture.info["comment"])["digest"] == LEVEL.digest
    with pytest.raises(InputError, match="at least one level"):
        encode_frames([])


def test_the_terminal_shows_two_rows_a_line() -> None:
    plain = terminal_picture(LEVEL, colour=False).splitlines()
    assert len(plain) == 4
    assert "S" in plain[1]
    assert "E" in plain[2]
    coloured = terminal_picture(LEVEL).splitlines()
    assert len(coloured) == 2
    assert all(line.count("▀") == 3 and line.endswith("\x1b[0m") for line in coloured)


def test_a_contact_sheet_has_room_for_all() -> None:
    assert (
        contact_sheet([LEVEL] * 12, ["caption"] * 12).size[0]
        > contact_sheet([LEVEL] * 2, ["caption"] * 2).size[0]
    )


def test_captions_wider_than_their_levels_stay_apart() -> None:
    pixels = np.asarray(
        contact_sheet([LEVEL] * 2, ["a caption wider than the level"] * 2, columns=2)
    )[:, 24:]
    first, second = np.split(pixels, 2, axis=1)
    np.testing.assert_array_equal(first, second)
    assert (first[:, -24:] == PAPER).all()


@pytest.mark.parametrize("origin", ["5", "null", "[1]", "[" * 50_000, "1" * 5000])
def test_a_wrong_origin_in_a_text_file_is_refused(origin: str, tmp_path: Path) -> None:
    path = tmp_path / "level.txt"
    path.write_text(f"S.\n.E\norigin: {origin}\n")
    with pytest.raises(InputError, match="origin: expected"):
        levolve.load(path)


def test_a_large_level_travels_inside_its_picture(tmp_path: Path) -> None:
    tiles = np.zeros((1024, 1024), np.uint8)
    tiles[1::2, ::3] = 1
    level = Level(tiles, {"entrance": (0, 0), "exit": (1023, 1022)})
    assert levolve.load(levolve.save(level, tmp_path / "large.png")) == level


def test_a_picture_too_large_to_draw_is_refused() -> None:
    with pytest.raises(InputError, match="too large to draw"):
        draw_level(Level(np.zeros((200, 200), np.uint8)), 256)


def test_culs_de_sac_and_a_legend_are_drawn_if_requested() -> None:
    level = Level.from_text("S..\n##.\n...")
    bare, marked, explained = (
        draw_level(level, 20),
        draw_level(level, 20, ends=True),
        draw_level(level, 20, legend=True),
    )
    assert bare.tobytes() != marked.tobytes()
    assert explained.size[1] > bare.size[1]
    assert end_cells(level) == [(0, 2)]


def test_a_saved_animation_shows_the_solution(tmp_path: Path) -> None:
    with Image.open(levolve.save(LEVEL, tmp_path / "walk.gif")) as picture:
        assert getattr(picture, "n_frames", 1) == 5


def test_a_text_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "level.txt"
    path.write_bytes(b"\xef\xbb\xbfS.\n.E\n")
    assert levolve.load(path).to_text() == "S.\n.E"


def test_places_that_share_a_character_do_not_hide_the_entrance() -> None:
    level = Level(
        np.zeros((2, 3), np.uint8),
        {"entrance": (0, 0), "checkpoint 1": (0, 1), "checkpoint 12": (2, 0)},
    )
    assert "S *" in terminal_picture(level, colour=False)

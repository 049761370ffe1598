"""The source's text files: what they hold, what their maps are, and that nothing is run twice."""

from pathlib import Path

import numpy as np
import pytest

from levolve.core.errors import InputError
from levolve.worlds.files import convert_designs, designs_in
from levolve.worlds.maps import FashionMap, make_map
from levolve.worlds.records import appended, read_maps, read_records, write_maps
from levolve.worlds.rule import Rule
from levolve.worlds.shipped import find_design, find_designs

SOURCE = Rule([[0, 0.5], [0.2, 0.6]], arithmetic="float")
START = np.random.default_rng(2).integers(0, 2, (7, 9)).astype(np.uint8)
LINE = "sMs[0, 0.5, 0.2, 0.6]g3n2w7l9neighbours[(0, 1), (0, -1), (-1, 0), (1, 0)]"


@pytest.fixture
def spirals() -> FashionMap:
    return make_map("spirals", size=(20, 12), seed=3, updates=5)


def test_a_record_of_ours_is_a_result_and_is_not_run_again(
    spirals: FashionMap, tmp_path: Path
) -> None:
    path = spirals.save(tmp_path / "s.txt")
    again = make_map(path)
    assert again.given == "result"
    assert again.digest == spirals.digest
    assert again.to_data()["updates"] == 5
    assert again.remarks == ()
    assert make_map(path, map_is="start").digest != spirals.digest
    for arguments in ({"updates": 3}, {"morph": ["lagoon"]}):
        with pytest.raises(InputError, match="already the result of 5 updates"):
            make_map(path, **arguments)
    assert make_map(path, size=(20, 12), seed=3, updates=5).digest == spirals.digest, (
        "a size asks for a new map by the record's rule"
    )


def test_a_record_of_the_source_is_a_start_and_that_is_remarked(tmp_path: Path) -> None:
    path = tmp_path / "s.txt"
    path.write_text(f"{write_maps([START])}{LINE}\n")
    made = make_map(path)
    assert np.array_equal(made.tiles, SOURCE.run(START, 3))
    assert made.given == "start"
    assert "does not say whether its map is the start or the result" in made.remarks[0]
    result = make_map(path, map_is="result")
    assert np.array_equal(result.tiles, START)
    assert result.to_data()["seed"] is None
    assert make_map(path, map_is="start").remarks == ()


def test_a_text_file_with_the_map_of_every_update_is_a_result_with_its_frames(
    tmp_path: Path,
) -> None:
    made = make_map(SOURCE, start=START, updates=3)
    path = made.save(tmp_path / "every.txt", content="every")
    lines = path.read_text().splitlines()
    assert lines[:4] == write_maps(SOURCE.frames(START, 3)).splitlines()
    assert lines[4] == LINE
    bare = tmp_path / "bare.txt"
    bare.write_text("\n".join(lines[:5]))
    for file in (path, bare):
        again = make_map(file)
        assert again.given == "result"
        assert again.start is not None
        assert np.array_equal(again.start, START)
        assert [tiles.tolist() for tiles in again.frames()] == [
            tiles.tolist() for tiles in SOURCE.frames(START, 3)
        ]
        assert again.digest == made.digest


def test_a_map_alone_is_read_with_its_size(tmp_path: Path) -> None:
    made = make_map(SOURCE, start=START, updates=3)
    path = made.save(tmp_path / "map.txt", content="map")
    assert path.read_text() == write_maps([made.tiles])
    (tiles,) = read_maps(path.read_text(), (9, 7))
    assert np.array_equal(tiles, made.tiles)
    again = make_map(path, size=(9, 7))
    assert np.array_equal(again.tiles, made.tiles)
    assert again.given == "result"
    assert np.array_equal(make_map(SOURCE, start=path, size="9x7", updates=0).tiles, made.tiles)
    for arguments in ({}, {"size": (9, 8)}):
        with pytest.raises(
            InputError,
            match=r"got maps alone|expected 72 digits for a map of 9x8 by the size given, got 63",
        ):
            make_map(path, **arguments)  # type: ignore[arg-type]
    designs = designs_in(path, size="9x7")
    assert designs is not None
    convert_designs(designs, tmp_path / "map.npy")
    assert np.array_equal(np.load(tmp_path / "map.npy"), made.tiles)


def test_a_start_may_be_an_array_or_a_record(spirals: FashionMap, tmp_path: Path) -> None:
    np.save(tmp_path / "start.npy", START)
    assert np.array_equal(
        make_map(SOURCE, start=tmp_path / "start.npy", updates=2).tiles, SOURCE.run(START, 2)
    )
    spirals.save(tmp_path / "s.txt")
    assert np.array_equal(
        make_map("spirals", start=tmp_path / "s.txt", updates=0).tiles, spirals.tiles
    )
    (tmp_path / "two.txt").write_text((tmp_path / "s.txt").read_text() * 2)
    (tmp_path / "bad.npy").write_text("hello")
    for name, complaint in (
        ("two.txt", "expected one map, got 2"),
        ("bad.npy", "an array saved by NumPy"),
        ("none.txt", "can be read"),
    ):
        with pytest.raises(InputError, match=complaint):
            make_map("spirals", start=tmp_path / name)


def test_parameters_alone_have_an_empty_line_for_the_map(tmp_path: Path) -> None:
    path = make_map(SOURCE, start=START, updates=3).save(tmp_path / "p.txt", content="parameters")
    assert path.read_text() == f"\n{LINE}\n"
    assert find_design(path).given is None


def test_appending_adds_records_and_maps_to_those_there(tmp_path: Path) -> None:
    made = make_map(SOURCE, start=START, updates=3)
    path = tmp_path / "all.txt"
    for content in ("map", "map", "record", "parameters"):
        made.save(path, content=content, append=True)
    first, second = read_records(path.read_text())
    assert (len(first.earlier), first.stated, second.tiles) == (2, "result", None)
    made.save(path, content="record")
    assert len(read_records(path.read_text())) == 1, "without append a file is replaced"


def test_appending_to_a_file_of_another_kind_is_refused_and_leaves_it_alone(tmp_path: Path) -> None:
    made = make_map(SOURCE, start=START, updates=3)
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk.\n")
    with pytest.raises(InputError, match=r"notes\.txt, line 1: expected a map in digits"):
        made.save(path, append=True)
    assert path.read_text() == "Buy milk.\n"
    path.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(InputError, match="expected text in UTF-8"):
        made.save(path, append=True)
    with pytest.raises(InputError, match=r"append: expected a file name that ends in \.txt"):
        made.save(tmp_path / "a.png", append=True)
    with pytest.raises(InputError, match="line 1: expected 63 digits"):
        appended("0101\n", made.to_text(), "maps")


def test_sizes_that_do_not_match_the_map_are_refused() -> None:
    with pytest.raises(
        InputError,
        match=(
            "line 1: expected 63 digits for a map of 9x7 by w7 and l9 in the next 'sMs' line, "
            "got 62"
        ),
    ):
        read_records(f"{'0' * 62}\n{LINE}")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"# map: result\n{LINE}", "line 1: expected this line directly after the 'sMs' line"),
        (f"{LINE}\n# map: middle", "line 2: expected a note such as"),
        (f"{LINE}\n# arithmetic: decimal", "line 2: expected a note such as"),
    ],
)
def test_notes_that_are_none_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_records(text)


def test_frames_may_have_a_prefix_that_stays_in_the_folder(
    spirals: FashionMap, tmp_path: Path
) -> None:
    assert [path.name for path in spirals.save_frames(tmp_path / "steps", prefix="my map")][:2] == [
        "my map 0.png",
        "my map 1.png",
    ]
    for prefix in ("../out", "a/b", "a\\b", "..", "\0"):
        with pytest.raises(InputError, match="prefix: expected the beginning of a file name"):
            spirals.save_frames(tmp_path / "steps", prefix=prefix)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["steps"]


def test_results_travel_through_rule_files(spirals: FashionMap, tmp_path: Path) -> None:
    path = spirals.save(tmp_path / "s.txt")
    for name in ("s.toml", "s.json", "t.txt", "s.gif"):
        convert_designs(find_designs(path), tmp_path / name)
    for name in ("s.toml", "s.json"):
        again = make_map(tmp_path / name)
        assert (again.given, again.digest) == ("result", spirals.digest)
    assert (tmp_path / "t.txt").read_bytes() == path.read_bytes()
    (tmp_path / "both.toml").write_text(
        'scores = [[0, 1], [1, 0]]\nstart = ["01"]\nresult = ["10"]\n'
    )
    with pytest.raises(InputError, match="got both"):
        find_designs(tmp_path / "both.toml")


def test_what_a_map_is_can_only_be_said_where_there_is_one() -> None:
    with pytest.raises(InputError, match="map_is: caverns holds no map"):
        make_map("caverns", map_is="result")
    with pytest.raises(InputError, match="map_is: expected 'start' or 'result'"):
        make_map("caverns", map_is="middle")
    with pytest.raises(InputError, match="content: expected one of record, every, map, parameters"):
        make_map("caverns", size=(4, 4), updates=1).to_text("all")


def test_a_folder_or_file_does_not_hide_a_shipped_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "caverns").mkdir()
    assert find_design("caverns").summary == "winding caverns in rock"
    (tmp_path / "coral").write_text(f"{LINE}\n")
    assert find_design("coral").rule.states == 4
    assert find_design("./coral").rule.states == 2
    (tmp_path / "cavern").mkdir()
    with pytest.raises(InputError, match="unknown rule 'cavern'"):
        find_design("cavern")

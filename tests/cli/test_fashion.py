"""`levolve map`, `fingerprint` and `convert`, and what `evolve cavern` reports."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve.cli.app import run
from levolve.worlds.records import read_records
from levolve.worlds.rule import Rule
from levolve.worlds.shipped import find_designs
from levolve.worlds.world import World


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_map_is_written_in_every_form(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outputs = [
        part
        for suffix in ("png", "gif", "npy", "txt", "toml", "json")
        for part in ("-o", f"a.{suffix}")
    ]
    call = [
        "map",
        "caverns",
        "--size",
        "30x20",
        "--seed",
        "3",
        "--updates",
        "5",
        "--json",
        "--frames",
        "steps",
        "--level",
        "level.json",
        *outputs,
    ]
    assert run(call) == 0
    data = json.loads(capsys.readouterr().out)
    (design,) = find_designs("caverns")
    start = design.starting((30, 20), 3)
    final = design.rule.run(start, 5)
    assert np.array_equal(np.load("a.npy"), final)
    assert data["seed"] == 3
    assert data["outcome"] == str(design.rule.develop(start, 5))
    (record,) = read_records((here / "a.txt").read_text())
    assert record.tiles is not None
    assert np.array_equal(record.tiles, final)
    assert record.updates == 5
    for name in ("a.toml", "a.json"):
        (again,) = find_designs(name)
        assert again.start is not None
        assert np.array_equal(again.make((1, 1)), final), (
            "a rule file holds the start map: the map can be made again"
        )
    with Image.open("a.png") as image:
        assert image.size == (120, 80)
        assert "scores" in image.info["rule"]
    assert len(list((here / "steps").iterdir())) == 6
    with Image.open("a.gif") as image:
        assert image.size == (120, 80)
    levolve.load("level.json").check()


def test_a_window_of_the_world_is_shown(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run(
            [
                "map",
                "spirals",
                "--seed",
                "3",
                "--updates",
                "4",
                f"--window={2**61},-70,20,10",
                "--scale",
                "2",
                "-o",
                "w.npy",
            ]
        )
        == 0
    )
    expected = World(find_designs("spirals")[0].rule, 3, 4).window(2**61, -70, 20, 10, 2)
    assert np.array_equal(np.load(here / "w.npy"), expected)
    assert "spirals 20x10, seed 3" in capsys.readouterr().out


@pytest.mark.parametrize("field", ["linear", "vertical", "radial", "noise", "mask.png"])
def test_rules_change_into_each_other(here: Path, field: str) -> None:
    Image.new("L", (30, 20), 255).save(here / "mask.png")
    call = [
        "map",
        "lagoon",
        "--size",
        "30x20",
        "--seed",
        "3",
        "--updates",
        "4",
        "--morph",
        "spirals",
        "--field",
        field,
        "-o",
        "m.npy",
        "-o",
        "m.gif",
    ]
    assert run(call) == 0
    (first,), (second,) = find_designs("lagoon"), find_designs("spirals")
    start = first.starting((30, 20), 3)
    pure = [rule.run(start, 4) for rule in (first.rule, second.rule)]
    assert np.array_equal(np.load("m.npy"), pure[1]) is (field == "mask.png")
    assert not np.array_equal(np.load("m.npy"), pure[0])


def test_borders_filters_and_pouring_are_options_of_a_map(here: Path) -> None:
    call = [
        "map",
        "caverns",
        "--size",
        "30x20",
        "--seed",
        "3",
        "--border",
        "bounded",
        "--smooth",
        "2",
        "--pour",
        "0,0=1",
        "-o",
        "b.npy",
    ]
    assert run(call) == 0
    (design,) = find_designs("caverns")
    rule = Rule(design.rule.exact, design.rule.neighbourhood, "bounded")
    expected = rule.smoothed(rule.run(design.starting((30, 20), 3), 40), 2)
    assert np.array_equal(np.load(here / "b.npy"), levolve.fashion.pour(expected, 0, 0, 1))


def test_a_legend_is_drawn_below_a_picture(here: Path) -> None:
    assert run(["map", "lagoon", "--size", "40x30", "--seed", "3", "--legend", "-o", "l.png"]) == 0
    with Image.open(here / "l.png") as image:
        assert image.width == 160
        assert image.height > 120 + 26


def test_a_large_map_is_written_in_tiles(here: Path) -> None:
    for target in ("world.npy", "world"):
        assert (
            run(
                [
                    "map",
                    "spirals",
                    "--seed",
                    "3",
                    "--updates",
                    "2",
                    "--size",
                    "700x600",
                    "--tiles",
                    target,
                    "--threads",
                    "2",
                    "--quiet",
                ]
            )
            == 0
        )
    expected = World(find_designs("spirals")[0].rule, 3, 2).window(0, 0, 700, 600)
    assert np.array_equal(np.load(here / "world.npy"), expected)
    assert (here / "world" / "1" / "0" / "0.png").exists()


def test_tiles_in_a_folder_called_like_the_rule_do_not_break_it(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(
            [
                "map",
                "spirals",
                "--seed",
                "3",
                "--updates",
                "1",
                "--size",
                "32x32",
                "--tiles",
                "spirals",
                "--quiet",
            ]
        )
        == 0
    )
    assert (here / "spirals").is_dir()
    capsys.readouterr()
    assert (
        run(["map", "spirals", "--seed", "3", "--updates", "1", "--size", "32x32", "--json"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["rule"] == "spirals"


def test_a_record_is_not_run_twice(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["map", "spirals", "--seed", "3", "--size", "32x32", "-o", "s.txt", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert run(["map", "s.txt", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["digest"], again["updates"], again["given"]) == (made["digest"], 40, "result")
    text = (here / "s.txt").read_text().splitlines()
    (here / "s.txt").write_text("\n".join(text[:2]))
    assert run(["map", "s.txt"]) == 0
    shown = capsys.readouterr()
    assert "from the start map given" in shown.out
    assert "does not say whether its map is the start or the result" in shown.err
    assert run(["map", "s.txt", "--map-is", "result", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == made["digest"]


def test_text_files_hold_what_is_asked_for(here: Path) -> None:
    call = ["map", "caverns", "--size", "12x9", "--seed", "3", "--updates", "4", "--quiet"]
    for content, lines in (("record", 3), ("every", 7), ("map", 1), ("parameters", 3)):
        assert run([*call, "-o", f"{content}.txt", "--text", content]) == 0
        assert len((here / f"{content}.txt").read_text().splitlines()) == lines, content
    assert run([*call, "-o", "record.txt", "--append"]) == 0
    assert len(read_records((here / "record.txt").read_text())) == 2
    assert run(["map", "map.txt", "--size", "12x9", "-o", "shown.npy", "--quiet"]) == 0
    assert run(["convert", "map.txt", "converted.npy", "--size", "12x9", "--quiet"]) == 0
    assert np.array_equal(np.load("shown.npy"), np.load("converted.npy"))
    assert run([*call[:-1], "--start", "map.txt", "-o", "further.npy", "--quiet"]) == 0
    assert np.array_equal(
        np.load("further.npy"), find_designs("caverns")[0].rule.run(np.load("shown.npy"), 4)
    )
    assert run([*call, "--frames", "steps", "--prefix", "cave"]) == 0
    assert (here / "steps" / "cave 4.png").exists()


@pytest.mark.usefixtures("here")
def test_a_map_and_the_list_of_rules_are_shown_on_80_columns_and_24_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for call in (
        ["map", "lagoon", "--seed", "1", "-o", "a.png"],
        ["rules"],
        ["map", "caverns", "--seed", "1"],
    ):
        assert run(call) == 0
        shown = capsys.readouterr()
        lines = [*shown.out.splitlines(), *shown.err.splitlines()]
        assert len(lines) <= 24
        assert all(len(line) <= 80 for line in lines)
    assert any(sign in shown.out for sign in "▀▄█"), "a picture"
    for quiet in (["--quiet"], ["--json"]):
        assert run(["map", "caverns", "--seed", "1", *quiet]) == 0
        assert not any(sign in capsys.readouterr().out for sign in "▀▄█")
    assert run(["rules", "--json"]) == 0
    assert {"name", "summary", "states", "arithmetic", "thumbnail"} <= set(
        json.loads(capsys.readouterr().out)[0]
    )


def test_the_arithmetic_is_an_option_of_maps_tiles_and_fingerprints(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    digests = []
    for arithmetic in ("exact", "float"):
        assert (
            run(
                [
                    "map",
                    "source",
                    "--seed",
                    "1",
                    "--arithmetic",
                    arithmetic,
                    "--json",
                    "-o",
                    f"{arithmetic}.npy",
                ]
            )
            == 0
        )
        digests.append(json.loads(capsys.readouterr().out)["digest"])
        assert run(["fingerprint", "source", "--arithmetic", arithmetic, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ordered"] is (arithmetic == "float")
        tiles = ["--size", "100x80", "--tiles", f"{arithmetic}-world.npy"]
        assert (
            run(
                [
                    "map",
                    "source",
                    "--seed",
                    "1",
                    "--updates",
                    "3",
                    "--arithmetic",
                    arithmetic,
                    *tiles,
                    "--quiet",
                ]
            )
            == 0
        )
        capsys.readouterr()
    assert digests[0] != digests[1]
    assert not np.array_equal(np.load(here / "exact-world.npy"), np.load(here / "float-world.npy"))


def test_fingerprints_are_printed_and_drawn(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "same.json").write_text('{"scores": [[1, 2], [1.4, 2.2]]}')
    assert (
        run(
            [
                "fingerprint",
                "source",
                "same.json",
                "--arithmetic",
                "exact",
                "--portrait",
                "p.png",
                "--side",
                "32",
                "--json",
            ]
        )
        == 0
    )
    first, second = json.loads(capsys.readouterr().out)
    assert first["digest"] == second["digest"]
    assert first["generic"] is False
    with Image.open("p.png") as image:
        assert image.size == (32, 32)
    assert run(["fingerprint", "lagoon"]) == 0
    assert "6 states, 4 neighbours" in capsys.readouterr().out


def test_records_become_anything_else(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["map", "coral", "--size", "20x10", "--seed", "1", "-o", "a.txt", "--quiet"]) == 0
    for name in ("a.png", "a.gif", "a.npy", "a.toml", "a.json", "b.txt"):
        assert run(["convert", "a.txt", name, "--quiet"]) == 0
    assert (here / "a.txt").read_bytes() == (here / "b.txt").read_bytes()
    assert run(["convert", "a.json", "c.txt"]) == 0
    assert (here / "a.txt").read_bytes() == (here / "c.txt").read_bytes(), "back from a rule file"
    assert run(["convert", "a.txt", "level.json", "--level"]) == 0
    level = levolve.load("level.json")
    assert (level.width, level.height) == (20, 10)
    assert run(["convert", "level.json", "level.txt"]) == 0
    assert levolve.load("level.txt") == level
    (here / "two.txt").write_text((here / "a.txt").read_text() * 2)
    capsys.readouterr()
    assert run(["convert", "two.txt", "two.png", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == ["two-1.png", "two-2.png"]
    assert run(["map", "two.txt", "--record", "2", "-o", "again.npy"]) == 0


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["map", "cavern"], "did you mean 'caverns'"),
        (["map", "none.txt"], "none.txt: expected a file that can be read"),
        (["map", "broken.txt"], "broken.txt, line 1: "),
        (["map", "caverns", "--size", "20"], "WIDTHxHEIGHT"),
        (["map", "caverns", "--window", "1,2,3"], "X,Y,WIDTH,HEIGHT"),
        (["map", "caverns", "--scale", "2"], "scale: expected a window"),
        (
            ["map", "caverns", "--window", "0,0,9,9", "--size", "9x9"],
            "size: cannot be used together with window",
        ),
        (["map", "caverns", "-o", "a.bmp"], "ends in one of"),
        (["map", "caverns", "--updates", "-1"], "updates: expected"),
        (["map", "caverns", "--palette", "none"], "unknown palette"),
        (["map", "caverns", "--border", "round"], "border: expected"),
        (["map", "caverns", "--record", "2"], "record: expected from 1 to 1"),
        (["map", "caverns", "--pour", "1=2"], "--pour: expected X,Y=STATE"),
        (["map", "caverns", "--pour", "1,1=2"], "pour: expected a state from 0 to 1"),
        (["map", "caverns", "--morph", "lagoon"], "rules: expected the states"),
        (["map", "caverns", "--morph", "cracks", "--field", "zigzag"], "field: expected one of"),
        (
            ["map", "caverns", "--arithmetic", "decimal"],
            "arithmetic: expected 'exact', 'float' or 'text'",
        ),
        (
            ["map", "caverns", "--prefix", "a", "--frames", "f", "--prefix", "../a"],
            "prefix: expected the beginning of a file name",
        ),
        (["map", "caverns", "--prefix", "a"], "--prefix: requires --frames DIR"),
        (["map", "caverns", "--text", "every"], "--text: requires -o FILE.txt"),
        (["map", "caverns", "--text", "all", "-o", "a.txt"], "content: expected one of"),
        (["map", "caverns", "--append", "-o", "broken.txt"], "broken.txt, line 1"),
        (
            ["map", "caverns", "--append", "-o", "a.png"],
            "append: expected a file name that ends in .txt",
        ),
        (["map", "wrong.txt"], "wrong.txt, line 1: expected 6 digits"),
        (["map", "caverns", "--map-is", "start"], "holds no map"),
        (
            ["map", "caverns", "--tiles", "t", "--morph", "cracks"],
            "--morph: cannot be used together with --tiles",
        ),
        (["fingerprint", "caverns", "--axes", "1"], "axes"),
        (["fingerprint", "caverns", "--portrait", "a.gif"], "ends in .png"),
        (["convert", "none.txt", "a.png"], "none.txt"),
        (["convert", "mapless.txt", "a.png"], "this record has none"),
        (["evolve", "maze", "-o", "rule.toml"], "fashion rule"),
    ],
)
def test_wrong_usage_is_explained(
    here: Path, arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "broken.txt").write_text("sMs[0.0, 0.5]g6n2w2l3")
    (here / "wrong.txt").write_text("01010\nsMs[0.0, 0.5, 0.2, 0.6]g6n2w2l3neighbours[(0, 1)]")
    (here / "mapless.txt").write_text("sMs[0.0, 0.5, 0.2, 0.6]g6n2w2l3neighbours[(0, 1)]")
    if "--axes" in arguments:
        arguments = [*arguments, "--portrait", "a.png"]
    assert run(arguments) == 2
    assert complaint in capsys.readouterr().err


def test_an_evolved_rule_is_written_and_tried_on_unseen_maps(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = [
        "evolve",
        "cavern",
        "--size",
        "30x30",
        "--generations",
        "3",
        "--seed",
        "1",
        "-o",
        "rule.toml",
        "--set",
        "genotype.starts=2",
        "--json",
    ]
    assert run(call) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["unseen"]["maps"] == 100
    (design,) = find_designs(here / "rule.toml")
    assert design.rule.states == 3
    assert run(["map", "rule.toml", "--seed", "5"]) == 0


@pytest.mark.parametrize(
    "what", [["-o", "a.png"], ["-o", "a.gif"], ["--frames", "steps"], ["--level", "a.json"]]
)
@pytest.mark.parametrize("size", [["--size", "16384x16384"], ["--window", "0,0,16384,16384"]])
def test_a_map_too_large_for_its_files_is_refused_before_it_is_made(
    here: Path,
    what: list[str],
    size: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "levolve.worlds.design.Design.starting", lambda *_: pytest.fail("the start map was drawn")
    )
    monkeypatch.setattr(
        "levolve.worlds.world.World.window", lambda *_: pytest.fail("the window was computed")
    )
    assert run(["map", "caverns", *size, "--pixels", "1", *what]) == 2
    (message,) = capsys.readouterr().err.strip().splitlines()
    assert "16384x16384" in message
    assert not list(here.iterdir())

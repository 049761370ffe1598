"""What commands print, and how they refuse."""

import json
import re
from pathlib import Path

import pytest
from PIL import Image

import levolve
from levolve.cli.app import run
from levolve.puzzles.flag.files import shipped as shipped_rounds
from levolve.recipes.recipe import Recipe, find_recipe, shipped

SMALL = "S.#\n..1\n#.E\nsolution: rdrd\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(SMALL)
    return path


def test_recipes_are_listed_a_line_each_and_printed_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["recipes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == shipped()
    assert run(["recipes", "maze"]) == 0
    assert Recipe.from_text(capsys.readouterr().out).name == "maze"
    assert run(["recipes", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == shipped()


def test_a_recipe_is_printed_with_what_is_from_the_paper_and_what_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in shipped():
        assert run(["recipes", name]) == 0
        printed = capsys.readouterr().out
        assert Recipe.from_text(printed) == find_recipe(name)
        lines = [line for line in printed.splitlines() if line.startswith("#")]
        if name.startswith(("ashlock-", "adams-")):
            assert printed.startswith(lines[0])
            assert any(line.startswith("# From the paper: ") for line in lines)
            assert any(line.startswith("# Chosen by levolve: ") for line in lines)
            assert max(map(len, lines)) <= 100


def test_a_recipe_of_ones_own_is_evolved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["recipes", "maze"]) == 0
    mine = tmp_path / "mine.toml"
    mine.write_text(
        capsys.readouterr()
        .out.replace('"maze"', '"mine"')
        .replace("population = 120", "population = 20")
    )
    assert (
        run(
            [
                "evolve",
                str(mine),
                "--size",
                "8x8",
                "--generations",
                "5",
                "--seed",
                "1",
                "--json",
                "--set",
                "strategy.group=5",
            ]
        )
        == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert data["recipe"] == "mine"
    assert data["evaluations"] <= 20 * 6


def test_evolve_shows_the_level_and_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evolve", "maze", "--size", "9x9", "--seed", "3", "--generations", "20"]) == 0
    out = capsys.readouterr().out
    expected = levolve.evolve("maze", size=(9, 9), seed=3, generations=20)
    assert "▐S" in out
    assert f"seed 3: best score {expected.best_score:g}" in out
    assert expected.digest in out


def test_show_prints_picture_measures_solution_and_origin(
    small: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["show", str(small)]) == 0
    out = capsys.readouterr().out
    assert "3x3 walls, entrance, exit, checkpoint 1" in out
    assert re.search(r"solution +4 moves, replayed: rdrd", out)
    assert run(["show", str(small), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["solution"], data["measures"]["exit_path"]) == ("rdrd", 4)
    assert run(["show", str(small), "-o", str(tmp_path / "a.png"), "--tile", "8", "--no-path"]) == 0
    assert levolve.load(tmp_path / "a.png").solution == "rdrd"


def test_show_draws_the_field_and_puts_it_into_the_data(
    small: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(["show", str(small), "--field", "distances"]) == 0
    assert capsys.readouterr().out.startswith(
        "S2#\n246\n#6E\n0 to 9: tenths of the way from 0 to 4 steps"
    )
    assert run(["show", str(small), "--field", "members"]) == 0
    assert capsys.readouterr().out.startswith("S.#\n..a\n#.E\nmembers: a 1;")
    assert run(["show", str(small), "--field", "members", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["field"] == levolve.field(levolve.load(small)).to_data()
    for kind in ("distances", "members"):
        assert (
            run(
                [
                    "show",
                    str(small),
                    "--field",
                    kind,
                    "-o",
                    str(tmp_path / f"{kind}.png"),
                    "--caption",
                    "tiles",
                ]
            )
            == 0
        )
        assert levolve.load(tmp_path / f"{kind}.png") == levolve.load(small)
    assert (tmp_path / "distances.png").read_bytes() != (tmp_path / "members.png").read_bytes()
    capsys.readouterr()
    assert run(["show", str(small), "--field", "walls"]) == 2
    assert "unknown field 'walls'" in capsys.readouterr().err
    assert run(["show", str(small), "--caption", "miles", "-o", str(tmp_path / "a.png")]) == 2
    assert "caption: expected steps or tiles, got 'miles'" in capsys.readouterr().err


def test_show_reads_a_drawing_in_a_frame(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    drawing = tmp_path / "drawing.txt"
    drawing.write_text("+----+\n|A X |\n|   B|\n|X   |\n|  XC|\n+----+\n")
    assert run(["show", str(drawing), "--all"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"tour steps +12 .*\n.*tour tiles +15 ", out)
    assert re.search(r" +solution +6 moves", out)


def test_several_mutations_in_a_row_are_set_from_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    scheme = (
        'strategy.mutation={kind="sequence", mutations=[{kind="double_rotation", rate=0.2}, '
        '"point"]}'
    )
    assert (
        run(
            [
                "evolve",
                "maze",
                "--size",
                "9x9",
                "--seed",
                "3",
                "--generations",
                "40",
                "--json",
                "--set",
                scheme,
            ]
        )
        == 0
    )
    several = json.loads(capsys.readouterr().out)
    mutation = {
        "kind": "sequence",
        "mutations": [{"kind": "double_rotation", "rate": 0.2}, {"kind": "point"}],
    }
    assert (
        several["digest"]
        == levolve.evolve(
            "maze", size=(9, 9), seed=3, generations=40, settings={"strategy.mutation": mutation}
        ).digest
    )
    assert several["digest"] != levolve.evolve("maze", size=(9, 9), seed=3, generations=40).digest


def test_a_level_wider_than_the_terminal_is_not_smeared_over_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wide.txt"
    path.write_text(f"S{'.' * 198}E\n{'#' * 200}\n")
    assert run(["show", str(path)]) == 0
    out = capsys.readouterr().out
    assert "200 tiles wide" in out
    assert re.search(r"exit path +199", out)


def test_replay_reports_whether_the_bytes_are_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.json"
    assert (
        run(
            [
                "evolve",
                "maze",
                "--size",
                "8x8",
                "--seed",
                "5",
                "--generations",
                "9",
                "-o",
                str(path),
                "-q",
            ]
        )
        == 0
    )
    assert run(["replay", str(path)]) == 0
    assert "the same bytes" in capsys.readouterr().out
    data = json.loads(path.read_text())
    path.write_text(json.dumps({**data, "seed": 6}))
    assert run(["replay", str(path)]) == 1
    assert "the bytes differ" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["json", "txt"])
def test_replay_says_that_a_round_cannot_be_grown_again(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = levolve.save(shipped_rounds()[8], tmp_path / f"round.{suffix}")
    assert run(["replay", str(path)]) == 2
    captured = capsys.readouterr()
    assert (
        "expected a level, got a round of a puzzle; puzzles have no recipe and cannot be "
        "regenerated"
    ) in captured.err
    assert captured.out == ""


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["evolve", "maze", "--size", "0x0"], 2, "size: expected at least 2x2"),
        (["evolve", "maze", "--size", "1x9"], 2, "size: expected at least 2x2"),
        (["evolve", "maze", "--size", "-4x9"], 2, "size: expected at least 2x2"),
        (["evolve", "maze", "--size", "wide"], 2, "WIDTHxHEIGHT such as 20x20, got 'wide'"),
        (["evolve", "maze", "--size", "9000000x9000000"], 2, "choose a smaller size"),
        (["evolve", "maze", "--size", "16000x16000"], 1, "GB of memory"),
        (["evolve", "maize"], 2, "unknown recipe 'maize': did you mean 'maze'"),
        (
            ["evolve", "maze", "--objective", "exit_paths"],
            2,
            "unknown objective 'exit_paths': did you mean 'exit_path'",
        ),
        (
            ["evolve", "maze", "--set", "genotype.kind=directly"],
            2,
            "unknown genotype 'directly': did you mean 'direct'",
        ),
        (["evolve", "maze", "--set", "population"], 2, "expected KEY=VALUE"),
        (["evolve", "maze", "--seed", "seven"], 2, "--seed"),
        (["evolve", "maze", "--seed", "-7"], 2, "seed: expected a whole number from 0"),
        (["evolve", "maze", "--threads", "0"], 2, "threads: expected at least 1"),
        (["evolve", "maze", "--generations", "-1"], 2, "generations: expected"),
        (["evolve", "maze", "-o", "level.jsn"], 2, "unknown format 'jsn': did you mean 'json'"),
        (
            ["evolve", "maze", "-o", "FOLDER/small.txt/level.json"],
            1,
            "is not a folder that can be written",
        ),
        (["evolve", "maze", "-o", "FOLDER"], 2, "expected a file name that ends in"),
        (
            [
                "evolve",
                "maze",
                "--set",
                "genotype.fill=1",
                "--generations",
                "0",
                "-o",
                "FOLDER/level.json",
            ],
            1,
            "no winnable level",
        ),
        (["demo", "-o", "FOLDER/small.txt"], 1, "expected a folder, got a file"),
        (["evolve"], 2, "RECIPE"),
        (["evlove", "maze"], 2, "evolve"),
        (["evolve", "maze", "--sise", "3x3"], 2, "--size"),
        (["recipes", "maizes"], 2, "did you mean 'maze'"),
        (["show", "FOLDER/none.json"], 2, "expected a file that can be read"),
        (["show", "FOLDER/broken.json"], 2, "expected valid JSON"),
        (["show", "FOLDER/false.json"], 1, "move 1 (r) from 0,0 to 1,0 is not a legal step"),
        (["show", "FOLDER/walled.txt"], 2, "entrance: expected a walkable tile, got wall at 0,0"),
        (["show", "FOLDER/small.txt", "-o", "FOLDER/a.gif"], 2, "ends in .png"),
        (["show", "FOLDER/small.txt", "-o", "FOLDER/a.png", "--tile", "0"], 2, "--tile"),
        (["convert", "FOLDER/small.txt", "FOLDER"], 1, "is a folder; choose another path\n"),
        (["replay", "FOLDER/small.txt"], 2, "expected a level with an origin"),
        (["evolve", "FOLDER/broken.toml"], 2, "expected valid TOML"),
        (["evolve", "FOLDER/level.json"], 2, "got a level; use 'levolve show' to see it"),
        (["evolve", "maze", "--target", "exit_path"], 2, "--target: expected MEASURE=VALUE"),
        (["evolve", "maze", "--target", "exit=5"], 2, "did you mean 'exit_path'"),
        (["evolve", "maze", "--target", "exit_path=9..5"], 2, "a lower value and a higher one"),
        (
            ["evolve", "maze", "--target", "exit_path=far"],
            2,
            "expected a number or LOW..HIGH, got 'far'",
        ),
        (["evolve", "maze", "--keep", "FOLDER/none.txt"], 2, "--keep"),
        (
            ["evolve", "maze", "--keep", "FOLDER/small.txt"],
            2,
            "keep: expected 20 rows of 20 characters",
        ),
        (
            ["evolve", "maze", "--set", "checkpoints=30,1"],
            2,
            "checkpoint 1: expected a cell inside the 20x20 level",
        ),
        (["evolve", "maze", "--set", "objective.exit_members=9"], 2, "at most the 5 checkpoints"),
        (
            ["evolve", "maze", "--set", "strategy.population=" + "9" * 5000],
            2,
            "strategy.population: expected",
        ),
        (["evolve", "maze", "--set", "x=" + "[" * 5000], 2, "unknown key 'x'"),
        (["parts", "genotype"], 2, "did you mean 'genotypes'"),
        (["evolve", "maze", "-o", "FOLDER/" + "n" * 300 + ".json"], 1, "cannot be written"),
        (["evolve", "FOLDER/broken.json"], 2, "expected valid JSON"),
    ],
)
def test_a_wrong_call_gets_one_paragraph_and_leaves_nothing(
    arguments: list[str], code: int, words: str, small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = small.parent
    (folder / "broken.json").write_text("{")
    (folder / "broken.toml").write_text("name = ")
    (folder / "level.json").write_text('{"format": "levolve level", "tiles": ["..", ".."]}')
    proof = {"places": {"entrance": [0, 0], "exit": [1, 1]}, "solution": "r"}
    (folder / "false.json").write_text(
        json.dumps({"format": "levolve level", "tiles": [".#", ".."], **proof})
    )
    (folder / "walled.txt").write_text("#.\n.E\nentrance: 0,0\n")
    before = sorted(folder.iterdir())
    assert run([argument.replace("FOLDER", str(folder)) for argument in arguments]) == code
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.startswith("levolve: ")
    assert captured.err.count("\n") == 1, "one paragraph"
    assert captured.out == ""
    assert sorted(folder.iterdir()) == before


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == f"levolve {levolve.__version__}"


def test_no_command_at_all_gets_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    captured = capsys.readouterr()
    assert "Usage: levolve" in captured.out + captured.err


def test_a_target_that_is_missed_is_reported_and_the_nearest_level_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "near.json"
    arguments = [
        "evolve",
        "maze",
        "--size",
        "9x9",
        "--generations",
        "20",
        "--seed",
        "1",
        "-q",
        "-o",
        str(path),
    ]
    assert run([*arguments, "--target", "exit_path=500"]) == 1
    assert "exit_path: wanted 500, the nearest found is" in capsys.readouterr().err
    assert levolve.load(path).solution
    assert run([*arguments, "--target", "exit_path=20..24", "--target", "regions=1..9"]) == 0
    assert 20 <= levolve.measure(levolve.load(path))["exit_path"][0] <= 24


def test_kept_cells_come_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, path = tmp_path / "kept.txt", tmp_path / "level.txt"
    kept.write_text("????????\n?##.????\n????????\n????????\n")
    assert (
        run(
            [
                "evolve",
                "maze",
                "--size",
                "8x4",
                "--keep",
                str(kept),
                "--seed",
                "1",
                "--generations",
                "20",
                "-q",
                "-o",
                str(path),
            ]
        )
        == 0
    )
    assert path.read_text().splitlines()[1][1:4] == "##."
    assert capsys.readouterr().err == ""


def test_the_parts_of_recipes_are_listed_with_their_settings(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["parts"]) == 0
    out = capsys.readouterr().out
    for words in (
        "genotypes",
        "chromatic",
        "start_colours = [2, 3]",
        "isolated_reconvergence",
        "steady_state",
        "two_point",
        "longest_path",
        "gif",
    ):
        assert words in out
    assert run(["parts", "measures", "--json"]) == 0
    assert "exit_path" in json.loads(capsys.readouterr().out)["measures"]


@pytest.mark.parametrize("setting", ["objective.walls=[0.9,0.95]", "objective.exit_members=5"])
def test_conditions_that_are_not_met_are_reported_and_every_file_is_still_written(
    setting: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [tmp_path / name for name in ("a.json", "a.gif", "a.png")]
    outputs = [part for path in paths for part in ("-o", str(path))]
    assert (
        run(
            [
                "evolve",
                "maze",
                "--seed",
                "1",
                "--generations",
                "5",
                "-q",
                "--set",
                setting,
                *outputs,
            ]
        )
        == 1
    )
    assert setting.split(".")[1].split("=", maxsplit=1)[0] in capsys.readouterr().err
    for path in paths:
        levolve.load(path).check()


def test_what_could_not_be_written_is_refused_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forever = ["--generations", "1000000000", "-o", str(tmp_path / "a.json")]
    assert run(["evolve", "maze-chromatic", *forever, "-o", str(tmp_path / "a.xsb")]) == 2
    assert "xsb: expected a level of walls and floor, got rainbow" in capsys.readouterr().err
    (tmp_path / "levolve-walls-stone-16.png").write_text("mine")
    assert run(["evolve", "maze", *forever, "-o", str(tmp_path / "a.tmx")]) == 1
    assert "but another file has it" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["levolve-walls-stone-16.png"]


def test_options_that_would_do_nothing_are_refused(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", str(small), "--legend"]) == 2
    assert "expected -o FILE.png as well" in capsys.readouterr().err
    assert run(["evolve", "maze", "--objective", "culs_de_sac", "--target", "exit_path=5"]) == 2
    assert "target: expected no objective as well" in capsys.readouterr().err
    assert run(["evolve", "maze", "--target", "exit_path=5", "--target", "exit_path=6"]) == 2
    assert "expected each measure once" in capsys.readouterr().err
    for call in (
        ["convert", str(small), "a.csv"],
        ["evolve", "maze", "-o", "a.json"],
        ["map", "caverns", "-o", "a.png"],
    ):
        assert run([*call, "--theme", "paper"]) == 2
        assert "--theme: expected a file that shows tiles as well" in capsys.readouterr().err
    assert run(["show", str(small), "--field", "distances", "--theme", "paper", "-o", "a.png"]) == 2
    assert "--theme: cannot be combined with --field" in capsys.readouterr().err


def test_every_command_that_draws_takes_a_theme_and_a_tile_size(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    look = ["--theme", "paper", "--tile", "10", "--quiet"]
    written = [tmp_path / f"{name}.png" for name in ("convert", "show", "evolve", "map")]
    assert run(["convert", str(small), str(written[0]), *look]) == 0
    assert run(["show", str(small), "-o", str(written[1]), *look]) == 0
    assert (
        run(
            [
                "evolve",
                "maze",
                "--size",
                "8x8",
                "--generations",
                "1",
                "-o",
                str(written[2]),
                "--no-store",
                *look,
            ]
        )
        == 0
    )
    assert (
        run(["map", "caverns", "--size", "12x12", "--level", str(written[3]), "--no-store", *look])
        == 0
    )
    pack = tmp_path / "pack"
    assert (
        run(
            [
                "pack",
                "maze",
                "-n",
                "1",
                "--size",
                "8x8",
                "--set",
                "generations=2",
                "-o",
                str(pack),
                "--no-store",
                *look,
            ]
        )
        == 0
    )
    for path in (*written, *pack.glob("*-maze.png")):
        level = levolve.load(path)
        with Image.open(path) as picture:
            assert picture.size == (10 * level.width, 10 * level.height), path.name
    assert run(["evolve", "maze", "-o", "a.png", "--theme", "papr"]) == 2
    assert "did you mean 'paper'" in capsys.readouterr().err


@pytest.mark.parametrize("suffix", ["png", "gif", "json", "tmx", "npz"])
def test_a_level_too_large_for_its_file_is_refused_before_the_run(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "levolve.search.genotypes.direct.Direct.start", lambda *_: pytest.fail("levels were drawn")
    )
    wrong = ["--size", "4096x4096"] if suffix != "gif" else ["--size", "400x400", "--tile", "64"]
    assert run(["evolve", "maze", *wrong, "-o", str(tmp_path / f"a.{suffix}"), "--no-store"]) == 2
    (message,) = capsys.readouterr().err.strip().splitlines()
    assert "4096x4096" in message or "25600x25600" in message
    assert not list(tmp_path.iterdir())

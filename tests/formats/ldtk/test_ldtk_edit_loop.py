"""The edit loop of LDtk by the commands: what a person added to a project comes back from evolve,
pack and convert.
"""

import json
from pathlib import Path
from typing import Any

import pytest

import levolve
from formats.ldtk.test_merging import added, layer_of
from levolve.cli.app import run
from levolve.formats import FORMATS
from levolve.formats.look import Look
from levolve.formats.originals import ForeignPartsWarning, Original
from levolve.levels.level import Level

LDTK = FORMATS["ldtk"]
LEVEL = Level.from_text("S.#.\n..1.\n#..E").with_solution("rdrdr")
STAYING = ("Clouds", "Enemies", "Marks")


def project(*, several: bool) -> Any:
    made = added(json.loads(LDTK.write(LEVEL, Look())))
    made["levels"] = made["levels"][: 2 if several else 1]
    return made


def written(path: Path, data: Any) -> Path:
    path.write_text(json.dumps(data))
    return path


def same_parts(found: Any, given: Any) -> None:
    assert found["defs"] == given["defs"]
    assert found["levels"][1:] == given["levels"][1:]
    assert all(layer_of(found, name) == layer_of(given, name) for name in STAYING)
    assert {key: value for key, value in found.items() if key not in {"levels", "nextUid"}} == {
        key: value for key, value in given.items() if key not in {"levels", "nextUid"}
    }


@pytest.mark.parametrize("command", ["evolve", "pack", "convert"])
def test_foreign_parts_of_a_project_come_back_equal_element_by_element(
    command: str, tmp_path: Path
) -> None:
    given = project(several=False)
    source, target = written(tmp_path / "a.ldtk", given), tmp_path / "b.ldtk"
    options = ["--from", str(source), "--seed", "1", "-q", "--no-store"]
    if command == "convert":
        assert run(["convert", str(source), str(target)]) == 0
    elif command == "evolve":
        assert run(["evolve", "maze", *options, "--generations", "5", "-o", str(target)]) == 0
    else:
        assert (
            run(
                [
                    "pack",
                    "maze",
                    *options,
                    "--count",
                    "2",
                    "--set",
                    "generations=5",
                    "--distinct",
                    "0",
                    "--to",
                    "ldtk",
                    "-o",
                    str(tmp_path / "p"),
                ]
            )
            == 0
        )
        target = tmp_path / "p" / "02-maze.ldtk"
        assert run(["check", str(tmp_path / "p"), "-q"]) == 0
    again = levolve.load(target)
    again.check()
    assert dict(again.places) == dict(LEVEL.places)
    same_parts(json.loads(target.read_bytes()), given)


def test_a_level_of_a_project_is_replaced_and_the_others_stay(tmp_path: Path) -> None:
    given = project(several=True)
    source, target = written(tmp_path / "a.ldtk", given), tmp_path / "b.ldtk"
    options = ["--seed", "1", "--generations", "5", "-q", "--no-store"]
    assert run(["evolve", "maze", "--from", f"{source}#castle", *options, "-o", str(target)]) == 0
    same_parts(json.loads(target.read_bytes()), given)
    assert levolve.load(f"{target}#Other") == LEVEL
    kept = levolve.load(f"{target}#Castle")
    kept.check()
    # The value keep of the layer Marks.
    assert (kept.tiles[0, 0], kept.tiles[2, 2]) == (LEVEL.tiles[0, 0], LEVEL.tiles[2, 2])


def test_a_pack_from_one_of_several_levels_names_what_it_does_not_keep(tmp_path: Path) -> None:
    source = written(tmp_path / "a.ldtk", project(several=True))
    pack = levolve.pack("maze", count=1, size=(4, 3), seed=1)
    original = Original("a.ldtk", "ldtk", source.read_bytes(), "Castle")
    with pytest.warns(
        ForeignPartsWarning,
        match="not kept in packs, which have a project of their own: level 'Other'",
    ):
        files = pack.files("ldtk", original=original)
    assert "maze.ldtk" in files
    assert Original.from_data(json.loads(json.dumps(original.to_data()))) == original

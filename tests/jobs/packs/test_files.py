"""The folder of a pack."""

import json
import re
from pathlib import Path

import pytest

import levolve
from levolve.core.errors import InputError, OutputError
from levolve.formats import FORMATS
from levolve.jobs.packs.check_pack import check_pack
from levolve.jobs.packs.manifest import encode_manifest
from levolve.jobs.packs.pack import Pack, formats_of
from levolve.recipes.recipe import find_recipe


@pytest.fixture(scope="module")
def pack() -> Pack:
    return levolve.pack("maze", size=(8, 8), count=3, target={"regions": 1}, distinct=0.2, seed=1)


def test_the_folder_holds_levels_manifest_sheet_and_page(pack: Pack, tmp_path: Path) -> None:
    index = pack.save(tmp_path / "new" / "folder", "json,txt,png")
    names = sorted(path.name for path in index.parent.iterdir())
    assert names == sorted(
        [
            *(f"0{n}-maze.{suffix}" for n in (1, 2, 3) for suffix in ("json", "txt", "png")),
            "index.html",
            "pack.json",
            "sheet.png",
        ]
    )
    for number, level in enumerate(pack.levels, 1):
        for suffix in ("json", "txt", "png"):
            loaded = levolve.load(index.parent / f"0{number}-maze.{suffix}")
            assert (loaded, loaded.solution, loaded.origin) == (level, level.solution, level.origin)


def test_the_manifest_names_the_targets_and_how_they_were_met(pack: Pack, tmp_path: Path) -> None:
    data = json.loads((pack.save(tmp_path, "txt").parent / "pack.json").read_text())
    assert data["met"] is True
    assert data["digest"] == pack.digest
    assert data["orders"][0]["seed"] == 1
    assert data["orders"][0]["pack"] == {
        "count": 3,
        "distinct": 0.2,
        "budget": 8,
        "target": {"regions": [1.0, 1.0]},
    }
    assert [entry["digest"] for entry in data["levels"]] == [level.digest for level in pack.levels]
    assert data["levels"][0]["files"] == ["01-maze.txt"]
    assert (
        data["levels"][0]["measures"]["exit_path"]
        == len(pack.levels[0].solution or "")
        == data["levels"][0]["steps"]
    )
    assert data["targets"][0]["regions"] == {"wanted": [1.0, 1.0], "least": 1, "most": 1}


def test_a_pack_written_twice_is_the_same_bytes(pack: Pack) -> None:
    assert pack.files("json,png") == pack.files(["json", "png"])


def test_the_page_stands_alone_and_no_text_breaks_out_of_its_data(pack: Pack) -> None:
    named = Pack("</script><b>", pack.levels, pack.parts)
    text = named.files("txt")["index.html"].decode()
    assert "</script><b>" not in text
    assert "<title>&lt;/script&gt;&lt;b&gt;</title>" in text
    assert re.search(r"\{\{\w+\}\}", text) is None
    assert "http:" not in text
    assert "https:" not in text


def test_formats_go_by_name_or_by_program() -> None:
    assert formats_of("png, json,text,txt") == ["png", "json", "txt"]
    assert formats_of("tiled,godot,ldtk,tmx") == ["tmx", "tscn", "ldtk"]
    with pytest.raises(InputError, match="unknown format 'jsn': did you mean 'json'"):
        formats_of("jsn")


def test_every_format_is_written_with_the_files_it_needs_and_loads_again(
    pack: Pack, tmp_path: Path
) -> None:
    pack.save(tmp_path, FORMATS)
    entry = json.loads((tmp_path / "pack.json").read_text())["levels"][1]
    listed, single = entry["files"], [suffix for suffix in FORMATS if FORMATS[suffix].single]
    assert {f"02-maze.{suffix}" for suffix in single} < set(listed)
    assert all((tmp_path / name).exists() for name in listed)
    assert all(levolve.load(tmp_path / f"02-maze.{suffix}") == pack.levels[1] for suffix in single)
    assert all(
        levolve.load(tmp_path / f"{file}#{part}") == pack.levels[1]
        for file, part in entry["parts"].items()
    )


def test_ldtk_has_one_project_for_the_whole_pack_and_every_proof_in_it_is_checked(
    pack: Pack, tmp_path: Path
) -> None:
    pack.save(tmp_path, "ldtk")
    assert sorted(path.name for path in tmp_path.glob("*.ldtk")) == ["maze.ldtk"]
    entries = json.loads((tmp_path / "pack.json").read_text())["levels"]
    assert [entry["parts"] for entry in entries] == [
        {"maze.ldtk": f"Level_0{number}_maze"} for number in (1, 2, 3)
    ]
    result = check_pack(tmp_path)
    assert (result.proven, result.winnable) == (3, True)


def test_a_level_that_changed_places_in_a_project_of_a_pack_is_found(
    pack: Pack, tmp_path: Path
) -> None:
    files = pack.files("ldtk")
    text = files["maze.ldtk"].decode()
    swapped = {"Level_01_maze": "Level_02_maze", "Level_02_maze": "Level_01_maze"}
    files["maze.ldtk"] = re.sub("|".join(swapped), lambda found: swapped[found[0]], text).encode()
    manifest = json.loads(files.pop("pack.json"))
    data = {key: value for key, value in manifest.items() if key not in {"files", "checksum"}}
    for name, content in {**files, "pack.json": encode_manifest(data, files)}.items():
        (tmp_path / name).write_bytes(content)
    result = check_pack(tmp_path)
    assert result.proven == 1
    assert "another level than the one that pack.json describes" in str(result.why)


def test_a_place_that_cannot_be_written_is_refused(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="not a folder that can be written"):
        pack.save(tmp_path / "file" / "pack")


def test_joined_packs_go_from_easy_to_hard_and_each_level_keeps_its_origin(pack: Pack) -> None:
    other = levolve.pack("dungeon", size=(6, 6), count=2, seed=3, settings={"generations": 20})
    joined = Pack.joined("both", [pack, other])
    hardness = [measures["difficulty"] for measures in joined.measures]
    assert hardness == sorted(hardness)
    assert sorted(joined.names) == joined.names
    assert {name.partition("-")[2] for name in joined.names} == {"maze", "dungeon"}
    assert joined.report.wanted == joined.report.found == 5
    assert [targets["count"]["found"] for targets in joined.report.targets] == [3, 2]


def test_a_recipe_of_any_name_gives_a_file_for_every_level() -> None:
    made = levolve.pack(
        find_recipe("maze").changed({"name": "caves/deep </title>"}),
        size=(6, 6),
        count=2,
        target={"regions": 1},
        seed=1,
    )
    assert made.names == ["01-caves-deep-title-", "02-caves-deep-title-"]
    assert {"01-caves-deep-title-.txt", "02-caves-deep-title-.txt"} <= set(made.files("txt"))

"""The example project for Godot uses nodes and metadata that exported levels have. There is no
Godot here to run it.
"""

import re
from pathlib import Path

from levolve.formats import FORMATS
from levolve.levels.level import Level
from oracles import godot

EXAMPLE = Path(__file__).parents[3] / "examples" / "engines" / "godot"
LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")


def test_the_scenes_of_the_example_are_valid() -> None:
    godot.validate(
        {
            path.name: path.read_bytes()
            for path in EXAMPLE.iterdir()
            if path.suffix in {".tscn", ".gd"}
        }
    )
    assert 'run/main_scene="res://main.tscn"' in (EXAMPLE / "project.godot").read_text()


def test_the_script_finds_everything_in_an_exported_level() -> None:
    parts = [
        part for part in godot.parse(FORMATS["tscn"].encode(LEVEL).decode()) if part.tag == "node"
    ]
    kinds = {
        f"{part.fields.get('parent', '')}/{part.fields['name']}".removeprefix("./"): part.fields[
            "type"
        ]
        for part in parts
    }
    script = (EXAMPLE / "main.gd").read_text()
    used = re.findall(r'(?:: (\w+) = )?level\.get_node\("([^"]*)"\)', script)
    assert {path for _, path in used} == {"Places/entrance", "Places/exit", "Floor", "Solution"}
    assert all(path in kinds and kind in {"", kinds[path], "Vector2"} for kind, path in used)
    assert re.findall(r'get_meta\("(\w+)"\)', script) == ["solution"]
    assert "metadata/solution" in parts[0].properties

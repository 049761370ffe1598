"""The example project for Godot uses nodes and metadata that exported levels have. There is no
Godot here to run it.
"""

import re
from pathlib import Path

import pytest

from levolve.formats import FORMATS
from levolve.levels.level import Level
from levolve.levels.things.kinds import KINDS
from levolve.testing.genotypes import level_with_all_things
from oracles import godot

EXAMPLE = Path(__file__).parents[3] / "examples" / "engines" / "godot"


def test_the_scenes_of_the_example_are_valid() -> None:
    godot.validate(
        {
            path.name: path.read_bytes()
            for path in EXAMPLE.iterdir()
            if path.suffix in {".tscn", ".gd"}
        }
    )
    assert 'run/main_scene="res://main.tscn"' in (EXAMPLE / "project.godot").read_text()


def nodes_of(level: Level) -> dict[str, godot.Part]:
    parts = godot.parse(FORMATS["tscn"].encode(level).decode())
    return {
        f"{part.fields.get('parent', '')}/{part.fields['name']}".removeprefix("./"): part
        for part in parts
        if part.tag == "node"
    }


def test_the_script_finds_everything_in_an_exported_level() -> None:
    nodes = nodes_of(level_with_all_things())
    script = (EXAMPLE / "main.gd").read_text()
    used = re.findall(r'(?:: (\w+) = )?level\.get_node(?:_or_null)?\("([^"]*)"\)', script)
    assert {path for _, path in used} == {"Places/entrance", "Places/exit", "Floor", "Walls", "Solution", "Things"}  # fmt: skip
    for kind, path in used:
        assert path in nodes
        assert kind in {"", "Node", nodes[path].fields["type"]}
    assert re.findall(r'get_meta\("(\w+)"\)', script) == ["solution"]
    assert "metadata/solution" in nodes["/Level"].properties


def test_the_rules_ask_for_metadata_that_things_have() -> None:
    nodes = nodes_of(level_with_all_things())
    things = {path.removeprefix("Things/"): part for path, part in nodes.items() if path.startswith("Things/")}  # fmt: skip
    script = (EXAMPLE / "rules.gd").read_text()
    # Every kind is a group, and the metadata that the script asks for belong to its kinds.
    kinds = {"color": "key door", "value": "treasure", "health": "potion player", "amount": "treasure_gate", "damage": "monster boss trap", "lever": "gate", "open": "gate", "on": "lever plate", "to": "stairs teleporter", "direction": "one_way", "used_rect": "door gate lever", "kind": "torch"}  # fmt: skip
    asked = set(re.findall(r'(?:get|has)_meta\("(\w+)"', script))
    assert asked == set(kinds)
    for name, owners in kinds.items():
        for kind in owners.split():
            part = things.get(kind, things.get(f"{kind} 1"))
            assert part is not None
            assert f"metadata/{name}" in part.properties, (kind, name)
    named = set(re.findall(r'"([a-z_]+)"', script)) & set(KINDS)
    assert {kind for kind in KINDS if KINDS[kind].acts} <= named


@pytest.mark.parametrize("name", ["main", "rules"])
def test_the_scripts_are_valid(name: str) -> None:
    parser = pytest.importorskip("gdtoolkit.parser", reason="requires gdtoolkit")
    parser.parser.parse((EXAMPLE / f"{name}.gd").read_text())

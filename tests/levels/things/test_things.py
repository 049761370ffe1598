"""Things and kinds: text, data, and what is refused."""

import pickle

import numpy as np
import pytest

from levolve.core.errors import InputError, LevolveError
from levolve.formats.json import level_from_data, level_to_data
from levolve.formats.metadata import level_from_parts, metadata_of
from levolve.levels.level import Level, with_border
from levolve.levels.things.kinds import KINDS, Kind
from levolve.levels.things.lowering import lower
from levolve.levels.things.thing import Thing, remarks

DRAWN = "S..#.\n.#..E\n...#."
EVERYTHING = f"""{DRAWN}
goal: all
thing: player 0,0 health=3
thing: key 1,0 color=blue
thing: torch 3,0
thing: mud 4,0
thing: gate 2,1 lever=a
thing: door 3,1 color=blue
thing: lever 0,2 id=a
thing: monster 2,2 damage=2
kind: {{"name": "mud", "needs": {{"boots": 1}}}}"""


def with_lines(*lines: str) -> Level:
    return Level.from_text("\n".join([DRAWN, *lines]))


def test_the_text_form_of_things_is_lossless() -> None:
    level = Level.from_text(EVERYTHING)
    assert level.to_text() == EVERYTHING
    assert Level.from_text(level.to_text()) == level
    assert pickle.loads(pickle.dumps(level)) == level


def test_json_and_metadata_hold_things_and_kinds() -> None:
    level = Level.from_text(EVERYTHING)
    assert level_from_data(level_to_data(level)) == level
    assert level_from_parts(level.tiles, level.places, level.tileset, metadata_of(level)) == level


def test_things_are_part_of_the_digest() -> None:
    plain = Level.from_text(DRAWN)
    digests = {
        plain.digest,
        with_lines("thing: key 1,0").digest,
        with_lines("thing: key 2,0").digest,
    }
    assert len(digests) == 3


def test_the_order_in_which_things_are_given_does_not_matter() -> None:
    level = Level.from_text(EVERYTHING)
    assert level.with_things(level.things[::-1]) == level


def test_a_border_moves_things() -> None:
    level = with_border(Level.from_text(EVERYTHING))
    assert Thing("key", (2, 1), fields={"color": "blue"}) in level.things


def test_every_built_in_kind_has_a_sign_of_its_own_and_a_sentence() -> None:
    signs = [KINDS[name].sign for name in KINDS]
    assert len(set(signs)) == len(signs)
    assert all(KINDS[name].meaning.endswith(".") and KINDS[name].name == name for name in KINDS)
    assert all(Kind.from_data(KINDS[name].to_data()) == KINDS[name] for name in KINDS)


def test_amounts_and_references_are_lowered() -> None:
    level = Level.from_text(EVERYTHING)
    mechanics = lower(level)
    kinds = [level.things[index].kind for index in mechanics.things]
    assert kinds == ["key", "mud", "gate", "door", "lever", "monster"]
    assert mechanics.resources == ("blue key", "boots", "health")
    assert mechanics.initial.tolist() == [0, 0, 3]
    assert mechanics.gate[kinds.index("gate")] == kinds.index("lever")
    monster = kinds.index("monster")
    assert mechanics.needs[monster].tolist() == [0, 0, 3]
    assert mechanics.spends[monster].tolist() == [0, 0, 2]
    assert mechanics.collects


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["thing: key 3,0"], "key at 3,0: expected a walkable tile"),
        (["thing: key 9,0"], "expected a cell inside the 5x3 level"),
        (["thing: key 1,0", "thing: lever 1,0"], "expected a cell of its own"),
        (["thing: key 0,0"], "expected a cell other than the start"),
        (["thing: key 4,1"], "expected a cell other than the end"),
        (["thing: player 1,0"], "expected the start at 0,0"),
        (["thing: gate 1,0 lever=q"], "expected lever=ID with the id of another thing, got 'q'"),
        (["thing: gate 1,0"], "expected lever=ID"),
        (
            ["thing: gate 1,0 lever=a", "thing: key 2,0 id=a"],
            "expected the field lever to name a switch",
        ),
        (
            ["thing: stairs 1,0 id=a to=a"],
            "expected the field to to name another thing, got itself",
        ),
        (
            ["thing: stairs 1,0 to=a", "thing: mud 3,0 id=a"],
            "expected it to lead to a walkable tile, got mud a at",
        ),
        (["thing: key 1,0 id=a", "thing: key 2,0 id=a"], "expected another id"),
        (["thing: monster 1,0 damage=much"], "expected a whole number from 0 to 99998 for damage"),
        (["thing: monster 1,0 damage=-1"], "expected a whole number"),
        (["thing: one_way 1,0 direction=up"], "expected direction u, d, l or r, got 'up'"),
        (["thing: lever 1,0 on=maybe"], "expected on=true or on=false"),
        (["thing: key"], "line 4: expected 'KIND x,y'"),
        (["thing: key 1,0 color=red color=blue"], "each once"),
        (["thing: KEY 1,0"], "expected a kind of lower-case letters"),
        (["kind: {}"], "expected a table with a name"),
        (['kind: {"name": "key", "counts": true}', "thing: key 1,0"], "rename it"),
        (['kind: {"name": "a", "spends": {"x": 2}, "needs": {"x": 1}}'], "expected to need at"),
        (['kind: {"name": "a", "forced": true}'], "only switches are forced"),
        (['kind: {"name": "a", "needs": {"x": "size"}}'], "expected a field called 'size'"),
        (['kind: {"name": "a", "colour": 1}'], "got 'colour'"),
        (['kind: {"name": "a"}', 'kind: {"name": "a"}'], "got a second"),
        (["kind: [" * 2000], "expected a kind of things as JSON"),
    ],
)
def test_bad_things_are_refused_by_name(lines: list[str], message: str) -> None:
    with pytest.raises(LevolveError) as caught:
        with_lines(*lines)
    assert message in str(caught.value)


def test_too_many_things_are_refused() -> None:
    with pytest.raises(InputError, match="expected at most 10000, got 10001"):
        Level.from_text(DRAWN).with_things([Thing("torch", (0, 0))] * 10_001)


def test_remarks_name_what_is_probably_a_mistake() -> None:
    level = with_lines(
        "thing: torch 3,0", "thing: door 1,0", "thing: key 2,0 color=blue", "thing: lever 0,1"
    )
    assert remarks(level.things, level.kinds) == [
        "kinds without effect, because they are not known: torch",
        "door at 1,0 needs what nothing gives: red key",
        "key at 2,0 opens nothing",
        "lever at 0,1 switches nothing",
    ]


def test_a_level_has_at_most_256_resources() -> None:
    """Every resource is a column of the tables of proofs: 5,000 of them took two gigabytes."""
    tiles = np.zeros((2, 300), np.uint8)
    keys = [Thing("key", (x, 0), fields={"color": f"c{x}"}) for x in range(257)]
    Level(tiles, things=tuple(keys[:256]))
    with pytest.raises(InputError, match=r"at most 256 resources, such as .*, got 257"):
        Level(tiles, things=tuple(keys))


def test_fields_and_amounts_of_programs_are_refused_with_a_message() -> None:
    with pytest.raises(InputError, match="expected fields such as color=red"):
        Thing("key", (0, 0), fields={1: "a", "b": 2})  # type: ignore[dict-item] # wrong on purpose
    with pytest.raises(InputError, match="expected a whole number from 0 to 99999"):
        Kind("a", gives={"gold": 10**5000})

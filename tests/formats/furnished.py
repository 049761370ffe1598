"""Levels with things and areas, for tests of files."""

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from levels.things.inputs import CLASSES, random_level
from levolve.levels.areas import Area, find_areas
from levolve.levels.goal import GOALS
from levolve.levels.level import Level
from levolve.levels.things.kinds import KINDS
from levolve.levels.things.thing import Thing

# One thing of each built-in kind, and of kinds that are not.
EVERYTHING = Level.from_text(
    "S.........\n..........\n.#########\n.........E\n"
    "thing: player 0,0 health=3\n"
    "thing: key 1,0 color=blue\n"
    "thing: door 2,0 id=d color=blue\n"
    "thing: small_key 3,0\n"
    "thing: small_door 4,0\n"
    "thing: lever 5,0 id=a\n"
    "thing: gate 6,0 lever=a\n"
    "thing: button 7,0 id=b\n"
    "thing: gate 8,0 lever=b open=true\n"
    "thing: plate 9,0 id=c on=true\n"
    "thing: gate 9,1 lever=c\n"
    "thing: one_way 1,1 direction=d\n"
    "thing: stairs 2,1 id=up to=down\n"
    "thing: stairs 3,1 id=down to=up\n"
    "thing: teleporter 4,1 to=up\n"
    "thing: treasure 5,1\n"
    "thing: treasure 6,1 value=12\n"
    "thing: treasure_gate 7,1 amount=1\n"
    "thing: monster 8,1 damage=14\n"
    "thing: trap 0,1 damage=0\n"
    "thing: potion 0,2 health=2\n"
    "thing: boss 0,3 damage=1\n"
    "thing: spawn 1,3 of=shop\n"
    "thing: secret_door 2,3 id=s\n"
    "thing: torch 3,3 id=t light=7 tint=#12ab3f kind=odd note=\n"
    "thing: key 4,3 color=#12AB3F glow=true levolve_x=1\n"
    "thing: chest 5,3 loot=007 of=gold\n"
    "thing: mirror 6,3 id=m on=false to=t\n"
    'kind: {"name":"chest","fields":{"loot":"1","of":""},"gives":{"treasure":"loot"},"counts":true}\n'
    'kind: {"name":"mirror","fields":{"to":"","tile":"a"},"needs":{"courage":1},"leads":"to"}\n'
)


def test_every_built_in_kind_is_there() -> None:
    built_in = {name for name in KINDS if KINDS[name].meaning}
    assert built_in <= {thing.kind for thing in EVERYTHING.things}


@st.composite
def furnished_levels(draw: st.DrawFn) -> Level:
    """Levels with things of all classes, and with areas of any shape."""
    random = Random(draw(st.integers(0, 2**32 - 1)))
    while True:
        level = random_level(random, random.choice(tuple(CLASSES)), 8, 12)
        if level.tileset.name != "slopes" and level.goal.name in GOALS:
            break
    cells = [(x, y) for y in range(level.height) for x in range(level.width)]
    shape = [cell for cell in cells if random.random() < 0.6] or cells
    things = [*level.things, Thing("torch", random.choice(cells), fields={"light": "9"})]
    areas = (*find_areas(level), Area.of("hall", shape, random.choice(("", "boss", "odd"))))
    return replace(level.with_things(things), areas=areas)

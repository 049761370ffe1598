"""Random levels with things of all classes."""

import random
from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from levolve.levels.goal import Goal
from levolve.levels.level import Level
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing
from levolve.levels.tileset import RAINBOW, WALLS, Tileset

Cell = tuple[int, int]

# From a high tile to a low one, but not back; and a ledge on which nobody stays who came up to it.
SLOPES = Tileset(
    "slopes",
    ",^#",
    ("low", "high", "wall"),
    ((True, False, False), (True, True, False), (False, False, False)),
)
# The last goal has stops that are one cell if A and C are.
GOALS = (
    Goal("exit", ("entrance", "exit")),
    Goal("all", ("entrance", "exit"), collects=True),
    Goal("visit", ("entrance", "checkpoints", "exit")),
    Goal("sweep", ("entrance", "checkpoints", "exit"), collects=True),
    Goal("tour", ("A", "B", "C"), returns=True),
    Goal("sightseeing", ("A", "B", "C"), collects=True),
)
OWN = {
    kind.name: kind
    for kind in (
        Kind("chest", gives={"treasure": 2}, needs={"small key": 1}, spends={"small key": 1}, counts=True),
        Kind("mud", needs={"boots": 1}),
        Kind("boots", gives={"boots": 1}),
        Kind("toll", gives={"pass": 1}, needs={"coin": 2}, spends={"coin": 1}),
        Kind("coin", fields={"worth": "1"}, gives={"coin": "worth"}),
        Kind("turnstile", fields={"to": "r"}, needs={"pass": 1}, direction="to"),
        Kind("lock_lever", fields={"on": "false"}, needs={"red key": 1}, switch="toggle"),
        Kind("lift", fields={"to": "", "floor": "1"}, needs={"coin": "floor"}, leads="to"),
        Kind("fare", fields={"to": ""}, needs={"coin": 1}, spends={"coin": 1}, leads="to"),
        Kind("hole", switch="once", forced=True),
        Kind("hatch", fields={"by": "", "open": "true"}, gives={"pass": 1}, gate="by"),
        Kind("flap", fields={"by": "", "way": "d"}, gate="by", direction="way"),
        Kind("vault", fields={"by": ""}, needs={"coin": 1}, spends={"coin": 1}, gate="by"),
        Kind("altar", counts=True),
        Kind("shrine", gives={"boots": 1}, needs={"coin": 1}),
        Kind("gaze", needs={"health": 2}),
        Kind("statue"),
    )
}  # fmt: skip
COLOURS = ("red", "blue")
# What belongs together: a level has things of a few of these groups.
SIMPLE = ("key key door", "key door", "treasure treasure treasure_gate", "mud boots boots altar")
MINOR = ("spawn secret_door torch statue", "pair pair", "flat key door")
SPENT = (
    "small_key small_door small_door",
    "small_key small_key small_door small_door small_door",
    "small_key small_door chest",
    "potion potion monster trap",
    "potion monster monster trap",
    "monster boss trap treasure",
    "coin coin toll mud boots",
)
TOGGLED = ("lever gate gate", "lever lever gate gate gate", "lock_lever gate key")
ANYTHING = (
    "button gate gate",
    "plate gate gate",
    "hole gate flap lever",
    "one_way one_way one_way one_way",
    "one_way one_way key door",
    "one_way one_way small_key small_door",
    "plate plate gate gate",
    "stairs teleporter torch",
    "turnstile toll coin coin",
    "lift fare coin coin",
    "hatch vault coin lever",
    "shrine coin toll coin mud",
    "gaze potion potion monster",
)
CLASSES = {
    "A": ((*SIMPLE, *MINOR), ()),
    "T": (TOGGLED, (*SIMPLE, *MINOR)),
    "C": (SPENT, (*SIMPLE, *MINOR, *SPENT)),
    "C+T": (SPENT, (*TOGGLED, *SPENT, *SIMPLE)),
    "G": (ANYTHING, (*SPENT, *TOGGLED, *SIMPLE, *ANYTHING)),
}


def random_level(
    chance: random.Random, class_name: str, side: int, most: int, *, odd_tiles: bool = True
) -> Level:
    """A level of at most `side` columns and rows with at most `most` acting things."""
    least = chance.choice((3, max(3, side * 2 // 3)))
    width, height = chance.randint(least, side), chance.randint(least, side)
    walkable = _layout(chance, width, height)
    tileset = chance.choice([WALLS] * 6 + [RAINBOW, SLOPES]) if odd_tiles else WALLS
    tiles = np.ones((height, width), np.uint8)
    for x, y in walkable:
        tiles[y, x] = 0
    if tileset is RAINBOW:
        tiles = np.array(
            [[chance.choice((0, 0, 1, 1, 2, 3)) for _ in range(width)] for _ in range(height)]
        )
        walkable = [(x, y) for y in range(height) for x in range(width)]
    elif tileset is SLOPES:
        slopes = [[chance.choice((0, 0, 0, 1)) for _ in range(width)] for _ in range(height)]
        tiles = np.where(tiles == 1, 2, slopes)
    goal = chance.choice([*GOALS[:2] * 3, *GOALS])
    places = _places(chance, goal, walkable)
    route = goal.route(places)
    assert route is not None
    free = [cell for cell in walkable if cell not in {route[0], route[-1]}]
    chance.shuffle(free)
    always, maybe = CLASSES[class_name]
    groups = [
        chance.choice(always or maybe),
        *chance.sample((*always, *maybe), chance.randint(0, 2)),
    ]
    names = " ".join(groups).split()
    things = _things(chance, names, free[: chance.randint(2, most)], walkable)
    if chance.random() < 0.8:
        things.append(Thing("player", route[0], fields={"health": str(chance.randint(0, 5))}))
    return Level(tiles, places, tileset, goal=goal, things=tuple(things), kinds=OWN)


def _layout(chance: random.Random, width: int, height: int) -> list[Cell]:
    """Scattered walls, or a labyrinth with some loops, in which things bar the way."""
    cells = [(x, y) for y in range(height) for x in range(width)]
    if chance.random() < 0.3:
        density = chance.uniform(0.1, 0.45)
        found = [cell for cell in cells if chance.random() > density]
        return found if len(found) >= 4 else cells
    opened: set[Cell] = {(0, 0)}
    stack = [(0, 0)]
    while stack:
        x, y = stack[-1]
        ways = [
            (x + 2 * right, y + 2 * down, x + right, y + down)
            for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= x + 2 * right < width and 0 <= y + 2 * down < height
            and (x + 2 * right, y + 2 * down) not in opened
        ]  # fmt: skip
        if not ways:
            stack.pop()
            continue
        to_x, to_y, over_x, over_y = chance.choice(ways)
        opened |= {(to_x, to_y), (over_x, over_y)}
        stack.append((to_x, to_y))
    loops = chance.choice((0, 0, 0.05, 0.2))
    opened |= {cell for cell in cells if chance.random() < loops}
    return [cell for cell in cells if cell in opened]


def _places(chance: random.Random, goal: Goal, walkable: Sequence[Cell]) -> dict[str, Cell]:
    cells = chance.sample(walkable, 4)
    if chance.random() < 0.7:
        cells.sort(key=lambda cell: cell[0] + cell[1])
        cells = [cells[0], cells[3], cells[2], cells[1]]
    if goal.stops[0] == "A":
        ends = [cells[0], chance.choice([*cells[:2], cells[2]]), chance.choice(cells[:3])]
        return dict(zip("ABC", ends, strict=True))
    places = {"entrance": cells[0], "exit": cells[1]}
    for number in range(1, chance.choice((0, 1, 1, 2)) + 1):
        places[f"checkpoint {number}"] = chance.choice([*cells, cells[2], cells[3]])
    return places


def _things(
    chance: random.Random, names: Sequence[str], cells: Sequence[Cell], walkable: Sequence[Cell]
) -> list[Thing]:
    """Things of these kinds, one on each cell; what refers to another thing finds one, or is
    something else.
    """
    drawn = [names[number % len(names)] for number in range(len(cells))]
    switches = [
        f"s{number}"
        for number, name in enumerate(drawn)
        if name in {"lever", "button", "plate", "lock_lever", "hole"}
    ]
    found: list[Thing] = []
    ends: list[str] = []
    for number, (name, cell) in enumerate(zip(drawn, cells, strict=True)):
        kind = name
        fields: dict[str, str] = {}
        if name in {"key", "door"}:
            fields = {"color": chance.choice(COLOURS)}
        elif name in {"monster", "trap", "boss"}:
            fields = {"damage": str(chance.randint(0, 2))}
        elif name in {"potion", "treasure", "coin", "treasure_gate", "lift"}:
            amount = {"potion": "health", "treasure": "value", "coin": "worth", "lift": "floor"}
            fields = {amount.get(name, "amount"): str(chance.randint(0, 3))}
        elif name in {"lever", "plate", "lock_lever"}:
            fields = {"on": chance.choice(("false", "false", "true"))}
        if name in {"gate", "hatch", "flap", "vault"}:
            key = {"gate": "lever"}.get(name, "by")
            fields = {key: chance.choice(switches) if switches else ""}
            fields |= {"open": chance.choice(("false", "true"))} if name != "vault" else {}
            kind = name if switches else "torch"
        if name in {"one_way", "flat", "turnstile", "flap"} and kind != "torch":
            kind = "one_way" if name == "flat" else name
            key = {"turnstile": "to", "flap": "way"}.get(name, "direction")
            fields |= {key: _outward(chance, cell, walkable) if chance.random() < 0.8 else "u"}
        if name in {"stairs", "teleporter", "lift", "fare", "pair"}:
            ends.append(f"s{number}")
            kind = "stairs" if name == "pair" else name
        found.append(Thing(kind, cell, f"s{number}", {} if kind == "torch" else fields))
    return _joined(chance, found, ends, paired=chance.random() < 0.6)


def _outward(chance: random.Random, cell: Cell, walkable: Sequence[Cell]) -> str:
    x, y = cell
    ways = [
        move
        for move, to in {"u": (x, y - 1), "d": (x, y + 1), "l": (x - 1, y), "r": (x + 1, y)}.items()
        if to in walkable
    ]
    return chance.choice(ways or ["u"])


def _joined(
    chance: random.Random, things: list[Thing], ends: list[str], *, paired: bool
) -> list[Thing]:
    """Let stairs lead to each other in pairs, or anywhere."""
    found = []
    partner: dict[str, str] = {}
    for one, other in zip(ends[::2], ends[1::2], strict=False):
        partner |= {one: other, other: one}
    ids = [thing.id for thing in things]
    for thing in things:
        others = [name for name in ids if name != thing.id]
        if thing.id not in ends:
            found.append(thing)
            continue
        to = partner.get(thing.id) if paired else chance.choice(others) if others else None
        if to is None:
            found.append(Thing("torch", thing.cell, thing.id))
        else:
            found.append(Thing(thing.kind, thing.cell, thing.id, {**thing.fields, "to": to}))
    return found


@st.composite
def levels_with_things(
    draw: st.DrawFn, classes: Sequence[str] = tuple(CLASSES), side: int = 8, most: int = 8
) -> Level:
    """Levels of these classes up to a size, with at most `most` things."""
    name = draw(st.sampled_from(classes))
    return random_level(random.Random(draw(st.integers(0, 2**32 - 1))), name, side, most)


def large_level(seed: int) -> Level:
    """A level of 3 to 24 columns and rows; larger ones have fewer things."""
    chance = random.Random(seed)
    side = chance.choice((3, 4, 5, 6, 8, 12, 16, 24))
    most = {3: 9, 4: 10, 5: 10, 6: 9, 8: 8, 12: 7, 16: 6, 24: 5}[side]
    return random_level(chance, chance.choice(tuple(CLASSES)), side, most)

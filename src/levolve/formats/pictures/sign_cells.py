"""Levels with things on the terminal: a coloured sign per thing, and a legend below. A row of tiles
is one line, and a tile is two characters wide, or one if the level is wide.
"""

from collections.abc import Collection, Mapping, Sequence

from levolve.formats.pictures.colours import OTHER_PLACE, PLACE_COLOURS, paint, sign_of
from levolve.formats.pictures.walk_lines import path_cells
from levolve.formats.themes.things import ThingLook, looks_during, looks_of
from levolve.levels.level import Level
from levolve.levels.places import Place
from levolve.levels.things.kinds import Kind
from levolve.levels.things.playing import PlayRules, PlayState, hidden_cells
from levolve.levels.things.thing import Thing, kinds_of
from levolve.levels.tileset import Colour

# A character, its colour and that of its ground.
Sign = tuple[str, Colour, Colour]
INK: Colour = (24, 20, 32)
LIGHT: Colour = (255, 252, 242)
PLAYER: Colour = (46, 104, 164)
# Wider levels have one character per tile, and lines of the legend are not longer.
WIDE, LINE = 39, 78
WALL, PLAYER_SIGN, OPEN = "█", "@", "'"
_ARROWS = {"u": "^", "d": "v", "l": "<", "r": ">"}
# The sign of a thing whose kind is not known.
_UNKNOWN = "*"
_BRIGHT = 140


def readable_on(ground: Colour) -> Colour:
    """Return the colour of letters on a ground."""
    red, green, blue = ground
    return INK if (red * 30 + green * 59 + blue * 11) // 100 > _BRIGHT else LIGHT


def _sign(thing: Thing, look: ThingLook, kinds: Mapping[str, Kind]) -> str:
    kind = kinds.get(thing.kind)
    sign = _UNKNOWN if kind is None else kind.sign
    if look.direction:
        return _ARROWS[look.direction]
    if not look.changed or kind is None:
        return sign
    return sign.upper() if kind.switch else OPEN


def thing_signs(
    level: Level, looks: Sequence[ThingLook], seen: Collection[Place] = ()
) -> dict[Place, tuple[Sign, str]]:
    """Return the sign and the words of each cell with a thing. What is hidden has none, except in
    the cells `seen`.
    """
    kinds = kinds_of(level.things, level.kinds)
    hidden = set(hidden_cells(level)) - set(seen)
    found: dict[Place, tuple[Sign, str]] = {}
    for thing, look in zip(level.things, looks, strict=True):
        kind = kinds.get(thing.kind)
        # A thing with an effect is shown rather than a decoration.
        if (
            look.is_gone
            or thing.cell in hidden
            or (thing.cell in found and not (kind and kind.acts))
        ):
            continue
        words = f"{thing.fields.get('color', '')} {thing.kind.replace('_', ' ')}".strip()
        opened = look.changed and not (kind and kind.switch)
        words = f"open {words}" if opened else words
        sign = _sign(thing, look, kinds), readable_on(look.colour), look.colour
        found[thing.cell] = sign, words
    return found


def sign_cells(
    level: Level,
    play: PlayRules | None = None,
    moment: PlayState | None = None,
    *,
    path: bool = False,
) -> list[list[Sign]]:
    """Return a sign per cell: at the start with everything that is hidden, or for the player at a
    moment of play.
    """
    hidden = set(hidden_cells(level))
    floor, wall = level.tileset.open_kind, level.tileset.wall
    rows: list[list[Sign]] = []
    for y, row in enumerate(level.tiles.tolist()):
        signs = []
        for x, kind in enumerate(row):
            closed = kind == wall or ((x, y) in hidden and moment is not None)
            shown = wall if closed and wall is not None else kind
            colour = level.tileset.colours[shown]
            character = level.tileset.characters[kind] if shown not in {floor, wall} else " "
            signs.append((WALL if shown == wall else character, colour, colour))
        rows.append(signs)
    for x, y in path_cells(level) if path else ():
        rows[y][x] = " ", level.tileset.path, level.tileset.path
    for name, (x, y) in level.places.items():
        colour = PLACE_COLOURS.get(name, OTHER_PLACE)
        sign = sign_of(name)
        rows[y][x] = sign if len(sign) == 1 else "*", LIGHT, colour
    if play is None or moment is None:
        looks, seen = looks_of(level.things, level.kinds), hidden
    else:
        looks, seen = looks_during(play, moment), set()
    for (x, y), (found, _) in thing_signs(level, looks, seen).items():
        if rows[y][x][0] in {" ", WALL}:
            rows[y][x] = found
    if moment is not None:
        x, y = moment.cell
        rows[y][x] = PLAYER_SIGN, LIGHT, PLAYER
    return rows


def sign_lines(rows: Sequence[Sequence[Sign]], *, colour: bool, wide: bool) -> list[str]:
    """Return signs as lines of text; with `wide`, two characters per sign."""
    if colour:
        return [
            "".join(
                paint(sign if sign != WALL else " ", ground, ink)
                if not wide
                else paint(f"{sign if sign != WALL else ' '} ", ground, ink)
                for sign, ink, ground in row
            )
            for row in rows
        ]
    return [
        "".join((sign * 2 if sign == WALL else f"{sign} ") if wide else sign for sign, *_ in row)
        for row in rows
    ]


def legend_lines(
    level: Level,
    looks: Sequence[ThingLook],
    *,
    colour: bool,
    rows: tuple[int, int] | None = None,
) -> list[str]:
    """Return which sign stands for what; of some rows only, from the first to before the second."""
    first, end = rows or (0, level.height)
    found = thing_signs(level, looks).items()
    entries = dict(sorted((words, sign) for (_, y), (sign, words) in found if first <= y < end))
    lines, used = [""], 0
    for words, (sign, ink, ground) in entries.items():
        if used + len(words) + 4 > LINE:
            lines.append("")
            used = 0
        lines[-1] += f"{paint(sign, ground, ink) if colour else sign} {words}  "
        used += len(words) + 4
    return [line.rstrip() for line in lines]


def things_picture(level: Level, *, colour: bool, path: bool) -> str:
    """Return the picture of a level with things at its start, with a legend below."""
    rows = sign_cells(level, path=path and colour)
    lines = sign_lines(rows, colour=colour, wide=level.width <= WIDE)
    looks = looks_of(level.things, level.kinds)
    return "\n".join([*lines, *legend_lines(level, looks, colour=colour)])

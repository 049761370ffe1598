"""`Moment`: a session between two actions, and the moment after an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from levolve.breeding.actions import Action, Adjust, Advance, Cross, Lock, MoreLike, PaintCells, Pick, Unlock
from levolve.breeding.arguments import LIKE, LOVE, NEVER, NONE
from levolve.breeding.painting import painted_individual, painted_tiles
from levolve.breeding.sheet import Setup, Sheet
from levolve.errors import InputError, shown
from levolve.levels.level import Level, Origin
from levolve.levels.places import Place
from levolve.levels.style import rows_of, tiles_of
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from levolve.breeding.breeder import Breeder
    from levolve.levels.frame import Examples

# The data of the session after the action, for the origins of the levels that it makes.
OriginData = Callable[[], Mapping[str, Any]]


@dataclass(frozen=True)
class Moment:
    """A session between two actions."""

    sheet: Sheet
    picks: Mapping[int, str]
    locks: Mapping[Place, str]
    wildness: float
    blend: float

    @property
    def setup(self) -> Setup:
        """How the next sheet is proposed."""
        return Setup(tuple(sorted(self.locks.items())), self.wildness)

    def check_place(self, argument: str, place: object) -> None:
        """Raise `InputError` for what is no place of the sheet."""
        most = len(self.sheet.levels) - 1
        if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place <= most:
            message = f"{argument}: expected a place of the sheet, from 0 to {most}, got {shown(place)}"
            raise InputError(message)


def after(breeder: Breeder, now: Moment, action: Action, data: OriginData) -> Moment:
    """The moment after an action; raises `InputError` if the action is not possible."""
    if action.generations:
        return replace(now, sheet=_bred(breeder, now, action, data()), picks={})
    match action:
        case Pick(picks):
            return replace(now, picks=_picked(now, picks))
        case Lock(cells, place):
            return replace(now, locks=_locked(breeder, now, cells, place))
        case Unlock(cells):
            return replace(now, locks=_unlocked(now, cells))
        case Adjust(setting, value):
            return replace(now, wildness=value) if setting == "wildness" else replace(now, blend=value)
        case PaintCells():
            return _painted(breeder, now, action, data)
    message = f"action: expected one of a session, got {action.kind}"
    raise InputError(message)


def _bred(breeder: Breeder, now: Moment, action: Action, data: Mapping[str, Any]) -> Sheet:
    """The next sheet."""
    sheet, picks, setup = now.sheet, now.picks, now.setup
    match action:
        case Cross(places):
            for place in places:
                now.check_place("places", place)
            if places[0] == places[1]:
                message = f"places: expected two different places of the sheet, got {places[0]} twice"
                raise InputError(message)
            return breeder.crossing(sheet, places, now.blend, replace(setup, mates=True), data)
        case Advance(generations):
            return breeder.evolving(sheet, picks, _examples(now), generations, now.blend, setup, data)
        case MoreLike(place):
            now.check_place("place", place)
            level = sheet.levels[place]
            like = (rows_of(level),)
            tiles_of(like[0], level.tileset)
            # Everything but "never" is a parent, and the example returns for comparison.
            parents = {**dict.fromkeys(range(len(sheet.levels)), LIKE), **picks, place: LOVE}
            return breeder.evolving(sheet, parents, like, action.generations, now.blend, breeder.style_setup(setup, like), data)
    return breeder.following(sheet, picks, now.blend, setup, data)


def _examples(now: Moment) -> Examples:
    """The levels that are loved or liked, as far as they have a style: levels smaller than a pattern have none."""
    picked = [now.sheet.levels[place] for place, word in now.picks.items() if word != NEVER]
    return tuple(rows_of(level) for level in picked if _has_style(level))


def _has_style(level: Level) -> bool:
    try:
        tiles_of(rows_of(level), level.tileset)
    except InputError:
        return False
    return True


def _picked(now: Moment, picks: tuple[tuple[int, str], ...]) -> dict[int, str]:
    for place, _ in picks:
        now.check_place("picks", place)
    merged = {**now.picks, **dict(picks)}
    return {place: word for place, word in sorted(merged.items()) if word != NONE}


def _unlocked(now: Moment, cells: tuple[Place, ...]) -> dict[Place, str]:
    for x, y in cells:
        if (x, y) not in now.locks:
            message = f"unlock: expected a locked cell, got {x},{y}, which is not locked"
            raise InputError(message)
    taken = set(cells)
    return {cell: sign for cell, sign in now.locks.items() if cell not in taken}


def _locked(breeder: Breeder, now: Moment, cells: tuple[Place, ...], place: int) -> dict[Place, str]:
    """The locks with some more; those that no level could satisfy are refused."""
    now.check_place("place", place)
    level = now.sheet.levels[place]
    for x, y in cells:
        if not (0 <= x < level.width and 0 <= y < level.height):
            message = f"lock: expected cells inside the {level.width}x{level.height} level, got {x},{y}"
            raise InputError(message)
    locks = {**now.locks, **{(x, y): level.tileset.characters[level.tiles[y, x]] for x, y in cells}}
    # A frame checks what it is to keep.
    _ = breeder.recipe_for(replace(now, locks=locks).setup).frame
    return locks


def _painted(breeder: Breeder, now: Moment, action: PaintCells, data: OriginData) -> Moment:
    """The sheet with a level changed by hand. It becomes a parent that returns, unless it has a pick."""
    place = action.place
    now.check_place("place", place)
    level = painted_tiles(now.sheet.levels[place], action, now.locks)
    locks = {**now.locks, **({cell: sign for sign, cells in action.tiles for cell in cells} if action.lock else {})}
    recipe = breeder.recipe_for(replace(now, locks=locks).setup)
    genes, proven = painted_individual(level, recipe)
    twin = next((number for number, other in enumerate(now.sheet.levels) if other == proven and number != place), None)
    if twin is not None:
        message = f"paint: expected a level that differs from all others of the sheet, got one equal to that at place {twin}"
        raise InputError(message)
    old = now.sheet.levels[place].origin
    plugins = dict(old.plugins) if old else {}
    made = {"name": breeder.recipe.name, "session": data()}
    origin = Origin.of(made, breeder.seed, place, VERSION, plugins, ENGINE)
    levels = list(now.sheet.levels)
    levels[place] = proven.with_origin(origin)
    sheet = replace(now.sheet, levels=tuple(levels), painted={**now.sheet.painted, place: genes})
    return replace(now, sheet=sheet, locks=locks, picks=dict(sorted({place: LOVE, **now.picks}.items())))

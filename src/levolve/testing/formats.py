"""The contract of formats.

How a contract is stated: a law, and whether it holds.
"""

from collections.abc import Callable
from pathlib import Path

from levolve.core.errors import InputError
from levolve.formats.format import Format
from levolve.formats.look import Look
from levolve.levels.goal import GOALS
from levolve.levels.level import Level


def need(law: str, *, holds: bool) -> None:
    """Raise `AssertionError` with the law unless it holds."""
    if not holds:
        raise AssertionError(law)


def raises(kind: type[Exception], call: Callable[[], object]) -> bool:
    """Whether a call raises an error of this kind."""
    try:
        call()
    except kind:
        return True
    return False


def check_format(entry: Format, level: Level) -> None:
    """Check that a loaded level equals the saved one, with its solution and origin, and that the
    bytes are the same each time.

    The same is checked without places, and with each registered goal. A format that does not
    support the level's tileset must raise `InputError`.
    """
    if not entry.holds(level.tileset):
        try:
            entry.encode(level)
        except InputError as problem:
            need(
                "an error about an unsupported tileset names it",
                holds=level.tileset.name in str(problem),
            )
            return
        need("a level with an unsupported tileset is rejected", holds=False)
    _check_round_trip(entry, level)
    _check_round_trip(entry, Level(level.tiles, {}, level.tileset))
    for name in GOALS:
        standable = all(
            level.tileset.may_stand(int(level.tiles[y, x])) for x, y in level.places.values()
        )
        if standable:
            _check_round_trip(
                entry, Level(level.tiles, level.places, level.tileset, goal=GOALS[name])
            )


def _check_round_trip(entry: Format, level: Level) -> None:
    content = entry.encode(level)
    again = entry.decode(content)
    need("a loaded level equals the saved one", holds=again == level)
    need("the tileset is preserved", holds=again.tileset == level.tileset)
    need("the goal is preserved", holds=again.goal == level.goal)
    need("the solution is preserved", holds=again.solution == level.solution)
    need("the origin is preserved", holds=again.origin == level.origin)
    need("the same level gives the same bytes", holds=entry.encode(level) == content)
    beside = entry.beside(level, Look())
    need(
        "additional files have plain names that begin with levolve-",
        holds=all(Path(name).name == name and name.startswith("levolve-") for name in beside),
    )
    need(
        "additional files have the same bytes each time",
        holds=dict(entry.beside(level, Look())) == dict(beside),
    )

"""`replay`: regenerate a level from its origin, a run, a whole pack or a breeding session, and
compare the two.
"""

from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any

from levolve.core.errors import InputError
from levolve.core.plugins import other_versions, require_plugins
from levolve.jobs.breeding.session import Session
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack_job import PackJob
from levolve.jobs.runs.run import Run
from levolve.levels.level import Level
from levolve.puzzles.position import Position
from levolve.recipes.recipe import Recipe
from levolve.version import ENGINE, VERSION, WRITTEN_BY, difference

SAME = f"version and engine are the same ({WRITTEN_BY})"


@dataclass(frozen=True)
class Replay:
    """A level, and the level that its recipe and seed give now."""

    level: Level
    again: Level

    @property
    def same(self) -> bool:
        """Whether level and solution are the same."""
        return self.again.digest == self.level.digest and self.again.solution == self.level.solution

    @property
    def difference(self) -> str:
        """One sentence that describes how the two differ."""
        digests = f"{self.level.digest} in the file, {self.again.digest} now"
        changes = self.changes or SAME
        sentence = f"regenerated, but the bytes differ: {digests}; {changes}"
        return "; ".join(
            [
                sentence,
                *other_versions(dict(self.level.origin.plugins) if self.level.origin else {}),
            ]
        )

    @property
    def changes(self) -> str:
        """How the version and engine that made the level differ from these, and what that means;
        empty if they do not.
        """
        origin = self.level.origin
        return difference(origin.version, origin.engine) if origin else ""

    def to_data(self) -> dict[str, Any]:
        """Return the result as JSON-compatible data."""
        origin = self.level.origin
        made = {"version": origin.version, "engine": origin.engine or None} if origin else {}
        return {
            "same": self.same,
            "digest": self.level.digest,
            "digest_again": self.again.digest,
            **made,
            "version_again": VERSION,
            "engine_again": ENGINE,
        }


def replay(level: Level | Position, executor: Executor | None = None) -> Replay:
    """Regenerate a level from its origin, and compare the two.

    Parameters
    ----------
    level
        A level with an origin.
    executor
        Any `concurrent.futures.Executor`; by default this thread. It does not change the result.
    """
    if not isinstance(level, Level):
        raise InputError(
            f"level: expected a level, got a {type(level).__name__.lower()} of a puzzle; "
            "puzzles have no recipe and cannot be regenerated, "
            "but 'levolve check' replays their solutions"
        )
    if level.origin is None:
        raise InputError(
            "level: expected a level with an origin (recipe and seed), got one without; only "
            "evolved levels that were not edited have one"
        )
    require_plugins(dict(level.origin.plugins))
    recipe, seed, index = level.origin.recipe, level.origin.seed, level.origin.index
    if "pack" in recipe:
        levels = list(PackJob([Order.from_data(recipe)], seed, executor).finish().levels)
    elif "session" in recipe:
        levels = Session.from_data(recipe["session"], "origin").levels
    else:
        levels = Run(Recipe.from_data(recipe, "origin"), seed, executor).finish().levels
    if index >= len(levels):
        raise InputError(
            f"origin: expected level {index}, but recipe and seed give only {len(levels)}; "
            f"{difference(level.origin.version, level.origin.engine) or SAME}"
        )
    return Replay(level, levels[index])

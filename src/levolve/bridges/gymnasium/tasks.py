"""Tasks: what the registered environments play by default. A new one is one line here."""

from dataclasses import dataclass

from levolve.bridges.gymnasium.games.flag import FlagGame
from levolve.bridges.gymnasium.games.game import Game
from levolve.bridges.gymnasium.games.sliding import SlidingGame
from levolve.bridges.gymnasium.games.walk import WalkGame
from levolve.errors import UnknownNameError
from levolve.registry import did_you_mean


@dataclass(frozen=True)
class Task:
    """One registered environment: its id, the game, and the recipe or puzzle that its levels come from by default."""

    id: str
    game: type[Game]
    recipe: str


TASKS = {
    "maze": Task("levolve/Maze-v0", WalkGame, "labyrinth"),
    "dungeon": Task("levolve/Dungeon-v0", WalkGame, "dungeon"),
    "chromatic": Task("levolve/Chromatic-v0", WalkGame, "maze-chromatic"),
    "flag": Task("levolve/Flag-v0", FlagGame, "flag"),
    "sliding": Task("levolve/Sliding-v0", SlidingGame, "sliding"),
}


def find_task(name: str) -> Task:
    """Return the task of this name."""
    if name not in TASKS:
        message = f"unknown task {name!r}: {did_you_mean(str(name), list(TASKS))}"
        raise UnknownNameError(message)
    return TASKS[name]

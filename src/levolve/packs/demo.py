"""The demo: a pack of levels from several recipes."""

from concurrent.futures import Executor
from dataclasses import replace
from typing import Any

from levolve.events import Watch
from levolve.packs.mixed import MixedPackBuilder
from levolve.packs.order import Order
from levolve.packs.pack import Pack
from levolve.recipes.adapt import adapt
from levolve.runs.checkpoints import complete

# Recipe, number of levels, targets and settings.
PARTS: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = [
    ("labyrinth", 5, {}, {"size": "21x15"}),
    ("castle", 4, {"walls": "150..260", "exit_path": "12..90"}, {"size": "25x17"}),
    ("grotto", 4, {"walls": "170..280"}, {"size": "25x17"}),
    ("garden", 3, {}, {"size": "21x15"}),
    ("maze-tunnels", 3, {"regions": "1", "specks": "0..3"}, {"size": "20x20"}),
    ("maze-chromatic", 3, {}, {"size": "10x10"}),
    ("dungeon", 2, {"regions": "1..3"}, {"size": "12x12"}),
]
DEMO_FORMATS = ("json", "txt", "png")
DEMO_LEVELS = sum(count for _, count, _, _ in PARTS)


def build_demo(seed: int = 1, executor: Executor | None = None, watch: Watch | None = None) -> Pack:
    """Build a pack from several recipes, sorted from the easiest level to the hardest. The same seed gives the same levels."""
    orders = [
        Order.of(adapt(recipe, settings=settings), count=count, target=target, distinct=0.12, curve="easy..hard")
        for recipe, count, target, settings in PARTS
    ]
    return replace(complete(MixedPackBuilder(orders, seed, executor), watch=watch), name="levolve demo")

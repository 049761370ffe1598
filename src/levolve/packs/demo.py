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
    ("maze", 5, {"regions": "1..4"}, {"size": "16x16"}),
    ("maze-barriers", 4, {"regions": "1..4"}, {"size": "18x18"}),
    ("maze-tunnels", 4, {"regions": "1"}, {"size": "20x20"}),
    ("maze-automaton", 3, {"regions": "1..6"}, {"size": "20x20"}),
    ("maze-chromatic", 3, {}, {"size": "10x10"}),
    ("dungeon", 3, {"regions": "1..3"}, {"size": "12x12"}),
    ("cavern", 2, {"regions": "1..8", "walls": "240..450"}, {"size": "28x28", "genotype.starts": 1}),
]
DEMO_FORMATS = ("json", "txt", "png")
DEMO_LEVELS = sum(count for _, count, _, _ in PARTS)


def build_demo(seed: int = 1, executor: Executor | None = None, watch: Watch | None = None) -> Pack:
    """Build a pack from several recipes, sorted from the easiest level to the hardest. The same seed gives the same levels."""
    orders = [
        Order.of(adapt(recipe, settings=settings), count=count, target=target, distinct=0.2, curve="easy..hard")
        for recipe, count, target, settings in PARTS
    ]
    return replace(complete(MixedPackBuilder(orders, seed, executor), watch=watch), name="levolve demo")

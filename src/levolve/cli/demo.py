"""`levolve demo`: a pack of playable levels of several recipes, in one word."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from levolve.cli.options import Json, Quiet, Threads
from levolve.cli.pack import check_folder, print_folder, print_pack
from levolve.cli.report import Report
from levolve.errors import LevolveError

FORMATS = ["json", "txt", "png"]
# Recipe, how many levels, and what is asked of them.
PARTS: list[tuple[str, int, dict[str, Any], dict[str, Any]]] = [
    ("maze", 5, {"regions": "1..4"}, {"size": "16x16"}),
    ("maze-barriers", 4, {"regions": "1..4"}, {"size": "18x18"}),
    ("maze-tunnels", 4, {"regions": "1"}, {"size": "20x20"}),
    ("maze-automaton", 3, {"regions": "1..6"}, {"size": "20x20"}),
    ("maze-chromatic", 3, {}, {"size": "10x10"}),
    ("dungeon", 3, {"regions": "1..3"}, {"size": "12x12"}),
    ("cavern", 2, {"regions": "1..8", "walls": "240..450"}, {"size": "28x28", "genotype.starts": 1}),
]


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write into.")] = Path("levolve-demo"),
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same levels.")] = 1,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a pack of 24 levels of several recipes, from easy to hard, with a page to look at them and play. Nothing is opened."""
    check_folder(output)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.packs.making import Making
        from levolve.packs.order import Order
        from levolve.packs.pack import Pack
        from levolve.runs.evolving import adapt
        from levolve.runs.executors import thread_pool

        packs: list[Pack] = []
        with thread_pool(threads) as executor, report.bar("making levels", sum(count for _, count, _, _ in PARTS)) as bar:
            for recipe, count, target, settings in PARTS:
                order = Order.of(adapt(recipe, settings=settings), count=count, target=target, distinct=0.2, curve="easy..hard")
                making = Making(order, seed, executor)
                before = bar.done
                for decided in making.rounds():
                    bar.reach(before + decided, recipe)
                packs.append(making.pack)
        made = Pack.joined("levolve demo", packs)
        index = made.save(output, FORMATS).resolve()
    if json:
        print(json_text.dumps({"index": str(index), **made.to_data()}, indent=2))
    else:
        print_pack(made, f"{len(PARTS)} recipes, seed {seed}")
        print_folder(len(made.levels), "level", output, FORMATS)
    if not made.report.met:
        raise LevolveError(str(made.report))

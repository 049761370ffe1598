"""`levolve demo`: a sheet of playable mazes, in one word."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Json, Quiet, Threads
from levolve.cli.report import Report

COUNT = 12
SUFFIXES = ("json", "txt", "png")


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="The folder to write into.")] = Path("levolve-demo"),
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The same seed gives the same mazes.")] = 1,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Evolve twelve mazes, write them as level files and pictures, and make a page to look at them."""
    from levolve.formats.files import check_writable, write_file

    names = [f"maze-{index:02}" for index in range(1, COUNT + 1)]
    for name in [*(f"{name}.{suffix}" for name in names for suffix in SUFFIXES), "sheet.png", "index.html"]:
        check_writable(output / name)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.evolution.seeds import choose_seed
        from levolve.formats import FORMATS
        from levolve.formats.sheet import page, sheet_picture
        from levolve.runs.executors import Here, thread_pool
        from levolve.runs.recipe import find_recipe
        from levolve.runs.run import Run

        recipe = find_recipe("maze").changed({"generations": 1200})
        first = choose_seed(seed)
        runs = [Run(recipe, (first + index) % (1 << 64), Here()) for index in range(COUNT)]
        with thread_pool(threads) as executor, report.bar("evolving mazes", COUNT) as bar:
            for _ in executor.map(Run.finish, runs):
                bar.advance()
        runs.sort(key=lambda run: (run.best_score, run.seed))
        levels = [run.best for run in runs]
        captions = [f"{run.best_score:g} steps, seed {run.seed}" for run in runs]
        files = {
            f"{name}.{suffix}": FORMATS[suffix].encode(level) for name, level in zip(names, levels, strict=True) for suffix in ("json", "txt", "png")
        }
        files["sheet.png"] = sheet_picture(levels, captions)
        files["index.html"] = page("levolve demo", names, levels, captions)
    for name, content in files.items():
        write_file(output / name, content)
    index = (output / "index.html").resolve()
    if json:
        print(
            json_text.dumps(
                {"index": str(index), "levels": [{"name": n, "digest": lv.digest} for n, lv in zip(names, levels, strict=True)]}, indent=2
            )
        )
    else:
        print(f"{COUNT} mazes, each with a solution that was replayed, from {captions[0]} to {captions[-1]}.")
        print(f"Open {index} in a browser; level files and {output / 'sheet.png'} lie beside it.")

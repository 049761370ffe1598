"""`levolve demo`: build a pack of playable levels from several recipes."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Cluster, Json, Quiet, ThemeOption, Threads, TileOption
from levolve.cli.pack import print_folder, print_pack, watch_searches
from levolve.cli.report import Report
from levolve.errors import LevolveError


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder.")] = Path("levolve-demo"),
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Random seed. The same seed gives the same levels.")] = 1,
    theme: ThemeOption = None,
    tile: TileOption = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build a pack of 24 levels from several recipes, easy to hard, and a page to play them. No browser is opened."""
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.look import look_of
        from levolve.packs.demo import DEMO_FORMATS, DEMO_LEVELS, PARTS, build_demo
        from levolve.packs.folder import check_folder
        from levolve.runs.executors import work_pool

        check_folder(output)
        look = look_of(theme, tile)
        with work_pool(threads, cluster) as executor, report.bar("building", DEMO_LEVELS, "levels") as bar:
            made = build_demo(seed, executor, watch_searches(bar))
        made.save(output, DEMO_FORMATS, theme=look.theme, tile=look.tile)
    if json:
        print(json_text.dumps(made.summary(output), indent=2))
    else:
        print_pack(made, f"{len(PARTS)} recipes, seed {seed}")
        print_folder(made, output, DEMO_FORMATS)
        print("To watch evolution and breed levels of your own: levolve studio --open")
    if not made.report.met:
        raise LevolveError(str(made.report))

"""`levolve join`: make one pack of several.

`levolve demo`: build a pack of playable levels from several recipes.
"""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.commands.pack import counted, print_folder, print_pack, watch_searches
from levolve.cli.options import Cluster, Formats, Json, Quiet, ThemeOption, Threads, TileOption
from levolve.cli.progress import Report
from levolve.core.errors import LevolveError


def join(
    folders: Annotated[list[Path], typer.Argument(metavar="PACK...", help="Folders of packs.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Output folder, which must not exist.")] = Path("levolve-joined"),
    order: Annotated[
        str, typer.Option("--order", metavar="ORDER", help="easy..hard, hard..easy, or given: the levels of one pack after those of the other.")
    ] = "easy..hard",
    to: Formats = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Join packs into a new one, in the order of difficulty. Every level keeps its origin, and 'levolve replay' regenerates it.

    The manifest of the new pack lists the order, the seed and the results of every part. A level that is in two packs is an error.
    """
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.jobs.packs.pack import DEFAULT_FORMATS, formats_of
        from levolve.jobs.packs.pack_function import join_packs
        from levolve.jobs.packs.replace_folder import check_folder, check_new

        check_new(output)
        check_folder(output)
        joined = join_packs(folders, order)
        formats = formats_of(DEFAULT_FORMATS if to is None else to, joined.positions)
        joined.save(output, formats)
    if json:
        print(json_text.dumps(joined.summary(output), indent=2))
    else:
        print_pack(joined, f"{counted(joined)} of {len(folders)} packs")
        print_folder(joined, output, formats)


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
        from levolve.jobs.executors import work_pool
        from levolve.jobs.packs.pack_function import DEMO_FORMATS, DEMO_LEVELS, PARTS, build_demo
        from levolve.jobs.packs.replace_folder import check_folder

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

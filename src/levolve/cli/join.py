"""`levolve join`: make one pack of several."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Formats, Json, Quiet
from levolve.cli.pack import counted, print_folder, print_pack
from levolve.cli.report import Report


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
        from levolve.packs.folder import check_folder, check_new
        from levolve.packs.joining import join_packs
        from levolve.packs.pack import DEFAULT_FORMATS, formats_of

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

"""`levolve check`: replay the proofs in files, measure levels, and examine puzzles."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Json, Quiet
from levolve.cli.pictures import print_measures
from levolve.cli.report import Report
from levolve.errors import LevolveError
from levolve.printable import one_line


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Files of levels, or of positions of puzzles, or folders of packs.")],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check files: replay the solution of each and measure it; for a puzzle also report what exact search finds, such as soft locks.

    A level that was edited in Tiled, LDtk, Godot or by hand gets a new solution; where there is none, check says what is in the way. The folder of a
    pack is compared with its manifest, and the proof of every level in it is replayed; so are those of all levels of an LDtk project. All files are
    checked, also after one that cannot be read.
    """
    from levolve.packs.checking import PackCheck, check_path
    from levolve.puzzles.checking import CheckResult

    results: list[CheckResult | PackCheck] = []
    for file in files:
        with Report(quiet=quiet) as report, report.watching_kernels():
            found = check_path(file)
        results += found
        for result in [] if json else found:
            print(one_line(f"{result.file}: {result.summary}"))
            print_measures(result.lines)
    if json:
        print(json_text.dumps([result.to_data() for result in results], indent=2))
    unproven = [f"{result.file}: {result.why}" for result in results if not result.winnable]
    if unproven:
        message = f"no proof that it can be won: {'; '.join(unproven)}"
        raise LevolveError(message)

"""`levolve check`: replay the proofs in files, measure levels, and examine puzzles.

`levolve convert`: convert levels, fashion records and rules from one file format to another, by
suffix.

`levolve replay`: regenerate a level and compare it.
"""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Cluster, Json, LevelFile, Quiet, ThemeOption, Threads, TileOption
from levolve.cli.pictures import print_measures
from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line


def check(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Files of levels, or of positions of puzzles, or folders of packs.",
        ),
    ],
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check files: replay the solution of each and measure it; for a puzzle also report what exact
    search finds, such as soft locks.

    A level that was edited in Tiled, LDtk, Godot or by hand gets a new solution; if none exists,
    check says what blocks the way. The folder of a pack is compared with its manifest, and the
    proof of every level in it is replayed. All levels of an LDtk project are checked too. All files
    are checked, even if one cannot be read.
    """
    from levolve.jobs.packs.check_pack import PackCheck, check_path
    from levolve.puzzles.check_file import CheckResult

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


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="A", help="A record file, a rule file (.toml, .json) or a level file."
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="B",
            help="The file to write. Several records are written to B-1, B-2 and so on.",
        ),
    ],
    level: Annotated[
        bool,
        typer.Option(
            "--level",
            help=(
                "Convert the maps of records to levels, even if the suffix could also mean a rule."
            ),
        ),
    ] = False,
    size: Annotated[
        str | None,
        typer.Option(
            "--size",
            metavar="WxH",
            help="Size of the maps in a text file that contains maps but no rule.",
        ),
    ] = None,
    palette: Annotated[
        str, typer.Option("--palette", metavar="NAME|FILE", help="Colours for pictures of records.")
    ] = "source",
    pixels: Annotated[
        int,
        typer.Option(
            "--pixels", metavar="N", min=1, max=64, help="Pixels per cell in pictures of records."
        ),
    ] = 4,
    frame: Annotated[
        bool,
        typer.Option("--frame", help="Add a closed border of walls to a level, unless it has one."),
    ] = False,
    theme: ThemeOption = None,
    tile: TileOption = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Convert a file: levels to any format (see 'levolve parts formats'); records to pictures,
    arrays, rules and levels.
    """
    from levolve.formats.level_files import read_original
    from levolve.formats.look import look_for
    from levolve.formats.writing import check_writable, write_files
    from levolve.levels.level import Level, with_border
    from levolve.puzzles.load_save import encode_files, load, puzzle_of

    check_writable(target)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.worlds.files import convert_designs, designs_in

        look = None if theme is None and tile is None else look_for([target], theme, tile)
        designs = designs_in(source, size=size)
        if designs is not None:
            written = convert_designs(
                designs, target, level=level, palette=palette, pixels=pixels, look=look
            )
        else:
            found = load(source)
            if frame and not isinstance(found, Level):
                message = (
                    f"--frame: expected a level, got {puzzle_of(found).noun}, which nobody can "
                    "leave; omit it"
                )
                raise InputError(message)
            found = with_border(found) if frame else found
            written = write_files(
                encode_files(
                    found, target, look, read_original(source) if isinstance(found, Level) else None
                )
            )
    if json:
        print(json_text.dumps({"written": [str(path) for path in written]}, indent=2))
    for path in written:
        report.say(f"written: {path}")


def replay(
    file: LevelFile,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Regenerate the level of a file from its recipe and seed, and compare the bytes. For a level
    of a pack, the whole pack is regenerated.
    """
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.jobs.executors import work_pool
        from levolve.jobs.packs.replace_folder import finish_switch
        from levolve.jobs.replay import replay as replay_level
        from levolve.puzzles.load_save import load

        finish_switch(file.parent)
        with work_pool(threads, cluster) as executor:
            result = replay_level(load(file), executor)
    if json:
        print(json_text.dumps(result.to_data(), indent=2))
    elif result.same:
        print(f"{one_line(file)}: regenerated, the same bytes ({result.level.digest})")
        if result.changes:
            print(one_line(f"  {result.changes}"))
    if not result.same:
        message = f"{file}: {result.difference}"
        raise LevolveError(message)

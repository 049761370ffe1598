"""`levolve convert`: convert levels, fashion records and rules from one file format to another, by suffix."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Json, Quiet, ThemeOption, TileOption
from levolve.cli.report import Report
from levolve.errors import InputError


def convert(
    source: Annotated[Path, typer.Argument(metavar="A", help="A record file, a rule file (.toml, .json) or a level file.")],
    target: Annotated[Path, typer.Argument(metavar="B", help="The file to write. Several records are written to B-1, B-2 and so on.")],
    level: Annotated[bool, typer.Option("--level", help="Convert the maps of records to levels, even if the suffix could also mean a rule.")] = False,
    size: Annotated[str | None, typer.Option("--size", metavar="WxH", help="Size of the maps in a text file that contains maps but no rule.")] = None,
    palette: Annotated[str, typer.Option("--palette", metavar="NAME|FILE", help="Colours for pictures of records.")] = "source",
    pixels: Annotated[int, typer.Option("--pixels", metavar="N", min=1, max=64, help="Pixels per cell in pictures of records.")] = 4,
    frame: Annotated[bool, typer.Option("--frame", help="Add a closed border of walls to a level, unless it has one.")] = False,
    theme: ThemeOption = None,
    tile: TileOption = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Convert a file: levels to any format (see 'levolve parts formats'); records to pictures, arrays, rules and levels."""
    from levolve.formats.files import read_original
    from levolve.formats.look import look_for
    from levolve.formats.writing import check_writable, write_files
    from levolve.levels.borders import with_border
    from levolve.levels.level import Level
    from levolve.puzzles.files import encode_files, load, puzzle_of

    check_writable(target)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.fashion.conversion import convert_designs, designs_in

        look = None if theme is None and tile is None else look_for([target], theme, tile)
        designs = designs_in(source, size=size)
        if designs is not None:
            written = convert_designs(designs, target, level=level, palette=palette, pixels=pixels, look=look)
        else:
            found = load(source)
            if frame and not isinstance(found, Level):
                message = f"--frame: expected a level, got {puzzle_of(found).noun}, which nobody can leave; omit it"
                raise InputError(message)
            found = with_border(found) if frame else found
            written = write_files(encode_files(found, target, look, read_original(source) if isinstance(found, Level) else None))
    if json:
        print(json_text.dumps({"written": [str(path) for path in written]}, indent=2))
    for path in written:
        report.say(f"written: {path}")

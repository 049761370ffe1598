"""`levolve show`: look at a level file."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from levolve.cli.options import Json, LevelFile, Quiet
from levolve.cli.pictures import print_level, print_measures, print_picture
from levolve.cli.report import Report


def show(
    file: LevelFile,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE.png", help="Draw the level into a PNG file instead.")] = None,
    tile: Annotated[
        int | None, typer.Option("--tile", metavar="N", min=1, max=256, help="Pixels a tile in the PNG. Default: 16, less for large levels.")
    ] = None,
    path: Annotated[bool, typer.Option("--path/--no-path", help="Draw the solution, or leave it out.")] = True,
    ends: Annotated[bool, typer.Option("--culs-de-sac", help="Mark the culs-de-sac in the PNG.")] = False,
    legend: Annotated[bool, typer.Option("--legend", help="Say below the PNG what is what.")] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show a level: its picture, its measures, its solution, and where it came from."""
    from levolve.errors import InputError
    from levolve.formats.files import load, write_file
    from levolve.formats.json import level_to_data
    from levolve.levels.level import Level

    if output is None and (tile is not None or ends or legend):
        message = "--tile, --culs-de-sac and --legend: expected -o FILE.png beside them; they are for drawn pictures"
        raise InputError(message)
    with Report(quiet=quiet) as report, report.watching_kernels():
        found = load(file)
    if not isinstance(found, Level):
        _show_round(found, drawn=output is not None, json=json)
        return
    level = found
    if output is not None:
        from levolve.formats.png import encode

        if output.suffix.lower() != ".png":
            message = f"--output: expected a file name that ends in .png, got {str(output)!r}"
            raise InputError(message)
        write_file(output, encode(level, tile, path=path, ends=ends, legend=legend))
        if not quiet and not json:
            print(f"written: {output}")
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.measures.measuring import measure

        measures = {name: int(values[0]) for name, values in measure(level).items()}
    if json:
        print(json_text.dumps({**level_to_data(level), "measures": measures}, indent=2))
        return
    if output is not None:
        return
    print_level(level if path else level.with_solution(None))
    print(f"{file}: {level.width}x{level.height} {level.tileset.name}, {', '.join(level.places) or 'no places'}")
    print_measures(measures)
    if level.solution is None:
        from levolve.levels.certifying import why_not

        print(f"  solution               none: {why_not(level)}")
    else:
        print(f"  solution               {len(level.solution)} moves, replayed: {_shortened(level.solution)}")
    if level.origin is not None:
        print(f"  origin                 recipe {level.origin.recipe.get('name')}, seed {level.origin.seed}, levolve {level.origin.version}")
    print(f"  digest                 {level.digest}")


def _show_round(found: Any, *, drawn: bool, json: bool) -> None:  # noqa: ANN401 a round; its floor is loaded only here
    from levolve.errors import InputError
    from levolve.puzzles.flag.files import round_to_data
    from levolve.puzzles.flag.picture import terminal

    if drawn:
        message = "--output: expected a level, got a round; 'levolve solve flag FILE -o FILE.png' draws one"
        raise InputError(message)
    data = round_to_data(found)
    if json:
        print(json_text.dumps(data, indent=2))
        return
    print_picture(lambda colour: terminal(found.after(""), colour=colour))
    print(f"Reach the Flag, {found.width}x{found.height}, {found.visits} visits")
    print_measures({"solution": found.solution or "none", **data.get("facts", {})})


def _shortened(solution: str, most: int = 48) -> str:
    return solution if len(solution) <= most else f"{solution[: most - 1]}…"

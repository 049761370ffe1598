"""`levolve show`: show the level or the puzzle in a file.

`levolve check`: replay the proofs in files, measure levels, and examine puzzles.

`levolve convert`: convert levels, fashion records and rules from one file format to another, by
suffix.

`levolve replay`: regenerate a level and compare it.
"""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.level_report import order_of, print_report, shortened, write_order
from levolve.cli.options import (
    AllMeasures,
    AllowLoss,
    Cluster,
    Json,
    LevelFile,
    Quiet,
    ThemeOption,
    Threads,
    TileOption,
)
from levolve.cli.output import print_measures, print_picture
from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.formats.look import Look
    from levolve.levels.level import Level
    from levolve.puzzles.position import Position


def check(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Files of levels, or of positions of puzzles, or folders of packs.",
        ),
    ],
    allow_loss: AllowLoss = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check files: replay the solution of each and measure it; for a puzzle also report what exact
    search finds, such as soft locks.

    A level with things must not be one that can be lost: check names the first move after which it
    cannot be won. A level that was edited in Tiled, LDtk, Godot or by hand gets a new solution; if
    none exists, check says what blocks the way. The folder of a pack is compared with its manifest,
    and the proof of every level in it is replayed. All levels of an LDtk project are checked too.
    All files are checked, even if one cannot be read.
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
    faults: dict[str, list[str]] = {}
    for result in results:
        if not result.winnable:
            losable = isinstance(result, CheckResult) and result.can_be_lost
            fault = "no proof that it cannot be lost" if losable else "no proof that it can be won"
            if not (losable and allow_loss):
                faults.setdefault(fault, []).append(f"{result.file}: {result.why}")
    if faults:
        texts = [f"{fault}: {'; '.join(found)}" for fault, found in faults.items()]
        message = "; ".join(texts)
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
    scenes: Annotated[
        list[str] | None,
        typer.Option(
            "--godot-scene",
            metavar="KIND=PATH",
            help=(
                "In a .tscn, show things of a kind as instances of your scene, such as "
                "key=res://key.tscn. May be repeated."
            ),
        ),
    ] = None,
    allow_loss: AllowLoss = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Convert a file: levels to any format (see 'levolve parts formats'); records to pictures,
    arrays, rules and levels.
    """
    from levolve.formats.level_files import read_original
    from levolve.formats.look import look_for, with_scenes
    from levolve.formats.writing import check_writable, write_files
    from levolve.levels.level import Level, with_border
    from levolve.levels.solver import recertified
    from levolve.puzzles.load_save import encode_files, load, puzzle_of

    check_writable(target)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.worlds.files import convert_designs, designs_in

        look = None if theme is None and tile is None else look_for([target], theme, tile)
        if scenes:
            look = with_scenes(look, scenes, target)
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
            found = recertified(with_border(found)) if frame else found
            original = read_original(source) if isinstance(found, Level) else None
            written = write_files(
                encode_files(found, target, look, original, allow_loss=allow_loss)
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


def show(
    file: LevelFile,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.png", help="Write a PNG picture instead of printing."
        ),
    ] = None,
    theme: ThemeOption = None,
    tile: TileOption = None,
    path: Annotated[
        bool,
        typer.Option(
            "--path/--no-path", help="Draw the solution, and the way back of a tour, or omit them."
        ),
    ] = True,
    ends: Annotated[
        bool, typer.Option("--culs-de-sac", help="Mark the culs-de-sac in the PNG.")
    ] = False,
    legend: Annotated[
        bool, typer.Option("--legend", help="Add a legend below the picture in the PNG.")
    ] = False,
    caption: Annotated[
        str | None,
        typer.Option(
            "--caption",
            metavar="steps|tiles",
            help="Below the PNG, the steps of the walk; with 'tiles' its tiles too.",
        ),
    ] = None,
    field: Annotated[
        str | None,
        typer.Option(
            "--field",
            metavar="distances|members",
            help=(
                "Show instead how far each cell is from the entrance, or which checkpoints lie "
                "on a shortest walk to it. With --json, add both."
            ),
        ),
    ] = None,
    every: AllMeasures = False,
    areas: Annotated[
        bool,
        typer.Option(
            "--areas",
            help="List the rooms, corridors and doorways with their roles. With --json, add them.",
        ),
    ] = False,
    order: Annotated[
        Path | None,
        typer.Option(
            "--order",
            metavar="FILE.png",
            help="Write a picture of the order of keys: what has to be entered before what.",
        ),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the picture, measures, solution and origin of a level or puzzle."""
    from levolve.core.errors import InputError
    from levolve.formats.json import level_to_data
    from levolve.formats.look import look_of
    from levolve.formats.writing import write_file
    from levolve.levels.areas import areas_to_data, described, find_areas
    from levolve.levels.level import Level
    from levolve.puzzles.load_save import load

    drawn_only = theme is not None or tile is not None or ends or legend or caption is not None
    if output is None and drawn_only:
        message = (
            "--theme, --tile, --culs-de-sac, --legend and --caption: expected -o FILE.png as "
            "well; these options apply only to PNG pictures"
        )
        raise InputError(message)
    if field is not None and theme is not None:
        message = "--theme: cannot be combined with --field; a field is drawn in flat colours"
        raise InputError(message)
    with Report(quiet=quiet) as report, report.watching_kernels():
        found = load(file)
        if not isinstance(found, Level):
            _show_position(
                found,
                output,
                json=json,
                quiet=quiet,
                unfit=drawn_only or areas or field is not None or order is not None or not path,
            )
            return
        level = found
        if output is not None:
            if output.suffix.lower() != ".png":
                message = f"--output: expected a file name that ends in .png, got {str(output)!r}"
                raise InputError(message)
            write_file(
                output,
                _picture(
                    level, field, look_of(theme, tile), caption, path=path, ends=ends, legend=legend
                ),
            )
        write_order(level, order, look_of(theme, tile).theme)
        measures, more = _facts(level, field)
        found_areas = (level.areas or find_areas(level)) if areas else ()
        more |= {"areas": areas_to_data(found_areas)} if areas else {}
    if json:
        print(json_text.dumps({**level_to_data(level), "measures": measures, **more}, indent=2))
    elif output is None:
        print_report(
            level if path else level.with_solution(None), file, measures, field, every=every
        )
    if areas and not json:
        print_measures(described(found_areas))
    for written in [] if quiet or json else filter(None, (output, order)):
        print(f"written: {one_line(written)}")


def _picture(
    level: "Level",
    field: str | None,
    look: "Look",
    caption: str | None,
    *,
    path: bool,
    ends: bool,
    legend: bool,
) -> bytes:
    """The picture to write, as PNG."""
    from levolve.formats.pictures.png import encode, encode_field
    from levolve.formats.pictures.walk_lines import caption_of

    words = "" if caption is None else caption_of(level, caption)
    if field is not None:
        return encode_field(level, field, look.tile, ends=ends, caption=words)
    return encode(level, look, path=path, ends=ends, legend=legend, caption=words)


def _facts(level: "Level", field: str | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The measures of a level, the order of its things, and its field where it is asked for."""
    from levolve.levels.measures.measuring import measure

    measures, order = measure(level).of_level(), order_of(level)
    more = {} if order is None else {"order": order.to_data()}
    if field is None:
        return measures, more
    from levolve.levels.measures.field import field as field_of

    return measures, {**more, "field": field_of(level).to_data()}


def _show_position(
    position: "Position", output: Path | None, *, json: bool, quiet: bool, unfit: bool
) -> None:
    from levolve.core.errors import InputError
    from levolve.formats.file_kinds import save
    from levolve.puzzles.load_save import puzzle_of

    if unfit:
        message = (
            "--theme, --tile, --culs-de-sac, --legend, --caption, --field, --areas, --order and "
            "--no-path: expected a level, got a position of a puzzle"
        )
        raise InputError(message)
    puzzle = puzzle_of(position)
    if output is not None:
        save(position, output)
        if not quiet and not json:
            print(f"written: {one_line(output)}")
    if json:
        print(json_text.dumps(position.to_data(), indent=2))
    elif output is None:
        print_picture(lambda colour: puzzle.terminal(position, colour=colour))
        print(one_line(puzzle.describe(position)))
        solution = (
            "none"
            if position.solution is None
            else f"{len(position.solution)} moves, replayed: {shortened(position.solution)}"
        )
        print_measures({"solution": solution})
        if position.facts:
            print("stated in the file, not checked:")
            print_measures(position.facts)

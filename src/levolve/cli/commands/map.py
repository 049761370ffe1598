"""`levolve map`: a map by a fashion rule, or a window of a world without an edge."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli import presenters
from levolve.cli.options import (
    Cluster,
    Json,
    Quiet,
    RuleName,
    Seed,
    ThemeOption,
    Threads,
    TileOption,
)
from levolve.cli.presenters import TILES
from levolve.cli.progress import Report
from levolve.cli.values import parse_pour, parse_window
from levolve.core.errors import InputError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.jobs.store.places import Storing
    from levolve.worlds.maps import FashionMap


def map(  # noqa: A001 the command's name
    rule: RuleName,
    size: Annotated[
        str | None,
        typer.Option(
            "--size", metavar="WxH", help="Width and height of the map. Default: 100x100."
        ),
    ] = None,
    updates: Annotated[
        int | None,
        typer.Option("--updates", metavar="N", help="Number of updates. Default: the rule's."),
    ] = None,
    seed: Seed = None,
    window: Annotated[
        str | None,
        typer.Option(
            "--window",
            metavar="X,Y,W,H",
            help="Draw this window of the endless world of the rule and seed.",
        ),
    ] = None,
    scale: Annotated[
        int,
        typer.Option(
            "--scale",
            metavar="K",
            help="With --window: each cell shows the most common state of KxK cells.",
        ),
    ] = 1,
    morph: Annotated[
        list[str] | None,
        typer.Option(
            "--morph",
            metavar="RULE",
            help="Change into this rule from place to place. May be repeated.",
        ),
    ] = None,
    field: Annotated[
        str,
        typer.Option(
            "--field",
            metavar="NAME",
            help=(
                "How a morph changes: linear, vertical, radial, noise, or a grey PNG of the "
                "map's size."
            ),
        ),
    ] = "linear",
    length: Annotated[
        int,
        typer.Option(
            "--length",
            metavar="N",
            help=(
                "With --morph and --window: number of cells over which one rule changes into the "
                "other."
            ),
        ),
    ] = 400,
    border: Annotated[
        str | None,
        typer.Option("--border", metavar="NAME", help="torus or bounded. Default: the rule's."),
    ] = None,
    arithmetic: Annotated[
        str | None,
        typer.Option(
            "--arithmetic",
            metavar="NAME",
            help=(
                "How sums are compared: exact, float (the source), text (its showcase). Default: "
                "the rule's."
            ),
        ),
    ] = None,
    smooth: Annotated[
        int | None,
        typer.Option(
            "--smooth",
            metavar="N",
            help="Passes of the majority filter at the end. Default: the rule's.",
        ),
    ] = None,
    pour: Annotated[
        list[str] | None,
        typer.Option(
            "--pour",
            metavar="X,Y=STATE",
            help="Turn the region around a cell into a state at the end. May be repeated.",
        ),
    ] = None,
    palette: Annotated[
        str | None,
        typer.Option(
            "--palette", metavar="NAME|FILE", help="source, cave, ink, or a file of colours."
        ),
    ] = None,
    pixels: Annotated[
        int,
        typer.Option("--pixels", metavar="N", min=1, max=64, help="Pixels per cell in pictures."),
    ] = 4,
    legend: Annotated[
        bool, typer.Option("--legend", help="Explain the states below a PNG.")
    ] = False,
    start: Annotated[
        Path | None,
        typer.Option(
            "--start",
            metavar="FILE",
            help="Start from this map: a record, an array .npy, or one map in digits with --size.",
        ),
    ] = None,
    map_is: Annotated[
        str | None,
        typer.Option(
            "--map-is",
            metavar="ROLE",
            help=(
                "What a record's map is: start, or result (no update is run). Default: what the "
                "file states."
            ),
        ),
    ] = None,
    record: Annotated[
        int,
        typer.Option("--record", metavar="K", min=1, help="Which record of a file with several."),
    ] = 1,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=(
                "Write the map: .png, .npy, .txt (a record); .gif shows all updates. May be "
                "repeated."
            ),
        ),
    ] = None,
    text: Annotated[
        str,
        typer.Option(
            "--text",
            metavar="CONTENT",
            help=(
                "Content of a .txt file: record, every (the map of every update too), map, or "
                "parameters."
            ),
        ),
    ] = "record",
    append: Annotated[
        bool, typer.Option("--append", help="Write at the end of an existing .txt file.")
    ] = False,
    gif: Annotated[
        bool, typer.Option("--gif", help="Write an animation of all updates into RULE.gif.")
    ] = False,
    frames: Annotated[
        Path | None,
        typer.Option(
            "--frames", metavar="DIR", help="Write a PNG for the start and for every update."
        ),
    ] = None,
    prefix: Annotated[
        str,
        typer.Option(
            "--prefix",
            metavar="NAME",
            help="With --frames: file names NAME 0.png, NAME 1.png and so on.",
        ),
    ] = "",
    level: Annotated[
        Path | None,
        typer.Option(
            "--level",
            metavar="FILE",
            help="Write a level: open states are floor, entrance and exit are far apart.",
        ),
    ] = None,
    theme: ThemeOption = None,
    tile: TileOption = None,
    tiles: Annotated[
        Path | None,
        typer.Option(
            "--tiles",
            metavar="DIR|FILE.npy",
            help="Write a large part of the world tile by tile; continues where it was stopped.",
        ),
    ] = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Make a map by a fashion rule: a record file, a .toml or .json rule file, or a shipped
    name.
    """
    outputs = [*(output or []), *([Path(f"{Path(rule).stem}.gif")] if gif else [])]
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.look import look_for
        from levolve.jobs.executors import work_pool
        from levolve.worlds.files import check_map_sizes
        from levolve.worlds.maps import make_map

        if tiles is not None:
            others = {
                "--morph": morph,
                "--pour": pour,
                "--output": outputs,
                "--frames": frames,
                "--level": level,
                "--smooth": smooth,
                "--start": start,
                "--theme": theme,
                "--tile": tile is not None,
            }
            _refuse_with_tiles(others)
            area = None if window is None else parse_window(window)
            from levolve.jobs.runs.world_jobs import MapJob
            from levolve.worlds.tiling import plan_tiles

            plan = plan_tiles(
                rule,
                tiles,
                area=area,
                size=size,
                seed=seed,
                updates=updates,
                arithmetic=arithmetic,
                palette=palette,
                record=record,
            )
            options = {"output": tiles, "json": json, "quiet": quiet}
            with work_pool(threads, cluster) as executor:
                job = MapJob(plan, executor)
                written = presenters.carry_out(
                    presenters.start(job, storing, options), TILES, report
                )
            with report.paused():
                TILES.show(job, options, written, report, json=json)
            return
        _check_files(outputs, frames, level, text=text, append=append, prefix=prefix)
        look = look_for([level] if level is not None else [], theme, tile)
        with work_pool(threads) as executor:
            made = make_map(
                rule,
                size=size,
                updates=updates,
                seed=seed,
                window=None if window is None else parse_window(window),
                scale=scale,
                morph=morph or (),
                field=field,
                length=length,
                border=border,
                arithmetic=arithmetic,
                smooth=smooth,
                pour=[parse_pour(entry) for entry in pour or []],
                start=start,
                palette=palette,
                record=record,
                map_is=map_is,
                executor=executor,
                check=lambda sides: check_map_sizes(
                    [*outputs, *([frames / "0.png"] if frames is not None else [])],
                    sides,
                    pixels,
                    level,
                ),
            )
        for path in outputs:
            made.save(path, pixels=pixels, legend=legend, content=text, append=append)
        if frames is not None:
            made.save_frames(frames, pixels=pixels, prefix=prefix)
        if level is not None:
            from levolve.formats.level_files import save_level

            save_level(made.to_level(), level, look)
    remarks = [
        *made.remarks,
        *(f"written: {path}" for path in (*outputs, frames, level) if path is not None),
    ]
    if json:
        print(json_text.dumps(made.to_data(), indent=2))
    else:
        _print_map(made, len(remarks), picture=not quiet)
    for remark in remarks:
        report.say(remark)


def _check_files(
    outputs: list[Path],
    frames: Path | None,
    level: Path | None,
    *,
    text: str,
    append: bool,
    prefix: str,
) -> None:
    """Refuse wrong file names before the work, and options for files that are not written."""
    from levolve.worlds.files import check_content, check_frames, check_level_path, check_map_path

    check_content(text)
    for option, used, file, written in (
        (
            "--text",
            text != "record",
            "-o FILE.txt",
            any(path.suffix.lower() == ".txt" for path in outputs),
        ),
        ("--append", append, "-o FILE.txt", bool(outputs)),
        ("--prefix", bool(prefix), "--frames DIR", frames is not None),
    ):
        if used and not written:
            raise InputError(f"{option}: requires {file}")
    for path in outputs:
        check_map_path(path, append=append)
    if frames is not None:
        check_frames(frames, prefix)
    if level is not None:
        check_level_path(level)


def _print_map(made: "FashionMap", more: int, *, picture: bool) -> None:
    """Print a map in words, below a picture that leaves room for them, for `more` lines and for the
    prompt.
    """
    words = _text(made)
    if picture:
        _print_picture(made, len(words) + more)
    print("\n".join(one_line(line) for line in words))


def _print_picture(made: "FashionMap", lines: int) -> None:
    """Draw the map so that it fits the terminal with the lines below it and the prompt."""
    import shutil

    from levolve.cli.output import print_picture

    columns, rows = shutil.get_terminal_size()
    print_picture(
        lambda colour: made.terminal_picture(columns, max(rows - lines - 1, 4), colour=colour)
    )


GIVEN = {"start": "from the start map given", "result": "the finished map given, no update was run"}


def _text(made: "FashionMap") -> list[str]:
    """A map in words, line by line: what it is, the shares of the states, the digest."""
    data = made.to_data()
    outcome = f": {data['outcome']}" if data["outcome"] else ""
    seed = "" if data["seed"] is None else f", seed {data['seed']}"
    lines = [f"{data['rule']} {data['size']}{seed}, {data['updates']} updates{outcome}"]
    lines += [f"  {name:<22} {share:.1%}" for name, share in data["shares"].items()]
    if data["given"]:
        lines.append(f"  map                    {GIVEN[data['given']]}")
    return [*lines, f"  digest  {data['digest']}"]


def _refuse_with_tiles(others: dict[str, Any]) -> None:
    for name, value in others.items():
        if value:
            raise InputError(f"{name}: cannot be used together with --tiles")

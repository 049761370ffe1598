"""`levolve map`: a map by a fashion rule, or a window of a world without an edge."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import Json, Quiet, RuleName, Seed, Threads
from levolve.cli.report import Report
from levolve.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from levolve.fashion.design import Design
    from levolve.fashion.rule import Map, Outcome

SUFFIXES = (".png", ".gif", ".npy", ".txt", ".toml", ".json")
WINDOW_PARTS = 4


def map(  # noqa: A001 the command's name
    rule: RuleName,
    size: Annotated[str | None, typer.Option("--size", metavar="WxH", help="Width and height of the map. Default: 100x100.")] = None,
    updates: Annotated[int | None, typer.Option("--updates", metavar="N", help="How many updates. Default: as the rule says.")] = None,
    seed: Seed = None,
    window: Annotated[
        str | None, typer.Option("--window", metavar="X,Y,W,H", help="This window of the world without an edge that belongs to rule and seed.")
    ] = None,
    scale: Annotated[int, typer.Option("--scale", metavar="K", help="With --window: each cell shows the most common state of KxK cells.")] = 1,
    morph: Annotated[
        list[str] | None, typer.Option("--morph", metavar="RULE", help="Change into this rule from place to place. May be repeated.")
    ] = None,
    field: Annotated[
        str, typer.Option("--field", metavar="NAME", help="How a morph changes: linear, vertical, radial, noise, or a grey PNG of the map's size.")
    ] = "linear",
    border: Annotated[str | None, typer.Option("--border", metavar="NAME", help="torus or bounded. Default: as the rule says.")] = None,
    smooth: Annotated[
        int | None, typer.Option("--smooth", metavar="N", help="Passes of the majority filter at the end. Default: as the rule says.")
    ] = None,
    pour: Annotated[
        list[str] | None, typer.Option("--pour", metavar="X,Y=STATE", help="Turn the region around a cell into a state at the end. May be repeated.")
    ] = None,
    palette: Annotated[str | None, typer.Option("--palette", metavar="NAME|FILE", help="source, cave, ink, or a file of colours.")] = None,
    pixels: Annotated[int, typer.Option("--pixels", metavar="N", min=1, max=64, help="Pixels a cell in pictures.")] = 4,
    legend: Annotated[bool, typer.Option("--legend", help="Say below a PNG what the states mean.")] = False,
    record: Annotated[int, typer.Option("--record", metavar="K", min=1, help="Which record of a file with several.")] = 1,
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the map: .png, .npy, .txt (a record); .gif shows all updates. May be repeated."),
    ] = None,
    gif: Annotated[bool, typer.Option("--gif", help="Write an animation of all updates into RULE.gif.")] = False,
    frames: Annotated[Path | None, typer.Option("--frames", metavar="DIR", help="Write a PNG for the start and for every update.")] = None,
    level: Annotated[
        Path | None, typer.Option("--level", metavar="FILE", help="Write a level: open states are floor, entrance and exit are far apart.")
    ] = None,
    tiles: Annotated[
        Path | None,
        typer.Option("--tiles", metavar="DIR|FILE.npy", help="Write a large part of the world tile by tile; goes on where it was stopped."),
    ] = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a map by a fashion rule: a record file, a .toml or .json rule file, or a shipped name."""
    outputs = [*(output or []), *([Path(f"{Path(rule).stem}.gif")] if gif else [])]
    _check(outputs, frames, level)
    with Report(quiet=quiet) as report, report.watching_kernels():
        design = _design(rule, record, {"updates": updates, "border": border, "smooth": smooth, "palette": palette})
        from levolve.evolution.seeds import choose_seed
        from levolve.fashion.caverns import pour as pour_region

        chosen = choose_seed(seed)
        if tiles is not None:
            _refuse("--tiles", {"--morph": morph, "--pour": pour, "--output": outputs, "--frames": frames, "--level": level, "--smooth": smooth})
            area = _area(window, size)
            _write_tiles(design, chosen, area, tiles, threads, report)
            _tell(json, {"rule": design.name, "seed": chosen, "area": list(area), "tiles": str(tiles)}, f"{design.name}: written to {tiles}")
            return
        if window is not None:
            _refuse("--window", {"--size": size, "--morph": morph, "--frames": frames, "--border": border})
        elif scale != 1:
            message = "--scale: expected a --window to show at that scale, got none"
            raise InputError(message)
        made = _make(design, chosen, size, window, scale, morph, field)
        final = design.rule.smoothed(made.outcome.final, design.smooth)
        for wish in pour or []:
            final = pour_region(final, *_parse_pour(wish, design.rule.states))
        for path in outputs:
            _write(design, made, final, path, pixels, chosen, legend=legend)
        if frames is not None:
            _write_frames(design, made, frames, pixels)
        if level is not None:
            from levolve.fashion.caverns import level_of
            from levolve.formats.files import save

            save(level_of(final, design.legend), level)
    height, width = final.shape
    shares = {name: round(float((final == state).mean()), 4) for state, name in enumerate(design.legend.names)}
    data = {
        "rule": design.name,
        "seed": chosen,
        "size": f"{width}x{height}",
        "updates": design.updates,
        "outcome": str(made.outcome) if made.settles else None,
        "shares": shares,
        "digest": _digest(final),
    }
    sentences = [f"{design.name} {width}x{height}, seed {chosen}, {design.updates} updates" + (f": {made.outcome}" if made.settles else "")]
    sentences += [f"  {name:<22} {share:.1%}" for name, share in shares.items()]
    sentences.append(f"  digest                 {data['digest']}")
    _tell(json, data, "\n".join(sentences))
    for path in [*outputs, *([frames] if frames else []), *([level] if level else [])]:
        report.say(f"written: {path}")


class _Made:
    """A map and how its frames can be had."""

    def __init__(self, outcome: "Outcome", frames: "Callable[[], list[Map]]", start: "Map | None", *, settles: bool) -> None:
        self.outcome = outcome
        self.frames = frames
        self.start = start
        self.settles = settles


def _make(design: "Design", seed: int, size: str | None, window: str | None, scale: int, morph: list[str] | None, field: str) -> _Made:
    from levolve.fashion.rule import Outcome
    from levolve.fashion.world import World
    from levolve.runs.values import parse_size

    if window is not None:
        x, y, width, height = _parse_window(window)
        world = World(design.rule, seed, design.updates, design.weights)
        tiles = world.window(x, y, width, height, scale)

        def frames() -> "list[Map]":
            return [World(design.rule, seed, count, design.weights).window(x, y, width, height, scale) for count in range(design.updates + 1)]

        return _Made(Outcome(tiles, design.updates, 0, 0), frames, None, settles=False)
    if size is not None and design.start is not None:
        import dataclasses

        design = dataclasses.replace(design, start=None)
    start = design.starting(parse_size(size) if size else (100, 100), seed)
    rule = design.rule
    if morph:
        from levolve.fashion.morph import Morph

        mixture = Morph([rule, *(_design(name, 1, {"border": rule.border}).rule for name in morph)])
        lam = _field(field, (start.shape[1], start.shape[0]), len(mixture.rules), seed)
        return _Made(
            mixture.develop(start, lam, design.updates),
            lambda: [mixture.run(start, lam, count) for count in range(design.updates + 1)],
            start,
            settles=True,
        )
    return _Made(rule.develop(start, design.updates), lambda: list(rule.frames(start, design.updates)), start, settles=True)


def _design(rule: str, record: int, changes: dict[str, Any]) -> "Design":
    import dataclasses

    from levolve.fashion.design import find_designs
    from levolve.fashion.rule import Rule

    found = find_designs(rule)
    if record > len(found):
        message = f"--record: expected from 1 to {len(found)}, for so many are in {rule}, got {record}"
        raise InputError(message)
    design = found[record - 1]
    given = {key: value for key, value in changes.items() if value is not None}
    border = given.pop("border", None)
    if border is not None:
        given["rule"] = Rule(design.rule.exact, design.rule.neighbourhood, border)
    return dataclasses.replace(design, **given)


def _field(field: str, size: tuple[int, int], stops: int, seed: int) -> Any:  # noqa: ANN401 an array
    from levolve.fashion.morph import field_by_name, painted

    if not field.lower().endswith(".png"):
        return field_by_name(field, size, stops, seed)
    import numpy as np
    from PIL import Image

    try:
        with Image.open(field) as image:
            mask = np.array(image.convert("L"))
    except (OSError, ValueError) as problem:
        message = f"--field {field}: expected a PNG picture that can be read, got: {problem}"
        raise InputError(message) from problem
    if mask.shape != (size[1], size[0]):
        message = f"--field {field}: expected a picture of {size[0]}x{size[1]} like the map, got {mask.shape[1]}x{mask.shape[0]}"
        raise InputError(message)
    return painted(mask, stops)


def _check(outputs: list[Path], frames: Path | None, level: Path | None) -> None:
    """Refuse a wrong file name before the work, not after it."""
    from levolve.formats import FORMATS
    from levolve.formats.files import check_writable, suffix_of

    for path in outputs:
        if path.suffix.lower() not in SUFFIXES:
            message = f"--output: expected a file name that ends in one of {', '.join(SUFFIXES)}, got {str(path)!r}"
            raise InputError(message)
        check_writable(path)
    if frames is not None:
        check_writable(frames / "0.png")
    if level is not None:
        FORMATS[suffix_of(level)]
        check_writable(level)


def _refuse(option: str, others: dict[str, Any]) -> None:
    for name, value in others.items():
        if value:
            message = f"{name}: cannot be used together with {option}"
            raise InputError(message)


def _write(design: "Design", made: _Made, final: "Map", path: Path, pixels: int, seed: int, *, legend: bool) -> None:
    import dataclasses

    from levolve.fashion.files import encode_map
    from levolve.fashion.legend import palette_for
    from levolve.fashion.pictures import encode_animation, encode_with_legend
    from levolve.formats.files import write_file

    if path.suffix.lower() == ".gif":
        content = encode_animation(made.frames(), palette_for(design.rule.states, design.palette), pixels, f"rule {design.name}, seed {seed}")
    elif legend and path.suffix.lower() == ".png":
        content = encode_with_legend(final, palette_for(design.rule.states, design.palette), design.legend, pixels)
    else:
        start = made.start if path.suffix.lower() in {".toml", ".json"} else None
        content = encode_map(
            dataclasses.replace(design, start=start), final, path.suffix.lower(), pixels, {"rule": design.to_json(), "seed": str(seed)}
        )
    write_file(path, content)


def _write_frames(design: "Design", made: _Made, folder: Path, pixels: int) -> None:
    from levolve.fashion.legend import palette_for
    from levolve.fashion.pictures import encode_picture
    from levolve.formats.files import write_file

    palette = palette_for(design.rule.states, design.palette)
    for number, tiles in enumerate(made.frames()):
        write_file(folder / f"{number}.png", encode_picture(tiles, palette, pixels))


def _write_tiles(design: "Design", seed: int, area: tuple[int, int, int, int], target: Path, threads: int | None, report: Report) -> None:
    from levolve.fashion.legend import palette_for
    from levolve.fashion.tiling import write_array, write_pyramid
    from levolve.fashion.world import World
    from levolve.runs.executors import thread_pool

    world = World(design.rule, seed, design.updates, design.weights)
    with thread_pool(threads) as executor, report.bar("writing tiles", 1) as bar:

        def advance(done: int, total: int) -> None:
            bar.total = total
            while bar.done < done:
                bar.advance()

        if target.suffix.lower() == ".npy":
            write_array(world, target, area, executor=executor, advance=advance)
        else:
            palette = palette_for(design.rule.states, design.palette)
            write_pyramid(world, target, area, palette, executor=executor, advance=advance)


def _area(window: str | None, size: str | None) -> tuple[int, int, int, int]:
    if window is not None:
        return _parse_window(window)
    from levolve.runs.values import parse_size

    try:
        width, _, height = (size or "4096x4096").lower().partition("x")
        return 0, 0, int(width), int(height)
    except ValueError:
        return (0, 0, *parse_size(size))


def _parse_window(window: str) -> tuple[int, int, int, int]:
    try:
        x, y, width, height = (int(part) for part in window.split(","))
    except ValueError as problem:
        message = f"--window: expected X,Y,WIDTH,HEIGHT such as -40,1000,200,100, got {window!r}"
        raise InputError(message) from problem
    return x, y, width, height


def _parse_pour(wish: str, states: int) -> tuple[int, int, int]:
    cell, _, state = wish.partition("=")
    try:
        x, y = (int(part) for part in cell.split(","))
        number = int(state)
    except ValueError as problem:
        message = f"--pour: expected X,Y=STATE such as 10,20=2, got {wish!r}"
        raise InputError(message) from problem
    if not 0 <= number < states:
        message = f"--pour: expected a state from 0 to {states - 1}, got {number}"
        raise InputError(message)
    return x, y, number


def _digest(tiles: "Map") -> str:
    import hashlib

    return hashlib.sha256(f"{tiles.shape[1]}x{tiles.shape[0]}\n".encode() + tiles.tobytes()).hexdigest()


def _tell(json: bool, data: dict[str, Any], text: str) -> None:
    print(json_text.dumps(data, indent=2) if json else text)

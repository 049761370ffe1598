"""`levolve convert`: one file into another, by their suffixes: fashion records and rules, and levels."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levolve.cli.options import Json, Quiet
from levolve.cli.report import Report
from levolve.errors import InputError

if TYPE_CHECKING:
    from levolve.fashion.design import Design

MARK = "sMs"


def convert(
    source: Annotated[Path, typer.Argument(metavar="A", help="A record file, a rule file (.toml, .json) or a level file.")],
    target: Annotated[Path, typer.Argument(metavar="B", help="The file to write; several records become B-1, B-2 and so on.")],
    level: Annotated[bool, typer.Option("--level", help="Make levels of the records' maps, also where the suffix could mean a rule.")] = False,
    palette: Annotated[str, typer.Option("--palette", metavar="NAME|FILE", help="Colours for pictures of records.")] = "source",
    pixels: Annotated[int, typer.Option("--pixels", metavar="N", min=1, max=64, help="Pixels a cell in pictures of records.")] = 4,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Turn a file into another kind: levels into any format (see 'levolve parts formats'); records into pictures, arrays, rules and levels."""
    from levolve.formats.files import check_writable, encode_all, load, save, write_file
    from levolve.levels.level import Level

    check_writable(target)
    with Report(quiet=quiet) as report, report.watching_kernels():
        designs = _designs(source)
        written: list[Path] = []
        if designs is None:
            found = load(source)
            if isinstance(found, Level):
                written += [write_file(path, content) for path, content in encode_all(found, target).items()]
            else:
                written.append(save(found, target))
        elif target.suffix.lower() == ".txt" and not level:
            written.append(_write_records(designs, target))
        else:
            for number, design in enumerate(designs, 1):
                path = target if len(designs) == 1 else target.with_stem(f"{target.stem}-{number}")
                written.append(_write(design, path, level=level, palette=palette, pixels=pixels))
    if json:
        print(json_text.dumps({"written": [str(path) for path in written]}, indent=2))
    for path in written:
        report.say(f"written: {path}")


def _designs(source: Path) -> "list[Design] | None":
    """The designs in a file of records or a rule file; None for a level."""
    from levolve.fashion.design import find_designs
    from levolve.formats import FORMATS

    suffix = source.suffix.lower()
    if suffix == ".toml":
        return find_designs(source)
    if suffix.removeprefix(".") in FORMATS and suffix not in {".txt", ".json"}:
        return None
    try:
        content = source.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        return None
    except OSError as problem:
        message = f"{source}: expected a file that can be read: {problem.strerror or problem}"
        raise InputError(message) from problem
    if suffix == ".json":
        return find_designs(source) if '"scores"' in content and '"levolve level"' not in content else None
    return find_designs(source) if MARK in content else None


def _write_records(designs: "list[Design]", target: Path) -> Path:
    from levolve.fashion.records import write_records
    from levolve.formats.files import write_file

    records = [design.to_record((100, 100) if design.start is None else design.start.shape[::-1], design.start) for design in designs]
    return write_file(target, write_records(records).encode())


def _write(design: "Design", path: Path, *, level: bool, palette: str, pixels: int) -> Path:
    import dataclasses

    from levolve.fashion.caverns import level_of
    from levolve.fashion.files import SUFFIXES, encode_map
    from levolve.formats import FORMATS
    from levolve.formats.files import save, suffix_of, write_file

    suffix = path.suffix.lower()
    design = dataclasses.replace(design, palette=palette)
    tiles = design.start
    if suffix in {".toml", ".json"} and not level:
        return write_file(path, encode_map(design, design.starting((2, 2), 0), suffix))
    if tiles is None:
        message = f"{design.name}: expected a map to make {path.name} of, this record has none; make one with 'levolve map'"
        raise InputError(message)
    if level or suffix not in SUFFIXES or "." in suffix_of(path):
        FORMATS[suffix_of(path)]
        return save(level_of(tiles, design.legend), path)
    return write_file(path, encode_map(design, tiles, suffix, pixels))

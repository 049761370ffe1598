"""Options that several commands share, declared once."""

from pathlib import Path
from typing import Annotated, Any

import typer

from levolve.errors import InputError

RecipeName = Annotated[str, typer.Argument(metavar="RECIPE", help="A recipe's name (see 'levolve recipes') or the path of a .toml or .json file.")]
RuleName = Annotated[str, typer.Argument(metavar="RULE", help="A shipped rule's name, a record file, or a .toml or .json rule file.")]
LevelFile = Annotated[Path, typer.Argument(metavar="FILE", help="A level file of any format (see 'levolve parts formats').")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The same seed gives the same bytes. Default: a random one, which is told.")]
Size = Annotated[str | None, typer.Option("--size", metavar="WxH", help="Width and height of the level, such as 20x20.")]
Generations = Annotated[int | None, typer.Option("--generations", metavar="N", help="How many generations to breed.")]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="How many threads may work. Default: one a core. Does not change the result.")
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster", metavar="ADDRESS", help="Do the work on a Dask cluster: its scheduler's tcp://HOST:PORT, or 'local' for processes here."
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change any setting of the recipe, such as strategy.population=60. May be repeated."),
]
Objective = Annotated[str | None, typer.Option("--objective", metavar="NAME", help="What to aim for instead (see 'levolve parts objectives').")]
Targets = Annotated[
    list[str] | None,
    typer.Option("--target", metavar="MEASURE=LOW..HIGH", help="Hit a value or range of a measure instead of making one large. May be repeated."),
]
Formats = Annotated[
    str | None,
    typer.Option("--to", metavar="FORMATS", help="Formats to write, such as json,png (the default), tiled, godot (see 'levolve parts formats')."),
]
From = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Go on from a level: its size and places, and itself at the start (direct, chromatic, dungeon; other genotypes: only what is kept).",
    ),
]
Keep = Annotated[
    str | None,
    typer.Option(
        "--keep",
        metavar="KINDS|FILE",
        help="With --from: kinds of tiles that stay as they are, such as walls, floor, red,blue or all. "
        "Or a text file of the level's size: cells drawn there stay, '?' is left to evolution.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print data as JSON on standard output, and all else on standard error.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no remarks.")]


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """`KEY=VALUE` pairs; a value is read as TOML and, where it is none, taken as text."""
    import tomllib

    changes: dict[str, Any] = {}
    for setting in settings or []:
        key, sign, value = setting.partition("=")
        if not sign or not key.strip():
            message = f"--set: expected KEY=VALUE such as strategy.population=60, got {setting!r}"
            raise InputError(message)
        try:
            changes[key.strip()] = tomllib.loads(f"value = {value}")["value"]
        except (ValueError, RecursionError):
            changes[key.strip()] = value.strip()
    return changes


def parse_vary(ranges: list[str] | None) -> dict[str, str]:
    """`KEY=LOW..HIGH` or `KEY=A,B,C`; the recipe reads what is behind the sign."""
    return _by_name("--vary", ranges, "KEY=LOW..HIGH such as strategy.population=20..200, or KEY=A,B,C for choices", "setting")


def parse_targets(targets: list[str] | None) -> dict[str, Any]:
    """`MEASURE=LOW..HIGH` wishes as changes to a recipe: its objective becomes to hit them."""
    wishes = read_targets(targets)
    return {"objective.kind": "target", "objective.targets": wishes} if wishes else {}


def read_targets(targets: list[str] | None) -> dict[str, str]:
    """`MEASURE=LOW..HIGH` wishes, what is wanted of each measure still as text."""
    return _by_name("--target", targets, "MEASURE=VALUE or MEASURE=LOW..HIGH such as exit_path=60..80", "measure")


def _by_name(option: str, entries: list[str] | None, expected: str, noun: str) -> dict[str, str]:
    """Entries `NAME=TEXT` of an option that may be repeated, each name once."""
    found: dict[str, str] = {}
    for entry in entries or []:
        name, _, text = (part.strip() for part in entry.partition("="))
        if not name or not text:
            message = f"{option}: expected {expected}, got {entry!r}"
            raise InputError(message)
        if name in found:
            message = f"{option}: expected each {noun} once, got {name} again"
            raise InputError(message)
        found[name] = text
    return found


def read_keep(keep: str | None) -> dict[str, Any]:
    """The rows of a file of cells to keep, as a change to a recipe."""
    if keep is None:
        return {}
    try:
        rows = Path(keep).read_text(encoding="utf-8-sig").split()
    except (OSError, UnicodeDecodeError, ValueError) as problem:
        message = f"--keep {keep}: expected kinds of tiles beside --from, or a text file that can be read, got: {problem}"
        raise InputError(message) from problem
    return {"keep": rows}


def what_to_keep(keep: str | None, source: Path | None) -> tuple[str, dict[str, Any]]:
    """What to keep: kinds of tiles of the level to go on from, or rows of cells from a file."""
    from levolve.runs.starting import is_keep

    if keep is None or not is_keep(keep) or (source is None and Path(keep).exists()):
        return "", read_keep(keep)
    if source is None:
        message = f"--keep {keep}: expected --from FILE beside it, the level whose {keep} to keep"
        raise InputError(message)
    return keep, {}

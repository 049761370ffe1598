"""Options that several commands share, declared once."""

from pathlib import Path
from typing import Annotated, Any

import typer

from levolve.errors import InputError

RecipeName = Annotated[str, typer.Argument(metavar="RECIPE", help="A recipe's name (see 'levolve recipes') or the path of a .toml or .json file.")]
LevelFile = Annotated[Path, typer.Argument(metavar="FILE", help="A level file: .json, .txt or .png.")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="The same seed gives the same bytes. Default: a random one, which is told.")]
Size = Annotated[str | None, typer.Option("--size", metavar="WxH", help="Width and height of the level, such as 20x20.")]
Generations = Annotated[int | None, typer.Option("--generations", metavar="N", help="How many generations to breed.")]
Threads = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="How many threads may work. Default: one a core. Does not change the result.")
]
Settings = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change any setting of the recipe, such as strategy.mutation.rate=0.01. May be repeated."),
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
        except tomllib.TOMLDecodeError:
            changes[key.strip()] = value.strip()
    return changes

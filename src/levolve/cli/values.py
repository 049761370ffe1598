"""Values of options: text of the command line as settings, targets, ranges and windows."""

import re
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.core.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """Parse `KEY=VALUE` pairs. A value is read as TOML; if it is not valid TOML, it is taken as
    text.
    """
    from levolve.formats.reading.data import parse_toml

    changes: dict[str, Any] = {}
    for setting in settings or []:
        key, sign, value = setting.partition("=")
        if not sign or not key.strip():
            raise InputError(
                f"--set: expected KEY=VALUE such as strategy.population=60, got {setting!r}"
            )
        try:
            changes[key.strip()] = parse_toml(f"value = {value}", "--set")["value"]
        except InputError:
            changes[key.strip()] = value.strip()
    return changes


def parse_vary(ranges: list[str] | None) -> dict[str, str]:
    """Parse `KEY=LOW..HIGH` or `KEY=A,B,C`. The part after the sign stays text; the recipe parses
    it.
    """
    return _by_name(
        "--vary",
        ranges,
        "KEY=LOW..HIGH such as strategy.population=20..200, or KEY=A,B,C for choices",
        "setting",
    )


def parse_choices(choices: list[str] | None) -> dict[str, str]:
    """Parse `KEY=A,B,C` entries. The part after the sign stays text."""
    return _by_name("--vary", choices, "KEY=A,B,C such as genotype.kind=direct,barriers", "setting")


def read_targets(targets: list[str] | None) -> dict[str, str]:
    """Parse `MEASURE=LOW..HIGH` entries. The range of each measure stays text."""
    return _by_name(
        "--target",
        targets,
        "MEASURE=VALUE or MEASURE=LOW..HIGH such as exit_path=60..80",
        "measure",
    )


def read_things(things: list[str] | None) -> dict[str, int] | None:
    """Parse `KIND=COUNT` entries, separated by commas; None if there are none."""
    if things is None:
        return None
    entries = [part for entry in things for part in entry.split(",") if part.strip()]
    expected = "KIND=COUNT, separated by commas, such as keys=2,doors=2,treasure=5"
    found = {}
    for name, text in _by_name("--things", entries, expected, "kind").items():
        if not text.isascii() or not text.isdigit():
            raise InputError(f"--things: expected {expected}, got {name}={text}")
        found[name] = int(text[:9])
    return found


def _by_name(option: str, entries: list[str] | None, expected: str, noun: str) -> dict[str, str]:
    """Parse the `NAME=TEXT` entries of a repeatable option; each name may occur once."""
    found: dict[str, str] = {}
    for entry in entries or []:
        name, _, text = (part.strip() for part in entry.partition("="))
        if not name or not text:
            raise InputError(f"{option}: expected {expected}, got {entry!r}")
        if name in found:
            raise InputError(f"{option}: expected each {noun} once, got {name} again")
        found[name] = text
    return found


def read_keep(keep: str | None) -> dict[str, Any]:
    """Read a file of cells to keep, as a change to a recipe."""
    if keep is None:
        return {}
    from levolve.formats.reading.budgets import MOST_LINES, check_amount
    from levolve.formats.reading.files import read_text

    try:
        content = read_text(keep)
    except InputError as problem:
        raise InputError(
            f"--keep {keep}: expected kinds of tiles together with --from, or a text file that "
            f"can be read, got: {problem}"
        ) from problem
    check_amount(len(content.split(None, MOST_LINES)), MOST_LINES, "rows", f"--keep {keep}")
    return {"keep": content.split()}


def what_to_keep(keep: str | None, source: Path | None) -> tuple[str, dict[str, Any]]:
    """Parse `--keep`: kinds of tiles of the level to continue from, or rows of cells read from a
    file.
    """
    from levolve.recipes.from_levels import is_keep

    if keep is None or not is_keep(keep) or (source is None and Path(keep).exists()):
        return "", read_keep(keep)
    if source is None:
        raise InputError(
            f"--keep {keep}: expected --from FILE as well, the level whose {keep} to keep"
        )
    return keep, {}


def recipes_and_examples(
    names: list[str] | None, like: list[Path] | None, most: int | None = None
) -> tuple[list[str | None], list[Path] | None]:
    """Tell recipes from further files of `--like`, which the command line gives as one list:
    `--like a.tmx b.tmx`. [None] stands for no recipe.
    """

    def is_example(name: str) -> bool:
        if not like:
            return False
        from levolve.recipes.recipe import RECIPES

        return name not in RECIPES and Path(name).suffix.lower() != ".toml" and Path(name).is_file()

    given = names or []
    recipes: list[str | None] = [name for name in given if not is_example(name)]
    if most is not None and len(recipes) > most:
        raise InputError(f"RECIPE: expected one recipe, got {' and '.join(map(str, recipes))}")
    if not recipes and not like:
        raise InputError(
            "RECIPE: expected a recipe's name, or --like FILE with example levels; see 'levolve "
            "recipes'"
        )
    return recipes or [None], [
        *like,
        *(Path(name) for name in given if is_example(name)),
    ] if like else None


def parse_ranges(texts: list[str] | None) -> dict[str, tuple[float, float]]:
    """Parse ranges of measures, such as walls=0..240, by name."""
    ranges = {}
    for text in texts or []:
        found = re.fullmatch(r"\s*(\w+)\s*=\s*([-+.\d]+?)\s*\.\.\s*([-+.\d]+)\s*", text)
        try:
            ranges[found[1]] = (float(found[2]), float(found[3]))  # type: ignore[index] # None is refused below
        except (TypeError, ValueError) as problem:
            raise InputError(
                f"--range: expected a measure and its values, such as walls=0..240, got {text!r}"
            ) from problem
    return ranges


def given(kind: "type[DataclassInstance]", owner: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as values of fields of `kind`; `owner` names the puzzle in the
    message about an option it does not have.
    """
    known = [entry.name for entry in fields(kind)]
    chosen = {
        name: value for name, value in options.items() if value is not None and value is not False
    }
    for name in chosen:
        if name not in known:
            raise InputError(
                f"{option(name)}: {owner} do not have this option; they have "
                f"{', '.join(map(option, known)) or 'none'}"
            )
    return chosen


def option(name: str) -> str:
    """A field's name as an option of the command line."""
    return f"--{name.replace('_', '-')}"


def parse_window(window: str) -> tuple[int, int, int, int]:
    """Parse the window `X,Y,WIDTH,HEIGHT` of a world."""
    try:
        x, y, width, height = (int(part) for part in window.split(","))
    except ValueError as problem:
        raise InputError(
            f"--window: expected X,Y,WIDTH,HEIGHT such as -40,1000,200,100, got {window!r}"
        ) from problem
    return x, y, width, height


def parse_pour(text: str) -> tuple[int, int, int]:
    """Parse the cell and the state of `X,Y=STATE`."""
    cell, _, state = text.partition("=")
    try:
        x, y = (int(part) for part in cell.split(","))
        return x, y, int(state)
    except ValueError as problem:
        raise InputError(f"--pour: expected X,Y=STATE such as 10,20=2, got {text!r}") from problem

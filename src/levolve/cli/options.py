"""Options that several commands share, declared once.

Options of puzzle commands: each is a field of the puzzle's own settings, and refused by name where
the puzzle has no such field.
"""

import re
import warnings
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.core.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

RecipeName = Annotated[
    str,
    typer.Argument(
        metavar="RECIPE",
        help="A recipe's name (see 'levolve recipes') or the path of a .toml or .json file.",
    ),
]
RecipeNames = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="RECIPE",
        help=(
            "A recipe's name (see 'levolve recipes') or the path of a .toml or .json file. "
            "Optional with --like."
        ),
    ),
]
RuleName = Annotated[
    str,
    typer.Argument(
        metavar="RULE", help="A shipped rule's name, a record file, or a .toml or .json rule file."
    ),
]
LevelFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE", help="A level file of any format (see 'levolve parts formats')."
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        help=(
            "Random seed. The same seed gives the same bytes. Default: a random seed, which is "
            "printed."
        ),
    ),
]
FirstSeed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="N", help="Seed of each recipe's first run; later runs count up from it."
    ),
]
Symmetry = Annotated[
    str | None,
    typer.Option("--symmetry", metavar="NAME", help="flag: left-right, up-down or half-turn."),
]
Curve = Annotated[
    str | None,
    typer.Option(
        "--curve",
        metavar="FROM..TO",
        help="Order by difficulty, evenly spaced: easy..hard, hard..easy, 0.2..0.6.",
    ),
]
Size = Annotated[
    str | None,
    typer.Option("--size", metavar="WxH", help="Width and height of the level, such as 20x20."),
]
Generations = Annotated[
    int | None, typer.Option("--generations", metavar="N", help="Number of generations.")
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        metavar="N",
        help=(
            "Number of threads, or of processes of --cluster local. Default: one per core. Does "
            "not change the result."
        ),
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="ADDRESS",
        help=(
            "Run on a Dask cluster: the scheduler's tcp://HOST:PORT, or 'local' for processes on "
            "this machine."
        ),
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change any setting of the recipe, such as strategy.population=60. May be repeated.",
    ),
]
PuzzleSettings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help=(
            "Change a setting, such as population=60 (all of them: 'levolve parts puzzles'). May "
            "be repeated."
        ),
    ),
]
PuzzleRequest = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help=(
            "Request anything else, such as length=20..24 (see make.… in 'levolve parts "
            "puzzles'). May be repeated."
        ),
    ),
]
Processes = Annotated[
    int | None,
    typer.Option(
        "--processes",
        metavar="N",
        help="Evaluate in this number of processes: for objectives that are slow Python functions.",
    ),
]
Objective = Annotated[
    str | None,
    typer.Option(
        "--objective",
        metavar="NAME",
        help=(
            "Use another objective (see 'levolve parts objectives'), or MODULE:FUNCTION of a "
            "--plugin."
        ),
    ),
]
Targets = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        metavar="MEASURE=LOW..HIGH",
        help="Search for a value or range of a measure instead of maximising. May be repeated.",
    ),
]
Axes = Annotated[
    str | None,
    typer.Option(
        "--axes",
        metavar="A,B",
        help=(
            "Measures, see 'levolve parts measures'. Default: walls and exit_path, if levels "
            "have both."
        ),
    ),
]
Ranges = Annotated[
    list[str] | None,
    typer.Option(
        "--range",
        metavar="NAME=LOW..HIGH",
        help="The values of an axis. Default: the usual ones. May be repeated.",
    ),
]
Formats = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMATS",
        help=(
            "Formats to write, such as json,png,tiled,godot. Default: json,png (see 'levolve "
            "parts formats')."
        ),
    ),
]
From = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Continue from a level: use its size and places, and add it to the first generation "
        "if the genotype can express it. "
        "Cells that its layer 'keep' marks do not change.",
    ),
]
Keep = Annotated[
    str | None,
    typer.Option(
        "--keep",
        metavar="KINDS|FILE",
        help="With --from: kinds of tiles that do not change, such as walls, floor, red,blue or "
        "all. "
        "Or a text file of the level's size: cells drawn there do not change, '?' marks free "
        "cells.",
    ),
]
Like = Annotated[
    list[Path] | None,
    typer.Option(
        "--like",
        metavar="FILE...",
        help="Make levels in the style of these example levels (files of any format).",
    ),
]
FrameOption = Annotated[
    bool,
    typer.Option(
        "--frame",
        help=(
            "Close the border of the level. It keeps its size; with --from it grows by one cell "
            "on each side."
        ),
    ),
]
ThemeOption = Annotated[
    str | None,
    typer.Option(
        "--theme",
        metavar="NAME|FILE.toml",
        help=(
            "How tiles look in pictures and engine files: a theme (see 'levolve parts themes'), "
            "or your own picture of tiles, described by a file."
        ),
    ),
]
TileOption = Annotated[
    int | None,
    typer.Option(
        "--tile",
        metavar="N",
        min=1,
        max=256,
        help=(
            "Pixels per tile in pictures and engine files. Default: 16, less in pictures of "
            "large levels."
        ),
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Print the result as JSON on standard output, and everything else on standard error.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress and no notes.")]


def warn_of_old(old: str, new: str) -> None:
    """Say that an option has another name now."""
    warnings.warn(
        f"{old} is called {new} now; until 1.0 the old name still works",
        FutureWarning,
        stacklevel=2,
    )


def parse_settings(settings: list[str] | None) -> dict[str, Any]:
    """Parse `KEY=VALUE` pairs. A value is read as TOML; if it is not valid TOML, it is taken as
    text.
    """
    from levolve.formats.reading.data import parse_toml

    changes: dict[str, Any] = {}
    for setting in settings or []:
        key, sign, value = setting.partition("=")
        if not sign or not key.strip():
            message = f"--set: expected KEY=VALUE such as strategy.population=60, got {setting!r}"
            raise InputError(message)
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


def read_targets(targets: list[str] | None) -> dict[str, str]:
    """Parse `MEASURE=LOW..HIGH` entries. The range of each measure stays text."""
    return _by_name(
        "--target",
        targets,
        "MEASURE=VALUE or MEASURE=LOW..HIGH such as exit_path=60..80",
        "measure",
    )


def _by_name(option: str, entries: list[str] | None, expected: str, noun: str) -> dict[str, str]:
    """Parse the `NAME=TEXT` entries of a repeatable option; each name may occur once."""
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
    """Read a file of cells to keep, as a change to a recipe."""
    if keep is None:
        return {}
    from levolve.formats.reading.budgets import MOST_LINES, check_amount
    from levolve.formats.reading.files import read_text

    try:
        content = read_text(keep)
    except InputError as problem:
        message = (
            f"--keep {keep}: expected kinds of tiles together with --from, or a text file that "
            f"can be read, got: {problem}"
        )
        raise InputError(message) from problem
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
        message = f"--keep {keep}: expected --from FILE as well, the level whose {keep} to keep"
        raise InputError(message)
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
        message = f"RECIPE: expected one recipe, got {' and '.join(map(str, recipes))}"
        raise InputError(message)
    if not recipes and not like:
        message = (
            "RECIPE: expected a recipe's name, or --like FILE with example levels; see 'levolve "
            "recipes'"
        )
        raise InputError(message)
    return recipes or [None], [
        *like,
        *(Path(name) for name in given if is_example(name)),
    ] if like else None


def missing_extra(
    problem: ModuleNotFoundError, what: str, modules: tuple[str, ...], extra: str
) -> Exception:
    """Return the error for a module of an extra, with the ways to install it; or the problem
    itself, if it is about another module.
    """
    module = (problem.name or "").partition(".")[0]
    if module not in modules:
        return problem
    from levolve.core.errors import MissingExtraError

    return MissingExtraError(what, modules, extra)


def parse_ranges(texts: list[str] | None) -> dict[str, tuple[float, float]]:
    """Parse ranges of measures, such as walls=0..240, by name."""
    ranges = {}
    for text in texts or []:
        found = re.fullmatch(r"\s*(\w+)\s*=\s*([-+.\d]+?)\s*\.\.\s*([-+.\d]+)\s*", text)
        try:
            ranges[found[1]] = (float(found[2]), float(found[3]))  # type: ignore[index] # None is refused below
        except (TypeError, ValueError) as problem:
            message = (
                f"--range: expected a measure and its values, such as walls=0..240, got {text!r}"
            )
            raise InputError(message) from problem
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
            message = (
                f"{option(name)}: {owner} do not have this option; they have "
                f"{', '.join(map(option, known)) or 'none'}"
            )
            raise InputError(message)
    return chosen


def option(name: str) -> str:
    """A field's name as an option of the command line."""
    return f"--{name.replace('_', '-')}"

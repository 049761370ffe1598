"""Options that several commands share, declared once."""

import warnings
from pathlib import Path
from typing import Annotated

import typer

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
Choices = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="KEY=A,B,C",
        help="Take every recipe once with each of these values of a setting. May be repeated.",
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
AllMeasures = Annotated[
    bool, typer.Option("--all", help="Print all measures, not only the most important ones.")
]
From = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE",
        help="Continue from a level: use its size and places, and add it to the first generation. "
        "Cells that its layer 'keep' marks do not change.",
    ),
]
Change = Annotated[
    float | None,
    typer.Option(
        "--change",
        metavar="SHARE",
        help="With --from: the greatest share of its cells that may change, such as 0.1. Used by "
        "default, with 0.25, if the genotype cannot express the level.",
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
Things = Annotated[
    list[str] | None,
    typer.Option(
        "--things",
        metavar="KIND=N,...",
        help="Place things in every level, such as keys=2,doors=2,treasure=5,monsters=6 (see "
        "'levolve parts things'). Added to those of the recipe; 0 removes a kind.",
    ),
]
AllowLoss = Annotated[
    bool,
    typer.Option(
        "--allow-loss",
        help="Accept levels with things that can be lost: a player can get stuck in them.",
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

"""`levolve furnish`: place things in a given level."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.commands.evolve import EvolvePresenter, look_for_outputs
from levolve.cli.options import (
    AllowLoss,
    Generations,
    Json,
    LevelFile,
    Quiet,
    Seed,
    Settings,
    ThemeOption,
    Things,
    Threads,
    TileOption,
)
from levolve.cli.presenters import carry_out, start, stored_original
from levolve.cli.progress import Report
from levolve.cli.values import parse_settings, read_things
from levolve.core.errors import InputError

if TYPE_CHECKING:
    from levolve.jobs.store.places import Storing


def furnish(
    level: LevelFile,
    things: Things = None,
    apart: Annotated[
        int | None,
        typer.Option(
            "--apart",
            metavar="N",
            help="Things are at least N rows and columns from each other. Default: 2.",
        ),
    ] = None,
    health: Annotated[
        int | None,
        typer.Option(
            "--health",
            metavar="N",
            help="The player's health. Default: enough to survive everything.",
        ),
    ] = None,
    kinds: Annotated[
        Path | None,
        typer.Option(
            "--kinds", metavar="FILE", help="A TOML or JSON file with kinds of things of your own."
        ),
    ] = None,
    allow_loss: AllowLoss = False,
    seed: Seed = None,
    generations: Generations = None,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the furnished level (see 'levolve parts formats'). May be repeated.",
        ),
    ] = None,
    theme: ThemeOption = None,
    tile: TileOption = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Place keys, doors, treasure, monsters and other things in a level of any format, which itself
    does not change.

    Every result is proven: it can be won, and it cannot be lost, unless --allow-loss is given.
    """
    counts = read_things(things)
    if not counts:
        raise InputError(
            "--things: expected what to place, such as keys=2,doors=2,treasure=5,monsters=6, got "
            "nothing"
        )
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.level_files import open_level
        from levolve.jobs.executors import work_pool
        from levolve.jobs.runs.furnish import recipe_for
        from levolve.jobs.runs.output import check_outputs
        from levolve.jobs.runs.run import Run

        given, original = open_level(level)
        recipe = recipe_for(
            given,
            counts,
            apart=apart,
            health=health,
            kinds=kinds,
            allow_loss=allow_loss,
            generations=generations,
            settings=parse_settings(settings),
        )
        outputs = output or []
        look = look_for_outputs(outputs, theme, tile)
        check_outputs(recipe, outputs, look)
        options: dict[str, Any] = {
            "output": outputs,
            "look": None if look is None else look.to_data(),
            **stored_original(original),
            "json": json,
            "quiet": quiet,
            "tensorboard": None,
        }
        presenter = EvolvePresenter()
        with work_pool(threads) as executor:
            run = Run.of(recipe, seed, executor)
            written = carry_out(start(run, storing, options), presenter, report)
    presenter.show(run, options, written, report, json=json)

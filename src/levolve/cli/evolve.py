"""`levolve evolve`: run a recipe once."""

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import (
    From,
    Generations,
    Json,
    Keep,
    Like,
    Objective,
    Quiet,
    RecipeNames,
    Seed,
    Settings,
    Size,
    Targets,
    Threads,
    parse_settings,
    read_targets,
    recipe_and_examples,
    what_to_keep,
)
from levolve.cli.pictures import print_level, print_measures
from levolve.cli.report import Report
from levolve.errors import LevolveError

if TYPE_CHECKING:
    from levolve.events import Event
    from levolve.runs.run import Run


def evolve(
    recipe: RecipeNames = None,
    size: Size = None,
    seed: Seed = None,
    generations: Generations = None,
    objective: Objective = None,
    target: Targets = None,
    source: From = None,
    keep: Keep = None,
    like: Like = None,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the best level (see 'levolve parts formats'). .gif: animation of the run; .toml: evolved fashion rule. May be repeated.",
        ),
    ] = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Evolve a level with a recipe, and show the best one."""
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.evolution.loop import GenerationScored
        from levolve.formats.files import load_level
        from levolve.recipes.adapt import adapt
        from levolve.runs.evolving import carry_out
        from levolve.runs.executors import thread_pool
        from levolve.runs.output import check_outputs, write_run

        words, rows = what_to_keep(keep, source)
        start = None if source is None else load_level(source)
        changes = {**rows, **parse_settings(settings)}
        targets = read_targets(target)
        name, examples = recipe_and_examples(recipe, like)
        adapted = adapt(
            name,
            size=size,
            generations=generations,
            objective=objective,
            target=targets,
            settings=changes,
            start=start,
            keep=words,
            like=examples,
        )
        outputs = output or []
        check_outputs(adapted, outputs)
        if start is not None and not adapted.start:
            report.say(f"{source}: the genotype of {adapted.name} cannot express this level; the run uses only its size, places and kept cells")
        with thread_pool(threads) as executor, report.bar(f"evolving {adapted.name}", adapted.generations + 1) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, GenerationScored):
                    bar.reach(event.generation + 1, f"best {event.best:g}")

            run = carry_out(adapted, seed, executor, watch)
        written = write_run(run, outputs)
        data = run.to_data()
    if json:
        print(json_text.dumps(data, indent=2))
    else:
        _print(run, data)
    for path in written:
        report.say(f"written: {path}")
    if run.unmet:
        message = f"targets not met in {run.evaluations:,} evaluations: {'; '.join(run.unmet)}"
        raise LevolveError(message)


def _print(run: "Run", data: dict[str, Any]) -> None:
    print_level(run.best)
    print(f"{run.recipe.name} {run.best.width}x{run.best.height}, seed {run.seed}: best score {run.best_score:g}")
    print_measures(data["measures"])
    if "unseen" in data:
        print(f"  {data['unseen']['text']}")
    print(f"  digest                 {run.digest}")
    print(f"  {run.evaluations:,} evaluations in {run.seconds:.3g} s")

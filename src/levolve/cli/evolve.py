"""`levolve evolve`: one run of a recipe."""

import json as json_text
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import (
    From,
    Generations,
    Json,
    Keep,
    Objective,
    Quiet,
    RecipeName,
    Seed,
    Settings,
    Size,
    Targets,
    Threads,
    parse_settings,
    parse_targets,
    what_to_keep,
)
from levolve.cli.pictures import print_level, print_measures
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError

if TYPE_CHECKING:
    from levolve.runs.run import Run

RULE_FILE = "toml"


def evolve(
    recipe: RecipeName,
    size: Size = None,
    seed: Seed = None,
    generations: Generations = None,
    objective: Objective = None,
    target: Targets = None,
    source: From = None,
    keep: Keep = None,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the best level (see 'levolve parts formats'); .gif: how it came about; .toml: an evolved fashion rule. May be repeated.",
        ),
    ] = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Evolve a level by a recipe, and show the best."""
    from levolve.formats.files import load_level, write_file
    from levolve.runs.evolving import adapt

    if objective is not None and target:
        message = "--target: expected no --objective beside it: to hit a target is an objective itself"
        raise InputError(message)
    words, rows = what_to_keep(keep, source)
    wishes = {**parse_targets(target), **rows, **parse_settings(settings)}
    with Report(quiet=quiet) as report, nullcontext() if source is None else report.watching_kernels():
        start = None if source is None else load_level(source)
        adapted = adapt(recipe, size=size, generations=generations, objective=objective, settings=wishes, start=start, keep=words)
    outputs = output or []
    _check_outputs(outputs, has_rule=adapted.genotype["kind"] == "fashion")
    with Report(quiet=quiet) as report, report.watching_kernels():
        if start is not None and not adapted.start:
            report.say(f"{source}: the genotype of {adapted.name} cannot express it, so the run starts afresh, with its size, places and kept cells")
        from levolve.measures.measuring import measure
        from levolve.runs.executors import thread_pool
        from levolve.runs.run import Run

        with thread_pool(threads) as executor:
            run = Run(adapted, seed, executor)
            _rehearse(run, outputs)
            with report.bar(f"evolving {adapted.name}", adapted.generations + 1) as bar:
                for generation in run.generations():
                    bar.advance(f"best {generation.best:g}")
        best = run.best
        measures = {name: int(values[0]) for name, values in measure(best).items()}
        files = {name: content for path in outputs for name, content in _encode(run, path).items()}
        for path, content in files.items():
            write_file(path, content)
        unseen = _unseen(run)
    if json:
        data = {
            "recipe": adapted.name,
            "seed": run.seed,
            "best_score": run.best_score,
            "digest": run.digest,
            "evaluations": run.evaluations,
            "seconds": round(run.seconds, 6),
            "measures": measures,
            **unseen,
        }
        print(json_text.dumps(data, indent=2))
    else:
        print_level(best)
        print(f"{adapted.name} {best.width}x{best.height}, seed {run.seed}: best score {run.best_score:g}")
        print_measures(measures)
        for remark in unseen.values():
            print(f"  {remark['text']}")
        print(f"  digest                 {run.digest}")
        print(f"  {run.evaluations:,} evaluations in {run.seconds:.3g} s")
    for path in files:
        report.say(f"written: {path}")
    if run.unmet:
        message = f"what was asked for was not reached in {run.evaluations:,} evaluations: {'; '.join(run.unmet)}"
        raise LevolveError(message)


def _check_outputs(outputs: list[Path], *, has_rule: bool) -> None:
    """Refuse a wrong file name before the work, not after it."""
    from levolve.formats import FORMATS
    from levolve.formats.files import check_writable, suffix_of

    for path in outputs:
        if suffix_of(path) != RULE_FILE:
            FORMATS[suffix_of(path)]
        elif not has_rule:
            message = f"--output {path}: expected a recipe whose genotype is a fashion rule, such as cavern, to write a rule file; got another"
            raise InputError(message)
        check_writable(path)


def _rehearse(run: "Run", outputs: list[Path]) -> None:
    """Refuse before the work what could not be written after it: tiles that a format cannot hold, somebody's file where ours has to be."""
    import numpy as np

    from levolve.formats.files import encode_all, suffix_of
    from levolve.levels.level import Level

    for path in outputs:
        if suffix_of(path) != RULE_FILE:
            encode_all(Level(np.zeros((2, 2), np.uint8), tileset=run.tileset), path)


def _encode(run: "Run", path: Path) -> dict[Path, bytes]:
    """The bytes of each file: of one, or of several where a run grew several rules. A GIF shows how the best level came about."""
    from levolve.formats.files import encode_all, suffix_of
    from levolve.formats.gif import encode_frames

    suffix = suffix_of(path)
    if suffix == "gif":
        return {path: encode_frames(run.frames)}
    if suffix != RULE_FILE:
        return encode_all(run.best, path)
    from levolve.runs.caverns import designs_of

    designs = designs_of(run)
    names = [path] if len(designs) == 1 else [path.with_stem(f"{path.stem}-{number}") for number in range(1, len(designs) + 1)]
    return {name: design.to_toml().encode() for name, design in zip(names, designs, strict=True)}


def _unseen(run: "Run") -> dict[str, Any]:
    """How an evolved fashion rule does on start maps it was not evolved on; nothing for other runs."""
    if run.recipe.genotype["kind"] != "fashion" or run.recipe.genotype["rules"] != 1:
        return {}
    from levolve.runs.caverns import designs_of, try_unseen

    tried = try_unseen(designs_of(run)[0])
    return {"unseen": {"maps": len(tried.joined), "good": tried.good, "open": round(float(tried.ground.mean()), 4), "text": str(tried)}}

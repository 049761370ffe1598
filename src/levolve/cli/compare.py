"""`levolve compare`: recipes side by side, on the same problem and the same budget."""

import json as json_text
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levolve.cli.options import Cluster, Json, Quiet, Settings, Size, Threads, parse_settings
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError

if TYPE_CHECKING:
    from levolve.runs.comparing import Comparison, Pair

PICTURE, DATA = ".png", ".json"
EXTRA = ("scipy", "matplotlib")
SMALLEST_P_SHOWN = 0.0001


def compare(
    recipes: Annotated[
        list[str], typer.Argument(metavar="RECIPE", help="Two recipes or more: names (see 'levolve recipes') or paths of .toml or .json files.")
    ],
    runs: Annotated[int, typer.Option("--runs", metavar="N", help="How many runs of each recipe.")] = 20,
    evaluations: Annotated[int, typer.Option("--evaluations", metavar="N", help="How many levels each run may score.")] = 20_000,
    objective: Annotated[
        str | None, typer.Option("--objective", metavar="NAME", help="What all of them aim for. Default: the first recipe's objective.")
    ] = None,
    size: Size = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="The seed of each recipe's first run; the next ones count up from it.")] = 1,
    settings: Settings = None,
    output: Annotated[
        list[Path] | None, typer.Option("--output", "-o", metavar="FILE", help="Write a plot (.png) or all data (.json). May be repeated.")
    ] = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compare recipes fairly: the same size, places, objective and number of evaluations for each, and a rank test between them.

    Size, places and objective are those of the first recipe, unless options change them.
    """
    outputs = output or []
    changes = parse_settings(settings)
    _check_outputs(outputs)
    with Report(quiet=quiet) as report, report.watching_kernels():
        try:
            from levolve.runs import comparing

            if any(path.suffix.lower() == PICTURE for path in outputs):
                from levolve.runs import charts
        except ModuleNotFoundError as problem:
            raise _missing(problem) from problem
        from levolve.formats.files import write_file
        from levolve.runs.executors import work_pool

        with work_pool(threads, cluster) as executor, report.bar(f"comparing {len(recipes)} recipes", len(recipes) * runs) as bar:
            comparison = comparing.compare(
                recipes,
                runs=runs,
                evaluations=evaluations,
                objective=objective,
                size=size,
                seed=seed,
                settings=changes,
                executor=executor,
                on_run=lambda trial: bar.advance(trial.name),
            )
        data = json_text.dumps(comparison.to_data(), indent=2, allow_nan=False)
        for path in outputs:
            write_file(path, charts.comparison_picture(comparison) if path.suffix.lower() == PICTURE else f"{data}\n".encode())
    if json:
        print(data)
    else:
        _print_table(comparison)
        _print_pairs(comparison)
    for path in outputs:
        report.say(f"written: {path}")


def _check_outputs(outputs: list[Path]) -> None:
    """Refuse a wrong file name before the work, not after it."""
    from levolve.formats.files import check_writable

    for path in outputs:
        if path.suffix.lower() not in {PICTURE, DATA}:
            message = f"--output: expected a file name that ends in {PICTURE} (a plot) or {DATA} (all data), got {str(path)!r}"
            raise InputError(message)
        check_writable(path)


def _missing(problem: ModuleNotFoundError) -> Exception:
    """What to say about a missing module: the extra that brings it, or the problem as it is."""
    module = (problem.name or "").partition(".")[0]
    if module not in EXTRA:
        return problem
    return LevolveError(f"compare: this command needs {' and '.join(EXTRA)}, and {module} is not there; install them: pip install 'levolve[plot]'")


def _print_table(comparison: "Comparison") -> None:
    """A line for each recipe, best first."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    kind, runs = comparison.problem["objective"]["kind"], comparison.runs
    print(f"{kind}, {comparison.problem['size']}, {runs} runs of {comparison.evaluations:,} evaluations each, seeds from {comparison.seed}")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("recipe", overflow="fold")
    for title in ("median", "quartiles", "best", "worst", "feasible"):
        table.add_column(title, justify="right", no_wrap=True)
    for entrant in comparison.entrants:
        low, high = entrant.quartiles
        figures = (f"{entrant.median:g}", f"{low:g} to {high:g}", f"{entrant.best:g}", f"{entrant.worst:g}", f"{entrant.feasible}/{runs}")
        table.add_row(Text(entrant.name), *figures)
    Console(highlight=False).print(table)


def _print_pairs(comparison: "Comparison") -> None:
    """A sentence for each pair, and what its numbers are."""
    from levolve.runs.comparing import SIGNIFICANT

    for pair in comparison.pairs:
        print(_sentence(pair))
    count = len(comparison.pairs)
    correction = f", Holm's correction over {count} tests" if count > 1 else ""
    print(f"Pairs: each run of one with each run of the other, ties half.\np: two-sided rank test (Mann-Whitney){correction}.")
    # The p-value when every run of one recipe beats every run of the other.
    if 2 * count / comb(2 * comparison.runs, comparison.runs) >= SIGNIFICANT:
        print(f"{comparison.runs} runs are too few for any difference to be significant; use more (--runs).")


def _sentence(pair: "Pair") -> str:
    """Who beats whom, how often, and whether that can be chance."""
    p = f"p = {pair.p_corrected:.2g}" if pair.p_corrected >= SMALLEST_P_SHOWN else f"p < {SMALLEST_P_SHOWN:.4f}"
    if pair.significant:
        return f"{pair.first} beats {pair.second} in {_percent(pair.wins)} of pairs, {p}"
    if pair.wins == 1 / 2:
        return f"{pair.first} and {pair.second} are level, {p}"
    return f"{pair.first} beats {pair.second} in {_percent(pair.wins)} of pairs, which may be chance, {p}"


def _percent(share: float) -> str:
    """A share of more than one half in per cent; all of them only if it is all of them."""
    return f"{100 * share:.0f} %" if share in {1 / 2, 1} else f"{min(max(round(100 * share), 51), 99)} %"

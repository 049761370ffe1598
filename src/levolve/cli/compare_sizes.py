"""`levolve compare` on several sizes: the ranks of recipes over all of them."""

import json as json_text
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from levolve.cli.jobs import Options, Presenter, Written
from levolve.cli.report import Report
from levolve.printable import one_line

if TYPE_CHECKING:
    from levolve.events import Event, Watch
    from levolve.studies.sizes import SizesComparison, SizesJob


class SizesPresenter(Presenter):
    """Shows a comparison on several sizes."""

    kind: ClassVar[str] = "compare-sizes"

    @contextmanager
    def watching(self, report: Report, job: "SizesJob") -> "Iterator[Watch]":
        """Show a bar of runs."""
        from levolve.studies.comparing import RunFinished

        with report.bar(f"comparing {len(job.jobs[0].rivals)} recipes on {len(job.jobs)} sizes", job.total) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, RunFinished):
                    bar.reach(event.done, event.recipe)

            yield watch

    def write(self, job: "SizesJob", options: Options) -> Written:
        """Write the diagram, the runs or the data."""
        from levolve.formats.writing import write_files

        found, outputs = job.result, [Path(path) for path in options["output"]]
        write_files({name: content for path in outputs for name, content in found.encoded_files(path).items()})
        return Written(found.to_data(), outputs)

    def show(self, job: "SizesJob", options: Options, written: Written, report: Report, *, json: bool) -> None:  # noqa: ARG002 nothing to choose
        """Print the ranks."""
        if json:
            print(json_text.dumps(written.data, indent=2, allow_nan=False))
        else:
            _print_ranks(job.result)
        for path in written.files:
            report.say(f"written: {path}")


COMPARE_SIZES = SizesPresenter()


def _print_ranks(found: "SizesComparison") -> None:
    """Print the average rank and the median on each size of every recipe, and which recipes are too close to call."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    from levolve.cli.terminal import console

    ranks, first = found.ranks, found.comparisons[0]
    print(f"{first.problem['objective']['kind']}, {first.runs} runs of {first.evaluations:,} evaluations each on each size, seeds from {first.seed}")
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("recipe", overflow="fold")
    for title in ("rank", *(str(each.problem["size"]) for each in found.comparisons)):
        table.add_column(title, justify="right", no_wrap=True)
    for name, rank in zip(ranks.names, ranks.ranks, strict=True):
        table.add_row(Text(one_line(name)), f"{rank:.2f}", *(f"{each[name].median:g}" for each in found.comparisons))
    console().print(table)
    print(f"rank: average over {ranks.blocks} seeds and sizes, 1 is the best. Sizes: median scores.")
    if ranks.p is not None:
        print(f"All recipes alike (Friedman): p = {ranks.p:.2g}")
    print(f"Ranks that differ by less than {ranks.distance:.2f} are not significantly different (Nemenyi).")
    for one, other in ranks.groups:
        print(one_line(f"  too close to call: {', '.join(ranks.names[one : other + 1])}"))

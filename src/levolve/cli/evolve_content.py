"""`levolve evolve` with contents that are no levels, such as `pcg:zelda-v0`."""

import json as json_text
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from levolve.cli.jobs import Options, Written
from levolve.cli.logged_runs import LoggingPresenter
from levolve.cli.report import Report
from levolve.printable import one_line

if TYPE_CHECKING:
    from levolve.events import Event, Watch
    from levolve.runs.content_run import ContentRun


class ContentPresenter(LoggingPresenter):
    """Shows a run of contents."""

    kind: ClassVar[str] = "evolve-content"

    @contextmanager
    def watching(self, report: Report, job: "ContentRun") -> "Iterator[Watch]":
        """Show a bar of generations."""
        from levolve.evolution.loop import GenerationScored

        with report.bar(f"evolving {one_line(job.name)}", job.recipe.generations + 1) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, GenerationScored):
                    bar.reach(event.generation + 1, f"best {event.best:g}")

            yield watch

    def save_partial(self, job: "ContentRun", options: Options) -> list[str]:
        """Write the best content so far; without an output, return its score."""
        if job.score is None:
            return []
        if not options["output"]:
            return [f"the best score so far is {job.score:g}"]
        return [f"the best content so far is in {', '.join(map(str, self._files(job, options)))}"]

    def write(self, job: "ContentRun", options: Options) -> Written:
        """Write the best content."""
        return Written(job.to_data(), self._files(job, options))

    def show(self, job: "ContentRun", options: Options, written: Written, report: Report, *, json: bool) -> None:  # noqa: ARG002 nothing to choose
        """Print the best content."""
        if json:
            print(json_text.dumps(written.data, indent=2))
        else:
            print("\n".join(one_line(line) for line in job.recipe.parts[0].describe(job.best).splitlines()))
            print(f"{one_line(job.name)}, seed {job.seed}: best score {job.best_score:g}")
            for name, value in written.data["features"].items():
                print(f"  {one_line(name):22} {value:g}")
            print(f"  digest                 {job.digest}")
            print(f"  {job.evaluations:,} evaluations in {job.seconds:.3g} s")
        for path in written.files:
            report.say(f"written: {path}")

    @staticmethod
    def _files(job: "ContentRun", options: Options) -> list[Path]:
        from levolve.runs.content_output import write_content

        return write_content(job, [Path(path) for path in options["output"]])


EVOLVE_CONTENT = ContentPresenter()

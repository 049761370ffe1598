"""A command's job: carried out with a bar, stored, interrupted in good order, and presented.
`levolve resume` does the same with a stored one.

Runs that are logged for TensorBoard, also after they were resumed.
"""

import functools
import inspect
import json as json_text
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.core.events import Event, Watch
    from levolve.formats.originals import Original
    from levolve.jobs.checkpoints import JobRunner
    from levolve.jobs.job import Job
    from levolve.jobs.runs.run import ContentRun, Run
    from levolve.jobs.runs.world_jobs import MapJob
    from levolve.jobs.store.places import Storing
    from levolve.jobs.studies.result import StudyResult

Store = Annotated[
    Path | None,
    typer.Option(
        "--store",
        metavar="FILE",
        help=(
            "Store the run in this file instead of that in LEVOLVE_STORE or the default one. See "
            "'levolve runs'."
        ),
    ),
]
NoStore = Annotated[
    bool, typer.Option("--no-store", help="Store nothing: an interrupted run cannot be continued.")
]
Options = Mapping[str, Any]


@dataclass(frozen=True)
class Written:
    """The result of a job as data, and the files that were written."""

    data: dict[str, Any]
    files: list[Path]


class Presenter(ABC):
    """How a command shows a job: its progress, what it writes if it is interrupted, and its result.

    `options` are those options of the command that say what to do with the result. They are stored
    with the job as JSON, paths as absolute ones, so a presenter takes both paths and texts. A job
    that the studio or Python began has none of them.
    """

    # The kind of job.
    kind: ClassVar[str]
    # The options of a job that was not begun by a command: its result is printed, and no file is
    # written.
    defaults: ClassVar[Options] = {"output": []}

    @abstractmethod
    def watching(self, report: Report, job: Any) -> "AbstractContextManager[Watch]":
        """Show a bar; the context gives the callback for events."""

    @abstractmethod
    def write(self, job: Any, options: Options) -> Written:
        """Write the files of the result, and return their paths with the result as data."""

    @abstractmethod
    def print_result(self, job: Any, written: Written, options: Options) -> None:
        """Print the result."""

    def shortfall(self, job: Any, options: Options) -> str:
        """Return how the result differs from what was requested; by default it does not."""
        return ""

    def show(
        self, job: Any, options: Options, written: Written, report: Report, *, json: bool
    ) -> None:
        """Print the result, or its data as JSON, and the names of the files that were written;
        raise `LevolveError` if it is not what was requested.
        """
        if json:
            print(json_text.dumps(written.data, indent=2))
        else:
            self.print_result(job, written, options)
        for path in written.files:
            report.say(f"written: {path}")
        if problem := self.shortfall(job, options):
            raise LevolveError(problem)

    def save_partial(self, job: Any, options: Options) -> list[str]:
        """Write the result so far of a job that was interrupted, and return sentences about it."""
        return []

    def logging(self, job: Any, options: Options) -> "AbstractContextManager[Watch | None]":
        """Open a log that receives every event as well; by default there is none."""
        return nullcontext()


def carry_out(runner: "JobRunner", presenter: Presenter, report: Report) -> Written:
    """Carry out a job to the end, and write its files. An interrupt stores it, writes the result so
    far, and names the command that continues.
    """
    from levolve.core.stopping import Interrupts, JobInterruptedError

    with Interrupts() as interrupts:
        runner.interrupted = interrupts
        try:
            with (
                presenter.logging(runner.job, runner.options) as log,
                presenter.watching(report, runner.job) as watch,
                closing(runner.events()) as events,
            ):
                for event in events:
                    watch(event)
                    if log is not None:
                        log(event)
            return presenter.write(runner.job, runner.options)
        except BaseException as problem:
            interrupts.settle()
            if interrupts.requested is not None:
                sentences = runner.partial_result(
                    lambda job: presenter.save_partial(job, runner.options)
                )
                raise JobInterruptedError(
                    "; ".join(["interrupted", *sentences, runner.remark]), interrupts.requested
                ) from problem
            if isinstance(problem, LevolveError) and runner.is_stored:
                # The type of the error stays, with whatever else it holds.
                problem.args = (f"{problem}; {runner.remark}",)
            raise


def start(job: "Job[Any]", storing: "Storing", options: Options) -> "JobRunner":
    """Return a job of a command that is stored as its options say."""
    from levolve.jobs.checkpoints import JobRunner

    return JobRunner(job, storing, options)


def stored_original(original: "Original | None") -> dict[str, Any]:
    """Return the option that stores the file that a job continues from, if files of new levels need
    it.
    """
    return {"original": original.to_data()} if original is not None and original.foreign else {}


def with_store(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options `--store` and `--no-store` to a command, if it has a parameter `storing`,
    which takes their meaning.
    """
    signature = inspect.signature(command)
    if "storing" not in signature.parameters:
        return command

    @functools.wraps(command)
    def run_with_store(*, store: Path | None = None, no_store: bool = False, **options: Any) -> Any:
        from levolve.jobs.store.places import Storing

        return command(storing=Storing.of(store, off=no_store), **options)

    shown = [
        parameter for parameter in signature.parameters.values() if parameter.name != "storing"
    ]
    added = {"store": (None, Store), "no_store": (False, NoStore)}
    shown += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for name, (default, kind) in added.items()
    ]
    run_with_store.__signature__ = signature.replace(parameters=shown)  # type: ignore[attr-defined]
    annotations = {
        name: kind for name, kind in command.__annotations__.items() if name != "storing"
    }
    run_with_store.__annotations__ = annotations | {name: kind for name, (_, kind) in added.items()}
    return run_with_store


class LoggingPresenter(Presenter):
    """Shows a run, and logs it for TensorBoard if the options name a folder."""

    def logging(
        self, job: "Run | ContentRun", options: Options
    ) -> "AbstractContextManager[Watch | None]":
        """Open the log of the run; that of a resumed run is continued."""
        folder = options.get("tensorboard")
        if folder is None:
            return nullcontext()
        from levolve.bridges.tensorboard import TensorBoardLog

        plain = re.sub(r"[^\w.-]+", "-", job.name)
        return TensorBoardLog(folder, f"{plain}-{job.seed}")


class StudyPresenter(Presenter):
    """Shows the result of a study, which encodes itself by the suffix of each output."""

    def write(self, job: "Job[StudyResult]", options: Options) -> Written:
        """Write the plot, the rows or the data."""
        from levolve.formats.writing import write_files

        found, outputs = job.result, [Path(path) for path in options["output"]]
        encoded = [found.encoded_files(path) for path in outputs]
        write_files({name: content for files in encoded for name, content in files.items()})
        return Written(found.to_data(), outputs)


def check_study_files(outputs: list[Path], plot: str, rows: str) -> None:
    """Reject wrong file names before the work starts; `plot` and `rows` say what is written."""
    from levolve.formats.writing import check_writable

    for path in outputs:
        if path.suffix.lower() not in {".png", ".json", ".csv", ".parquet"}:
            endings = f".png ({plot}), .json (all data), or .csv or .parquet ({rows})"
            raise InputError(
                f"--output: expected a file name that ends in {endings}, got {str(path)!r}"
            )
        check_writable(path)


class TilesPresenter(Presenter):
    """Shows a map that is written in tiles."""

    kind: ClassVar[str] = "map"

    @contextmanager
    def watching(self, report: Report, job: "MapJob") -> "Iterator[Watch]":
        """Show a bar of tiles."""
        from levolve.worlds.tiling import TilesWritten

        with report.bar("writing tiles", 1) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, TilesWritten):
                    bar.total = event.total
                    bar.reach(event.done)

            yield watch

    def write(self, job: "MapJob", options: Options) -> Written:
        """Return what the tiles are; they have been written."""
        tiles = str(options["output"] or job.plan.path)
        return Written({**job.result.to_data(), "tiles": tiles}, [])

    def print_result(self, job: "MapJob", written: Written, options: Options) -> None:
        """Print where the tiles are."""
        print(one_line(f"{job.name}: written to {written.data['tiles']}"))


TILES = TilesPresenter()

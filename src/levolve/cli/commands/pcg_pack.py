"""`levolve pack` with problems of the PCG Benchmark, such as `pcg:zelda-v0`."""

import json as json_text
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from levolve.cli.presenters import Options, Presenter, Written, carry_out, start
from levolve.cli.progress import Report
from levolve.core.errors import InputError, LevolveError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.bridges.pcg_benchmark.pack import BenchmarkPackBuilder
    from levolve.core.events import Event, Watch
    from levolve.jobs.store.places import Storing

PREFIX = "pcg:"


def pack_contents(
    name: str,
    count: int,
    *,
    seed: int | None,
    settings: Mapping[str, Any],
    refused: Mapping[str, Any],
    output: Path,
    processes: int | None,
    json: bool,
    quiet: bool,
    storing: "Storing",
) -> None:
    """Build a pack of a problem of the benchmark, and write it. `refused` are options for levels,
    which must not be given.
    """
    given = [option for option, value in refused.items() if value not in (None, False, "", [], 0.0)]
    if given:
        message = (
            f"{given[0]}: expected a recipe of levels, got {name}, whose contents have no such "
            "option"
        )
        raise InputError(message)
    unknown = [key for key in settings if key != "evaluations"]
    if unknown:
        message = (
            f"--set {unknown[0]}: expected evaluations=N, the only setting of a pack of {name}"
        )
        raise InputError(message)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.bridges.pcg_benchmark.pack import BenchmarkPackBuilder
        from levolve.formats.writing import check_writable
        from levolve.jobs.executors import work_pool

        check_writable(output / "pack.json")
        options = {"output": output, "json": json, "quiet": quiet}
        with work_pool(1, processes=processes) as executor:
            limit = int(settings.get("evaluations", 100_000))
            builder = BenchmarkPackBuilder(
                name.removeprefix(PREFIX), count, seed, limit, None, executor
            )
            written = carry_out(start(builder, storing, options), PCG_PACK, report)
    PCG_PACK.show(builder, options, written, report, json=json)


class BenchmarkPackPresenter(Presenter):
    """Shows a pack of a problem of the benchmark."""

    kind: ClassVar[str] = "pcg-pack"

    @contextmanager
    def watching(self, report: Report, job: "BenchmarkPackBuilder") -> "Iterator[Watch]":
        """Show a bar of filled places."""
        from levolve.bridges.pcg_benchmark.pack import PlacesFilled

        with report.bar(f"building {one_line(job.name)}", job.count, "contents") as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, PlacesFilled):
                    bar.reach(event.filled, f"{event.evaluations:,} evaluations")

            yield watch

    def write(self, job: "BenchmarkPackBuilder", options: Options) -> Written:
        """Write the contents and their pictures."""
        made = job.result
        files = made.save(Path(options["output"])) if options["output"] else []
        return Written(made.to_data(), files)

    def show(
        self,
        job: "BenchmarkPackBuilder",
        options: Options,
        written: Written,
        report: Report,
        *,
        json: bool,
    ) -> None:
        """Print the shares that the benchmark computes."""
        made = job.result
        if json:
            print(json_text.dumps(written.data, indent=2))
        else:
            print(
                f"{one_line(job.name)}, seed {job.seed}: {made.passed} of "
                f"{len(made.contents)} contents pass all criteria"
            )
            for name in ("quality", "diversity", "controlability"):
                print(f"  {name:22} {getattr(made, name):.0%}")
            print(f"  digest                 {made.digest}")
            print(f"  {made.evaluations:,} evaluations in {job.seconds:.3g} s")
        for path in written.files:
            report.say(f"written: {path}")
        if made.passed < len(made.contents):
            message = (
                f"{len(made.contents) - made.passed} of {len(made.contents)} contents do not "
                f"pass after {made.evaluations:,} evaluations; "
                f"allow more with --set evaluations={10 * job.limit}"
            )
            raise LevolveError(message)


PCG_PACK = BenchmarkPackPresenter()

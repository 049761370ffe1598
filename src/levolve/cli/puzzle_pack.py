"""`levolve pack` with a puzzle's name: many puzzles at once."""

import json as json_text
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from levolve.cli.jobs import Options, Presenter, Written, carry_out, start
from levolve.cli.pack import print_extents, print_folder, save_unless_present
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError

if TYPE_CHECKING:
    from levolve.events import Event, Watch
    from levolve.packs.puzzle_pack import PuzzlePackBuilder
    from levolve.runs.store.places import Storing


def pack_puzzles(
    puzzle: str,
    count: int,
    size: str | None,
    curve: str | None,
    to: str | None,
    seed: int | None,
    output: Path,
    unfit: list[str],
    *,
    cluster: str | None,
    threads: int | None,
    json: bool,
    quiet: bool,
    storing: "Storing",
) -> None:
    """Make a pack of puzzles; `unfit` are options that were given and do not apply to puzzles."""
    if unfit:
        message = f"{unfit[0]}: expected a recipe of levels, got the puzzle {puzzle!r}; see 'levolve make {puzzle} --help'"
        raise InputError(message)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.packs.folder import check_folder
        from levolve.packs.puzzle_pack import DEFAULT_FORMS, PuzzlePackBuilder, forms_of
        from levolve.runs.executors import work_pool

        forms = forms_of(puzzle, DEFAULT_FORMS if to is None else to)
        check_folder(output)
        options = {"output": output, "formats": forms, "json": json, "quiet": quiet}
        with work_pool(threads, cluster) as executor:
            builder = PuzzlePackBuilder(puzzle, count=count, size=size, curve=curve, seed=seed, executor=executor)
            written = carry_out(start(builder, storing, options), PUZZLE_PACK, report)
    PUZZLE_PACK.show(builder, options, written, report, json=json)


class PuzzlePackPresenter(Presenter):
    """Shows a pack of puzzles."""

    kind: ClassVar[str] = "puzzle-pack"

    @contextmanager
    def watching(self, report: Report, job: "PuzzlePackBuilder") -> "Iterator[Watch]":
        """Show a bar of candidates."""
        from levolve.packs.puzzle_pack import CANDIDATES, CandidateMade

        with report.bar(f"making {job.name}", CANDIDATES * job.count) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, CandidateMade):
                    bar.reach(event.number)

            yield watch

    def save_partial(self, job: "PuzzlePackBuilder", options: Options) -> list[str]:
        """Write the puzzles made so far, unless another pack is in the folder."""
        made, folder = job.result, Path(options["output"])
        return save_unless_present(folder, len(made.positions), "puzzle", lambda: made.save(folder, options["formats"]))

    def write(self, job: "PuzzlePackBuilder", options: Options) -> Written:
        """Write the folder."""
        made, folder = job.result, Path(options["output"])
        if made.positions:
            made.save(folder, options["formats"])
        return Written(made.to_data(folder=folder if made.positions else None), [])

    def show(self, job: "PuzzlePackBuilder", options: Options, written: Written, report: Report, *, json: bool) -> None:  # noqa: ARG002 nothing more
        """Print the report."""
        made = job.result
        if json:
            print(json_text.dumps(written.data, indent=2))
        elif made.positions:
            found = f"{len(made.positions)} of {made.wanted} puzzles, no two alike, were found"
            print(f"{made.puzzle} {made.size[0]}x{made.size[1]}, seed {made.seed}: {found}")
            print_extents(made.measures)
            print(f"  digest                 {made.digest}")
            print_folder(len(made.positions), "puzzle", Path(options["output"]), options["formats"])
        if not made.met:
            found = f"only {len(made.positions)} were found that are not alike"
            message = f"count: {made.wanted} puzzles were requested, but {found}; choose a larger size"
            raise LevolveError(message)


PUZZLE_PACK = PuzzlePackPresenter()

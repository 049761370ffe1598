"""`compare_sizes`: the same comparison of recipes on several sizes, and their ranks over all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self

from levolve.display import Displayed
from levolve.errors import InputError, LevolveError
from levolve.formats.tables import Tabular
from levolve.runs.checkpoints import complete
from levolve.runs.executors import stop_requested, work_pool
from levolve.runs.jobs import JobOutcome
from levolve.runs.units import UnitJob
from levolve.studies.comparing import ComparisonJob, RunFinished, evaluation_grid, run_entrant
from levolve.studies.comparison import Comparison, EntrantRun
from levolve.studies.critical_difference import CriticalDifference

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from levolve.events import Watch
    from levolve.formats.look import Look
    from levolve.recipes.adapt import RecipeSource, Size
    from levolve.runs.store.places import StoreSource


@dataclass(frozen=True, eq=False, repr=False)
class SizesComparison(Displayed, Tabular):
    """Comparisons of the same recipes on several sizes."""

    comparisons: tuple[Comparison, ...]

    @cached_property
    def ranks(self) -> CriticalDifference:
        """The average ranks of the recipes over all sizes and seeds."""
        return CriticalDifference.of(self.comparisons)

    def __repr__(self) -> str:
        """Return the sizes and the average ranks."""
        sizes = ", ".join(str(each.problem["size"]) for each in self.comparisons)
        standing = ", ".join(f"{name} {rank:.2f}" for name, rank in zip(self.ranks.names, self.ranks.ranks, strict=True))
        return f"<SizesComparison on {sizes}, average ranks: {standing}>"

    def __getitem__(self, size: str) -> Comparison:
        """Return the comparison on one size, such as "12x12"."""
        return next(each for each in self.comparisons if each.problem["size"] == size)

    def rows(self) -> list[dict[str, Any]]:
        """Return the raw data, one row per run."""
        return [row for each in self.comparisons for row in each.rows()]

    def to_data(self, *, seconds: bool = True) -> dict[str, Any]:
        """Return the ranks and all comparisons as JSON-compatible data. Without `seconds` it is the same each time."""
        return {**self.ranks.to_data(), "sizes": [each.to_data(seconds=seconds) for each in self.comparisons]}

    def plot(self) -> Figure:
        """Return the critical-difference diagram as a matplotlib figure. Requires the extra `plot`."""
        return self.ranks.plot()

    def _picture(self) -> bytes | None:
        return self.ranks._repr_png_()

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of the critical-difference diagram (.png), of all data (.json), or of the table of all runs (.csv, .parquet)."""
        suffix = path.suffix.lower()
        if look is None and suffix == ".png":
            return self.ranks.encoded_files(path)
        if look is None and suffix == ".json":
            return {path: f"{json.dumps(self.to_data(seconds=False), indent=2, allow_nan=False)}\n".encode()}
        return super().encoded_files(path, look)


class SizesJob(UnitJob[SizesComparison, EntrantRun]):
    """Compares recipes on several sizes. `events()` yields an event per run, size by size."""

    kind: ClassVar[str] = "compare-sizes"

    def __init__(self, jobs: Sequence[ComparisonJob], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> None:
        """Prepare; nothing is run yet. `jobs` are the comparisons on each size."""
        self.jobs = tuple(jobs)
        self.name = jobs[0].name
        super().__init__(jobs[0].seed, executor, stop)

    @classmethod
    def of(cls, recipes: Sequence[RecipeSource], sizes: Sequence[Size], **settings: Any) -> Self:  # noqa: ANN401 those of `ComparisonJob.of`
        """Return the comparison of some recipes on several sizes; see `compare` for the other parameters."""
        jobs = [ComparisonJob.of(recipes, size=size, **settings) for size in sizes]
        if not jobs or len({job.size for job in jobs}) < len(jobs):
            message = f"sizes: expected one or more different sizes, got {', '.join(map(str, sizes)) or 'none'}"
            raise InputError(message)
        return cls(jobs)

    def call(self) -> dict[str, Any]:
        """Return the calls of the comparisons."""
        return {"sizes": [job.call() for job in self.jobs]}

    @classmethod
    def from_call(cls, call: Mapping[str, Any], executor: Executor | None = None, stop: Callable[[], bool] = stop_requested) -> Self:
        """Return the job that `call` describes."""
        return cls([ComparisonJob.from_call(each) for each in call["sizes"]], executor, stop)

    @property
    def total(self) -> int:
        """The number of runs."""
        return sum(len(job.rivals) * job.runs for job in self.jobs)

    def _reset(self) -> None:
        self.finished: list[EntrantRun] = []

    def _advance(self) -> Iterator[RunFinished]:
        """Run every recipe with every seed on every size."""
        units = [
            (name, job.seed + index, rival, evaluation_grid(job.evaluations))
            for job in self.jobs
            for name, rival in job.rivals.items()
            for index in range(job.runs)
        ]
        for run in self._in_order(run_entrant, units):
            self.finished.append(run)
            yield RunFinished(run.name, run.seed, run.score, run.evaluations, len(self.finished), len(units))

    def _to_state(self, unit: EntrantRun) -> dict[str, Any]:
        return self.jobs[0]._to_state(unit)  # noqa: SLF001 the same units

    def _from_state(self, state: Mapping[str, Any]) -> EntrantRun:
        return self.jobs[0]._from_state(state)  # noqa: SLF001 the same units

    @property
    def result(self) -> SizesComparison:
        """The comparisons on all sizes."""
        if self.progress < 1:
            message = f"comparison: expected all runs to be finished, {len(self.finished)} of {self.total} are; call finish() first"
            raise LevolveError(message)
        comparisons = []
        first = 0
        for job in self.jobs:
            job.finished = self.finished[first : first + len(job.rivals) * job.runs]
            first += len(job.finished)
            comparisons.append(job.result)
        return SizesComparison(tuple(comparisons))

    @property
    def size(self) -> str:
        """The sizes of the levels."""
        return ", ".join(job.size for job in self.jobs)

    @property
    def progress(self) -> float:
        """The share of the runs that are finished."""
        return len(self.finished) / self.total

    @property
    def headline(self) -> str:
        """The recipe with the best rank at the end; before, the number of finished runs."""
        return f"best: {self.result.ranks.names[0]}" if self.progress == 1 else f"{len(self.finished)} of {self.total} runs"

    def outcome(self) -> JobOutcome:
        """Return the ranks."""
        return JobOutcome(self.result.ranks.to_data())


def compare_sizes(  # noqa: PLR0913 the usual changes have names of their own
    recipes: Sequence[RecipeSource],
    sizes: Sequence[Size],
    *,
    threads: int | None = None,
    cluster: str | None = None,
    executor: Executor | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
    **settings: Any,  # noqa: ANN401 those of `compare`
) -> SizesComparison:
    """Compare recipes on several sizes; see `compare` for all other parameters, such as `runs`, `evaluations`, `objective`, `seed` and `paired`.

    >>> found = compare_sizes(["maze", "maze-barriers", "maze-long"], ["6x6", "8x8"], runs=2, evaluations=300, objective="exit_path")
    >>> found.ranks.blocks, [row["size"] for row in found.rows()[:3]]
    (4, ['6x6', '6x6', '6x6'])
    """
    job = SizesJob.of(recipes, sizes, **settings)
    with work_pool(threads, cluster, executor) as pool:
        job.executor = pool
        return complete(job, store, watch)

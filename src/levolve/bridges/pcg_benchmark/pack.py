"""Packs of contents that pass quality, diversity and control of a benchmark problem at once.

`pack`: build a pack of a benchmark problem to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from levolve.bridges.pcg_benchmark.content import BenchmarkContent, sheet_of
from levolve.bridges.pcg_benchmark.library import convert_space, environment
from levolve.bridges.pcg_benchmark.pool import Candidate, Pool
from levolve.contents.content import ContentProblem, canonical_bytes, digest_of, plain
from levolve.core.arguments import EXECUTOR, named_arguments
from levolve.core.errors import InputError
from levolve.core.events import Event, Watch
from levolve.formats.writing import write_files
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, stop_requested, work_pool
from levolve.jobs.store.places import StoreSource
from levolve.jobs.units import UnitJob
from levolve.search.evaluation import slices, worker_count
from levolve.search.genotypes.gene_space import NumberGenes
from levolve.search.problem import choose_seed

if TYPE_CHECKING:
    from levolve.search.genotypes.gene_space import Genes

Info = Mapping[str, Any]

# Contents that are evaluated between two attempts to fill open places.
ROUND = 100
# Control parameters are drawn from streams of generation 1 of the seed, contents from generation 2
# on.
CONTROLS, FIRST = 1, 2


@dataclass(frozen=True)
class PlacesFilled(Event):
    """A round has been evaluated: so many of the places of the pack are filled, after so many
    evaluations.
    """

    kind: ClassVar[str] = "places"

    filled: int
    count: int
    evaluations: int


@dataclass(frozen=True)
class BenchmarkPack:
    """A pack, and its shares as the benchmark computes them, from 0 to 1.

    `contents` and `controls` correspond; `passed` is how many contents pass all three criteria.
    """

    problem: str
    seed: int
    contents: list[Any]
    controls: list[dict[str, Any]]
    quality: float
    diversity: float
    controlability: float
    passed: int
    evaluations: int

    def save(self, folder: str | Path) -> list[Path]:
        """Write `pack.json`, and `sheet.png` with the benchmark's pictures, and return their
        paths.
        """
        drawn = BytesIO()
        content = BenchmarkContent(self.problem)
        sheet_of([content.picture(one) for one in self.contents]).save(drawn, "PNG")
        return write_files(
            {
                Path(folder) / "pack.json": canonical_bytes(self.to_data()) + b"\n",
                Path(folder) / "sheet.png": drawn.getvalue(),
            }
        )

    @property
    def digest(self) -> str:
        """The SHA-256 of all contents."""
        return digest_of(self.contents)

    def to_data(self) -> dict[str, Any]:
        """Return the pack as JSON-compatible data."""
        return {
            "problem": self.problem,
            "seed": self.seed,
            "count": len(self.contents),
            "quality": self.quality,
            "diversity": self.diversity,
            "controlability": self.controlability,
            "passed": self.passed,
            "evaluations": self.evaluations,
            "digest": self.digest,
            "controls": self.controls,
            "contents": plain(self.contents),
        }


def infos_of(problem: str, genes: Genes) -> list[Info]:
    """Return the benchmark's information about contents given by their genes: a unit of work for
    any thread, process or machine.
    """
    content = BenchmarkContent(problem)
    return [content.info(one) for one in ContentProblem(content).decode(genes)]


class BenchmarkPackBuilder(UnitJob[BenchmarkPack, list[Info]]):
    """Builds a pack: contents are evaluated in rounds, and each takes an open place whose control
    it meets, if it differs from all accepted ones.

    A part of each round is drawn anew; the others are bred, for each open place, from the contents
    that come nearest to its control.

    Parameters
    ----------
    problem
        The name of a problem, such as "zelda-v0".
    count
        The number of contents.
    seed
        From 0 to 2**64 - 1; by default a random one.
    evaluations
        The most contents to evaluate. Places that are still open then get the best contents found.
    controls
        The control parameters of each place; by default they are drawn from the problem's control
        space.
    """

    kind: ClassVar[str] = "pcg-pack"

    def __init__(
        self,
        problem: str,
        count: int,
        seed: int | None = None,
        evaluations: int = 100_000,
        controls: Sequence[Mapping[str, Any]] | None = None,
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> None:
        """Prepare; nothing is computed yet."""
        if count < 1 or evaluations < 1:
            raise InputError(
                f"count, evaluations: expected at least 1 each, got {count} and {evaluations}"
            )
        self.problem, self.count, self.limit = problem, count, evaluations
        self.name = f"pcg:{problem}"
        self._given = None if controls is None else [dict(control) for control in controls]
        if self._given is not None and len(self._given) != count:
            raise InputError(
                f"controls: expected one for each of the {count} contents, got {len(self._given)}"
            )
        self.content = BenchmarkContent(problem)
        self._posed = ContentProblem(self.content)
        super().__init__(choose_seed(seed), executor, stop)

    def call(self) -> dict[str, Any]:
        """Return what to build, and the seed."""
        controls = None if self._given is None else plain(self._given)
        return {
            "problem": self.problem,
            "count": self.count,
            "seed": self.seed,
            "evaluations": self.limit,
            "controls": controls,
        }

    @classmethod
    def from_call(
        cls,
        call: Mapping[str, Any],
        executor: Executor | None = None,
        stop: Callable[[], bool] = stop_requested,
    ) -> Self:
        """Build a job from its call."""
        return cls(
            call["problem"],
            call["count"],
            call["seed"],
            call["evaluations"],
            call["controls"],
            executor,
            stop,
        )

    @cached_property
    def controls(self) -> list[dict[str, Any]]:
        """The control parameters of each place."""
        if self._given is not None:
            return self._given
        space = convert_space(environment(self.problem).control_space)
        genes = NumberGenes(np.array(space.bounds, np.int64)).draw(self.seed, CONTROLS, self.count)
        return [space.decode(row) for row in genes.tolist()]

    def _reset(self) -> None:
        self.evaluations = 0
        self._known: set[bytes] = set()
        self._judged: BenchmarkPack | None = None
        self._pool = Pool(environment(self.problem)._problem, self.controls)

    def _advance(self) -> Iterator[PlacesFilled]:
        generation = FIRST
        while not self._pool.is_complete and self.evaluations < self.limit:
            bred = self._pool.count_bred(ROUND)
            proposed = self._pool.propose(self._posed, self.seed, generation, ROUND)
            new = self._new(proposed)[: self.limit - self.evaluations]
            genes = proposed[new]
            parts = (
                [genes[part] for part in slices(len(genes), worker_count(self.executor))]
                if len(genes)
                else []
            )
            infos = [
                info
                for found in self._in_order(infos_of, [(self.problem, part) for part in parts])
                for info in found
            ]
            self.evaluations += len(genes)
            contents = self._posed.decode(genes)
            found = zip(new, genes, contents, infos, strict=True)
            self._pool.add(
                Candidate(row, content, info, index >= ROUND - bred)
                for index, row, content, info in found
            )
            generation += 1
            yield PlacesFilled(self._pool.filled, self.count, self.evaluations)

    def _new(self, genes: Genes) -> list[int]:
        """Return the numbers of the individuals that were not evaluated before."""
        fresh = []
        for index, row in enumerate(genes):
            key = row.tobytes()
            if key not in self._known:
                self._known.add(key)
                fresh.append(index)
        return fresh

    def _to_state(self, unit: list[Info]) -> Any:
        return [_storable(info) for info in unit]

    def _from_state(self, state: Any) -> list[Info]:
        return list(state)

    @property
    def result(self) -> BenchmarkPack:
        """The pack so far; open places have the best contents found."""
        # The benchmark compares each content with each other, which takes seconds: once per number
        # of evaluations is enough.
        if self._judged is None or self._judged.evaluations != self.evaluations:
            self._judged = self._judge()
        return self._judged

    def _judge(self) -> BenchmarkPack:
        chosen = self._pool.chosen()
        judge = environment(self.problem)
        infos = [candidate.info for candidate in chosen]
        quality, details_q, _ = judge.quality(infos)
        diversity, details_d, _ = judge.diversity(infos)
        control, details_c, _ = judge.controlability(infos, self.controls)
        passed = int(((details_q >= 1) & (details_d >= 1) & (details_c >= 1)).sum())
        contents = [candidate.content for candidate in chosen]
        return BenchmarkPack(
            self.problem,
            self.seed,
            contents,
            plain(self.controls),
            float(quality),
            float(diversity),
            float(control),
            passed,
            self.evaluations,
        )

    @property
    def progress(self) -> float:
        """The share of filled places, or of the evaluations, whichever is larger."""
        return max(self._pool.filled / self.count, min(self.evaluations / self.limit, 1.0))

    @property
    def score(self) -> float:
        """The number of filled places."""
        return float(self._pool.filled)

    @property
    def headline(self) -> str:
        """How many places are filled."""
        return f"{self._pool.filled} of {self.count} places"


def _storable(value: Any) -> Any:
    """Return information with plain numbers; arrays and tuples stay what they are."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): _storable(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_storable(part) for part in value)
    return value


@named_arguments(EXECUTOR)
def pack(
    problem: str,
    count: int = 100,
    *,
    seed: int | None = None,
    evaluations: int = 100_000,
    controls: Sequence[Mapping[str, Any]] | None = None,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> BenchmarkPack:
    """Build contents that pass quality, diversity and control of a problem at once.

    Parameters
    ----------
    problem
        The name of a problem, such as "zelda-v0".
    count
        The number of contents.
    seed
        From 0 to 2**64 - 1; by default a random one. The same seed gives the same bytes.
    evaluations
        The most contents to evaluate; building ends when all places are filled.
    controls
        The control parameters of each content; by default they are drawn from the problem's control
        space.
    executor
        Where contents are evaluated, such as "processes:2"; see `levolve.evolve`. By default this
        thread. Does not change the result.
    watch
        A callback for `PlacesFilled` events.
    store
        Where the job is stored, so that `levolve.resume` can continue it. By default nowhere.
    """
    with work_pool(1, executor=executor) as pool:
        return complete(
            BenchmarkPackBuilder(problem, count, seed, evaluations, controls, pool), store, watch
        )

"""Checkpoints: a stored job that stops at any moment is continued to the same bytes, and a store
that fails never stops a run.
"""

import itertools
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest

import levolve
from levolve.core.errors import InputError, LevolveError, StoreError
from levolve.core.events import Event
from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
from levolve.jobs.checkpoints import JobRunner
from levolve.jobs.job import Job
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.pack_job import PackJob
from levolve.jobs.runs.run import Run
from levolve.jobs.store.places import Storing, checkpoint_seconds
from levolve.jobs.store.records import DONE, FAILED, RUNNING, STOPPED
from levolve.jobs.store.store import Store
from levolve.jobs.studies.comparison_job import ComparisonJob
from levolve.recipes.recipe import find_recipe

GENERATIONS = 6


@pytest.fixture(autouse=True)
def _after_every_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEVOLVE_CHECKPOINT_SECONDS", "0")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "runs.sqlite"


def small(seed: int = 5) -> Run:
    return Run(find_recipe("maze").changed({"size": "8x8", "generations": GENERATIONS}), seed)


class BrokenError(LevolveError):
    pass


class Fragile(Run):
    """A run that fails within a generation, after some of its state has changed."""

    kind: ClassVar[str] = "evolve"
    last = 3
    trouble: BaseException = BrokenError("the machine is on fire")

    def events(self) -> Iterator[Any]:
        for number, event in enumerate(super().events()):
            yield event
            if number == self.last:
                self._search.generation += 17
                raise self.trouble


@pytest.mark.parametrize("events", range(GENERATIONS + 2))
@pytest.mark.parametrize("threads", [1, 3])
def test_a_run_that_stops_after_any_event_is_resumed_to_the_same_bytes(
    path: Path, events: int, threads: int
) -> None:
    whole = small().finish()
    stopped = JobRunner(small(), Storing(path, requested=True))
    going = stopped.events()
    for _ in range(events):
        next(going)
    going.close()
    with Store(path) as store:
        assert store.find("last").status == STOPPED if events else not store.runs()
    if not events:
        return
    resumed = levolve.resume(store=path, executor=threads)
    assert (resumed.digest, resumed.history, resumed.best_score) == (
        whole.digest,
        whole.history,
        whole.best_score,
    )
    assert resumed.evaluations == whole.evaluations
    with Store(path) as store:
        assert store.find(1).status == DONE
        assert [one.best for one in store.history(1)] == whole.history.best
        (kept,) = store._connection.execute("SELECT count(*) FROM checkpoints").fetchone()
        assert kept == 1, "a finished run needs only its last state"


def test_a_finished_run_is_given_again_without_searching(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = levolve.evolve("maze", size=(8, 8), seed=5, generations=GENERATIONS, store=path)
    monkeypatch.setattr(
        "levolve.search.level_problem.LevelProblem.evaluate",
        lambda *_: pytest.fail("nothing is evaluated again"),
    )
    events: list[Event] = []
    again = levolve.resume(store=path, watch=events.append)
    assert (again.digest, again.history) == (whole.digest, whole.history)
    assert [event.kind for event in events] == ["ended"]


@pytest.mark.parametrize(
    ("problem", "status"),
    [(BrokenError("the machine is on fire"), FAILED), (KeyboardInterrupt(), STOPPED)],
)
def test_a_run_that_fails_within_a_generation_is_resumed_from_its_last_checkpoint(
    path: Path, problem: BaseException, status: str
) -> None:
    run = Fragile(small().recipe, 5)
    run.trouble = problem
    with pytest.raises(type(problem)):
        list(JobRunner(run, Storing(path, requested=True)).events())
    with Store(path) as store:
        record = store.find("last")
        assert (record.status, record.problem) == (status, str(problem) or None)
        assert store.state(1)["search"]["generation"] == Fragile.last + 1
    assert levolve.resume(store=path).digest == small().finish().digest


def test_an_interrupt_before_the_first_event_is_resumed_from_the_start(path: Path) -> None:
    run = Fragile(small().recipe, 5)
    run.last, run.trouble = 0, KeyboardInterrupt()
    runner = JobRunner(run, Storing(path, requested=True), every=1000)
    with pytest.raises(KeyboardInterrupt):
        list(runner.events())
    assert runner.remark == f"continue with: levolve resume 1 --store {path}"
    assert levolve.resume(store=path).digest == small().finish().digest


def test_a_requested_interrupt_ends_the_run_between_two_generations(path: Path) -> None:
    seen: list[Event] = []
    run = small()
    runner = JobRunner(run, Storing(path, requested=True), interrupted=lambda: len(seen) == 2)
    with pytest.raises(KeyboardInterrupt):
        seen.extend(runner.events())
    with Store(path) as store:
        assert store.state(1)["search"]["generation"] == len(seen) == 2, (
            "every event that the state includes was seen"
        )
    found: list[int] = []
    assert runner.partial_result(lambda job: found.append(job.evaluations) or ["written"]) == [  # type: ignore[attr-defined, func-returns-value]
        "written"
    ]
    assert found == [run.evaluations]


def test_a_run_that_its_caller_stops_is_stopped_not_done(path: Path) -> None:
    seen: list[Event] = []
    levolve.evolve(
        "maze",
        size=(8, 8),
        seed=5,
        generations=GENERATIONS,
        store=path,
        watch=seen.append,
        stop=lambda: len(seen) == 3,
    )
    with Store(path) as store:
        assert store.find(1).status == STOPPED
    assert levolve.resume(store=path).digest == small().finish().digest


@pytest.mark.parametrize(
    "build",
    [
        lambda **more: levolve.pack(
            "maze",
            count=3,
            size=(8, 8),
            target={"regions": 1, "exit_path": (16, 30)},
            distinct=0.3,
            seed=1,
            **more,
        ),
        lambda **more: levolve.compare(
            ["maze", "maze-barriers"], runs=2, evaluations=400, size="8x8", **more
        ),
        lambda **more: levolve.tune(
            "dungeon-meta",
            population=4,
            generations=1,
            settings={"generations": 3},
            size="5x5",
            seed=1,
            **more,
        ),
    ],
    ids=["pack", "compare", "meta"],
)
def test_every_library_function_with_a_store_is_resumed_to_the_same_result(
    path: Path, build: Any
) -> None:
    class Enough(Exception):  # noqa: N818 no error
        pass

    def stop_at_the_third(_: Event, count: list[int] = [0]) -> None:  # noqa: B006 counts the events of this call
        count[0] += 1
        if count[0] == 3:
            raise Enough

    whole = build(executor=1)
    with pytest.raises(Enough):
        build(store=path, watch=stop_at_the_third, executor=2)
    resumed = levolve.resume(store=path, executor=1)
    assert without_times(resumed.to_data()) == without_times(whole.to_data())
    assert without_times(levolve.resume(1, store=path).to_data()) == without_times(whole.to_data())


def without_times(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_times(value) for key, value in data.items() if key != "seconds"}
    return [without_times(value) for value in data] if isinstance(data, list) else data


def test_a_short_run_is_written_once_at_the_end(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LEVOLVE_CHECKPOINT_SECONDS", "5")
    runner = JobRunner(small(), Storing(path))
    for _ in runner.events():
        assert not path.exists()
    with Store(path) as store:
        assert [(record.status, record.id) for record in store.runs()] == [(DONE, 1)]
        assert len(store.history(1)) == GENERATIONS + 1


def test_a_checkpoint_that_takes_long_is_written_rarely(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    saved: list[float] = []

    class Slow(JobRunner):
        def _entry(self, *arguments: Any) -> Any:
            nonlocal now
            saved.append(now)
            now += 0.4
            return super()._entry(*arguments)

    run = Run(find_recipe("maze").changed({"size": "6x6", "generations": 60}), 1)
    for _ in Slow(run, Storing(path), every=5).events():
        now += 1.0
    waits = [after - before for before, after in itertools.pairwise(saved[1:-1])]
    assert saved[0] <= 2.0
    assert waits
    assert all(wait >= 0.4 / 0.02 for wait in waits)


def test_a_store_that_cannot_be_opened_stops_only_a_run_that_asked_for_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    nowhere = tmp_path / "file" / "runs.sqlite"
    run = small()
    runner = JobRunner(run, Storing(nowhere))
    with pytest.warns(
        UserWarning, match="cannot be opened.*the run goes on, but it is not stored"
    ) as caught:
        assert len(list(runner.events())) == GENERATIONS + 2
    assert len(caught) == 1, "one warning"
    assert run.digest == small().finish().digest
    assert runner.remark == "nothing was stored"
    for build in (
        lambda: JobRunner(small(), Storing(nowhere, requested=True)),
        lambda: levolve.evolve("maze", seed=1, store=nowhere),
    ):
        with pytest.raises(StoreError, match="cannot be opened"):
            build()


def test_a_disk_that_fills_up_during_a_run_costs_checkpoints_not_the_run(path: Path) -> None:
    runner = JobRunner(small(), Storing(path, requested=True))
    events = runner.events()
    next(events)

    assert runner._store is not None
    connection = runner._store._connection
    connection.execute("PRAGMA max_page_count = 1")
    with pytest.warns(UserWarning, match="database or disk is full.*this checkpoint is not stored"):
        next(events)
    connection.execute("PRAGMA max_page_count = 100000")
    assert len(list(events)) == GENERATIONS
    with Store(path) as store:
        assert store.find(1).status == DONE
        assert len(store.history(1)) == GENERATIONS + 1, (
            "the history of the failed checkpoint is written later"
        )


def test_the_seconds_between_checkpoints_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    for text in ("soon", "-1", "nan", "inf"):
        monkeypatch.setenv("LEVOLVE_CHECKPOINT_SECONDS", text)
        with pytest.raises(
            InputError, match="LEVOLVE_CHECKPOINT_SECONDS: expected a number of seconds"
        ):
            checkpoint_seconds()
    monkeypatch.delenv("LEVOLVE_CHECKPOINT_SECONDS")
    assert checkpoint_seconds() == 5.0


def test_a_run_is_not_resumed_twice_at_once(path: Path) -> None:
    events = JobRunner(small(), Storing(path, requested=True)).events()
    next(events)
    with pytest.raises(LevolveError, match=r"run 1 is being carried out by process \d+"):
        levolve.resume(store=path)
    events.close()
    assert levolve.resume(store=path).digest == small().finish().digest


def test_the_time_of_a_resumed_run_includes_the_time_before(path: Path) -> None:
    events = JobRunner(small(), Storing(path, requested=True)).events()
    next(events)
    time.sleep(0.05)
    events.close()
    with Store(path) as store:
        before = store.find(1).seconds
    levolve.resume(store=path)
    with Store(path) as store:
        assert store.find(1).seconds > before >= 0.05


def test_a_long_history_is_thinned_in_the_store_and_complete_in_the_run(path: Path) -> None:
    whole = levolve.evolve(
        "maze", size=(6, 6), seed=1, generations=1234, settings={"strategy.population": 10}
    )
    run = Run(whole.recipe, 1)
    for _ in JobRunner(run, Storing(path, requested=True), every=1000).events():
        pass
    assert levolve.resume(store=path).history == whole.history
    with Store(path) as store:
        steps = [one.step for one in store.history(1)]
    best = whole.history.best
    improved = {step for step in range(1, 1235) if best[step] > best[step - 1]}
    assert steps == sorted({*range(1000), *range(1000, 1235, 10), *improved, 1234})


class Far(Executor):
    """Workers elsewhere. When they get their first unit of work, this process is killed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.listed: list[tuple[str, str]] = []

    def submit(self, *_: Any, **__: Any) -> Any:
        with Store(self.path) as store:
            self.listed = [(record.kind, record.status) for record in store.runs()]
        raise SystemExit


MAZE = find_recipe("maze").changed({"size": "8x8", "generations": 3})
FILLING = illumination_recipe(
    "maze", axes=["walls", "exit_path"], grid=(5, 5), evaluations=500, settings={"size": "8x8"}
)
ORDERS = [
    Order.of(find_recipe(name).changed({"size": "8x8"}), count=2)
    for name in ("maze", "maze-barriers")
]


@pytest.mark.parametrize(
    "make",
    [
        lambda far: PackJob(ORDERS[:1], 1, far),
        lambda far: PackJob(ORDERS, 1, far),
        lambda far: ComparisonJob.from_call(
            ComparisonJob.of([MAZE, "maze-barriers"], runs=2, seed=1).call(), far
        ),
        lambda far: Illumination(FILLING, 1, far),
        lambda far: Run(MAZE, 1, far),
    ],
)
def test_a_job_of_other_processes_is_stored_before_their_first_task(
    make: Callable[[Executor], Job[Any]], tmp_path: Path
) -> None:
    path = tmp_path / "runs.sqlite"
    job = make(far := Far(path))
    assert job.is_remote
    with suppress(SystemExit):
        for _ in JobRunner(job, Storing(path, requested=True), every=60).events():
            # The batches of a run may be too small to be sent: its first event counts.
            far.submit()
    assert far.listed == [(job.kind, RUNNING)]

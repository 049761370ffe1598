"""Runs: one seed, one result."""

import itertools
import threading
from pathlib import Path

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError, LevolveError
from levolve.jobs.executors import thread_pool
from levolve.jobs.replay import replay
from levolve.jobs.runs.run import Run
from levolve.levels.level import Level
from levolve.recipes.recipe import find_recipe, shipped
from levolve.search import evaluation
from levolve.search.evaluation import slices
from levolve.search.loop import GenerationScored, SearchEnded

# If this changes, every level that was ever saved with its seed can no longer be regenerated.
GOLDEN_DIGEST = "e602bd1b2a22393e3503fe03f8af5207bfd522a1b869cc0c3d61f999f2e876b9"


def test_the_golden_run_still_gives_the_same_bytes() -> None:
    assert levolve.evolve("maze", size=(20, 20), seed=7, generations=200).digest == GOLDEN_DIGEST


@pytest.mark.parametrize("size", [(12, 9), (70, 12)])
def test_the_result_does_not_depend_on_the_number_of_threads(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Small enough that every batch is split.
    monkeypatch.setattr(evaluation, "THREAD_SECONDS", 1e-12)
    runs = [
        levolve.evolve("maze", size=size, seed=3, generations=30, executor=threads)
        for threads in (1, 2, 5)
    ]
    assert len({run.digest for run in runs}) == 1
    assert runs[0].history == runs[1].history == runs[2].history
    assert runs[0].levels == runs[2].levels


def test_a_run_that_is_finished_at_once_is_that_with_an_event_per_generation() -> None:
    recipe = find_recipe("maze").changed({"size": (11, 9), "generations": 70})
    watched, finished, continued = (Run(recipe, 5) for _ in range(3))
    events = list(watched.events())
    finished.finish()
    for _ in itertools.islice(continued.events(), 9):
        assert continued.best.digest
    continued.finish()
    for run in (finished, continued):
        assert (run.history, run.ended, run.digest, run.levels) == (
            watched.history,
            events[-1],
            watched.digest,
            watched.levels,
        )
        assert [(label, level.digest) for label, level in run.frames] == [
            (label, level.digest) for label, level in watched.frames
        ]
        assert len(run.frames) > 3
        assert run.seconds > 0


def test_different_seeds_give_different_levels() -> None:
    digests = {
        levolve.evolve("maze", size=(10, 10), seed=seed, generations=5).digest
        for seed in (0, 1, 2, 2**64 - 1)
    }
    assert len(digests) == 4


def test_the_best_level_holds_its_score_its_proof_and_its_origin() -> None:
    run = levolve.evolve("maze", size=(15, 11), seed=4, generations=60)
    run.best.check()
    assert run.best.solution is not None
    assert len(run.best.solution) == run.best_score == levolve.measure(run.best)["exit_path"][0]
    assert run.best_score > 15 + 11 - 2, "longer than the straight way"
    assert run.best.origin is not None
    assert run.best.origin.seed == 4
    assert run.best.origin.recipe == run.recipe.to_data()
    assert run.digest == run.best.digest


def test_the_levels_are_ordered_distinct_and_proven() -> None:
    run = levolve.evolve("maze", size=(12, 12), seed=4, generations=20)
    assert run.levels[0] == run.best
    assert len(set(run.levels)) == len(run.levels) > 10
    lengths = levolve.measure(run.levels)["exit_path"]
    assert (np.diff(lengths) <= 0).all()
    for level in run.levels:
        level.check()


def test_the_history_has_one_entry_per_generation_and_never_falls() -> None:
    run = Run(find_recipe("maze").changed({"size": "10x10", "generations": 25}), 1)
    everything = list(run.events())
    assert (
        everything[-1] == SearchEnded("generations", run.best_score, run.evaluations) == run.ended
    )
    events = [event for event in everything if isinstance(event, GenerationScored)]
    assert len(events) == len(everything) - 1
    assert [event.generation for event in events] == list(range(26))
    assert run.history.best == [event.best for event in events] == sorted(run.history.best)
    assert run.history.evaluations[-1] == run.evaluations == events[-1].evaluations
    assert all(mean <= best for mean, best in zip(run.history.mean, run.history.best, strict=True))
    assert [event.improved for event in events[1:]] == [
        after > before for before, after in itertools.pairwise(run.history.best)
    ]
    assert len(run.frames) == sum(event.improved for event in events)
    assert run.frames[-1][1] == run.best


def test_any_level_of_a_run_can_be_grown_again() -> None:
    run = levolve.evolve("maze", size=(9, 9), seed=6, generations=10)
    for level in (run.best, run.levels[3]):
        again = replay(level).again
        assert again == level
        assert again.solution == level.solution
    with pytest.raises(InputError, match="expected a level with an origin"):
        replay(Level.from_text("S.\n.E"))


def test_a_level_with_another_origin_grows_into_another_level() -> None:
    one, other = (
        levolve.evolve("maze", size=(9, 9), seed=seed, generations=10).best for seed in (1, 2)
    )
    assert replay(one.with_origin(other.origin)).again == other != one


def test_a_run_without_a_winnable_level_says_so() -> None:
    run = levolve.evolve(
        "maze", size=(10, 10), seed=1, generations=0, settings={"genotype.fill": 1.0}
    )
    assert run.best_score == 0
    with pytest.raises(LevolveError, match="no winnable level was found in 120 evaluations"):
        _ = run.best


def test_a_run_that_has_not_begun_has_no_best() -> None:
    with pytest.raises(LevolveError, match="nothing has been evaluated yet"):
        _ = Run(find_recipe("maze"), 1).best


def test_a_random_seed_is_reported() -> None:
    run = levolve.evolve("maze", size=(6, 6), generations=2)
    assert levolve.evolve("maze", size=(6, 6), generations=2, seed=run.seed).digest == run.digest


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, "7", True])
def test_a_wrong_seed_is_refused(seed: object) -> None:
    with pytest.raises(InputError, match="seed: expected a whole number"):
        levolve.evolve("maze", seed=seed)  # type: ignore[call-overload]


def test_a_run_that_memory_cannot_hold_is_refused() -> None:
    with pytest.raises(LevolveError, match="GB of memory"):
        levolve.evolve("maze", size=(16000, 16000), settings={"strategy.population": 100_000})


def test_the_number_of_threads_must_make_sense() -> None:
    with pytest.raises(InputError, match="executor: expected a number of threads of at least 1"):
        levolve.evolve("maze", size=(6, 6), generations=1, executor=0)


def test_slices_cover_everything_once() -> None:
    for length in range(1, 20):
        for parts in range(1, 8):
            covered = [index for part in slices(length, parts) for index in range(length)[part]]
            assert covered == list(range(length))


def test_an_error_in_the_work_comes_through() -> None:
    for threads in (1, 2):
        with thread_pool(threads) as executor, pytest.raises(ZeroDivisionError):
            list(executor.map(lambda number: 1 // number, [0]))


def test_the_best_level_of_a_running_run_is_the_best_so_far() -> None:
    run = Run(find_recipe("maze").changed({"size": "12x12", "generations": 60}), 7)
    for event in run.events():
        if event.best > 0:
            assert len(run.best.solution or "") == event.best
            assert len(run.frames) >= 1
    assert run.digest == levolve.evolve("maze", size=(12, 12), generations=60, seed=7).digest
    assert run.levels[0] == run.best == run.frames[-1][1]


def test_a_run_stops_at_its_evaluations_or_when_its_target_is_hit() -> None:
    limited = levolve.evolve("maze", size=(12, 12), seed=1, settings={"evaluations": 500})
    assert limited.evaluations == 500
    hit = levolve.evolve(
        "maze",
        size=(12, 12),
        seed=1,
        settings={"objective": {"kind": "target", "targets": {"exit_path": "40..44"}}},
    )
    assert hit.best_score == 1
    assert hit.unmet == []
    assert 40 <= levolve.measure(hit.best)["exit_path"][0] <= 44
    assert len(hit.history.best) < hit.recipe.generations
    missed = levolve.evolve(
        "maze",
        size=(12, 12),
        seed=1,
        generations=50,
        settings={"objective": {"kind": "target", "targets": {"exit_path": 500}}},
    )
    assert missed.unmet == [
        (
            "exit_path: wanted 500, the nearest found is "
            f"{levolve.measure(missed.best)['exit_path'][0]}"
        )
    ]


def test_kept_cells_are_in_every_level_of_every_recipe() -> None:
    rows = ["?" * 12] * 4 + ["??" + ".###....." + "?"] + ["?" * 12] * 7
    for name in ("maze", "maze-long", "maze-barriers", "maze-tunnels", "maze-automaton"):
        run = levolve.evolve(
            name,
            size=(12, 12),
            seed=1,
            generations=20,
            settings={"keep": rows, "strategy.population": 40},
        )
        for level in run.levels:
            assert level.to_text().splitlines()[4][2:11] == ".###....."


def test_a_level_of_every_recipe_is_grown_again_from_its_file(tmp_path: Path) -> None:
    for name in shipped():
        run = levolve.evolve(name, size=(12, 14), seed=2, generations=15)
        path = levolve.save(run.levels[-1], tmp_path / f"{name}.json")
        assert replay(levolve.load(path)).again == run.levels[-1]


def test_runs_on_threads_end_when_their_pool_is_abandoned() -> None:
    endless = Run(find_recipe("maze").changed({"generations": 10**9, "size": "10x10"}), 1)
    begun = threading.Event()

    def go_on() -> None:
        for _ in endless.events():
            begun.set()

    def interrupted() -> None:
        with thread_pool(2) as pool:
            going = pool.submit(go_on)
            assert begun.wait(600)
            assert not going.done()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()

"""Solvers that are stopped and continued: the same solution as without the interruption."""

from typing import Any

import pytest

from jobs.runs.job_laws import assert_continues, assert_refuses_others, through_bytes
from levolve.core.errors import InputError
from levolve.jobs.runs import solver_job
from levolve.jobs.runs.solver_job import SolverJob
from levolve.puzzles import PUZZLES
from levolve.puzzles.position import Solution
from levolve.puzzles.solvers import ExactSearch, PuzzleSearch

FIFTEEN = "5,1,2,4,9,6,3,8,13,10,7,11,0,14,15,12"
CASES: dict[str, tuple[str, object, dict[str, Any]]] = {
    "sliding": ("sliding", "8672543_1", {"settings": {"population": 40, "generations": 30}}),
    "sliding, source": (
        "sliding",
        "8672543_1",
        {"scheme": "source", "settings": {"generations": 20}},
    ),
    "flag, guided": ("flag", "12", {"settings": {"population": 30, "generations": 20}}),
    "flag, plain": (
        "flag",
        "12",
        {"scheme": "plain", "settings": {"population": 30, "generations": 20}},
    ),
    "flag, source": ("flag", "12", {"scheme": "source-2", "settings": {"generations": 20}}),
    "sliding, exact": ("sliding", FIFTEEN, {"method": "exact"}),
    "sliding, exact, given up": (
        "sliding",
        "14,15,8,12,10,11,9,13,2,6,5,1,3,7,4,0",
        {"method": "exact", "settings": {"budget": 4000}},
    ),
    "sliding, table": ("sliding", "8672543_1", {"method": "exact"}),
    "flag, exact": ("flag", "12", {"method": "exact"}),
}


def a_job(case: str, seed: int = 1) -> SolverJob:
    puzzle, position, settings = CASES[case]
    return SolverJob(puzzle, PUZZLES[puzzle].read(position), seed=seed, **settings)


def report(solution: Solution) -> object:
    return {**solution.to_data(), "seconds": None}


@pytest.fixture(autouse=True)
def _in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an event of every generation and of a few positions."""
    monkeypatch.setattr(solver_job, "SECONDS_PER_PIECE", 0.0)
    monkeypatch.setattr(solver_job, "INDIVIDUALS_PER_REPORT", 1)
    monkeypatch.setattr("levolve.puzzles.flag.exact.FlagDescent.first_piece", 5)
    monkeypatch.setattr("levolve.puzzles.sliding.exact.SlidingDeepening.first_piece", 3)
    usual = ExactSearch.proceed
    monkeypatch.setattr(ExactSearch, "proceed", lambda search, _: usual(search, 97))


@pytest.mark.parametrize("case", CASES)
def test_a_solver_continued_after_some_events_has_the_same_solution(case: str) -> None:
    job = a_job(case)
    assert_continues(job, report, stops=5, timed=["solver_progress", "positions_examined"])
    puzzle, position, settings = CASES[case]
    chosen = PUZZLES[puzzle]
    whole = chosen.solve(chosen.read(position), seed=1, **_flat(settings))
    assert report(job.result) == report(whole)


def _flat(settings: dict[str, Any]) -> dict[str, Any]:
    return {
        **{name: value for name, value in settings.items() if name != "settings"},
        **settings.get("settings", {}),
    }


def test_a_solver_interrupted_within_a_generation_has_the_same_solution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = report(a_job("flag, guided").finish())
    usual = PuzzleSearch.progress

    def interrupted(search: PuzzleSearch[Any]) -> Any:
        # The population is ahead of what was reported, as after an interrupt in the middle of a
        # group.
        search.advance(1)
        raise KeyboardInterrupt

    job = a_job("flag, guided")
    monkeypatch.setattr(PuzzleSearch, "progress", interrupted)
    with pytest.raises(KeyboardInterrupt):
        job.finish()
    monkeypatch.setattr(PuzzleSearch, "progress", usual)
    again = SolverJob.from_call(job.call())
    again.restore(through_bytes(job.state()))
    assert report(again.finish()) == report(job.finish()) == expected


def test_a_solver_refuses_the_state_of_another() -> None:
    assert_refuses_others(a_job("flag, guided"), a_job("flag, plain"))
    with pytest.raises(InputError, match="position: expected a position of flag, got"):
        SolverJob.from_call({**a_job("flag, guided").call(), "position": "{}"})


def test_the_recorded_diversities_are_those_of_an_uninterrupted_search() -> None:
    def recording() -> SolverJob:
        position = PUZZLES["sliding"].read("8672543_1")
        return SolverJob("sliding", position, seed=1, scheme="source", recording=True)

    whole = recording()
    whole.finish()
    search = PUZZLES["sliding"].search(
        PUZZLES["sliding"].read("8672543_1"), whole._chosen, whole.seed
    )
    expected = [(0, search.diversity)]
    while search.winner < 0:
        search.advance(1)
        expected.append((search.generation, search.diversity))
    assert whole.diversities == expected
    assert whole.diversities[0][1] > 2 * whole.diversities[-1][1]
    part = recording()
    for _, _event in zip(range(5), part.events(), strict=False):
        pass
    continued = SolverJob.from_call(part.call())
    continued.restore(through_bytes(part.state()))
    continued.finish()
    assert continued.diversities == expected
    with pytest.raises(InputError, match="which has a population"):
        SolverJob("sliding", whole.position, method="exact", recording=True)

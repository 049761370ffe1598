import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from levolve.bench import SUBJECTS
from levolve.bench.bench import Bench
from levolve.bench.evolution import evolve, recipe_of_task, verdicts_beside
from levolve.bench.measuring import Effort, Figure, fastest, in_turns, median_ratio, number_text
from levolve.bench.peers import CELLS, KERNEL, PEERS, PYTHON, installed_peers, search_in_kernel
from levolve.cli.app import app, run
from levolve.cli.commands.system import _lines
from levolve.core.errors import LevolveError, UnknownNameError


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 0.6))
def test_both_forms_of_the_fitness_agree(seed: int, fill: float) -> None:
    cells = (np.random.default_rng(seed).random((3, CELLS)) < fill).astype(np.uint8)
    np.testing.assert_array_equal(search_in_kernel(cells), PYTHON.many(cells))
    assert KERNEL.one(cells[0].tolist()) == PYTHON.one(cells[0].tolist())


@pytest.mark.parametrize("name", installed_peers())
@pytest.mark.parametrize("fitness", [PYTHON, KERNEL], ids=lambda fitness: fitness.name)
def test_every_installed_library_solves_the_same_task(name: str, fitness: object) -> None:
    outcome = PEERS[name](fitness, 2, 1)  # type: ignore[arg-type]
    outcome.check(name)
    assert outcome.evaluations >= 240
    assert outcome.seconds > 0
    assert outcome.best >= outcome.scores.max()


def test_a_library_with_another_fitness_is_not_compared() -> None:
    outcome = evolve(recipe_of_task(2), 1)
    outcome.check("levolve")
    with pytest.raises(LevolveError, match="differs from the search in Python for 120 of 120"):
        replace(outcome, scores=outcome.scores + 1).check("levolve")


def test_the_quality_of_searches_is_tested_by_ranks() -> None:
    ours = "levolve, recipe maze"
    tested = verdicts_beside(
        ours, {ours: [9.0] * 6, "worse": [1.0] * 6, "better": [10.0] * 6, "equal": [9.0] * 6}
    )
    assert tested["worse"] == "; recipe maze wins 100 % of pairs, p = 0.0065"
    assert tested["better"] == "; recipe maze wins 0 % of pairs, p = 0.0065"
    assert tested["equal"] == "; recipe maze wins 50 % of pairs, p = 1"


def test_contenders_take_turns() -> None:
    turns: list[str] = []

    def contender(name: str, rate: float) -> float:
        turns.append(name)
        return rate

    rates = in_turns({"a": lambda: contender("a", 6.0), "b": lambda: contender("b", 2.0)}, 2)
    assert turns == ["a", "b", "a", "b"]
    assert median_ratio(rates, "a", "b") == 3.0


def test_the_first_call_does_not_count() -> None:
    ticks = iter([0.0, 1.0, 1.0, 3.0, 3.0, 6.0])
    calls: list[int] = []
    assert fastest(calls.append, 1, seconds=0, clock=lambda: next(ticks)) == 1.0
    assert len(calls) == 4


def test_every_subject_can_be_imported() -> None:
    assert all(callable(SUBJECTS[name]) for name in SUBJECTS)


def test_a_benchmark_yields_the_figures_of_the_chosen_subjects_only() -> None:
    begun: list[str] = []
    bench = Bench(Effort(quick=True), ("growth",))
    figures = list(bench.figures(begun.append))
    assert begun == ["growth"]
    assert {figure.subject for figure in figures} == {"growth"}
    assert bench.to_data()["figures"] == [figure.to_data() for figure in figures]
    assert all(figure.value > 0 for figure in figures)


def test_an_unknown_subject_is_refused_before_anything_is_measured() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'growth'"):
        Bench(subjects=("growht",))


def test_the_command_prints_json_and_writes_it(tmp_path: object) -> None:
    path = f"{tmp_path}/bench.json"
    result = CliRunner().invoke(
        app, ["bench", "growth", "--quick", "--json", "--quiet", "-o", path]
    )
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 a path of text
        assert json.load(file) == printed
    assert {"machine", "quick", "figures"} == set(printed)


def test_another_kind_of_output_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "growth", "-o", "bench.txt"]) == 2
    assert "expected a name that ends in .json or .png, got 'bench.txt'" in capsys.readouterr().err


def test_lines_fit_on_a_terminal() -> None:
    figure = Figure(
        "evolution",
        "beside DEAP, levolve's kernel",
        12_345_678.9,
        "evaluations/s",
        1234.5,
        "DEAP, levolve's kernel",
        "best path 38",
    )
    lines = _lines(figure, is_first=True)
    assert lines[0] == "evolution"
    assert all(len(line) <= 80 for line in lines)
    assert "12,345,679 evaluations/s" in lines[1]
    assert lines[1].endswith("1,234 x")
    short, long = (
        _lines(replace(figure, name="chromatic", beside=beside), is_first=False)
        for beside in ("direct", "one object per cell of a map")
    )
    assert short[0].endswith("1,234 x direct")
    assert long[1].strip() == "compared with one object per cell of a map; best path 38"
    assert all(len(line) <= 80 for line in [*short, *long])


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.01234, "0.0123"),
        (4.5678, "4.57"),
        (99.96, "100"),
        (123.4, "123"),
        (1234567.0, "1,234,567"),
    ],
)
def test_numbers_have_the_digits_that_matter(value: float, text: str) -> None:
    assert number_text(value) == text


def test_a_plot_needs_the_comparison_with_other_libraries() -> None:
    chart = pytest.importorskip("levolve.bench.bench")
    bench = Bench(Effort(quick=True), ("evolution",))
    with pytest.raises(LevolveError, match=r"expected the subject evolution"):
        chart.bench_picture(bench)
    bench.measured.append(
        Figure("evolution", "beside DEAP", 2000.0, "evaluations/s", 800.0, "DEAP, Python search")
    )
    assert chart.bench_picture(bench).startswith(b"\x89PNG")

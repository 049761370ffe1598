"""What results look like: a short text, pictures for notebooks, tables, charts and files."""

import builtins
import csv
import io
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError, LevolveError, MissingExtraError
from levolve.jobs.archives.archive import Archive
from levolve.jobs.archives.files import load_archive
from levolve.jobs.packs.pack import Pack
from levolve.jobs.runs.run import Run
from levolve.jobs.studies.comparison import Comparison
from levolve.jobs.studies.tuning import Tuning
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.sliding.rules import Board
from levolve.worlds.maps import make_map

LONGEST = 250


@pytest.fixture(scope="module")
def run() -> Run:
    return levolve.evolve("maze", size=(8, 8), seed=3, generations=8, executor=1)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return levolve.pack("maze", count=3, size=(8, 8), seed=1, settings={"generations": 10})


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return levolve.compare(["maze", "maze-barriers"], runs=3, evaluations=300, size="8x8")


@pytest.fixture(scope="module")
def archive() -> Archive:
    return levolve.illuminate(
        "maze", size=(8, 8), grid=(60, 10), evaluations=400, seed=1, executor=1
    )


@pytest.fixture(scope="module")
def tuning() -> Tuning:
    return levolve.tune(
        "dungeon-meta",
        population=4,
        generations=1,
        seeds=1,
        seed=1,
        size="5x5",
        settings={"generations": 3},
        executor=1,
    )


@pytest.fixture(scope="module")
def results(
    run: Run, pack: Pack, comparison: Comparison, archive: Archive, tuning: Tuning
) -> dict[str, Any]:
    return {
        "Level 8x8 walls": run.best,
        "Run of maze 8x8, seed 3: best score": run,
        "History of 9 generations: best": run.history,
        "Pack maze: 3 levels": pack,
        "Comparison by exit_path, 3 runs of 300 evaluations: ": comparison,
        "Entrant maze": comparison["maze"],
        "EntrantRun of maze, seed 1": comparison["maze"].runs[0],
        "FashionMap spirals 30x20, seed 4": make_map("spirals", size=(30, 20), seed=4),
        "Round 3x2": Round.from_text("S1F\n.1."),
        "Board 3x3 8,6,7,2,5,4,3,_,1": Board.read("8672543_1"),
        "Front of ": levolve.evolve(
            "maze", size=(8, 8), seed=3, generations=3, executor=1, settings={"strategy": "nsga2"}
        ).front,
        "Archive of maze: walls (39) x exit_path (10), ": archive,
        "Tuning of dungeon-meta, seed 1: best score ": tuning,
        "ExpressiveRange over walls and exit_path": levolve.expressive_range(
            "maze", size="8x8", samples=40, levels="random", executor=1
        ),
    }


def test_every_result_has_a_short_text(results: dict[str, Any]) -> None:
    for beginning, result in results.items():
        assert repr(result).startswith(f"<{beginning}")
        assert len(repr(result)) < LONGEST
        assert "\n" not in repr(result)


def test_a_notebook_shows_a_picture_with_a_caption(results: dict[str, Any]) -> None:
    shown = [result for result in results.values() if hasattr(result, "_repr_html_")]
    assert len(shown) == len(results) - 3, "all but a history, an entrant and its run"
    for result in shown:
        content = result._repr_png_()
        assert Image.open(io.BytesIO(content)).width >= 8
        html = result._repr_html_()
        assert b64decode(html.split("base64,")[1].split('"')[0]) == content
        assert repr(result).strip("<>") in html


def test_nothing_is_drawn_before_anything_is_evaluated(run: Run) -> None:
    fresh = Run(run.recipe, 1)
    assert repr(fresh) == "<Run of maze 8x8, seed 1: nothing evaluated yet>"
    assert fresh._repr_png_() is None
    assert "<img" not in fresh._repr_html_()


def test_text_of_others_is_escaped(comparison: Comparison) -> None:
    from dataclasses import replace

    entrant = replace(comparison.entrants[0], name="<script>")
    html = replace(comparison, entrants=(entrant,), pairs=())._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_an_archive_is_saved_by_suffix(archive: Archive, tmp_path: Path) -> None:
    levolve.save(archive, tmp_path / "mine.npz")
    assert load_archive(tmp_path / "mine.json").digest == archive.digest
    assert levolve.save(archive, tmp_path / "map.png").read_bytes() == archive._repr_png_()
    frame = archive.to_frame()
    assert frame["score"].sum() - archive.floor * len(archive) == archive.qd_score
    best = archive.level(int(frame["cell"][0]))
    assert [levolve.measure(best)[name][0] for name in ("walls", "exit_path")] == frame.loc[
        0, ["walls", "exit_path"]
    ].tolist()


def test_a_tuning_is_saved_by_suffix(tuning: Tuning, tmp_path: Path) -> None:
    assert (
        levolve.Recipe.from_text(levolve.save(tuning, tmp_path / "tuned.toml").read_text())
        == tuning.recipe
    )
    assert len(tuning.to_frame()) == sum(map(len, tuning.history))
    assert set(tuning.settings) <= set(tuning.to_frame().columns)


def test_frames_and_tables_have_the_same_rows(
    run: Run, pack: Pack, comparison: Comparison, archive: Archive, tuning: Tuning, tmp_path: Path
) -> None:
    tables = (
        ("history", run.history),
        ("pack", pack),
        ("comparison", comparison),
        ("archive", archive),
        ("tuning", tuning),
    )
    for name, thing in tables:
        frame = thing.to_frame()
        assert len(frame) == len(thing.rows()) > 0
        table, parquet = (
            levolve.save(thing, tmp_path / f"{name}.csv"),
            levolve.save(thing, tmp_path / f"{name}.parquet"),
        )
        rows = list(csv.DictReader(io.StringIO(table.read_text())))
        assert list(rows[0]) == list(frame.columns)
        assert len(rows) == len(frame)
        pd.testing.assert_frame_equal(pd.read_parquet(parquet), frame)
    assert run.to_frame()["best"].tolist() == run.history.best
    assert pack.to_frame()["digest"].tolist() == [level.digest for level in pack.levels]
    assert comparison.to_frame().groupby("recipe")["score"].median().to_dict() == {
        one.name: one.median for one in comparison.entrants
    }


def test_a_run_is_saved_as_its_film_or_its_best_level(run: Run, tmp_path: Path) -> None:
    film = levolve.save(run, tmp_path / "evolution.gif")
    with Image.open(film) as picture:
        assert picture.n_frames == len(run.frames) > 1
    assert levolve.load(levolve.save(run, tmp_path / "best.tmx", theme="ice")).digest == run.digest


def test_pictures_and_maps_are_saved_by_suffix(
    pack: Pack, comparison: Comparison, tmp_path: Path
) -> None:
    assert levolve.save(pack, tmp_path / "pack.png", theme="ice").read_bytes() == pack.sheet(
        levolve_look("ice")
    )
    assert levolve.save(comparison, tmp_path / "plot.png").read_bytes()[:4] == b"\x89PNG"
    spirals = make_map("spirals", size=(30, 20), seed=4)
    assert np.array_equal(np.load(levolve.save(spirals, tmp_path / "map.npy")), spirals.tiles)


def levolve_look(theme: str) -> Any:
    from levolve.formats.look import look_of

    return look_of(theme, None)


def test_charts_show_the_data(run: Run, pack: Pack, comparison: Comparison) -> None:
    best = run.plot().axes[0].lines[0]
    assert (list(best.get_xdata()), list(best.get_ydata())) == (  # type: ignore[arg-type]
        run.history.evaluations,
        run.history.best,
    )
    offsets = np.asarray(pack.plot("exit_path").axes[0].collections[0].get_offsets())
    assert offsets[:, 1].tolist() == [measures["exit_path"] for measures in pack.measures]
    assert len(comparison.plot().axes[0].lines) == 2
    front = levolve.evolve(
        "maze", size=(8, 8), seed=3, generations=3, executor=1, settings={"strategy": "nsga2"}
    ).front
    scores = front.values["score"]  # noqa: PD011 no data frame
    assert np.array_equal(np.asarray(front.plot().axes[0].lines[0].get_xdata()), scores)
    assert (
        len(
            levolve.expressive_range("maze", size="8x8", samples=40, levels="random", executor=1)
            .plot()
            .axes
        )
        == 2
    )


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (
            lambda run, _, path: levolve.save(run.history, path / "a.xlsx"),
            "expected a file name of a table, ending in .csv or .parquet",
        ),
        (
            lambda run, _, path: levolve.save(run.history, path / "a.csv", theme="ice"),
            "theme and tile: expected a picture of levels",
        ),
        (
            lambda _, pack, path: levolve.save(pack, path / "a.csv", tile=3),
            "theme and tile: expected a picture of levels",
        ),
        (
            lambda _, pack, path: levolve.save(pack, path / "a.csv", original="b.tmx"),
            "original: expected a level",
        ),
        (
            lambda _, pack, __: pack.plot("nothing"),
            "plot: expected a measure of the pack's levels, one of ",
        ),
        (
            lambda _, __, path: levolve.save(cast("Run", 5), path / "a.csv"),
            "save: expected a level, a position of a puzzle, a pack",
        ),
    ],
)
def test_wrong_calls_are_explained(
    run: Run, pack: Pack, tmp_path: Path, act: Callable[..., object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        act(run, pack, tmp_path)


def test_a_missing_package_is_named_with_its_cure(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any, **more: Any) -> Any:
        if (
            name.partition(".")[0] in {"pandas", "matplotlib"}
            or name == "levolve.jobs.charts.results"
        ):
            raise ModuleNotFoundError(name, name="pandas" if name == "pandas" else "matplotlib")
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(
        LevolveError,
        match="to_frame: requires pandas, which is not installed; run: pip install pandas",
    ):
        run.to_frame()
    with pytest.raises(LevolveError, match="requires pandas"):
        levolve.save(run.history, tmp_path / "a.parquet")
    with pytest.raises(
        MissingExtraError,
        match=(
            r"run.plot: requires matplotlib, which is not installed; run: pip install "
            r"'levolve\[plot\]'"
        ),
    ):
        run.plot()
    levolve.save(run.history, tmp_path / "a.csv")

"""Archives: what they contain, their files, their pictures, and that they can be continued and
regrown.
"""

import json
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve.core.errors import InputError
from levolve.jobs.archives.archive import Archive, map_lines
from levolve.jobs.archives.files import DATA_FILE, encode_archive
from levolve.jobs.archives.illuminate import (
    Illumination,
    default_axes,
    illumination_recipe,
    parse_grid,
)
from levolve.jobs.charts.heat_maps import archive_picture, small_map
from levolve.jobs.charts.style import SCORES
from levolve.jobs.replay import replay
from levolve.recipes.recipe import find_recipe
from levolve.search.loop import GenerationScored

SMALL = illumination_recipe(
    "maze", size=(9, 9), axes="walls,exit_path", grid="12x12", evaluations=6000
)


@pytest.fixture(scope="module")
def archive() -> Archive:
    return Illumination(SMALL, 3).finish()


def test_every_level_is_proven_and_lies_in_its_cell(archive: Archive) -> None:
    assert archive.evaluations == 6000
    assert len(archive) > 40
    for cell, level, figures in archive.entries():
        level.check()
        measured = levolve.measure(level)
        for place, axis in zip(archive.grid.places(cell), archive.grid.axes, strict=True):
            low, high = axis.span(place)
            assert low <= measured[axis.name][0] == figures[axis.name] <= high
        assert archive.level(cell) == archive.level(archive.grid.places(cell)) == level
    assert archive.qd_score == sum(figures["score"] for _, _, figures in archive.entries())


def test_an_empty_cell_is_refused(archive: Archive) -> None:
    empty = next(cell for cell in range(archive.grid.count) if cell not in archive.cells.tolist())
    with pytest.raises(InputError, match="which is empty"):
        archive.level(empty)
    with pytest.raises(InputError, match="expected 2 numbers below"):
        archive.level((99, 0))


def test_coverage_and_qd_score_never_fall_and_end_at_those_of_the_archive(archive: Archive) -> None:
    progress = archive.progress
    assert progress.coverage == sorted(progress.coverage)
    assert progress.qd_score == sorted(progress.qd_score)
    assert (progress.evaluations[-1], progress.coverage[-1], progress.qd_score[-1]) == (
        6000,
        archive.coverage,
        archive.qd_score,
    )


def test_an_archive_that_is_continued_ends_with_the_same_bytes(archive: Archive) -> None:
    stopped = Illumination(SMALL, 3)
    events = stopped.events()
    for _ in range(5):
        next(events)
    state, call = stopped.state(), json.loads(json.dumps(stopped.call()))
    again = Illumination.from_call(call)
    again.restore(state)
    assert encode_archive(again.finish()) == encode_archive(archive)


def test_threads_do_not_change_an_archive(archive: Archive) -> None:
    assert (
        levolve.illuminate(
            SMALL, axes="walls,exit_path", grid=(12, 12), evaluations=6000, seed=3, executor=2
        ).digest
        == archive.digest
    )


def test_a_level_of_an_archive_can_be_regrown(archive: Archive) -> None:
    assert all(replay(level).same for level in (archive.levels[0], archive.levels[-1]))


def test_files_hold_the_whole_archive(archive: Archive, tmp_path: Path) -> None:
    written = levolve.save_archive(archive, tmp_path)
    for path in (tmp_path, *written):
        loaded = levolve.load_archive(path)
        assert loaded.digest == archive.digest
        assert encode_archive(loaded) == encode_archive(archive)
    assert loaded.levels[5] == archive.levels[5]


@pytest.mark.parametrize("name", ["cells", "genes", "scores", "values"])
def test_files_with_other_numbers_are_refused(archive: Archive, tmp_path: Path, name: str) -> None:
    levolve.save_archive(archive, tmp_path)
    arrays = {
        each: getattr(archive, each).copy() for each in ("cells", "genes", "scores", "values")
    }
    flat = arrays[name].reshape(-1)
    flat[7] = flat[7] + 1 if flat.dtype.kind == "f" else flat[7] ^ flat.dtype.type(1)
    np.savez(tmp_path / "archive.npz", **arrays)
    with pytest.raises(InputError, match="expected"):
        levolve.load_archive(tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "levolve level"}, "expected an archive of version 1"),
        ({"recipe": {"name": "x"}}, "recipe"),
        ({"seed": "many"}, "expected seed, evaluations"),
        ({"progress": {}}, "expected seed, evaluations"),
    ],
)
def test_damaged_data_is_refused(
    archive: Archive, tmp_path: Path, change: dict[str, object], words: str
) -> None:
    levolve.save_archive(archive, tmp_path)
    data = json.loads((tmp_path / DATA_FILE).read_text())
    (tmp_path / DATA_FILE).write_text(json.dumps(data | change))
    with pytest.raises(InputError, match=words):
        levolve.load_archive(tmp_path)
    (tmp_path / "archive.npz").unlink()
    with pytest.raises(InputError, match=r"archive\.npz"):
        levolve.load_archive(tmp_path)


def test_the_heat_map_shows_every_cell(archive: Archive) -> None:
    picture = np.asarray(Image.open(BytesIO(archive_picture(archive))).convert("RGB"))
    tile = 600 // 12
    for x in range(12):
        for y in range(12):
            pixel = tuple(
                picture[66 + 600 - y * tile - tile // 2, 78 + x * tile + tile // 2].tolist()
            )
            assert (pixel == SCORES.empty) == bool(np.isnan(archive.score_map[x, y]))
    assert SCORES.colours(np.array([[1.0, 2.0]]), 1.0, 2.0)[0].tolist() == [
        [222, 235, 210],
        [44, 44, 104],
    ]
    assert repr(archive).startswith("<Archive of maze: walls (12) x exit_path (")
    assert "<img alt=" in archive._repr_html_()


def test_the_map_of_a_terminal_fits(archive: Archive) -> None:
    lines = map_lines(archive)
    assert len(lines) <= 18
    assert max(map(len, lines)) <= 79
    assert "walls to the right, exit_path upwards" in lines[-1]


def test_more_axes_and_one_axis_are_drawn_too() -> None:
    for axes, grid in (("walls", "10"), ("walls,exit_path,turns", "5x5x5")):
        found = levolve.illuminate(
            "maze", size=(7, 7), axes=axes, grid=grid, evaluations=600, seed=1
        )
        assert len(found) > 4
        assert archive_picture(found)
        assert map_lines(found)


def test_axes_default_to_what_levels_have() -> None:
    assert default_axes(find_recipe("maze")) == ("walls", "exit_path")
    assert default_axes(find_recipe("dungeon")) == ("walls", "tour_steps")
    assert default_axes(find_recipe("maze-chromatic"))[0] == "exit_path"


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"axes": "walls,exit_pat"}, "did you mean 'exit_path'"),
        ({"axes": "walls,tour_steps"}, "'tour_steps': expected levels with A and B and C"),
        ({"axes": "walls,walls"}, "axes: expected different features"),
        ({"grid": "5xx"}, "grid: expected the number of cells on each axis"),
        ({"grid": "5x5x5"}, "grid: expected 2 numbers"),
        (
            {"grid": "9999x9999", "axes": "openness,room_share"},
            "grid: expected at most 10,000,000 cells",
        ),
        ({"ranges": {"turns": (0, 9)}}, "ranges: expected only axes"),
        ({"ranges": {"walls": (9, 9)}}, "ranges: expected a lower and a higher value of walls"),
        ({"axes": "walls,difficulty"}, "ranges: expected a range for difficulty"),
        ({"evaluations": 0}, "evaluations: expected a whole number"),
    ],
)
def test_wrong_calls_are_refused(call: dict[str, object], words: str) -> None:
    with pytest.raises(levolve.core.errors.LevolveError, match=words):
        levolve.illuminate("maze", **{"evaluations": 10, **call})  # type: ignore[arg-type]


def test_a_grid_may_be_one_number() -> None:
    assert parse_grid("7", 2) == (7, 7)
    assert parse_grid([4, 5], 2) == (4, 5)


def test_events_show_the_coverage() -> None:
    events: list[object] = []
    levolve.illuminate("maze", size=(7, 7), evaluations=1200, seed=1, watch=events.append)
    assert all(
        set(event.figures) == {"coverage", "qd_score"}
        for event in events
        if isinstance(event, GenerationScored)
    )


def test_the_qd_score_counts_scores_above_the_floor(archive: Archive) -> None:
    lowered = replace(archive, floor=-2.5)
    assert lowered.qd_score == pytest.approx(archive.scores.sum() + 2.5 * len(archive))
    settings = {"strategy.floor": -3.0}
    found = levolve.illuminate(
        "maze", size=(7, 7), grid=(5, 5), evaluations=600, seed=1, settings=settings
    )
    assert found.qd_score == found.progress.qd_score[-1] == pytest.approx((found.scores + 3).sum())


def test_a_small_map_shows_high_values_of_the_second_axis_at_the_top(archive: Archive) -> None:
    picture = np.asarray(Image.open(BytesIO(small_map(archive))).convert("RGBA"))
    tile = len(picture) // 12
    opaque = picture[tile // 2 :: tile, tile // 2 :: tile, 3] > 0
    shown = ~np.isnan(archive.score_map)
    assert (shown != shown[:, ::-1]).any(), "a map that shows which side is up"
    assert np.array_equal(opaque[::-1].T, shown)

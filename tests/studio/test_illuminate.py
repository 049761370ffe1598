"""Illumination in the studio: the map of elites fills, and the level of any cell is seen, played,
bred and kept.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import levolve
from levolve.jobs.archives.illuminate import Illumination, illumination_recipe
from levolve.levels.level import Level
from levolve.studio.views import elite_level, shown_archive
from studio.server import Studio, running_studio

WANTED = {"axes": ["walls", "exit_path"], "grid": 12, "evaluations": 3000}
NEW = {"recipe": "maze", "seed": 5, "illuminate": WANTED, "settings": {"size": "9x9"}}


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    """The map of the same illumination by the library."""
    job = Illumination(
        illumination_recipe(
            "maze", axes="walls,exit_path", grid="12x12", evaluations=3000, size=(9, 9)
        ),
        5,
    )
    data: dict[str, Any] = json.loads(json.dumps(shown_archive(job.finish())))
    return data


@pytest.fixture(scope="module")
def finished(studio: Studio) -> int:
    """An illumination that is done."""
    run: int = studio.json("POST", "/api/runs", NEW)["id"]
    assert studio.finished(run)["status"] == "done"
    return run


def test_the_map_is_that_of_the_library(
    studio: Studio, finished: int, expected: dict[str, Any]
) -> None:
    assert studio.json("GET", f"/api/runs/{finished}/archive") == expected
    assert len(expected["cells"]) == expected["count"] > 20
    for column, row, cell in zip(
        expected["columns"], expected["rows"], expected["cells"], strict=True
    ):
        assert cell == column * expected["axes"][1]["cells"] + row


def test_the_map_is_sent_while_it_fills(studio: Studio, expected: dict[str, Any]) -> None:
    run = studio.json("POST", "/api/runs", NEW)["id"]
    maps = [
        data
        for name, data in studio.events(f"/api/runs/{run}/events?archive=true")
        if name == "archive"
    ]
    assert maps[-1] == expected
    points = studio.json("GET", f"/api/runs/{run}")
    assert (points["kind"], points["evaluations"]) == ("illuminate", 3000)


def test_a_cell_has_a_level_with_its_values(
    studio: Studio, finished: int, expected: dict[str, Any]
) -> None:
    for place in (0, len(expected["cells"]) // 2):
        cell = expected["cells"][place]
        found = studio.json("GET", f"/api/runs/{finished}/elites/{cell}")
        assert round(found["score"], 4) == expected["scores"][place]
        assert sum(row.count("#") for row in found["level"]["rows"]) == found["values"]["walls"]
        assert len(found["level"]["solution"]) == found["values"]["exit_path"]
        measures = studio.json("GET", f"/api/levels/cell-{finished}-{cell}")["measures"]
        assert {name: measures[name] for name in found["values"]} == found["values"]
    empty = next(cell for cell in range(144) if cell not in expected["cells"])
    assert studio.request("GET", f"/api/runs/{finished}/elites/{empty}")[0] == 400


def test_a_run_that_illuminates_nothing_has_no_map(studio: Studio) -> None:
    run = studio.json(
        "POST", "/api/runs", {"recipe": "maze", "settings": {"size": "9x9", "generations": 2}}
    )["id"]
    studio.finished(run)
    assert studio.request("GET", f"/api/runs/{run}/archive")[0] == 400
    assert (
        studio.request("POST", "/api/runs", {**NEW, "illuminate": {"axes": ["walls", "wals"]}})[0]
        == 404
    )


def test_a_map_of_the_command_line_is_there_too(tmp_path: Path, expected: dict[str, Any]) -> None:
    store = tmp_path / "runs.sqlite"
    levolve.illuminate(
        "maze",
        axes="walls,exit_path",
        grid="12x12",
        evaluations=3000,
        size=(9, 9),
        seed=5,
        store=store,
    )
    with running_studio(store) as studio:
        [listed] = studio.json("GET", "/api/runs")
        assert (listed["kind"], listed["live"]) == ("illuminate", False)
        assert studio.json("GET", f"/api/runs/{listed['id']}/archive") == expected


def test_with_more_axes_a_cell_shows_the_best(tmp_path: Path) -> None:
    job = Illumination(
        illumination_recipe(
            "maze", axes="walls,exit_path,turns", grid="6x6x6", evaluations=2000, size=(8, 8)
        ),
        1,
    )
    archive = job.finish()
    shown = shown_archive(archive)
    best: dict[tuple[int, int], float] = {}
    for cell, score in zip(archive.cells.tolist(), archive.scores.tolist(), strict=True):
        column, row, _ = archive.grid.places(cell)
        best[column, row] = max(best.get((column, row), -1.0), score)
    assert {
        (x, y): score
        for x, y, score in zip(shown["columns"], shown["rows"], shown["scores"], strict=True)
    } == best
    assert isinstance(elite_level(archive, shown["cells"][0]), Level)
    assert not list(tmp_path.iterdir())


def test_a_map_is_started_watched_and_used_on_its_page(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.base}/#/illuminate")
    page.get_by_label("cells per axis").fill("12")
    page.get_by_label("evaluations").fill("3000")
    page.get_by_label("size").fill("9x9")
    page.get_by_label("seed").fill("5")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("h1 .status")).to_have_text("done")
    expect(page.locator(".figures dt:text-is('coverage') + dd")).to_contain_text("%")
    about = page.locator(".about")
    expect(about).to_contain_text("Score")
    text = about.inner_text()
    page.get_by_label("Map of elites. The arrow").focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    expect(about).not_to_have_text(text)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("#notice")).to_contain_text("on the shelf")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.frame_locator("iframe").locator("canvas").first).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Breed", exact=True).click()
    expect(page.locator(".sheet canvas").first).to_be_visible()

"""The shelf lists every level of the store, finds them by words and measures, and makes packs of
them.
"""

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import levolve
from studio.pages import opened
from studio.server import Studio

SMALL = {"size": "9x9", "generations": 10}


@pytest.fixture(scope="module")
def studio(fresh_studio: Studio) -> Studio:
    """A studio whose store is empty at first: levels are counted."""
    return fresh_studio


@pytest.fixture(scope="module")
def runs(studio: Studio) -> list[int]:
    """Two runs of different recipes."""
    numbers = [
        studio.json("POST", "/api/runs", {"recipe": name, "seed": 1, "settings": SMALL})["id"]
        for name in ("maze", "labyrinth")
    ]
    for number in numbers:
        studio.finished(number)
    return numbers


def test_levels_are_found_by_word_recipe_and_measure(studio: Studio, runs: list[int]) -> None:
    everything = studio.json("GET", "/api/shelf")
    assert everything["total"] == 2
    assert everything["recipes"] == ["labyrinth", "maze"]
    for query, count in [
        ("search=labyr", 1),
        ("recipe=maze", 1),
        ("search=nothing", 0),
        ("measure=exit_path&least=0", 2),
        ("measure=exit_path&least=1e6", 0),
    ]:
        assert studio.json("GET", f"/api/shelf?{query}")["total"] == count, query
    entry = studio.json("GET", "/api/shelf?recipe=maze")["levels"][0]
    assert entry["id"] == f"run-{runs[0]}-0"
    assert entry["measures"]["exit_path"] == entry["steps"]


def test_a_kept_level_outlives_its_run(studio: Studio) -> None:
    run = studio.json("POST", "/api/runs", {"recipe": "maze", "seed": 9, "settings": SMALL})["id"]
    digest = studio.finished(run)["level"]["digest"]
    kept = studio.json("POST", "/api/shelf", {"level": f"run-{run}-0", "name": "favourite"})["id"]
    studio.json("DELETE", f"/api/runs/{run}")
    assert studio.json("GET", f"/api/levels/kept-{kept}")["level"]["digest"] == digest
    assert studio.json("GET", "/api/shelf?search=favourite")["total"] == 1
    studio.json("DELETE", f"/api/shelf/{kept}")
    assert studio.request("GET", f"/api/levels/kept-{kept}")[0] == 400


def test_a_pack_of_chosen_levels_is_a_checked_pack(
    studio: Studio, runs: list[int], tmp_path: Path
) -> None:
    body = {"name": "mine", "levels": [f"run-{run}-0" for run in runs], "formats": ["json", "png"]}
    status, content, _ = studio.request("POST", "/api/packs", body)
    assert status == 200, content
    with zipfile.ZipFile(BytesIO(content)) as archive:
        archive.extractall(tmp_path)
    assert (tmp_path / "index.html").exists()
    levels = sorted(tmp_path.glob("*-*.json"))
    assert len(levels) == 2
    for path in levels:
        levolve.load(path).check()


@pytest.mark.parametrize("name", ["../x", "", "a/b", 'a"b', "x" * 100])
def test_no_name_of_a_pack_becomes_a_path(studio: Studio, runs: list[int], name: str) -> None:
    assert (
        studio.request("POST", "/api/packs", {"name": name, "levels": [f"run-{runs[0]}-0"]})[0]
        == 422
    )


def test_two_levels_are_chosen_and_compared(browser: Any, studio: Studio, runs: list[int]) -> None:
    with opened(browser, studio) as page:
        page.goto(f"{studio.base}/#/shelf")
        page.wait_for_selector(".shelf li")
        for choice in page.locator(".shelf input[type=checkbox]").all()[:2]:
            choice.check()
        with page.expect_download() as download:
            page.get_by_role("button", name="Make a pack of 2").click()
        assert download.value.suggested_filename == "levels.zip"
        page.get_by_role("link", name="Compare the two").click()
        expect(page.locator(".measures tbody tr").first).to_be_visible()
        expect(page.locator(".pair canvas")).to_have_count(2)

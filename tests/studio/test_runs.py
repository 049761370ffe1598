"""Runs of the studio are those of the library: stored, paused, resumed, and equal to undisturbed
ones.
"""

import json
import re
import time
import zipfile
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import levolve
from levolve.studio.views import shown_ancestry
from studio.pages import opened
from studio.server import Studio, running_studio

RECIPE = {"recipe": "maze", "seed": 7, "settings": {"size": "20x20", "generations": 3000}}


@pytest.fixture(scope="module")
def studio(fresh_studio: Studio) -> Studio:
    """A studio whose store is empty at first: no other runs go on."""
    return fresh_studio


@pytest.fixture(scope="module")
def expected() -> str:
    """The digest of an undisturbed run."""
    return levolve.evolve("maze", size=(20, 20), seed=7, generations=3000).digest


def wait_for(studio: Studio, run: int, status: str) -> dict[str, Any]:
    for _ in range(600):
        found: dict[str, Any] = studio.json("GET", f"/api/runs/{run}")
        if found["status"] == status:
            return found
        time.sleep(0.05)
    message = f"run {run} is {found['status']}, not {status}"
    raise AssertionError(message)


def test_a_run_ends_with_the_digest_of_the_library(studio: Studio, expected: str) -> None:
    run = studio.json("POST", "/api/runs", RECIPE)["id"]
    found = studio.finished(run)
    assert (found["status"], found["level"]["digest"]) == ("done", expected)
    assert found["history"][-1][0] == 3000


def test_a_stream_contains_the_whole_curve_and_the_population(studio: Studio) -> None:
    run = studio.json(
        "POST", "/api/runs", {**RECIPE, "settings": {"size": "12x12", "generations": 40}}
    )["id"]
    messages = list(studio.events(f"/api/runs/{run}/events?wall=true"))
    points = [point[0] for name, data in messages if name == "state" for point in data["points"]]
    assert points == list(range(41))
    walls = [data["levels"] for name, data in messages if name == "wall"]
    assert len(walls[-1]) == 24
    assert all(len(level["rows"]) == 12 for level in walls[-1])
    assert messages[-1] == ("end", {"id": run})


def test_a_paused_run_goes_on_to_the_same_digest(studio: Studio, expected: str) -> None:
    run = studio.json("POST", "/api/runs", RECIPE)["id"]
    studio.json("PUT", f"/api/runs/{run}/pace", {"delay": 0.05})
    studio.json("POST", f"/api/runs/{run}/pause")
    wait_for(studio, run, "paused")
    before = studio.json("GET", f"/api/runs/{run}")["history"]
    time.sleep(0.3)
    assert studio.json("GET", f"/api/runs/{run}")["history"] == before
    studio.json("PUT", f"/api/runs/{run}/pace", {"delay": 0})
    studio.json("POST", f"/api/runs/{run}/resume")
    assert studio.finished(run)["level"]["digest"] == expected


def test_a_stopped_run_can_be_resumed(studio: Studio, expected: str) -> None:
    run = studio.json("POST", "/api/runs", RECIPE)["id"]
    studio.json("PUT", f"/api/runs/{run}/pace", {"delay": 0.05})
    studio.json("POST", f"/api/runs/{run}/stop")
    wait_for(studio, run, "stopped")
    assert studio.request("POST", f"/api/runs/{run}/pause")[0] == 409
    studio.json("POST", f"/api/runs/{run}/resume")
    assert studio.finished(run)["level"]["digest"] == expected


def test_a_killed_server_loses_no_run(browser: Any, tmp_path: Path, expected: str) -> None:
    store = tmp_path / "runs.sqlite"
    with running_studio(store) as studio, closing(browser.new_page()) as page:
        run = studio.json("POST", "/api/runs", RECIPE)["id"]
        studio.json("PUT", f"/api/runs/{run}/pace", {"delay": 0.02})
        page.goto(studio.address)
        page.goto(f"{studio.base}/#/watch/{run}")
        generation = page.locator(".figures dt:text-is('generation') + dd")
        expect(generation).to_have_text(re.compile("^([3-9][0-9]|[0-9]{3,})$"))
        studio.kill()
        page.get_by_role("button", name="Pause").click()
        expect(page.locator("#notice")).to_contain_text("does not answer")
    with running_studio(store) as studio, opened(browser, studio) as page:
        page.goto(f"{studio.base}/#/watch")
        page.get_by_role("link", name=f"{run} · maze").click()
        expect(page.locator("h1 .status")).to_have_text("stopped")
        page.get_by_role("button", name="Resume").click()
        expect(page.locator("h1 .status")).to_have_text("done")
        assert studio.json("GET", f"/api/runs/{run}")["level"]["digest"] == expected
        ancestors = studio.json("GET", f"/api/runs/{run}/ancestry")["ancestors"]
    undisturbed = levolve.evolve("maze", size=(20, 20), seed=7, generations=3000, ancestry=True)
    assert ancestors == json.loads(json.dumps(shown_ancestry(undisturbed)))


def test_ancestors_are_sent_while_a_run_goes_on_and_shown_when_it_is_over(studio: Studio) -> None:
    run = studio.json(
        "POST", "/api/runs", {**RECIPE, "settings": {"size": "12x12", "generations": 60}}
    )["id"]
    messages = list(studio.events(f"/api/runs/{run}/events?ancestry=true"))
    sent = [data["ancestors"] for name, data in messages if name == "ancestry"]
    shown = studio.json("GET", f"/api/runs/{run}/ancestry")["ancestors"]
    assert sent[-1] == shown
    assert 2 < len(shown) <= 24
    assert (shown[0]["operators"], shown[0]["births"]) == ([], 0)
    assert all(
        ancestor["operators"] == ["two_point crossover", "point mutation"] and ancestor["mate"]
        for ancestor in shown[1:]
    )
    assert shown[-1]["score"] == studio.json("GET", f"/api/runs/{run}")["score"]
    assert shown[-1]["rows"] == studio.json("GET", f"/api/runs/{run}")["level"]["rows"]


def test_ancestors_are_optional(studio: Studio) -> None:
    run = studio.json(
        "POST",
        "/api/runs",
        {**RECIPE, "ancestry": False, "settings": {"size": "12x12", "generations": 9}},
    )["id"]
    # On a busy machine, the stream also says that it is alive.
    assert {name for name, _ in studio.events(f"/api/runs/{run}/events?ancestry=true")} - {
        "idle"
    } == {"state", "level", "end"}
    assert studio.json("GET", f"/api/runs/{run}/ancestry") == {"ancestors": None}


def test_a_seed_may_be_text(studio: Studio) -> None:
    largest = 2**64 - 1
    run = studio.json(
        "POST",
        "/api/runs",
        {**RECIPE, "seed": str(largest), "settings": {"size": "12x12", "generations": 9}},
    )["id"]
    found = studio.finished(run)
    assert (found["seed"], found["level"]["digest"]) == (
        str(largest),
        levolve.evolve("maze", size=(12, 12), seed=largest, generations=9).digest,
    )


def test_a_stopped_server_stores_its_runs(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    with running_studio(store) as studio:
        run = studio.json(
            "POST", "/api/runs", {**RECIPE, "settings": {"size": "20x20", "generations": 10**6}}
        )["id"]
    with running_studio(store) as studio:
        found = studio.json("GET", f"/api/runs/{run}")
    assert found["status"] == "stopped"


def test_a_run_of_the_command_line_is_listed(tmp_path: Path, expected: str) -> None:
    store = tmp_path / "runs.sqlite"
    levolve.evolve("maze", size=(20, 20), seed=7, generations=3000, store=store)
    with running_studio(store) as studio:
        [listed] = studio.json("GET", "/api/runs")
        assert (listed["name"], listed["status"], listed["live"]) == ("maze", "done", False)
        assert studio.json("GET", f"/api/runs/{listed['id']}")["level"]["digest"] == expected


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"recipe": "mase"}, 404, "did you mean 'maze'"),
        ({"recipe": "../../etc/passwd"}, 404, "unknown recipe"),
        ({"recipe": "maze", "settings": {"size": "0x0"}}, 400, "size"),
        ({"recipe": "maze", "settings": {"size": "100000x100000"}}, 400, "size"),
        ({"recipe": "maze", "settings": {"strategy.populaton": 3}}, 400, "population"),
        ({"recipe": "maze", "seed": -1}, 422, "seed"),
        ({"recipe": "maze", "sed": 1}, 422, "sed"),
        ({}, 422, "recipe"),
    ],
)
def test_a_wrong_request_is_explained_in_a_sentence(
    studio: Studio, body: dict[str, Any], status: int, word: str
) -> None:
    found, content, _ = studio.request("POST", "/api/runs", body)
    assert (found, word in json.loads(content)["error"]) == (status, True), content


def test_what_is_refused_is_a_line_in_the_log(studio: Studio) -> None:
    assert studio.request("POST", "/api/runs", {"recipe": "labyrint"})[0] == 404
    lines = [
        line for line in studio.log.read_text().splitlines() if "unknown recipe 'labyrint'" in line
    ]
    assert len(lines) == 1
    assert lines[0].startswith("POST /api/runs: ")


def test_an_unknown_run_is_refused(studio: Studio) -> None:
    for method, path in [
        ("GET", ""),
        ("POST", "/pause"),
        ("POST", "/resume"),
        ("DELETE", ""),
        ("GET", "/events"),
        ("GET", "/level"),
    ]:
        status, content, _ = studio.request(method, f"/api/runs/99999{path}")
        assert (status, "there is no run 99999" in json.loads(content)["error"]) == (400, True), (
            method,
            path,
            content,
        )


def test_only_some_runs_go_on_at_the_same_time(studio: Studio) -> None:
    long = {**RECIPE, "settings": {"size": "10x10", "generations": 10**6}}
    started, status = [], 201
    while status == 201:
        status, content, _ = studio.request("POST", "/api/runs", long)
        started += [json.loads(content)["id"]] if status == 201 else []
    assert (status, len(started)) == (429, 8)
    for run in started:
        studio.json("DELETE", f"/api/runs/{run}")


def test_a_level_can_be_downloaded_in_any_format(studio: Studio, tmp_path: Path) -> None:
    run = studio.json(
        "POST", "/api/runs", {**RECIPE, "settings": {"size": "10x10", "generations": 20}}
    )["id"]
    digest = studio.finished(run)["level"]["digest"]
    for name in ("json", "png", "txt", "tmx", "ldtk", "tscn"):
        status, content, headers = studio.request("GET", f"/api/runs/{run}/level?format={name}")
        assert status == 200
        if headers["content-disposition"].endswith('.zip"'):
            with zipfile.ZipFile(BytesIO(content)) as archive:
                archive.extractall(tmp_path)
            path = tmp_path / f"levolve-{run}.{name}"
        else:
            path = tmp_path / f"levolve-{run}.{name}"
            path.write_bytes(content)
        assert levolve.load(path).digest == digest
    assert studio.request("GET", f"/api/runs/{run}/level?format=../x")[0] == 404

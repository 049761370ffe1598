"""A damaged store in the studio: every list shows what is sound, and what is damaged can be
deleted.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from jobs.store.damage import CONTENTS, ROWS, damaged_store
from studio.server import Studio, running_studio

SOUND = len(ROWS) + len(CONTENTS) + 1


@pytest.fixture(scope="module")
def damaged_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    store = tmp_path_factory.mktemp("damage") / "runs.sqlite"
    damaged_store(store)
    with running_studio(store) as started:
        yield started


def test_every_list_shows_what_is_sound(damaged_studio: Studio) -> None:
    studio = damaged_studio
    readable = set(range(len(ROWS) + 1, SOUND + 1))
    assert {run["id"] for run in studio.json("GET", "/api/runs")} == readable
    assert {run["id"] for run in studio.json("GET", "/api/shelf/runs")["entries"]} == readable
    assert {level["id"] for level in studio.json("GET", "/api/shelf")["levels"]} & {
        f"run-{SOUND}-0",
        "kept-3",
    }
    for shelf in ("packs", "maps"):
        assert studio.json("GET", f"/api/shelf/{shelf}")["total"] == 0
    assert {session["id"] for session in studio.json("GET", "/api/sessions")} == {2, 3}
    assert {world["id"] for world in studio.json("GET", "/api/favourites")} == {2, 3}
    damaged = studio.json("GET", "/api/damage")
    assert [sentence.partition(" is damaged")[0] for sentence in damaged] == [
        *(f"run {number}" for number in range(1, len(ROWS) + 1)),
        *("session 1", "kept level 1", "kept world 1"),
    ]
    log = studio.log.read_text()
    assert "run 1 is damaged" in log
    assert "Traceback" not in log


def test_the_first_page_names_what_is_damaged(damaged_studio: Studio, browser: Browser) -> None:
    page = browser.new_page()
    page.goto(damaged_studio.address)
    notice = page.locator("details.damage")
    notice.locator("summary").click()
    expect(notice.locator("li").first).to_contain_text("run 1 is damaged")
    expect(notice.locator("li")).to_have_count(len(ROWS) + 3)
    expect(notice).to_contain_text("levolve runs repair")
    page.close()


@pytest.mark.parametrize(
    "path", ["", "/ancestry", "/board", "/archive", "/pack", "/level.json", "/events"]
)
def test_no_request_about_a_damaged_run_is_a_bug(damaged_studio: Studio, path: str) -> None:
    for run in range(1, SOUND):
        status, content, _ = damaged_studio.request("GET", f"/api/runs/{run}{path}")
        assert status != 500, (run, content)
    assert damaged_studio.request("GET", f"/api/runs/{SOUND}")[0] == 200
    assert "Traceback" not in damaged_studio.log.read_text()


def test_what_is_damaged_can_be_deleted(damaged_studio: Studio) -> None:
    for run in (1, len(ROWS), SOUND - 1):
        assert damaged_studio.request("DELETE", f"/api/runs/{run}")[0] == 200
    for address in (
        "/api/sessions/1",
        "/api/sessions/2",
        "/api/shelf/1",
        "/api/shelf/2",
        "/api/favourites/1",
        "/api/favourites/2",
    ):
        assert damaged_studio.request("DELETE", address)[0] == 200, address
    assert damaged_studio.request("POST", "/api/runs/2/resume")[0] in {409, 503}

"""The Breed room of the studio in a real browser, and its API: what is done there is the library's
session, and nothing is lost.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import levolve
from levolve.jobs.breeding.session import Session
from levolve.jobs.store.store import Store
from studio.pages import EMPTY
from studio.server import Studio, running_studio

SIZES = {"laptop": (1280, 720), "desktop": (1920, 1080), "phone": (390, 844)}
NEW = {"recipe": "maze", "seed": 3, "settings": {"size": "12x12"}}


def begin(studio: Studio, page: Page, **changes: Any) -> int:
    """Begin a session, and open its page."""
    number: int = studio.json("POST", "/api/sessions", {**NEW, **changes})["id"]
    page.goto(f"{studio.base}/#/breed/{number}")
    expect(page.locator(".breed")).to_have_attribute("data-sheet", "0")
    return number


def expect_digest(page: Page, digest: str) -> None:
    expect(page.locator(".breed")).to_have_attribute("data-digest", digest)


def pick(page: Page, *labels: str) -> None:
    for label in labels:
        button = page.get_by_role("button", name=label, exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")


def breed_next(page: Page, sheet: int) -> None:
    page.get_by_role("button", name="Next generation").click()
    expect(page.locator(".breed")).to_have_attribute("data-sheet", str(sheet))


def lock_region(page: Page) -> None:
    """Lock a rectangle of 3x2 cells of the first level, by dragging over it."""
    page.locator(".picture").first.focus()
    page.get_by_role("button", name="Paint or lock").click()
    page.get_by_role("radio", name="lock cells", exact=True).check()
    box = page.locator("dialog canvas").bounding_box()
    assert box is not None
    side = box["width"] / 12
    for y in (4, 5):
        page.mouse.move(box["x"] + 3.5 * side, box["y"] + (y + 0.5) * side)
        page.mouse.down()
        page.mouse.move(box["x"] + 5.5 * side, box["y"] + (y + 0.5) * side, steps=4)
        page.mouse.up()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".facts")).to_contain_text("6 cells locked")


def test_picks_next_undo_redo_locks_and_a_reload_are_those_of_the_library(
    page: Page, studio: Studio
) -> None:
    number = begin(studio, page)
    session = levolve.breed("maze", size=(12, 12), seed=3)
    pick(page, "love level 1", "like level 4", "never level 6")
    session.pick({0: "love"})
    session.pick({3: "like"})
    session.pick({5: "never"})
    breed_next(page, 1)
    session.next()
    expect_digest(page, session.digest)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".breed")).to_have_attribute("data-sheet", "0")
    expect(page.get_by_role("button", name="love level 1", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    page.get_by_role("button", name="Redo").click()
    expect_digest(page, session.digest)
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    lock_region(page)
    session.lock("3,4..5,5", 0)
    kept = session.levels[0].tiles[4:6, 3:6].tolist()
    for sheet in range(2, 7):
        breed_next(page, sheet)
        session.next()
        for level in studio.json("GET", f"/api/sessions/{number}")["levels"]:
            assert [[int(sign == "#") for sign in row[3:6]] for row in level["rows"][4:6]] == kept
    expect_digest(page, session.digest)
    page.reload()
    expect_digest(page, session.digest)
    expect(page.locator(".tree-area button")).to_have_count(7)
    pick(page, "like level 2")
    breed_next(page, 7)
    session.pick([1])
    session.next()
    expect_digest(page, session.digest)
    status, content, _ = studio.request("GET", f"/api/sessions/{number}/file")
    assert status == 200
    assert Session.from_data(json.loads(content)).digest == session.digest


def test_branches_are_a_family_tree_that_can_be_returned_to(page: Page, studio: Studio) -> None:
    begin(studio, page)
    session = levolve.breed("maze", size=(12, 12), seed=3)
    session.next()
    breed_next(page, 1)
    page.get_by_role("button", name="Go to sheet 0").click()
    expect(page.locator(".breed")).to_have_attribute("data-sheet", "0")
    for place in (2, 5):
        page.locator(".picture").nth(place).focus()
        page.get_by_role("button", name="Mark to breed").click()
    page.get_by_role("button", name="Breed these two").click()
    expect(page.locator(".breed")).to_have_attribute("data-sheet", "2")
    session.go(0)
    session.cross(2, 5)
    expect_digest(page, session.digest)
    page.locator(".picture").nth(3).focus()
    page.get_by_role("button", name="More like this").click()
    session.more_like(3)
    expect_digest(page, session.digest)
    page.get_by_label("generations", exact=True).fill("5")
    page.get_by_role("button", name="Evolve", exact=True).click()
    session.advance(5)
    expect_digest(page, session.digest)
    expect(page.locator(".tree-area button")).to_have_count(5)
    page.get_by_role("button", name="Go to sheet 1").click()
    session.go(1)
    expect_digest(page, session.digest)
    expect(page.locator(".tree-area [aria-current]")).to_have_attribute("data-number", "1")


def test_everything_can_be_done_with_the_keyboard(page: Page, studio: Studio) -> None:
    begin(studio, page)
    session = levolve.breed("maze", size=(12, 12), seed=3)
    page.locator(".picture").first.focus()
    for key in ("1", "ArrowRight", "2", "ArrowDown", "3", "ArrowLeft", "1", "0"):
        page.keyboard.press(key)
    expect(page.locator(".card").nth(7)).to_have_attribute("data-pick", "never")
    expect(page.locator(".card").nth(6)).to_have_attribute("data-pick", "none")
    page.keyboard.press("n")
    session.pick({0: "like", 1: "love", 7: "never"})
    session.next()
    expect_digest(page, session.digest)
    page.keyboard.press("u")
    expect(page.locator(".card").nth(1)).to_have_attribute("data-pick", "love")
    page.keyboard.press("r")
    expect_digest(page, session.digest)
    page.locator(".picture").first.focus()
    page.keyboard.press("e")
    rows = session.levels[0].to_text().splitlines()
    y, x = next(
        (y, x) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#" and y < 6
    )
    page.get_by_role("radio", name="floor", exact=True).check()
    page.locator("dialog canvas").focus()
    for key in ["ArrowDown"] * y + ["ArrowRight"] * x + [" "]:
        page.keyboard.press(key)
    page.get_by_role("button", name="Apply").press("Enter")
    session.paint(0, [(x, y)], "floor")
    expect_digest(page, session.digest)
    page.keyboard.press("n")
    session.next()
    expect_digest(page, session.digest)


def test_what_is_refused_is_a_sentence_in_the_editor(page: Page, studio: Studio) -> None:
    begin(studio, page, recipe="maze-tunnels")
    page.get_by_role("button", name="Paint or lock").click()
    level = levolve.breed("maze-tunnels", size=(12, 12), seed=3).levels[0]
    page.get_by_role(
        "radio", name="wall" if level.tiles[6, 6] == 0 else "floor", exact=True
    ).check()
    page.locator("dialog canvas").click()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator("dialog .problem")).to_contain_text("cannot continue from this level")
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("dialog")).to_have_count(0)
    page.get_by_role("button", name="Breed from it").click()
    expect(page.get_by_role("heading", name="maze 12x12")).to_be_visible()
    first = page.locator(".breed").get_attribute("data-digest")
    page.get_by_role("button", name="Keep and play").click()
    page.wait_for_url("**/#/play/kept-*")
    page.go_back()
    expect_digest(page, str(first))


def test_a_level_is_kept_on_the_shelf_and_downloaded(studio: Studio) -> None:
    number = studio.json("POST", "/api/sessions", NEW)["id"]
    kept = studio.json("POST", f"/api/sessions/{number}/levels/2/shelf", {"name": "mine"})["id"]
    status, content, headers = studio.request("GET", f"/api/sessions/{number}/levels/2?format=json")
    level = levolve.breed("maze", size=(12, 12), seed=3).levels[2]
    assert (status, headers["content-disposition"]) == (
        200,
        f'attachment; filename="levolve-session-{number}-3.json"',
    )
    assert level.digest.encode() in content
    again = studio.json(
        "POST",
        "/api/sessions",
        {"recipe": "maze", "seed": 1, "start": {"session": number, "place": 2}},
    )
    assert level.digest in [one["digest"] for one in again["levels"]]
    from_shelf = studio.json("POST", "/api/sessions", {"seed": 1, "level": f"kept-{kept}"})
    assert from_shelf["digest"] == again["digest"], "maze is the recipe that can begin with it"
    with Store(studio.json("GET", "/api/about")["store"]) as opened:
        assert opened.shelf.find(kept).digest == level.digest
        assert opened.shelf.find(kept).content == content


def test_a_session_is_renamed_and_deleted(studio: Studio) -> None:
    first, second = (studio.json("POST", "/api/sessions", NEW)["id"] for _ in range(2))
    studio.json("PUT", f"/api/sessions/{first}", {"name": "the first"})
    studio.json("DELETE", f"/api/sessions/{second}")
    listed = {one["id"]: one["name"] for one in studio.json("GET", "/api/sessions")}
    assert listed[first] == "the first"
    assert second not in listed
    assert studio.request("GET", f"/api/sessions/{second}")[0] == 400


def test_a_level_of_a_run_and_of_the_shelf_can_be_bred_from(page: Page, studio: Studio) -> None:
    run = studio.json(
        "POST",
        "/api/runs",
        {"recipe": "maze", "seed": 7, "settings": {"size": "12x12", "generations": 3}},
    )["id"]
    best = studio.finished(run)["level"]["digest"]
    for address in (f"#/watch/{run}", "#/shelf"):
        page.goto(f"{studio.base}/{address}")
        page.get_by_role("button", name="Breed").first.click()
        page.wait_for_url("**/#/breed/*")
        number = page.url.rsplit("/", 1)[1]
        assert best in [
            level["digest"] for level in studio.json("GET", f"/api/sessions/{number}")["levels"]
        ]


def test_a_session_that_the_command_line_changes_is_shown_as_it_is(studio: Studio) -> None:
    number = studio.json("POST", "/api/sessions", NEW)["id"]
    with Store(studio.json("GET", "/api/about")["store"]) as opened:
        session = Session.from_data(opened.sessions.data(number))
        session.next()
        opened.sessions.update(number, session.to_data())
    assert studio.json("GET", f"/api/sessions/{number}")["digest"] == session.digest
    session.next()
    assert (
        studio.json("POST", f"/api/sessions/{number}/actions", {"action": "next"})["digest"]
        == session.digest
    )


def test_a_killed_studio_loses_no_session(tmp_path: Path) -> None:
    with running_studio(tmp_path / "runs.sqlite") as studio:
        number = studio.json("POST", "/api/sessions", NEW)["id"]
        digest = studio.json("POST", f"/api/sessions/{number}/actions", {"action": "next"})[
            "digest"
        ]
        studio.kill()
    with Store(tmp_path / "runs.sqlite") as opened:
        assert Session.from_data(opened.sessions.data(number)).digest == digest


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"action": "jump"}, 422, "action"),
        (
            {"action": "pick", "picks": {"99": "love"}},
            400,
            "picks: expected a place of the sheet, from 0 to 11, got 99",
        ),
        ({"action": "pick"}, 400, "expected an action of a session"),
        ({"action": "advance", "generations": 101}, 422, "generations"),
        ({"action": "undo"}, 400, "nothing to undo"),
        ({"action": "go", "number": 5}, 400, "expected the number of a sheet, from 0 to 0, got 5"),
        (
            {"action": "lock", "cells": ["0,0..99999,99999"], "place": 0},
            400,
            "expected a rectangle inside the level",
        ),
        (
            {"action": "paint", "place": 0, "tiles": {"#": ["x"]}, "lock": False},
            400,
            "cells: expected x,y",
        ),
    ],
)
def test_an_action_that_is_refused_is_a_sentence_and_changes_nothing(
    studio: Studio, body: object, status: int, words: str
) -> None:
    number = studio.json("POST", "/api/sessions", NEW)["id"]
    before = studio.json("GET", f"/api/sessions/{number}")
    got, content, _ = studio.request("POST", f"/api/sessions/{number}/actions", body)
    assert got == status
    assert words in json.loads(content)["error"]
    assert studio.json("GET", f"/api/sessions/{number}") == before


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"recipe": "mase"}, 404, "did you mean 'maze'"),
        ({"recipe": "maze", "settings": {"size": "500x500"}}, 400, "expected at most 16384 cells"),
        ({"recipe": "maze", "sheet": 48}, 422, "sheet"),
        ({"recipe": "maze", "start": {"session": 777, "place": 0}}, 400, "there is no session 777"),
        ({}, 400, "recipe: expected the name of a recipe, or a level"),
        ({"level": "kept-777"}, 400, "there is no level 777"),
        ({"level": "../x"}, 400, "expected a reference such as run-5-0, cell-7-120 or kept-3"),
    ],
)
def test_a_session_that_cannot_begin_is_refused(
    studio: Studio, body: object, status: int, words: str
) -> None:
    got, content, _ = studio.request("POST", "/api/sessions", body)
    assert got == status
    assert words in json.loads(content)["error"]


@pytest.mark.parametrize(
    ("name", "scheme"), [("laptop", "light"), ("desktop", "dark"), ("phone", "light")]
)
def test_nothing_of_the_breed_room_is_cut_off(
    browser: Any, studio: Studio, name: str, scheme: str
) -> None:
    number = studio.json(
        "POST",
        "/api/sessions",
        {"recipe": "castle", "seed": 3, "sheet": 24, "settings": {"size": "40x24"}},
    )["id"]
    studio.json("POST", f"/api/sessions/{number}/actions", {"action": "next"})
    width, height = SIZES[name]
    context = browser.new_context(
        viewport=ViewportSize(width=width, height=height), color_scheme=scheme
    )
    page = context.new_page()
    page.goto(f"{studio.address}{EMPTY}")
    for address, awaited in ((f"#/breed/{number}", ".tree-area button"), ("#/breed", ".settings")):
        page.goto(f"{studio.base}/{address}")
        page.wait_for_selector(awaited)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        outside = page.evaluate(
            """() => [...document.querySelectorAll('button, select, input, canvas, a')].filter(element => {
                const box = element.getBoundingClientRect();
                return box.width && !element.classList.contains('skip') && !element.closest('.tree') && (box.left < -1 || box.right > innerWidth + 1);
            }).map(element => element.outerHTML)"""
        )
        assert outside == [], address
    context.close()

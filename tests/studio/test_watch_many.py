"""The room Watch in a real browser: solvers of puzzles, and several runs side by side."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import levolve
from studio.pages import opened
from studio.server import Studio

ENDLESS = {"recipe": "maze", "settings": {"size": "12x12", "generations": 10**6}}
LOADED = "document.querySelector('.attempt').naturalWidth > 100"


@pytest.mark.parametrize(("puzzle", "example"), [("sliding", "8672543_1"), ("flag", "20")])
def test_a_puzzle_is_solved_with_the_form_and_then_played(
    page: Page, studio: Studio, puzzle: str, example: str
) -> None:
    page.goto(f"{studio.base}/#/watch")
    form = page.get_by_role("region", name="Solve a puzzle")
    form.get_by_label("puzzle").select_option(puzzle)
    expect(form.get_by_label("position")).to_have_value(example)
    form.get_by_label("seed").fill("5")
    form.get_by_role("button", name="Solve").click()
    moves = levolve.solve(puzzle, example, seed=5).moves
    assert moves is not None
    expect(page.get_by_text(f"Solved in {len(moves)} moves.")).to_be_visible()
    expect(page.locator(".moves")).to_have_text(moves)
    expect(page.locator("h1 .status")).to_have_text("done")
    page.wait_for_function(LOADED)
    page.reload()
    expect(page.locator(".moves")).to_have_text(moves)
    page.get_by_role("button", name="Show the walk").click()
    expect(page.locator(".attempt")).to_have_attribute("src", re.compile("^blob:"))
    page.get_by_label("move", exact=True).press("End")
    expect(page.locator(".attempt")).to_have_attribute("src", re.compile("^data:"))
    page.get_by_role("link", name="Play", exact=True).last.click()
    expect(page.frame_locator(".playing").locator("#board")).to_be_visible()


def test_a_solver_shows_its_best_attempt_and_can_be_stopped(page: Page, studio: Studio) -> None:
    solve = {
        "puzzle": "sliding",
        "position": "15,14,8,12,10,11,13,9,2,6,5,1,3,7,4,_",
        "scheme": "source",
        "generations": 10**7,
    }
    run = studio.json("POST", "/api/runs", {"solve": solve, "seed": 1})["id"]
    page.goto(f"{studio.base}/#/watch/{run}")
    expect(page.get_by_text("The best attempt so far:")).to_be_visible()
    expect(page.locator(".moves")).not_to_be_empty()
    page.wait_for_function(LOADED)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Not solved. The best attempt:")).to_be_visible()
    expect(page.get_by_role("link", name="Play", exact=True)).to_have_count(1)


def test_chosen_runs_are_shown_and_controlled_side_by_side(page: Page, studio: Studio) -> None:
    runs = [studio.json("POST", "/api/runs", {**ENDLESS, "seed": seed})["id"] for seed in (1, 2)]
    page.goto(f"{studio.base}/#/watch")
    for run in runs:
        page.get_by_label(f"Choose run {run}, maze").check()
    page.get_by_role("link", name="Side by side").click()
    assert page.url.endswith(f"#/watch/side/{runs[0]},{runs[1]}")
    first, second = (page.get_by_role("region", name=f"Run {run}", exact=True) for run in runs)
    first.get_by_role("button", name="Pause").click()
    expect(first.locator(".status")).to_have_text("paused")
    expect(second.locator(".status")).to_have_text("running")
    generation = second.locator("dt:text-is('generation') + dd")
    before = generation.inner_text()
    expect(generation).not_to_have_text(before)
    first.get_by_role("button", name="Resume").click()
    expect(first.locator(".status")).to_have_text("running")
    for card in (first, second):
        card.get_by_role("button", name="Stop").click()
        expect(card.locator(".status")).to_have_text("stopped")


def test_at_most_four_runs_are_chosen_and_the_list_keeps_the_focus(
    page: Page, studio: Studio
) -> None:
    for seed in range(5):
        studio.json(
            "POST",
            "/api/runs",
            {"recipe": "maze", "seed": seed, "settings": {"size": "8x8", "generations": 1}},
        )
    page.goto(f"{studio.base}/#/watch")
    choices = page.locator(".runs input")
    expect(choices.nth(4)).to_be_enabled()
    for place in range(4):
        choices.nth(place).check()
    expect(choices.nth(4)).to_be_disabled()
    with page.expect_response("**/api/runs"):
        choices.nth(3).focus()
    page.wait_for_timeout(100)
    expect(choices.nth(3)).to_be_focused()
    page.goto(f"{studio.base}/#/watch/side/1")
    expect(page.locator(".empty")).to_contain_text("Choose 2 to 4 runs")


@pytest.mark.parametrize("size", [(1280, 720), (390, 844)])
def test_runs_side_by_side_fit_the_page(
    browser: Any, studio: Studio, size: tuple[int, int]
) -> None:
    solver = {"solve": {"puzzle": "flag", "position": "20"}, "seed": 5}
    bodies = [
        {"recipe": "castle", "seed": 3, "settings": {"size": "60x40", "generations": 3}},
        solver,
    ]
    runs = [studio.json("POST", "/api/runs", body)["id"] for body in bodies]
    for run in runs:
        studio.finished(run)
    with opened(browser, studio, viewport=ViewportSize(width=size[0], height=size[1])) as page:
        for address in (f"side/{runs[0]},{runs[1]}", str(runs[1]), ""):
            page.goto(f"{studio.base}/#/watch/{address}".rstrip("/"))
            page.wait_for_selector(".status")
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address

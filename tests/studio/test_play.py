"""Levels and puzzles are played to their end in the studio, by keys, hints and clicks."""

import re

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from studio.server import Studio

ARROWS = {"up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight"}
MOVES = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}


@pytest.fixture(scope="module")
def run(studio: Studio) -> int:
    """A run with a small maze."""
    number: int = studio.json(
        "POST",
        "/api/runs",
        {"recipe": "maze", "seed": 4, "settings": {"size": "8x8", "generations": 20}},
    )["id"]
    studio.finished(number)
    return number


def board_of(page: Page) -> FrameLocator:
    board = page.frame_locator("iframe.playing")
    expect(board.locator("#play")).to_be_visible()
    return board


def test_a_maze_is_played_to_its_exit(page: Page, studio: Studio, run: int) -> None:
    solution = studio.json("GET", f"/api/runs/{run}")["level"]["solution"]
    page.goto(f"{studio.base}/#/play/run-{run}-0")
    board = board_of(page)
    assert board.locator("#clock").inner_text() == ""
    for move in solution:
        board.locator("#board").press(MOVES[move])
    expect(board.locator("#status")).to_contain_text("no solution is shorter")
    expect(board.locator("#clock")).to_have_text(re.compile(r"\d+:\d\d"))


@pytest.mark.parametrize("puzzle", ["flag", "sliding"])
def test_a_new_puzzle_is_solved_by_following_the_hints(
    page: Page, studio: Studio, puzzle: str
) -> None:
    page.goto(f"{studio.base}/#/play/new/{puzzle}")
    board = board_of(page)
    status = board.locator("#status")
    for _ in range(200):
        board.locator("#board").press("h")
        said = status.inner_text()
        if "won" in said:
            break
        board.locator("#board").press(ARROWS[said.removeprefix("Go ").rstrip(".")])
        if "won" in status.inner_text():
            break
    expect(status).to_contain_text("won")


def test_a_click_on_a_neighbour_takes_a_step(page: Page, studio: Studio, run: int) -> None:
    level = studio.json("GET", f"/api/runs/{run}")["level"]
    page.goto(f"{studio.base}/#/play/run-{run}-0")
    board = board_of(page)
    box = board.locator("#board").bounding_box()
    assert box is not None
    entrance = next(place for place in level["places"] if place["name"] == "entrance")
    step = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}[level["solution"][0]]
    x, y = (
        (entrance["x"] + step[0] + 0.5) / level["width"],
        (entrance["y"] + step[1] + 0.5) / level["height"],
    )
    page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    expect(board.locator("#steps b")).to_have_text("1")


def test_what_cannot_be_played_is_a_sentence(studio: Studio) -> None:
    for path, status in [
        ("levels=run-999-0", 400),
        ("levels=../x", 400),
        ("levels=", 400),
        ("levels=kept-99999", 400),
    ]:
        found, content, _ = studio.request("GET", f"/api/play?{path}")
        assert (found, b"error" in content) == (status, True), content
    assert studio.request("GET", "/api/play/new/chess")[0] == 404
    assert studio.request("GET", "/static/play/script.js?puzzles=chess")[0] == 404

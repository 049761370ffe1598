"""The page of a pack at five sizes: nothing overlaps and nothing is cut off, in the overview and in
a game.
"""

import itertools
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page

import levolve
from jobs.packs.browser import browsing
from levolve.jobs.packs.pack import Pack

SIZES = [(1280, 800), (1920, 1080), (390, 844), (844, 390), (768, 1024)]
SMALL, LARGE = 0, 1
# The parts of the page that people read or use, and the least side of what they touch.
OVERVIEW = (
    "h1, #count, #controls select, #controls input:not([type=checkbox]), .check, #controls "
    "button, #levels > li"
)
GAME = (
    "#title, #goal, #steps, #board, #status, #play .bar button, .tools button, .pad button, summary"
)
TOUCHED = "button, select, input:not([type=checkbox]), .check, summary, #files a"
TOUCH = 40
# The rectangle of each visible part, clipped by what scrolls around it, and whether its text is
# wider or higher than itself.
BOXES = """(selector) => [...document.querySelectorAll(selector)].filter((part) => part.checkVisibility()).map((part) => {
  const box = part.getBoundingClientRect();
  return {
    name: part.id || part.dataset.move || part.textContent.trim(), left: box.left, top: box.top, right: box.right, bottom: box.bottom,
    cut: part.scrollWidth > part.clientWidth + 1 || (part.tagName === "BUTTON" && part.scrollHeight > part.clientHeight + 1),
  };
}).filter((box) => box.right > box.left && box.bottom > box.top)"""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A pack of a small level and one of 60x40, and packs of puzzles."""
    levels = Pack.joined(
        "a pack",
        [
            levolve.pack("dungeon", size=(6, 5), count=1, seed=2),
            levolve.pack("labyrinth", size=(60, 40), count=1, seed=2),
        ],
    )
    made = {"levels": levels.save(tmp_path_factory.mktemp("levels"), "json")}
    for puzzle in ("flag", "sliding"):
        made[puzzle] = levolve.pack(puzzle, count=2, seed=2).save(
            tmp_path_factory.mktemp(puzzle), ["json"]
        )
    return {name: path.resolve() for name, path in made.items()}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of one of the sizes; those of phones and tablets are touched."""
    width, height = request.param
    touch = width < 1000
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch
    )
    yield context.new_page()
    context.close()


def boxes(page: Page, selector: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(BOXES, selector)
    return found


def check_layout(page: Page, selector: str, *, scrolls: bool) -> None:
    """No part overlaps another, leaves the window (its sides only, where the page scrolls), or cuts
    off its text.
    """
    assert page.viewport_size is not None
    width, height = page.viewport_size["width"], page.viewport_size["height"]
    parts = boxes(page, selector)
    assert parts
    for part in parts:
        assert part["left"] >= 0, part
        assert part["right"] <= width, part
        assert scrolls or (part["top"] >= 0 and part["bottom"] <= height), part
        assert not part["cut"], part
    for one, other in itertools.combinations(parts, 2):
        apart = (
            one["right"] <= other["left"]
            or other["right"] <= one["left"]
            or one["bottom"] <= other["top"]
            or other["bottom"] <= one["top"]
        )
        assert apart, (one, other)


def check_touch(page: Page) -> None:
    """Everything that is touched is large enough for a finger."""
    for box in boxes(page, TOUCHED):
        assert min(box["right"] - box["left"], box["bottom"] - box["top"]) >= TOUCH, box


def contrast(page: Page) -> float:
    """How much the pixels of a screenshot differ: 0 for an empty page."""
    return float(np.asarray(Image.open(BytesIO(page.screenshot())).convert("L")).std())


@pytest.mark.parametrize("name", ["levels", "flag"])
def test_in_the_overview_nothing_overlaps_and_nothing_is_cut_off(
    page: Page, pages: dict[str, Path], name: str
) -> None:
    page.goto(pages[name].as_uri())
    check_layout(page, OVERVIEW, scrolls=True)
    check_touch(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert contrast(page) > 1


@pytest.mark.parametrize(
    ("name", "number"), [("levels", SMALL), ("levels", LARGE), ("flag", 1), ("sliding", 1)]
)
def test_in_a_game_nothing_overlaps_and_nothing_is_cut_off(
    page: Page, pages: dict[str, Path], name: str, number: int
) -> None:
    page.goto(pages[name].as_uri())
    page.locator("#levels button.card").nth(number).click()
    about = page.locator("#about")
    about.evaluate("(part) => { part.open = false; }")
    page.locator("#hint").click()
    check_layout(page, GAME, scrolls=False)
    check_touch(page)
    board, stage = boxes(page, "#board")[0], boxes(page, "#stage")[0]
    whole = page.evaluate(
        "[document.querySelector('#stage').clientWidth, "
        "document.querySelector('#stage').clientHeight]"
    )
    used = max(
        (board["right"] - board["left"]) / whole[0], (board["bottom"] - board["top"]) / whole[1]
    )
    # The board fills its stage, unless its tiles are as large as they become.
    tile = page.evaluate(
        "(n) => document.querySelector('#board').clientWidth / levolve.pack.levels[n].width", number
    )
    assert used > 0.8 or tile >= 56
    assert stage["left"] <= board["left"]
    assert board["right"] <= stage["right"]
    # With the facts open, the board is smaller or the panel scrolls; it is never covered.
    about.evaluate("(part) => { part.open = true; }")
    page.wait_for_timeout(50)
    check_layout(page, GAME, scrolls=True)
    check_layout(page, "#board, #facts, #files", scrolls=True)
    last = page.locator(".keys")
    last.scroll_into_view_if_needed()
    assert page.evaluate(
        (
            "(part) => { const box = part.getBoundingClientRect(); return box.bottom <= "
            "innerHeight + 1; }"
        ),
        last.element_handle(),
    )


def test_the_board_follows_a_turned_screen(browser: Browser, pages: dict[str, Path]) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(pages["levels"].as_uri())
    page.locator("#levels button.card").nth(LARGE).click()
    for width, height in ((844, 390), (390, 844), (300, 300)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(50)
        check_layout(page, GAME, scrolls=(width, height) == (300, 300))
    page.close()

"""The page of an archive in a real browser: a level is chosen on the map and played to the exit."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import levolve
from jobs.packs.browser import browsing
from levolve.jobs.archives.archive import Archive
from levolve.jobs.packs.webpage import write_archive_folder

ARROWS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture(scope="module")
def archive() -> Archive:
    return levolve.illuminate("maze", size=(8, 8), grid="10x10", evaluations=3000, seed=2)


def test_a_cell_shows_its_level_and_plays_it(
    browser: Browser, archive: Archive, tmp_path: Path
) -> None:
    write_archive_folder(archive, tmp_path)
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda problem: errors.append(str(problem)))
    page.goto((tmp_path / "index.html").as_uri())
    expect(page.locator("#cells button")).to_have_count(len(archive))
    (cell, level, figures), *_ = archive.entries()
    button = page.locator("#cells button").first
    button.hover()
    expect(page.locator("#preview b")).to_have_text(
        f"walls {figures['walls']}, exit path {figures['exit_path']}"
    )
    x, y = archive.grid.places(cell)
    assert button.evaluate(
        "button => [button.style.gridColumnStart, button.style.gridRowStart]"
    ) == [str(x + 1), str(archive.grid.shape[1] - y)]
    button.click()
    for move in level.solution or "":
        page.keyboard.press(ARROWS[move])
    expect(page.locator("#status")).to_contain_text("You won")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.parentElement.id") == "cells"
    assert not errors
    page.close()

"""Levels on the page of a pack are drawn with the tiles of their theme, the same as in files."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

import levolve
from jobs.packs.browser import Watched, browsing
from levolve.formats.look import Look
from levolve.formats.themes.atlas import atlas_of
from levolve.formats.themes.theme import Pixels, Theme
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.webpage import PAGE_TILE
from levolve.levels.solver import way_back
from levolve.levels.tileset import Colour, Tileset

ARROWS = {"u": "ArrowUp", "d": "ArrowDown", "l": "ArrowLeft", "r": "ArrowRight"}


class Codes(Theme):
    """Every tile has a colour of its own, so that a pixel says which tile it is."""

    name, meaning = "codes", "for tests"

    def floor(self, tileset: Tileset, kind: int, variant: int, tile: int) -> Pixels:
        return square((20 + 40 * kind, 200, 20 + 40 * variant, 255), tile)

    def wall(self, tileset: Tileset, mask: int, tile: int) -> Pixels:
        return square((mask, 80, 120, 255), tile)

    def place(self, name: str, tile: int) -> Pixels:
        return square((0, 0, 20 * len(name), 255), tile)

    def colour(self, tileset: Tileset, kind: int) -> Colour:
        return tileset.colours[kind]


def square(colour: tuple[int, int, int, int], tile: int) -> Pixels:
    return np.full((tile, tile, 4), colour, np.uint8)


LOOK = Look(Codes())


@pytest.fixture(scope="module")
def pack() -> Pack:
    parts = [
        levolve.pack("maze", size=(9, 8), count=1, target={"regions": 1}, seed=1),
        levolve.pack("maze-chromatic", size=(7, 7), count=1, seed=3),
        levolve.pack("dungeon", size=(8, 7), count=1, seed=4),
    ]
    return Pack.joined("themed", parts)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as browser:
        yield browser


@pytest.fixture(scope="module")
def page(browser: Browser, pack: Pack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    index = pack.save(tmp_path_factory.mktemp("pack"), "json", theme=LOOK.theme).resolve()
    watched = Watched(browser.new_page(viewport={"width": 1000, "height": 800}))
    watched.page.goto(index.as_uri())
    expect(watched.page.locator("#levels button.card")).to_have_count(3)
    yield watched.page
    assert watched.complaints == []
    assert all(
        address == index.as_uri() or address.startswith("data:") for address in watched.requests
    )


def test_the_page_shows_the_same_tiles_as_files(page: Page, pack: Pack) -> None:
    for number, level in enumerate(pack.levels):
        ours = atlas_of(LOOK.theme, level.tileset, PAGE_TILE).layers(level.tiles)
        assert page.evaluate("(number) => levolve.layers(number)", number) == [
            layer.tolist() for layer in ours.values()
        ]


def test_a_large_level_of_a_tileset_has_all_neighbourhoods_and_variants(page: Page) -> None:
    """Random tiles show (almost) every mask and variant: the rule in the page and that in Python
    agree on all of them.
    """
    tiles = np.random.default_rng(1).integers(0, 2, (60, 90), dtype=np.uint8)
    level = levolve.Level(tiles)
    rows = ["".join(level.tileset.characters[kind] for kind in row) for row in level.tiles]
    script = """(rows) => {
      const index = levolve.pack.levels.findIndex((level) => level.tileset === "walls"), before = levolve.pack.levels[index].rows;
      levolve.pack.levels[index].rows = rows;
      const layers = levolve.layers(index);
      levolve.pack.levels[index].rows = before;
      return layers;
    }"""
    ours = atlas_of(LOOK.theme, level.tileset, PAGE_TILE).layers(tiles)
    assert page.evaluate(script, rows) == [layer.tolist() for layer in ours.values()]


def test_the_pixels_of_the_board_are_those_of_the_atlas(page: Page, pack: Pack) -> None:
    for number, level in enumerate(pack.levels):
        page.locator("#levels button.card").nth(number).click()
        drawn = np.asarray(Image.open(BytesIO(page.locator("#board").screenshot())).convert("RGB"))
        tile = drawn.shape[1] / level.width
        expected = np.asarray(atlas_of(LOOK.theme, level.tileset, 4).draw(level.tiles))[2::4, 2::4]
        free = {(x, y) for y in range(level.height) for x in range(level.width)} - set(
            level.places.values()
        )
        for x, y in free:
            assert (
                abs(
                    drawn[int((y + 0.5) * tile), int((x + 0.5) * tile)].astype(int) - expected[y, x]
                ).max()
                <= 1
            ), (x, y)
        page.keyboard.press("Escape")


def test_the_way_back_of_a_tour_is_shown_with_the_solution(page: Page, pack: Pack) -> None:
    number = next(position for position, level in enumerate(pack.levels) if level.goal.returns)
    level = pack.levels[number]
    solution, back = str(level.solution), str(way_back(level))
    page.locator("#levels button.card").nth(number).click()
    for move in solution:
        page.keyboard.press(ARROWS[move])
    own = page.locator("#board").screenshot()
    page.keyboard.press("Space")
    expect(page.locator("#status")).to_have_text(
        f"That is the shortest path: {len(solution)} steps. The way back has {len(back)}."
    )
    shown = page.locator("#board").screenshot()
    colour = (112, 178, 170)

    def cells_of(picture: bytes) -> int:
        return int(
            (np.asarray(Image.open(BytesIO(picture)).convert("RGB")) == colour).all(axis=2).sum()
        )

    assert cells_of(own) == 0
    assert cells_of(shown) > 0
    page.keyboard.press("Escape")


def test_each_atlas_is_embedded_once(pack: Pack) -> None:
    page = pack.files("json", look=LOOK)["index.html"].decode()
    assert page.count("data:image/png") == len({level.tileset.name for level in pack.levels})


def test_flat_tiles_have_dark_colours_on_dark_pages(
    pack: Pack, tmp_path: Path, browser: Browser
) -> None:
    path = pack.save(tmp_path, "json", theme="paper").resolve()
    pictures = []
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.goto(path.as_uri())
        pictures.append(
            np.asarray(
                Image.open(BytesIO(page.locator("#levels canvas").first.screenshot())).convert("L")
            ).mean()
        )
        page.close()
    assert pictures[0] > pictures[1] + 50

"""The World room in a real browser: a map without an edge, its rule, start maps and files."""

import base64
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, Request, Route, ViewportSize, expect

from levolve.worlds import Gradient, Morph, Rule, World, find_design
from levolve.worlds.legend import PALETTES
from levolve.worlds.views import SAMPLE
from studio.pages import opened
from studio.server import Studio

# Kernels may have to be compiled first.
LONGEST = 120_000
SIZES = {"laptop": (1280, 720), "desktop": (1920, 1080), "phone": (390, 844)}
MAP = "canvas.world-map"


@pytest.fixture
def page(browser: Any, studio: Studio) -> Iterator[Page]:
    """The World room."""
    with opened(browser, studio) as found:
        found.goto(f"{studio.base}/#/world")
        ready(found)
        yield found


def ready(page: Page) -> None:
    """Wait until every visible picture is drawn."""
    page.wait_for_selector(f"{MAP}[data-ready=true]", timeout=LONGEST)
    page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )
    page.wait_for_selector(f"{MAP}[data-ready=true]", timeout=LONGEST)


def pixels(page: Page, selector: str = MAP) -> np.ndarray:
    """The colours on a canvas."""
    address: str = page.evaluate(
        "selector => document.querySelector(selector).toDataURL()", selector
    )
    content = base64.b64decode(address.removeprefix("data:image/png;base64,"))
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def sent(request: Request) -> dict[str, Any]:
    """The body of a request."""
    body = request.post_data_json
    assert isinstance(body, dict)
    return body


def drag(page: Page, x: int, y: int) -> None:
    """Move the map with the mouse, so many pixels."""
    box = page.locator(MAP).bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + x, middle[1] + y, steps=4)
    page.mouse.up()


def go(page: Page, x: int, y: int) -> None:
    page.get_by_label("Go to column x").fill(str(x))
    page.get_by_label("Go to row y").fill(str(y))
    page.get_by_role("button", name="Go", exact=True).click()


def middle_cells(
    page: Page, world: World, palette: str, cell: tuple[int, int]
) -> tuple[np.ndarray, np.ndarray]:
    """The colours of some cells below and right of the middle, at one pixel per cell: those drawn,
    and those of the library.
    """
    drawn, side = pixels(page), 200
    top, left = drawn.shape[0] // 2, drawn.shape[1] // 2
    return drawn[top : top + side, left : left + side], np.array(PALETTES[palette], np.uint8)[
        world.window(*cell, side, side)
    ]


def choose(page: Page, rule: str) -> None:
    """Choose a shipped rule, and wait until another world than before is drawn."""
    before = page.locator(MAP).get_attribute("data-world")
    page.get_by_role("button", name=rule, exact=True).click()
    page.wait_for_function(
        "before => document.querySelector('canvas.world-map').dataset.world !== before", arg=before
    )
    ready(page)


def test_after_a_thousand_cells_and_back_the_picture_is_the_same(page: Page) -> None:
    choose(page, "caverns")
    page.get_by_role("button", name="Zoom out").click()
    ready(page)
    first = pixels(page)
    for _ in range(5):
        drag(page, -200, -40)
        ready(page)
    away = pixels(page)
    expect(page.locator(".place")).to_contain_text("cell")
    page.locator(MAP).focus()
    for key in ("-", "-", "+", "+", "+", "-"):
        page.keyboard.press(key)
        ready(page)
    assert (pixels(page) == away).all()
    for _ in range(5):
        drag(page, 200, 40)
    ready(page)
    assert (pixels(page) == first).all()
    assert (away != first).any()


def test_the_map_shows_the_cells_of_the_library(page: Page) -> None:
    design = find_design("spirals")
    world = World(design.rule, 1, design.updates)
    page.get_by_role("button", name="Zoom out").click()
    ready(page)
    drawn, expected = middle_cells(page, world, "cave", (0, 0))
    assert (drawn == expected).all()
    go(page, -123_456_789, 987_654_321)
    ready(page)
    drawn, expected = middle_cells(page, world, "cave", (-123_456_789, 987_654_321))
    assert (drawn == expected).all()
    expect(page.locator(".place")).to_contain_text("-123,456,789")


def test_the_map_is_moved_by_keys_and_zoomed_by_the_wheel(page: Page) -> None:
    choose(page, "caverns")
    page.locator(MAP).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator(".place")).to_contain_text("x 32  y 256")
    page.keyboard.press("Home")
    expect(page.locator(".place")).to_contain_text("x 0  y 0")
    page.locator(MAP).hover()
    page.mouse.wheel(0, -200)
    expect(page.locator(".place")).to_contain_text("4 px per cell")
    for _ in range(3):
        page.mouse.wheel(0, 400)
    expect(page.locator(".place")).to_contain_text("16 cells per px")


def test_two_fingers_zoom(page: Page) -> None:
    page.evaluate(
        """selector => {
            const canvas = document.querySelector(selector);
            canvas.setPointerCapture = () => {};
            const box = canvas.getBoundingClientRect();
            const send = (name, pointerId, x) => canvas.dispatchEvent(new PointerEvent(name, {
                pointerId, pointerType: 'touch', clientX: box.left + box.width / 2 + x, clientY: box.top + box.height / 2}));
            send('pointerdown', 1, -50); send('pointerdown', 2, 50);
            send('pointermove', 1, -100); send('pointermove', 2, 100);
            send('pointerup', 1, -100); send('pointerup', 2, 100);
        }""",
        MAP,
    )
    expect(page.locator(".place")).to_contain_text("4 px per cell")


def test_a_changed_matrix_is_drawn_at_once(page: Page) -> None:
    choose(page, "source")
    page.get_by_role("button", name="Zoom out").click()
    ready(page)
    before = page.evaluate("selector => document.querySelector(selector).toDataURL()", MAP)
    page.get_by_label("Score of open next to open").fill("0.9")
    page.get_by_label("Score of open next to open").press("Enter")
    page.wait_for_function(
        "before => document.querySelector('canvas.world-map').toDataURL() !== before", arg=before
    )
    ready(page)
    drawn, expected = middle_cells(
        page, World(Rule([[0.9, 0.5], [0.2, 0.6]]), 1, 6), "source", (0, 0)
    )
    assert (drawn == expected).all()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_label("Score of open next to open")).to_have_value("0")


def test_states_and_neighbours_are_added_and_removed(page: Page) -> None:
    page.get_by_role("button", name="source", exact=True).click()
    page.get_by_role("button", name="Add a state").click()
    expect(page.locator(".matrix input")).to_have_count(9)
    # The world of three states may still be asked for.
    with page.expect_request(
        lambda request: request.url.endswith("/api/worlds") and len(sent(request)["scores"]) == 2
    ) as asked:
        page.get_by_role("button", name="Remove the last state").click()
    assert sent(asked.value)["scores"] == [[0, 0.5], [0.2, 0.6]]
    page.locator("summary:text-is('Neighbourhood')").click()
    with page.expect_request("**/api/worlds") as asked:
        page.get_by_role("button", name="Neighbour 2 left, 3 up").click()
    assert sent(asked.value)["neighbourhood"] == [[0, 1], [0, -1], [-1, 0], [1, 0], [-2, -3]]
    expect(page.get_by_role("button", name="Neighbour 2 left, 3 up")).to_have_attribute(
        "aria-pressed", "true"
    )
    with page.expect_request("**/api/worlds") as asked:
        page.get_by_role("button", name="8 around").click()
    assert len(sent(asked.value)["neighbourhood"]) == 8


def test_a_wrong_matrix_is_a_sentence_on_the_page(page: Page) -> None:
    cell = page.get_by_label("Score of open next to wall")
    problem = page.locator(".world-panel .problem")
    cell.fill("")
    cell.press("Enter")
    expect(problem).to_contain_text("row 0, column 1: expected a number")
    expect(problem).to_be_visible()
    cell.fill("5000000000")
    cell.press("Enter")
    expect(problem).to_contain_text("scores.0.1")
    cell.fill("6")
    cell.press("Enter")
    expect(problem).to_be_hidden()
    page.locator("summary:text-is('Neighbourhood')").click()
    for number, name in enumerate(("1 down", "1 up", "1 left", "1 right")):
        # The numbers of the others move up.
        page.get_by_role("button", name=f"Neighbour {name}, number 1", exact=True).click()
        expect(page.locator(".neighbours [aria-pressed=true]")).to_have_count(3 - number)
    expect(problem).to_contain_text("neighbourhood")


def test_a_painted_start_map_is_updated_and_restored(page: Page) -> None:
    page.get_by_role("button", name="source", exact=True).click()
    page.get_by_role("button", name="Start map").click()
    page.get_by_role("button", name="Paint open").click()
    page.get_by_role("button", name="Fill").click()
    page.get_by_role("button", name="Paint wall").click()
    box = page.locator("canvas.start-map").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 3, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    page.locator(".panel-part summary:text-is('Rules')").click()
    painted = pixels(page, "canvas.start-map")
    start = (painted == np.array(PALETTES["source"][1])).all(axis=2).astype(np.uint8)
    assert start.shape == (64, 96)
    assert start.sum() == 3 * 96
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.locator(".start [role=status]")).to_contain_text("1 updates")
    found = (
        (pixels(page, "canvas.start-map") == np.array(PALETTES["source"][1]))
        .all(axis=2)
        .astype(np.uint8)
    )
    assert (found == Rule([[0, 0.5], [0.2, 0.6]]).run(start, 1)).all()
    page.get_by_role("button", name="Run").click()
    expect(page.locator(".start [role=status]")).to_contain_text("no longer changes")
    page.get_by_role("button", name="Back to the start").click()
    assert (pixels(page, "canvas.start-map") == painted).all()
    page.locator("summary:text-is('Download')").click()
    page.locator("#world-format").select_option("txt")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.endswith(".txt")


def test_a_morph_mixes_the_scores_by_the_slider_and_over_the_map(page: Page) -> None:
    page.get_by_role("button", name="coral").click()
    page.locator("summary:text-is('Morph')").click()
    page.locator("#world-other").select_option("scales")
    mixed = [
        85 * 0.75 + 96 * 0.25,
        23 * 0.75 + 34 * 0.25,
        62 * 0.75 + 38 * 0.25,
        53 * 0.75 + 48 * 0.25,
    ]
    # The chosen rule is requested too, perhaps only after the slider was moved.
    with page.expect_request(
        lambda request: request.url.endswith("/api/worlds") and sent(request)["scores"][0] == mixed
    ):
        page.locator("#world-share").fill("25")
    page.get_by_role("button", name="Start map").click()
    page.locator("#world-field").select_option("radial")
    with page.expect_request("**/api/maps/run") as asked:
        page.get_by_role("button", name="Step", exact=True).click()
    body = sent(asked.value)
    assert (body["morph"]["field"], body["morph"]["scores"][0], body["world"]["scores"][0]) == (
        "radial",
        [96, 34, 38, 48],
        [85, 23, 62, 53],
    )


def test_far_out_the_map_is_sampled_and_says_so(page: Page) -> None:
    choose(page, "caverns")
    first = pixels(page)
    page.locator(MAP).focus()
    for _ in range(9):
        page.keyboard.press("-")
    ready(page)
    expect(page.locator(".place")).to_contain_text("256 cells per px")
    expect(page.locator(".detail")).to_contain_text("Sampled")
    drawn, side = pixels(page), SAMPLE
    world = World(find_design("caverns").rule, 1, find_design("caverns").updates)
    # The square that begins at the cell (0, 0), which is in the middle of the page.
    top, left = drawn.shape[0] // 2, drawn.shape[1] // 2
    expected = np.array(PALETTES["cave"], np.uint8)[
        world.window(side * 255 // 2, side * 255 // 2, side, side)
    ]
    assert (drawn[top : top + side, left : left + side] == expected).all()
    for _ in range(9):
        page.keyboard.press("+")
    ready(page)
    expect(page.locator(".detail")).to_be_hidden()
    assert (pixels(page) == first).all()


def test_a_rule_that_is_changed_while_a_sampled_picture_is_under_way_is_drawn(page: Page) -> None:
    choose(page, "caverns")
    held: list[Route] = []
    first = page.locator(MAP).get_attribute("data-world") or ""
    page.route(
        "**/part/**sampled=true",
        lambda route: held.append(route) if first in route.request.url else route.continue_(),
    )
    page.locator(MAP).focus()
    for _ in range(4):
        page.keyboard.press("-")
    page.wait_for_function(
        "() => document.querySelector('canvas.world-map').dataset.drawn === 'false'"
    )
    page.wait_for_function("() => document.querySelector('.detail').textContent")
    page.get_by_role("button", name="cracks", exact=True).click()
    page.wait_for_function(
        "first => document.querySelector('canvas.world-map').dataset.world !== first", arg=first
    )
    assert held
    for route in held:
        route.continue_()
    ready(page)
    assert len(np.unique(pixels(page).reshape(-1, 3), axis=0)) > 1


def test_rules_change_into_each_other_over_a_world_without_an_edge(page: Page) -> None:
    choose(page, "coral")
    page.get_by_role("button", name="Zoom out").click()
    page.locator("summary:text-is('Morph')").click()
    page.locator("#world-other").select_option("scales")
    before = page.locator(MAP).get_attribute("data-world")
    page.locator("#world-field").select_option("linear")
    page.locator("#world-length").fill("120")
    with page.expect_request(
        lambda request: (
            request.url.endswith("/api/worlds")
            and sent(request).get("morph", {}).get("length") == 120
        )
    ):
        page.locator("#world-length").press("Enter")
    page.wait_for_function(
        "before => document.querySelector('canvas.world-map').dataset.world !== before", arg=before
    )
    ready(page)
    coral, scales = find_design("coral"), find_design("scales")
    world = World(Morph([coral.rule, scales.rule]), 1, coral.updates, field=Gradient(120, -60))
    drawn, expected = middle_cells(page, world, "cave", (0, 0))
    assert (drawn == expected).all()
    kept = pixels(page)
    page.wait_for_function("() => localStorage.getItem('levolve-world')?.includes('120')")
    page.reload()
    ready(page)
    assert (pixels(page) == kept).all()
    expect(page.locator("#world-field")).to_have_value("linear")
    page.locator("summary:text-is('Morph')").click()
    page.locator("#world-field").select_option("share")
    page.wait_for_function("() => !localStorage.getItem('levolve-world').includes('linear')")
    ready(page)
    assert (pixels(page) != kept).any()


def test_a_favourite_is_kept_over_a_reload(page: Page) -> None:
    choose(page, "caverns")
    go(page, 5000, -5000)
    ready(page)
    page.locator("summary:text-is('Favourites')").click()
    page.get_by_label("Name of the favourite").fill("my caves")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("button", name="my caves", exact=True)).to_be_visible()
    kept = pixels(page)
    page.get_by_role("button", name="lagoon").click()
    page.get_by_role("button", name="Back to the middle").click()
    page.reload()
    ready(page)
    page.locator("summary:text-is('Favourites')").click()
    page.get_by_role("button", name="my caves", exact=True).click()
    expect(page.locator(".place")).to_contain_text("x 5,000  y -5,000")
    expect(page.locator(".matrix input")).to_have_count(4)
    ready(page)
    assert (pixels(page) == kept).all()
    page.get_by_role("button", name="Remove my caves").click()
    expect(page.locator(".favourites")).to_contain_text("None yet")


def test_the_window_in_the_frame_is_downloaded(page: Page, tmp_path: Path) -> None:
    page.get_by_role("button", name="caverns").click()
    page.locator("summary:text-is('Download')").click()
    page.locator("#world-width").fill("30")
    page.locator("#world-height").fill("20")
    page.locator("#world-pixels").fill("1")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "window.png")
    design = find_design("caverns")
    expected = np.array(PALETTES["cave"], np.uint8)[
        World(design.rule, 1, design.updates).window(-15, -10, 30, 20)
    ]
    assert (np.asarray(Image.open(tmp_path / "window.png").convert("RGB")) == expected).all()
    page.locator("#world-format").select_option("tmx")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    download.value.save_as(tmp_path / "window.zip")
    assert any(
        name.endswith(".tmx") for name in zipfile.ZipFile(tmp_path / "window.zip").namelist()
    )


def test_a_rule_is_opened_from_a_file(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("scores = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]\nupdates = 3\n")
    page.locator("#world-file").set_input_files(path)
    expect(page.locator(".matrix input")).to_have_count(9)
    expect(page.locator(".slider output").first).to_have_text("3")
    path.write_text("scores = 7\n")
    page.locator("#world-file").set_input_files(path)
    expect(page.locator("#notice")).to_contain_text("scores")


def test_the_map_survives_a_server_that_forgot_the_world(page: Page) -> None:
    page.route(
        "**/tiles/**",
        lambda route: route.fulfill(
            status=404,
            content_type="application/json",
            body=json.dumps({"error": "there is no world"}),
        ),
        times=1,
    )
    with page.expect_request(
        lambda request: request.method == "POST" and request.url.endswith("/api/worlds")
    ):
        go(page, 70_000, 0)
    ready(page)
    assert len(np.unique(pixels(page).reshape(-1, 3), axis=0)) > 2


@pytest.mark.parametrize(
    ("name", "scheme"), [("laptop", "light"), ("desktop", "dark"), ("phone", "light")]
)
def test_nothing_is_cut_off(browser: Any, studio: Studio, name: str, scheme: str) -> None:
    width, height = SIZES[name]
    with opened(
        browser, studio, viewport=ViewportSize(width=width, height=height), color_scheme=scheme
    ) as page:
        page.goto(f"{studio.base}/#/world")
        check_layout(page)


def check_layout(page: Page) -> None:
    """Every control is inside the window and has a name."""
    ready(page)
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    for mode in ("World", "Start map"):
        page.get_by_role("button", name=mode, exact=True).click()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), mode
        outside = page.evaluate(
            """() => [...document.querySelectorAll('button, select, input, canvas, a')].filter(element => {
                const box = element.getBoundingClientRect();
                const scrolls = element.closest('.skip, .matrix, #tabs');
                return box.width && !scrolls && (box.left < -1 || box.right > innerWidth + 1);
            }).map(element => element.outerHTML)"""
        )
        assert outside == [], mode
    unnamed = page.evaluate(
        """() => [...document.querySelectorAll('.world button, .world select, .world input, .world canvas')].filter(element =>
            !element.getAttribute('aria-label') && !element.textContent.trim() && !element.labels?.length).map(element => element.outerHTML)"""
    )
    assert unnamed == []

"""The page of the studio in a real browser: one click starts a run, which can be watched, paused
and resumed.
"""

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from studio.pages import EMPTY
from studio.server import Studio

SIZES = {"laptop": (1280, 720), "desktop": (1920, 1080), "phone": (390, 844)}


COLOURS = """([selector, least]) => {
    const canvas = document.querySelector(selector);
    // The browser complains of a canvas that is read several times: a copy is read.
    const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
    pen.drawImage(canvas, 0, 0);
    const pixels = new Uint32Array(pen.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    return new Set(pixels).size > least;
}"""


def test_one_click_evolves_a_level(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.base}/#/")
    page.wait_for_selector(".sample canvas")
    page.wait_for_function(COLOURS, arg=[".sample canvas", 20])
    page.get_by_role("button", name="Evolve a labyrinth now").click()
    expect(page.locator("h1 .status")).to_have_text("done", timeout=90_000)
    expect(page.locator(".wall canvas")).to_have_count(24)
    page.wait_for_function(COLOURS, arg=[".board", 20])
    page.wait_for_function(COLOURS, arg=[".chart", 4])
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename.startswith("levolve-")


GOLDEN = """({x, y, width, height}) => {
    const canvas = document.querySelector('.board');
    const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {willReadFrequently: true});
    pen.drawImage(canvas, 0, 0);
    const [wide, high] = [canvas.width / width, canvas.height / height];
    const {data} = pen.getImageData(x * wide, y * high, wide, high);
    return Array.from({length: data.length / 4}, (_, pixel) => data.subarray(4 * pixel, 4 * pixel + 3))
        .some(([red, green, blue]) => red > 180 && green > 110 && blue < 90);
}"""


def test_things_and_a_solution_that_uses_levers_are_drawn(page: Page, studio: Studio) -> None:
    wish = {"recipe": "lever-works", "seed": 1, "settings": {"generations": 3}}
    run = studio.json("POST", "/api/runs", wish)["id"]
    level = studio.finished(run)["level"]
    assert "x" in level["solution"]
    where = {"width": level["width"], "height": level["height"]}
    x, y = level["lines"][0][2]
    assert (x, y) not in {(thing["x"], thing["y"]) for thing in level["things"]}
    treasure = next(thing for thing in level["things"] if thing["letter"] == "T")
    page.goto(f"{studio.base}/#/watch/{run}")
    page.wait_for_selector(".board")
    page.wait_for_function(GOLDEN, arg={"x": treasure["x"], "y": treasure["y"], **where})
    assert not page.evaluate(GOLDEN, {"x": x, "y": y, **where})
    page.get_by_label("solution", exact=True).check()
    page.wait_for_function(GOLDEN, arg={"x": x, "y": y, **where})


def test_a_run_is_paused_and_resumed_on_its_page(page: Page, studio: Studio) -> None:
    run = studio.json(
        "POST",
        "/api/runs",
        {"recipe": "maze", "seed": 3, "settings": {"size": "20x20", "generations": 100_000}},
    )["id"]
    page.goto(f"{studio.base}/#/watch/{run}")
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("h1 .status")).to_have_text("paused")
    generation = page.locator(".figures dt:text-is('generation') + dd")
    before = generation.inner_text()
    page.wait_for_timeout(300)
    assert generation.inner_text() == before
    page.get_by_role("button", name="Resume").click()
    expect(page.locator("h1 .status")).to_have_text("running")
    expect(generation).not_to_have_text(before)
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("h1 .status")).to_have_text("stopped")
    page.reload()
    expect(page.locator("h1 .status")).to_have_text("stopped")
    expect(page.get_by_role("button", name="Resume")).to_be_visible()


def test_the_form_has_every_setting_with_its_sentence(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.base}/#/watch")
    page.get_by_label("recipe", exact=True).select_option("maze")
    # The form of the other recipe has come.
    expect(page.get_by_label("size")).to_have_value("20x20")
    page.locator("details[data-title=strategy] summary").click()
    page.get_by_label("population").fill("31")
    page.locator("details[data-title=objective] summary").click()
    page.locator("#setting-size").evaluate("field => { field.dataset.old = true; }")
    page.locator("[id='setting-objective.kind']").select_option("reconvergence")
    # The form of the other objective has come; what is typed into a field that it replaces is lost.
    expect(page.locator("#setting-size[data-old]")).to_have_count(0)
    expect(page.locator("[id='setting-strategy.population']")).to_have_value("31")
    page.get_by_label("size").fill("9x9")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("h1 .status")).to_have_text("done", timeout=90_000)
    recipe = studio.json("GET", f"/api/runs/{page.url.rsplit('/', 1)[1]}")["recipe"]
    assert (recipe["size"], recipe["strategy"]["population"], recipe["objective"]["kind"]) == (
        "9x9",
        31,
        "reconvergence",
    )


def test_a_wrong_setting_is_a_sentence_on_the_page(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.base}/#/watch")
    page.get_by_label("size").fill("1x1")
    with page.expect_response("**/api/runs"):
        page.get_by_role("button", name="Start").click()
    expect(page.locator("#notice")).to_contain_text("size")


def test_the_line_of_the_best_leads_from_a_random_level_to_it(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.base}/#/watch")
    page.get_by_label("recipe", exact=True).select_option("maze")
    page.get_by_label("seed", exact=True).first.fill("18446744073709551615")
    page.get_by_label("size").fill("12x12")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("h1 .status")).to_have_text("done", timeout=90_000)
    expect(page.locator(".figures dt:text-is('seed') + dd")).to_have_text("18446744073709551615")
    line = page.get_by_label("From the first ancestor to the best level").get_by_role("listitem")
    expect(line.first).to_contain_text("drawn at random")
    expect(line.last).to_contain_text("mutation")
    texts = line.all_inner_texts()
    page.reload()
    expect(line.first).to_be_visible()
    assert line.all_inner_texts() == texts
    best = page.locator(".figures dt:text-is('best') + dd").inner_text()
    expect(line.last).to_contain_text(f"score {best}")


def test_a_seed_that_is_no_number_is_a_sentence_on_the_page(page: Page, studio: Studio) -> None:
    page.goto(f"{studio.base}/#/watch")
    page.get_by_label("seed", exact=True).first.fill("7e3")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#notice")).to_contain_text("Seed: expected a whole number")


@pytest.mark.parametrize(
    ("name", "scheme"), [("laptop", "light"), ("desktop", "dark"), ("phone", "light")]
)
def test_nothing_is_cut_off(browser: Any, studio: Studio, name: str, scheme: str) -> None:
    run = studio.json(
        "POST",
        "/api/runs",
        {"recipe": "castle", "seed": 3, "settings": {"size": "60x40", "generations": 3}},
    )["id"]
    studio.finished(run)
    width, height = SIZES[name]
    context = browser.new_context(
        viewport=ViewportSize(width=width, height=height), color_scheme=scheme
    )
    page = context.new_page()
    page.goto(f"{studio.address}{EMPTY}")
    for address, awaited in (
        (f"#/watch/{run}", ".figures dd"),
        ("#/watch", ".settings"),
        ("#/", ".recipes li"),
    ):
        page.goto(f"{studio.base}/{address}")
        page.wait_for_selector(awaited)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        outside = page.evaluate(
            """() => [...document.querySelectorAll('button, select, input, canvas, a')].filter(element => {
                const box = element.getBoundingClientRect();
                return box.width && !element.closest('.skip, .line') && (box.left < -1 || box.right > innerWidth + 1);
            }).map(element => element.outerHTML)"""
        )
        assert outside == [], address
    context.close()


def test_the_page_of_the_api_lists_every_operation(page: Page, studio: Studio) -> None:
    page.get_by_role("link", name="The HTTP API").click()
    expect(page.locator(".operation").first).to_be_visible()
    paths = studio.json("GET", "/api/openapi.json")["paths"]
    assert page.locator(".operation").count() == sum(len(methods) for methods in paths.values())
    page.locator(".operation", has_text="POST /api/runs").first.locator("summary").click()
    expect(
        page.locator(".operation", has_text="POST /api/runs").first.locator("pre")
    ).to_contain_text("recipe")

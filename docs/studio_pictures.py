"""Take the pictures of the studio for the documentation, with a real browser, into `docs/_static`.
Run it with `make pictures`.
"""

import os
import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from levolve.formats.pictures.png import picture_bytes
from levolve.formats.writing import write_file

STATIC = Path(__file__).parent / "_static"
SECONDS = 300
WORLD = "canvas.world-map[data-ready=true]"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def save(page: Page, name: str) -> None:
    """Write what the page shows."""
    write(page.screenshot(), name)


def save_part(page: Page, selector: str, name: str) -> None:
    """Write what a part of the page shows."""
    write(page.locator(selector).screenshot(), name)


def write(content: bytes, name: str) -> None:
    """Write a picture with few colours."""
    picture = Image.open(BytesIO(content)).convert("RGB")
    write_file(
        STATIC / name,
        picture_bytes(picture.quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)),
    )


def take(page: Page, address: str) -> None:
    """Start a run, a session and a world, and take a picture of each."""
    base = address.partition("?")[0]
    page.goto(address)
    page.get_by_role("button", name="Evolve castle").click()
    page.locator("h1 .status", has_text="done").wait_for(timeout=SECONDS * 1000)
    page.get_by_label("solution").check()
    page.wait_for_timeout(1000)
    save(page, "studio.png")
    page.locator(".ancestors").scroll_into_view_if_needed()
    page.wait_for_timeout(500)
    save_part(page, ".ancestors", "studio-ancestors.png")
    page.goto(f"{base}#/illuminate")
    page.get_by_label("cells per axis").fill("40")
    page.get_by_label("seed").fill("1")
    page.get_by_role("button", name="Start").click()
    page.locator("h1 .status", has_text="done").wait_for(timeout=SECONDS * 1000)
    page.wait_for_timeout(1000)
    save(page, "studio-illuminate.png")
    page.goto(f"{base}#/")
    page.get_by_role("button", name="Breed labyrinth").click()
    page.locator(".sheet canvas").nth(11).wait_for()
    for place in (1, 4):
        page.get_by_role("button", name="like").nth(place).click()
    page.get_by_role("button", name="Next generation").click()
    page.wait_for_timeout(1500)
    save(page, "studio-breed.png")
    for name in ("labyrinth", "grotto", "garden", "crypt", "island"):
        page.goto(f"{base}#/")
        page.get_by_role("button", name=f"Evolve {name}", exact=True).click()
        page.locator("h1 .status", has_text="done").wait_for(timeout=SECONDS * 1000)
    page.goto(f"{base}#/shelf")
    page.locator(".shelf canvas").first.wait_for()
    page.wait_for_timeout(1000)
    save(page, "studio-shelf.png")
    page.goto(f"{base}#/world")
    page.wait_for_selector(WORLD, timeout=SECONDS * 1000)
    page.wait_for_timeout(500)
    save(page, "studio-world.png")
    page.get_by_role("button", name="coral").click()
    for part in ("Rules", "Scores", "Start and updates", "Morph"):
        page.locator(f"summary:text-is('{part}')").click()
    page.locator("#world-other").select_option("scales")
    page.locator("#world-field").select_option("noise")
    page.locator("#world-length").fill("150")
    page.locator("#world-length").press("Enter")
    page.wait_for_timeout(1000)
    page.wait_for_selector(WORLD, timeout=SECONDS * 1000)
    save(page, "studio-morph.png")


def main() -> None:
    """Run a studio with an empty store, and take the pictures."""
    program = next(filter(None, map(shutil.which, BROWSERS)))
    with TemporaryDirectory() as folder:
        environment = {**os.environ, "LEVOLVE_STORE": str(Path(folder) / "runs.sqlite")}
        with subprocess.Popen(
            [sys.executable, "-m", "levolve", "studio"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        ) as studio:
            try:
                address = "" if studio.stdout is None else studio.stdout.readline().strip()
                with sync_playwright() as playwright:
                    browser = playwright.chromium.launch(
                        executable_path=program, args=["--no-sandbox"]
                    )
                    take(browser.new_page(viewport={"width": 1280, "height": 760}), address)
                    browser.close()
            finally:
                studio.terminate()


if __name__ == "__main__":
    main()

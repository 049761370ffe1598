"""The World room of the studio at 1280x720: how long a changed score matrix takes until the whole visible part is drawn, in a real browser.

Needs a browser, as the tests do (`make browser`). Each shipped rule is changed several times, at the scale of the first screen and at others.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

RULES = ("caverns", "coral", "cracks", "lagoon", "scales", "source", "spirals")
NAMES = ("chromium", "chromium-browser", "google-chrome")
CHANGES = 7
# Pixels per cell, by the steps from the first screen.
SCALES = {"2 px per cell": 0, "1 px per cell": -1, "2 cells per px": -2}
CHANGE = """async value => {
    const canvas = document.querySelector('canvas.world-map');
    const before = canvas.dataset.world;
    const input = document.querySelector('.matrix input');
    const began = performance.now();
    input.value = value;
    input.dispatchEvent(new Event('change'));
    while (canvas.dataset.world === before || canvas.dataset.ready !== 'true') await new Promise(done => setTimeout(done, 1));
    return performance.now() - began;
}"""


def changes(page: Page, rule: str) -> list[float]:
    """Return the milliseconds of some changes of a score of a rule."""
    page.get_by_role("button", name=rule, exact=True).click()
    page.wait_for_timeout(300)
    page.wait_for_selector("canvas.world-map[data-ready=true]", timeout=60_000)
    first = float(page.locator(".matrix input").first.input_value())
    return [float(page.evaluate(CHANGE, str(first + number / 100))) for number in range(1, CHANGES + 1)]


def measure(page: Page) -> None:
    """Print the median and the longest time of the rules at each scale."""
    for scale, steps in SCALES.items():
        page.get_by_role("button", name="Back to the middle").click()
        for _ in range(-steps):
            page.get_by_role("button", name="Zoom out").click()
        for rule in RULES:
            times = changes(page, rule)
            print(f"  {scale:<15} {rule:<8} median {median(times):5.0f} ms, longest {max(times):5.0f} ms", flush=True)


def main() -> None:
    """Start a studio and a browser, and measure."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LEVOLVE_STORE": str(Path(folder) / "runs.sqlite")}
        command = [sys.executable, "-m", "levolve", "studio", "--quiet"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:  # noqa: S603 our own command
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
                page = browser.new_page(viewport={"width": 1280, "height": 720})
                page.goto(address)
                page.goto(f"{address.split('/?', maxsplit=1)[0]}/#/world")
                page.wait_for_selector("canvas.world-map[data-ready=true]", timeout=60_000)
                size = page.evaluate("(({width, height}) => `${width}x${height}`)(document.querySelector('canvas.world-map'))")
                print(f"a changed matrix until the visible part, {size} pixels, is drawn ({os.cpu_count()} cores):")
                measure(page)
                browser.close()
            process.terminate()


if __name__ == "__main__":
    main()

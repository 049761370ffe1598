"""The World room of the studio at 1280x720: how long a changed score matrix takes until the whole
visible part is drawn, in a real browser.

Needs a browser, as the tests do (`make browser`). Each shipped rule is changed several times, at
the scale of the first screen and at others. What takes long is drawn as a sampled picture first:
times are until the whole part is drawn, and until it is exact, where it is exact at all. Before
that, the processor time of the pictures alone, without a browser. `python studio_world.py pictures`
measures only this.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from levolve.worlds import find_design
from levolve.worlds.views import WorldView

RULES = ("caverns", "coral", "cracks", "lagoon", "scales", "source", "spirals")
NAMES = ("chromium", "chromium-browser", "google-chrome")
# Farther out than `FAR` steps an exact picture takes seconds, so that fewer changes are measured.
CHANGES, FEW, FAR = 7, 2, -4
# Pixels per cell, by the steps from the first screen.
SCALES = {
    "2 px per cell": 0,
    "1 px per cell": -1,
    "2 cells per px": -2,
    "4 cells per px": -3,
    "16 cells per px": -5,
    "256 cells per px": -9,
}
# What a page of 1280x720 shows of the map.
PART = (850, 600)
LONGEST = 20_000
CHANGE = """async ([value, longest]) => {
    const canvas = document.querySelector('canvas.world-map');
    const before = canvas.dataset.world;
    const input = document.querySelector('.matrix input');
    const began = performance.now();
    input.value = value;
    input.dispatchEvent(new Event('change'));
    const until = async name => {
        while ((canvas.dataset.world === before || canvas.dataset[name] !== 'true') && performance.now() - began < longest) {
            await new Promise(done => setTimeout(done, 1));
        }
        return performance.now() - began;
    };
    return [await until('drawn'), await until('ready')];
}"""  # noqa: E501 text in another language


def pictures() -> None:
    """Print the processor time of the visible part by rule and zoom, exact and sampled."""
    print(
        f"processor time of a picture of {PART[0]}x{PART[1]} pixels, milliseconds, best of "
        "three: exact / sampled"
    )
    for rule in RULES:
        view = WorldView(find_design(rule), 1)
        line = []
        for zoom in (0, -1, -2, -3, -4, -8):
            times = []
            for sampled in (False, True):
                if not sampled and zoom < max(view.exact_zoom, -3):
                    continue
                best = min(
                    processor_seconds(view, zoom, turn, sampled=sampled) for turn in range(3)
                )
                times.append(f"{1000 * best:.0f}")
            line.append(
                f"1:{1 << -zoom} {' / '.join(times) if len(times) > 1 else '- / ' + times[0]}"
            )
        print(
            (
                f"  {rule:<8} {'   '.join(line)}   (exact at once to 1:{1 << -view.quick_zoom}, "
                f"exact to 1:{1 << -view.exact_zoom})"
            ),
            flush=True,
        )


def processor_seconds(view: WorldView, zoom: int, turn: int, *, sampled: bool) -> float:
    """Return the processor time of one picture; each turn has other cells."""
    began = time.process_time()
    view.picture(zoom, 1000 * turn, 0, *PART, sampled=sampled)
    return time.process_time() - began


def changes(page: Page, rule: str, count: int) -> list[tuple[float, float]]:
    """Return the milliseconds of some changes of a score of a rule, until all is drawn and until
    all is exact.
    """
    page.get_by_role("button", name=rule, exact=True).click()
    page.wait_for_timeout(300)
    page.wait_for_selector("canvas.world-map[data-ready=true]", timeout=60_000)
    first = float(page.locator(".matrix input").first.input_value())
    found = [
        page.evaluate(CHANGE, [str(first + number / 100), LONGEST])
        for number in range(1, count + 1)
    ]
    return [(float(drawn), float(exact)) for drawn, exact in found]


def measure(page: Page) -> None:
    """Print the median and the longest time of the rules at each scale."""
    for scale, steps in SCALES.items():
        page.get_by_role("button", name="Back to the middle").click()
        for _ in range(-steps):
            page.get_by_role("button", name="Zoom out").click()
        for rule in RULES:
            times = changes(page, rule, CHANGES if steps > FAR else FEW)
            drawn, exact = ([pair[part] for pair in times] for part in (0, 1))
            print(
                (
                    f"  {scale:<16} {rule:<8} drawn: median {median(drawn):5.0f} ms, longest "
                    f"{max(drawn):5.0f} ms; final: median {median(exact):5.0f} ms"
                ),
                flush=True,
            )


def main() -> None:
    """Measure pictures; then start a studio and a browser, and measure changes."""
    pictures()
    if sys.argv[1:] == ["pictures"]:
        return
    program = next(filter(None, map(shutil.which, NAMES)), None)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LEVOLVE_STORE": str(Path(folder) / "runs.sqlite")}
        command = [sys.executable, "-m", "levolve", "studio", "--quiet"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment
        ) as process:
            try:
                measure_changes(
                    program, "" if process.stdout is None else process.stdout.readline().strip()
                )
            finally:
                process.terminate()


def measure_changes(program: str | None, address: str) -> None:
    """Open the room in a browser, and measure changes."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(address)
        page.goto(f"{address.split('/?', maxsplit=1)[0]}/#/world")
        page.wait_for_selector("canvas.world-map[data-ready=true]", timeout=60_000)
        size = page.evaluate(
            "(({width, height}) => "
            "`${width}x${height}`)(document.querySelector('canvas.world-map'))"
        )
        print(
            f"a changed matrix until the visible part, {size} pixels, is drawn "
            f"({os.cpu_count()} cores):"
        )
        measure(page)
        browser.close()


if __name__ == "__main__":
    main()

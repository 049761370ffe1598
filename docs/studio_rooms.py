"""Take a picture of every room of the studio at three sizes, light and dark, into a folder, to look
at them: `python docs/studio_rooms.py FOLDER`.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"laptop": (1280, 720), "desktop": (1920, 1080), "phone": (390, 844)}
SECONDS = 400
# The address of each room, and what it contains when it is complete.
ROOMS = {
    "start": ("", ".recipes li"),
    "api": ("api", "main h1"),
    "watch": ("watch", ".settings"),
    "run": ("watch/{level}", ".line li"),
    "solver": ("watch/{solver}", ".attempt[src]"),
    "side": ("watch/side/{level},{solver}", ".attempt[src]"),
    "illuminate": ("illuminate", "#axis-0"),
    "map": ("illuminate/{map}", ".elite canvas"),
    "breed": ("breed", "button"),
    "session": ("breed/{session}", ".sheet canvas"),
    "play": ("play", ".recipes li"),
    "level": ("play/run-{level}-0", "iframe"),
    "shelf": ("shelf", ".shelf li"),
    "maps": ("shelf/maps", ".shelf li"),
    "maplevels": ("shelf/of-{map}", ".shelf li"),
    "comparison": ("shelf/run-{level}-0/run-{other}-0", ".measures td"),
    "world": ("world", "canvas.world-map[data-ready=true]"),
}


def request(address: str, path: str, body: object) -> int:
    """Start a run or a session, and return its number."""
    base, _, token = address.partition("/?token=")
    headers = {"X-Levolve-Token": token, "Content-Type": "application/json"}
    asked = urllib.request.Request(base + path, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
        data: dict[str, Any] = json.load(answer)
        return int(data["id"])


def prepare(address: str, page: Page) -> dict[str, int]:
    """Start something for every room, and wait until it is done."""
    numbers = {
        "level": request(address, "/api/runs", {"recipe": "labyrinth", "seed": 3}),
        "other": request(address, "/api/runs", {"recipe": "castle", "seed": 4}),
        "solver": request(
            address,
            "/api/runs",
            {"solve": {"puzzle": "sliding", "position": "8672543_1"}, "seed": 5},
        ),
        "map": request(
            address,
            "/api/runs",
            {"recipe": "maze", "seed": 6, "illuminate": {"evaluations": 60_000}},
        ),
        "session": request(address, "/api/sessions", {"recipe": "garden", "seed": 7}),
    }
    for name in ("level", "other", "solver", "map"):
        page.goto(f"{address.partition('?')[0]}#/watch/{numbers[name]}")
        page.locator("h1 .status", has_text="done").wait_for(timeout=SECONDS * 1000)
    return numbers


def take(
    browser: Browser, address: str, numbers: dict[str, int], folder: Path, rooms: list[str]
) -> None:
    """Take the pictures of rooms."""
    for size, (width, height) in SIZES.items():
        for scheme in ("light", "dark"):
            page = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page.goto(address)
            for room in rooms:
                place, awaited = ROOMS[room]
                page.goto(f"{address.partition('?')[0]}#/{place.format(**numbers)}")
                page.wait_for_selector(awaited, timeout=SECONDS * 1000)
                page.wait_for_load_state("networkidle", timeout=SECONDS * 1000)
                page.wait_for_timeout(600)
                page.screenshot(
                    path=folder / f"{room}-{size}-{scheme}.png", full_page=size == "phone"
                )
            page.close()


def main(folder: Path, rooms: list[str]) -> None:
    """Run a studio with an empty store, and take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    program = next(filter(None, map(shutil.which, BROWSERS)))
    with TemporaryDirectory() as place:
        environment = {**os.environ, "LEVOLVE_STORE": str(Path(place) / "runs.sqlite")}
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
                    page = browser.new_page()
                    page.goto(address)
                    numbers = prepare(address, page)
                    page.close()
                    take(browser, address, numbers, folder, rooms)
                    browser.close()
            finally:
                studio.terminate()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(ROOMS))

"""No room of the studio has a serious problem of accessibility, as axe-core finds them, in light
and dark, on a laptop and on a phone.
"""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from studio.pages import opened
from studio.server import Studio

SECONDS = 60
# The address of each room, and what it contains when it is complete.
ROOMS = {
    "start": ("", ".recipes li"),
    "watch": ("watch", ".settings"),
    "run": ("watch/{level}", ".figures dd"),
    "solver": ("watch/{solver}", ".attempt[src]"),
    "side by side": ("watch/side/{level},{solver}", ".attempt[src]"),
    "illuminate": ("illuminate", "#axis-0"),
    "map": ("illuminate/{map}", ".elite canvas"),
    "breed": ("breed", "button"),
    "session": ("breed/{session}", "canvas"),
    "play": ("play", ".recipes li"),
    "level": ("play/run-{level}-0", "iframe"),
    "shelf": ("shelf", ".shelf li"),
    "maps": ("shelf/maps", ".shelf li"),
    "levels of a map": ("shelf/of-{map}", ".shelf li"),
    "comparison": ("shelf/run-{level}-0/run-{other}-0", ".measures td"),
    "world": ("world", "canvas"),
}
# Some rooms ask for news every two seconds, so that the network need not be idle at any time.
COMPLETE = (
    "[...document.images].every((image) => image.complete || image.loading === 'lazy') && "
    "!document.querySelector('[aria-busy=true]')"
)


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The script axe-core, downloaded once with npm."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed; it downloads axe-core")
    folder: Path = tmp_path_factory.mktemp("axe")
    command = [
        npm,
        "install",
        "--prefix",
        str(folder),
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "axe-core@4",
    ]
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS, cwd=folder)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as problem:
        pytest.skip(f"npm could not download axe-core: {problem}")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def numbers(studio: Studio) -> dict[str, int]:
    """Runs and a session to look at."""
    maze = {"recipe": "maze", "settings": {"size": "9x9", "generations": 5}}
    started = {
        "level": {**maze, "seed": 1},
        "other": {**maze, "seed": 2},
        "solver": {"solve": {"puzzle": "sliding", "position": "8672543_1"}, "seed": 5},
        "map": {
            "recipe": "maze",
            "seed": 1,
            "settings": {"size": "8x8"},
            "illuminate": {"grid": 8, "evaluations": 600},
        },
    }
    found: dict[str, int] = {
        name: studio.json("POST", "/api/runs", body)["id"] for name, body in started.items()
    }
    for run in found.values():
        studio.finished(run)
    found["session"] = studio.json(
        "POST",
        "/api/sessions",
        {"recipe": "maze", "seed": 1, "sheet": 4, "settings": {"size": "8x8"}},
    )["id"]
    return found


@pytest.mark.parametrize(("scheme", "size"), [("light", (1280, 720)), ("dark", (390, 844))])
def test_no_room_has_a_serious_problem(
    browser: Any,
    studio: Studio,
    axe: str,
    numbers: dict[str, int],
    scheme: str,
    size: tuple[int, int],
) -> None:
    viewport = dict(zip(("width", "height"), size, strict=True))
    problems: dict[str, list[str]] = {}
    # The policy of the studio refuses foreign scripts, so axe-core needs a page without it.
    with opened(browser, studio, color_scheme=scheme, viewport=viewport, bypass_csp=True) as page:
        for room, (address, awaited) in ROOMS.items():
            page.goto(f"{studio.base}/#/{address.format(**numbers)}")
            page.wait_for_selector(awaited)
            page.wait_for_function(COMPLETE)
            for frame in page.frames:
                frame.wait_for_load_state()
                frame.evaluate(axe)
                found = frame.evaluate(
                    "axe.run(document, {resultTypes: ['violations'], iframes: false})"
                )
                serious = [
                    f"{violation['id']}: {node['html'][:160]} {node['failureSummary']}"
                    for violation in found["violations"]
                    if violation["impact"] in {"serious", "critical"}
                    for node in violation["nodes"]
                ]
                if serious:
                    problems.setdefault(room, []).extend(serious)
    assert problems == {}

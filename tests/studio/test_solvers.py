"""Solvers of puzzles are runs of the studio: their best attempt is shown as a picture, and they end
as those of the library.
"""

import base64
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import levolve
from levolve.puzzles import PUZZLES
from studio.server import Studio, running_studio

SLIDING = {"puzzle": "sliding", "position": "8672543_1"}
# More generations than a test waits for: a board that the source's scheme does not solve soon.
LONG = {
    "puzzle": "sliding",
    "position": "15,14,8,12,10,11,13,9,2,6,5,1,3,7,4,_",
    "scheme": "source",
    "generations": 10_000_000,
}


def picture_of(attempt: dict[str, Any]) -> bytes:
    """Return the pixels of the picture of an attempt."""
    content = base64.b64decode(
        attempt["picture"].removeprefix("data:image/png;base64,"), validate=True
    )
    with Image.open(io.BytesIO(content)) as image:
        assert image.size == (attempt["width"], attempt["height"])
        pixels: bytes = image.convert("RGB").tobytes()
        return pixels


@pytest.mark.parametrize(
    ("puzzle", "position", "method"),
    [
        ("sliding", "8672543_1", "genetic"),
        ("sliding", "8672543_1", "exact"),
        ("flag", "20", "genetic"),
    ],
)
def test_a_solver_ends_with_the_moves_of_the_library(
    studio: Studio, puzzle: str, position: str, method: str
) -> None:
    expected = levolve.solve(puzzle, position, method=method, seed=5)
    assert expected.moves is not None
    run = studio.json(
        "POST",
        "/api/runs",
        {"solve": {"puzzle": puzzle, "position": position, "method": method}, "seed": 5},
    )["id"]
    messages = list(studio.events(f"/api/runs/{run}/events"))
    attempt = [data for name, data in messages if name == "attempt"][-1]
    assert (attempt["solved"], attempt["moves"]) == (True, expected.moves)
    read = PUZZLES[puzzle].parse(position)
    assert (
        picture_of(attempt) == PUZZLES[puzzle].draw(read, expected.moves).convert("RGB").tobytes()
    )
    found = studio.json("GET", f"/api/runs/{run}")
    assert (found["kind"], found["status"], found["attempt"]) == ("solve", "done", attempt)
    assert studio.request("GET", f"/api/play?levels=run-{run}-0")[0] == 200
    for step in (0, len(expected.moves) // 2, 10**9):
        status, content, _ = studio.request("GET", f"/api/runs/{run}/board?step={step}")
        with Image.open(io.BytesIO(content)) as image:
            assert (status, image.convert("RGB").tobytes()) == (
                200,
                PUZZLES[puzzle].draw(read, expected.moves[:step]).convert("RGB").tobytes(),
            )
    assert (
        studio.request(
            "POST",
            "/api/packs",
            {"name": "solved", "levels": [f"run-{run}-0"], "formats": ["json"]},
        )[0]
        == 200
    )
    assert read.digest in [entry["digest"] for entry in studio.json("GET", "/api/shelf")["levels"]]


def test_the_best_attempt_of_a_stopped_solver_is_shown(studio: Studio) -> None:
    run = studio.json("POST", "/api/runs", {"solve": LONG, "seed": 1})["id"]
    for name, data in studio.events(f"/api/runs/{run}/events"):
        if name == "attempt":
            assert (data["solved"], data["moves"] != "") == (False, True)
            break
    studio.json("POST", f"/api/runs/{run}/pause")
    studio.json("POST", f"/api/runs/{run}/stop")
    found = studio.finished(run)
    assert found["status"] == "stopped"
    read = PUZZLES["sliding"].parse(LONG["position"])  # type: ignore[arg-type]
    assert (
        picture_of(found["attempt"])
        == PUZZLES["sliding"].draw(read, found["attempt"]["moves"]).convert("RGB").tobytes()
    )
    assert found["attempt"]["moves"]


def test_a_solver_of_the_command_line_shows_its_board(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    expected = levolve.solve("sliding", "8672543_1", seed=5)
    command = [
        sys.executable,
        "-m",
        "levolve",
        "solve",
        "sliding",
        "8672543_1",
        "--seed",
        "5",
        "--quiet",
        "--store",
        str(store),
    ]
    subprocess.run(command, check=True, capture_output=True)
    with running_studio(store) as studio:
        [listed] = studio.json("GET", "/api/runs")
        attempt = studio.json("GET", f"/api/runs/{listed['id']}")["attempt"]
    assert (listed["kind"], attempt["solved"], attempt["moves"]) == ("solve", True, expected.moves)


def test_no_position_is_read_from_a_file(studio: Studio, tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    levolve.save(PUZZLES["sliding"].parse("8672543_1"), path)
    for puzzle in PUZZLES:
        status, content, _ = studio.request(
            "POST", "/api/runs", {"solve": {"puzzle": puzzle, "position": str(path)}}
        )
        assert (status, "expected" in json.loads(content)["error"]) == (400, True), content


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"solve": {**SLIDING, "puzzle": "slidng"}}, 404, "did you mean 'sliding'"),
        ({"solve": {**SLIDING, "position": "8672543"}}, 400, "size"),
        ({"solve": {**SLIDING, "position": "12345687_"}}, 409, "solv"),
        ({"solve": {"puzzle": "flag", "position": "99"}}, 400, "from 1 to 30"),
        ({"solve": {**SLIDING, "method": "luck"}}, 422, "method"),
        ({"solve": {**SLIDING, "scheme": "guided"}}, 404, "enhanced"),
        ({"solve": {**SLIDING, "method": "exact", "generations": 5}}, 400, "generations"),
        ({"solve": {**SLIDING, "position": "\ud800"}}, 422, "position"),
        ({"solve": SLIDING, "recipe": "maze"}, 422, "either"),
        ({"solve": SLIDING, "settings": {"size": "9x9"}}, 422, "settings"),
    ],
)
def test_a_wrong_request_is_explained_in_a_sentence(
    studio: Studio, body: dict[str, Any], status: int, word: str
) -> None:
    found, content, _ = studio.request("POST", "/api/runs", body)
    assert (found, word in json.loads(content)["error"]) == (status, True), content

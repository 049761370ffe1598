"""Drawings in a frame, as the first author of dungeons made them: `X` walls, blanks floor, A, B and
C.
"""

from pathlib import Path

import pytest

import levolve
from levolve.core.errors import InputError
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure

# A to B: 4 steps, B to C: 2, C back to A: 6.
DRAWING = """
    +----+
    |A X |
    |   B|
    |X   |
    |  XC|
    +----+
"""


def test_a_drawing_in_a_frame_is_the_same_level_as_its_text() -> None:
    level = Level.from_text(DRAWING)
    assert level == Level.from_text("A.#.\n...B\n#...\n..#C")
    assert level == Level.from_text("\n".join(line.strip() for line in DRAWING.splitlines()))
    assert measure(level)["tour_steps"][0] == 4 + 2 + 6


def test_chunks_drawn_in_a_frame_need_no_places() -> None:
    assert Level.from_text("+----+\n|XX  |\n|  XX|\n+----+").to_text() == "##..\n..##"


def test_a_drawing_in_a_file_comes_with_its_solution(tmp_path: Path) -> None:
    path = tmp_path / "drawing.txt"
    path.write_text(DRAWING)
    level = levolve.load(path)
    level.check()
    assert len(level.solution or "") == 4 + 2
    path.write_text(f"{DRAWING}\ngoal: none\n")
    assert levolve.load(path).goal.name == "none"


@pytest.mark.parametrize(
    ("drawing", "problem"),
    [
        (
            "+--+\n|A |\n|  |",
            r"line 3: expected the frame to end with '\+--\+' as it begins, got '\|  \|'",
        ),
        ("+--+\n+--+", "expected the frame to end"),
        (
            "+--+\n|A |\n|   |\n+--+",
            r"line 3: expected 2 cells between two \|, as wide as the frame, got '\|   \|'",
        ),
        ("+--+\n|A |\n   |\n+--+", r"line 3: expected 2 cells between two \|"),
        ("+--+\n|A |\n| Y|\n+--+", "line 3, column 2: expected one of"),
        ("+--+\n|A |\n|A |\n+--+", "line 3: expected one A, got a second"),
        ("+--+\n|A |\ngoal: none\n| B|\n+--+", "line 3: expected cells, got 'goal: none'"),
        ("+--+\n|A |\n| B|\ngoal: none\n+--+", "line 4: expected cells, got 'goal: none'"),
    ],
)
def test_a_broken_frame_is_refused_with_its_line(drawing: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        Level.from_text(drawing)

"""XSB: a frame of walls is taken off only where it is whole."""

import pytest

from levolve.formats import FORMATS

WHOLE = ["#####", "#@--#", "#--.#", "#####"]


def opened(x: int, y: int) -> list[str]:
    """The level with a gap in its frame."""
    return [
        row[:x] + "-" + row[x + 1 :] if number == y else row for number, row in enumerate(WHOLE)
    ]


def size(rows: list[str]) -> tuple[int, int]:
    level = FORMATS["xsb"].decode("\n".join(rows).encode())
    height, width = level.tiles.shape
    return width, height


@pytest.mark.parametrize(
    ("x", "y"),
    [(2, 0), (2, 3), (0, 1), (4, 1), (0, 0), (4, 3)],
    ids=["top", "bottom", "left", "right", "top left", "bottom right"],
)
def test_a_frame_with_a_gap_on_any_side_belongs_to_the_level(x: int, y: int) -> None:
    assert size(opened(x, y)) == (5, 4)
    level = FORMATS["xsb"].decode("\n".join(opened(x, y)).encode())
    assert level.places == {"entrance": (1, 1), "exit": (3, 2)}
    assert level.tiles[y, x] == 0


def test_a_whole_frame_is_taken_off() -> None:
    assert size(WHOLE) == (3, 2)

"""The curve on the terminal: its size, its scale, and where its dots are."""

import re

from hypothesis import given
from hypothesis import strategies as st

from levolve.formats.pictures.terminal import LABEL, terminal_curve

SCORES = st.floats(-1e6, 1e6)


def plain(picture: str) -> list[str]:
    return re.sub(r"\x1b\[[0-9;]*m", "", picture).split("\n")


@given(
    st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=60),
    st.integers(40, 100),
    st.integers(3, 20),
)
def test_a_curve_has_the_requested_size(
    scores: list[tuple[float, float]], width: int, height: int
) -> None:
    lines = plain(
        terminal_curve([(index, *pair) for index, pair in enumerate(scores)], width, height)
    )
    assert len(lines) == height
    assert max(map(len, lines)) <= width


def test_a_rising_curve_goes_from_the_lower_left_to_the_upper_right() -> None:
    lines = plain(
        terminal_curve([(index, float(index), float(index) / 2) for index in range(100)], 60, 8)
    )
    assert lines[0].strip().startswith("99")
    assert lines[-2].strip().startswith("0")
    drawn = [line[LABEL + 1 :] for line in lines[:-1]]
    assert drawn[0].rstrip()[-1] != " "
    assert drawn[0][:20].strip() == ""
    assert drawn[-1][0] != " "
    assert drawn[-1][-10:].strip() == ""
    assert lines[-1].endswith("generation 99")


def test_scores_without_a_number_are_left_out() -> None:
    endless = float("-inf")
    lines = plain(terminal_curve([(0, endless, endless), (1, 3.0, endless), (2, 4.0, 2.0)], 40, 5))
    assert "inf" not in "".join(lines)

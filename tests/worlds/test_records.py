"""Records of the source are read and written in full, and errors name the line."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.worlds.records import Record, Role, read_records, write_records
from levolve.worlds.rule import Rule
from levolve.worlds.starts import VON_NEUMANN

LINE = "sMs[0.0, 0.5, 0.2, 0.6]g6n2w2l3neighbours[(0, 1), (0, -1), (-1, 0), (1, 0)]"


def test_a_record_is_read_column_by_column() -> None:
    (record,) = read_records(f"011000\n{LINE}\n")
    assert record.rule == Rule([[0, 0.5], [0.2, 0.6]], VON_NEUMANN, arithmetic="float"), (
        "the source adds floats"
    )
    assert (record.updates, record.size) == (6, (3, 2))
    assert record.tiles is not None
    assert record.tiles.tolist() == [[0, 1, 0], [1, 0, 0]]


def test_maps_may_be_missing_and_further_maps_may_stand_before() -> None:
    text = f"\n{LINE}\n{LINE}\n010101\n111111\n{LINE}\n"
    first, second, third = read_records(text)
    assert first.tiles is None
    assert second.tiles is None
    assert third.tiles is not None
    assert third.tiles.tolist() == [[1, 1, 1], [1, 1, 1]]
    assert [tiles.tolist() for tiles in third.earlier] == [[[0, 0, 0], [1, 1, 1]]]


def test_numbers_in_quotes_are_numbers() -> None:
    quoted = (
        LINE.replace("[0.0, 0.5, 0.2, 0.6]", """['0', "0.5", '.2', '6e-1']""")
        .replace("g6n2", "g'6'n'2'")
        .replace("(0, 1)", "('0', '1')")
    )
    assert read_records(quoted) == read_records(LINE)


@st.composite
def records(draw: st.DrawFn) -> Record:
    states = draw(st.integers(1, 10))
    number = (
        st.integers(-50, 50) | st.floats(-1e6, 1e6, allow_nan=False) | st.sampled_from([1e-30, 0.1])
    )
    rule = Rule(
        [[draw(number) for _ in range(states)] for _ in range(states)],
        draw(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=5)),
        arithmetic=draw(st.sampled_from(["exact", "float"])),
    )
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    maps = [
        random.integers(0, states, (height, width)).astype(np.uint8)
        for _ in range(draw(st.integers(0, 3)))
    ]
    stated: Role | None = draw(st.sampled_from([None, "start", "result"])) if maps else None
    return Record(
        rule,
        draw(st.integers(0, 500)),
        (width, height),
        maps[-1] if maps else None,
        tuple(maps[:-1]),
        stated,
    )


@given(st.lists(records(), min_size=1, max_size=3))
def test_records_that_are_written_and_read_again_are_equal(written: list[Record]) -> None:
    text = write_records(written)
    assert read_records(text) == written
    assert write_records(read_records(text)) == text


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "at least one record"),
        ("010101\n", "line 1: .*cut off"),
        (f"{LINE[:50]}\n", "line 1: .*cut off or mixed up"),
        (f"01010\n{LINE}", "line 1: expected 6 digits .* got 5"),
        (f"010102\n{LINE}", "line 1: expected states from 0 to 1, got 2"),
        (f"{LINE}\nhello\n", "line 2: expected a map in digits"),
        (f"0101{LINE}", "line 1: .*line of its own"),
        (
            LINE.replace("0.5", "half"),
            "line 1: expected numbers as scores, of at most 400 characters each, got 'half'",
        ),
        (LINE.replace("0.5", "nan"), "expected numbers as scores"),
        (LINE.replace("n2", "n3"), "expected 9 scores for n3, got 4"),
        (LINE.replace("g6", "g-6"), "whole number after 'g'"),
        (LINE.replace("w2", "w0"), "at least 1x1"),
        (LINE.replace("[(0, 1), (0, -1), (-1, 0), (1, 0)]", "[]"), "at least one"),
        (LINE.replace("(0, 1)", "(0, 1, 2)"), "neighbours"),
        (f"{LINE}\n\n\n{LINE[4:]}", "line 4"),
    ],
)
def test_errors_name_the_line(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_records(text)


def test_what_the_form_cannot_hold_is_refused() -> None:
    eleven = Rule(np.eye(11, dtype=int).tolist())
    with pytest.raises(InputError, match=r"at most 10 states.*got 11"):
        write_records([Record(eleven, 1, (3, 3))])
    with pytest.raises(InputError, match="torus"):
        write_records([Record(Rule([[0, 1], [1, 0]], border="bounded"), 1, (3, 3))])

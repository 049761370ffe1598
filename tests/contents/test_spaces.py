"""Spaces: every content has genes, genes have contents, and data gives the same space again."""

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.contents.spaces import (
    Array,
    Constant,
    Dictionary,
    Integer,
    Number,
    OneOf,
    Row,
    Space,
    as_space,
)
from levolve.core.errors import InputError

numbers = st.one_of(
    st.builds(lambda low, more: Integer(low, low + more), st.integers(-9, 9), st.integers(0, 9)),
    st.builds(
        lambda low, more, steps: Number(low, low + more, steps),
        st.integers(-9, 9),
        st.integers(1, 9),
        st.integers(2, 70_000),
    ),
    st.builds(
        lambda options: OneOf(*options),
        st.lists(st.text(max_size=3) | st.integers(), min_size=1, max_size=4, unique_by=repr),
    ),
    st.builds(Constant, st.none() | st.booleans() | st.text(max_size=3) | st.integers()),
)
spaces = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.builds(Array, st.lists(st.integers(1, 3), min_size=1, max_size=3), inner),
        st.builds(Dictionary, st.dictionaries(st.text(max_size=4), inner, max_size=3)),
        st.builds(lambda values: Row(*values), st.lists(inner, max_size=3)),
    ),
    max_leaves=8,
)


@given(spaces, st.data())
def test_genes_and_contents_of_any_space_correspond(space: Space, data: st.DataObject) -> None:
    genes = [data.draw(st.integers(0, bound - 1)) for bound in space.bounds]
    content = space.decode(genes)
    assert space.encode(content) == genes
    json.dumps(content)
    batch = space.decode_all(np.array([genes, genes], np.int64).reshape(2, len(genes)))
    assert len(batch) == 2
    assert all(
        (np.asarray(one).tolist() if isinstance(one, np.ndarray) else one) == content
        for one in batch
    )


@given(spaces)
def test_a_space_is_the_same_after_it_was_written_as_data(space: Space) -> None:
    assert as_space(json.loads(json.dumps(space.to_data()))) == space


def test_plain_values_are_spaces() -> None:
    space = as_space(
        {"a": range(2, 5), "b": [range(0, 10, 5), "x"], "kind": "orc", "c": Array(2, range(3))}
    )
    assert space.bounds == [3, 2, 3, 3]
    assert space.decode([1, 1, 2, 0]) == {"a": 3, "b": [5, "x"], "kind": "orc", "c": [2, 0]}


def test_a_grid_is_known_only_if_its_cells_are_the_first_genes() -> None:
    grid = Array((3, 4), range(6))
    assert grid.grid == Dictionary({"map": grid, "n": range(3)}).grid == (3, 4)
    assert Dictionary({"n": range(3), "map": grid}).grid is None
    assert Array((3, 4), Row(range(2), range(2))).grid is None
    assert Array((3, 4, 2), range(6)).grid is None


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (range(0), "expected a range with values"),
        (object(), "expected a space, a range, a dictionary, a list or a constant"),
        ({"kind": "integer", "low": 3}, "expected the data of a space of kind 'integer'"),
        ({"kind": "integer", "low": 3, "high": 2}, "with 1 to 4294967296 values, got 3 to 2"),
        ({"kind": "array", "shape": [0], "element": 1}, "sides of at least 1"),
        ({"kind": "one_of", "options": []}, "at least one option"),
        ({"kind": "number", "low": 1, "high": 1}, "number range from low to high, got 1 to 1"),
        ({"kind": "number", "low": 0, "high": 1, "steps": 1}, "2 to 4294967296 steps, got 1"),
    ],
)
def test_values_that_are_no_space_are_explained(value: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_space(value)


@pytest.mark.parametrize(
    ("space", "content", "message"),
    [
        (Integer(1, 3), 4, "whole number from 1 to 3, got 4"),
        (Integer(0, 3), True, "whole number from 0 to 3, got True"),
        (Number(0, 1), 2.0, "number from 0 to 1, got 2.0"),
        (OneOf("a"), "b", "expected one of"),
        (Array((2, 2), range(2)), [[0, 1]], "array of shape"),
        (Dictionary({"a": range(2)}), {"b": 1}, "dictionary with a, got"),
        (Row(range(2)), [], "list of 1 values"),
    ],
)
def test_a_content_of_another_space_is_refused(space: Space, content: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        space.encode(content)


def test_an_array_of_too_many_genes_is_refused() -> None:
    with pytest.raises(InputError, match="at most 1048576 genes"):
        _ = Array((2000, 2000), range(2)).bounds

"""The state of a job as bytes: it comes back as it was, and damage is found."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from levolve.core.errors import InputError
from levolve.jobs.store.codec import decode_state, encode_state

DTYPES = [np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.bool_]
NUMBERS = st.integers(-(1 << 70), 1 << 70) | st.floats(allow_nan=False)
PLAIN = st.none() | st.booleans() | NUMBERS | st.text(max_size=8) | st.binary(max_size=8)
ARRAYS = st.sampled_from(DTYPES).flatmap(
    lambda kind: arrays.arrays(
        kind, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
    )
)
STATES = st.recursive(
    PLAIN | ARRAYS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=4) | st.integers(), inner, max_size=4)
    ),
    max_leaves=12,
)


def same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return (
            isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and one.shape == other.shape
            and one.tobytes() == other.tobytes()
        )
    if isinstance(one, dict):
        return (
            isinstance(other, dict)
            and list(one) == list(other)
            and all(same(value, other[key]) for key, value in one.items())
        )
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and (one == other or one is other)


@given(st.dictionaries(st.text(max_size=5), STATES, max_size=4))
def test_every_plain_state_comes_back_as_it_was(state: dict[str, Any]) -> None:
    assert same(decode_state(encode_state(state)), state)


@pytest.mark.parametrize(
    "numbers",
    [
        [0.5] * 100,
        list(range(100)),
        [1 << 70] * 100,
        [True] * 100,
        [1, 2.5] * 50,
        [float("-inf")] * 100,
    ],
)
def test_long_lists_of_numbers_come_back_with_their_types(numbers: list[Any]) -> None:
    assert same(decode_state(encode_state({"numbers": numbers})), {"numbers": numbers})


def test_a_value_that_is_not_a_number_comes_back() -> None:
    assert math.isnan(decode_state(encode_state({"score": math.nan}))["score"])


def test_an_object_is_refused_because_a_state_is_plain_data() -> None:
    with pytest.raises(InputError, match="expected plain numbers"):
        encode_state({"search": object()})
    with pytest.raises(InputError, match="expected plain numbers"):
        encode_state({"genes": np.array([object()])})


@given(st.data())
def test_a_changed_or_missing_byte_is_found(data: st.DataObject) -> None:
    content = encode_state({"genes": np.arange(40, dtype=np.uint8), "seed": 7})
    place = data.draw(st.integers(0, len(content) - 1))
    changed = (
        content[:place]
        + bytes([content[place] ^ data.draw(st.integers(1, 255))])
        + content[place + 1 :]
    )
    for damaged in (changed, content[:place], b""):
        with pytest.raises(InputError, match="checkpoint"):
            decode_state(damaged)


def test_a_state_of_another_version_is_refused_and_named() -> None:
    content = bytearray(encode_state({}))
    content[len(b"levolve state")] = 9
    with pytest.raises(InputError, match="expected version 1, got 9"):
        decode_state(bytes(content))

"""Kernels from the cache that are called without Numba: the same types, the same results, the same
errors.
"""

import pickle
import subprocess
import sys
from collections import namedtuple
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.bits.random_streams import mix
from levolve.kernels.compiler import PLAIN, mode, read_entry, write_entry
from levolve.kernels.compiler.compiled_kernel import Kernel
from levolve.kernels.compiler.numba_free_call import CODES, bare_kernel, text_of
from levolve.kernels.compiler.numba_free_form import described

pytestmark = pytest.mark.skipif(
    not isinstance(mix, Kernel) or mode() == PLAIN,
    reason="NUMBA_DISABLE_JIT or LEVOLVE_COMPILER is set",
)
compiled: Any = import_module("levolve.kernels.compiler.compiled_kernel")
Pair = namedtuple("Pair", ("first", "second"))  # noqa: PYI024 kernels take it as it is


def scalars() -> st.SearchStrategy[Any]:
    numbers = [st.integers(-(2**63), 2**63 - 1), st.booleans(), st.floats(), st.none()]
    return st.one_of(
        *numbers, st.sampled_from([np.dtype(name).type(1) for name in CODES if name != "none"])
    )


def arrays() -> st.SearchStrategy[Any]:
    def build(name: str, shape: list[int], layout: str, locked: int) -> np.ndarray:
        array = np.zeros(shape, name, order="F" if layout == "F" else "C")
        array = array[..., ::2] if layout == "A" else array
        array.flags.writeable = not locked
        return array

    names = st.sampled_from([name for name in CODES if name != "none"])
    return st.builds(
        build,
        names,
        st.lists(st.integers(0, 4), min_size=1, max_size=3),
        st.sampled_from("CFA"),
        st.integers(0, 1),
    )


def values() -> st.SearchStrategy[Any]:
    plain = st.one_of(scalars(), arrays())
    return st.one_of(
        plain, st.lists(st.one_of(plain, st.builds(Pair, plain, plain)), max_size=3).map(tuple)
    )


@given(st.lists(values(), max_size=4).map(tuple))
def test_a_value_is_described_as_numba_types_it(arguments: tuple[Any, ...]) -> None:
    typeof: Any = numba.typeof
    assert text_of(arguments) == described(tuple(map(typeof, arguments)))
    assert text_of(arguments)


@pytest.mark.parametrize(
    "value",
    [
        2**64,
        "text",
        1j,
        np.zeros(2, "M8[s]"),
        np.zeros(2, ">i4"),
        np.zeros(9, "i1")[1:].view("i4"),
        (1, [2]),
        np.ma.ones(2),
    ],
)
def test_a_value_without_a_plain_form_is_left_to_numba(value: object) -> None:
    assert not text_of((1, value))


def add_all(
    numbers: np.ndarray, settings: Pair, scale: float, out: np.ndarray, absent: None
) -> int:
    kept = zeros(numbers.size, np.int64)
    for index in range(numbers.size):
        kept[index] = numbers[index] * settings.second[1]
    for index in range(numbers.size):
        out[index, 1] = kept[index] * scale if settings.second[0] else -1.0
    return int(kept.sum() + settings.first)


def halve(number: np.uint64) -> float:
    return number / 2


def both(number: np.uint64) -> tuple[bool, int]:
    return number > 1, int(number) + 1  # type: ignore[return-value] # Numba knows no other truth


def is_even(number: np.uint8) -> bool:
    return bool(number % 2 == 0)


def too_much(size: int) -> None:
    zeros(size, np.int64)[0] = 1


def stored(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compile a kernel for these arguments, without calling it."""
    monkeypatch.setattr(compiled, "CACHE_FOLDER", folder)
    with compiled.compiling_only():
        compiled.kernel(function)(*arguments)


@pytest.mark.parametrize("count", [0, 1, 7])
@pytest.mark.parametrize("flag", [True, False])
def test_arguments_arrive_and_results_return(
    count: int, *, flag: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = np.arange(2 * count, dtype=np.int32)[::2]
    out, expected = np.zeros((count, 3)), np.zeros((count, 3))
    arguments = (numbers, Pair(5, (flag, np.uint8(3))), 0.5, out, None)
    expected[:, 1] = numbers * 1.5 if flag else -1.0
    stored(add_all, arguments, tmp_path, monkeypatch)
    bare = bare_kernel(add_all, tmp_path, arguments)
    assert bare is not None
    assert bare(arguments) == 3 * numbers.sum() + 5
    assert (out == expected).all()


@pytest.mark.parametrize(
    ("function", "argument", "expected"),
    [
        (halve, np.uint64(2**64 - 2), 2.0**63),
        (both, np.uint64(4), (True, 5)),
        (is_even, np.uint8(254), True),
        (is_even, np.uint8(1), False),
    ],
)
def test_results_have_the_types_of_numba(
    function: Callable[..., Any],
    argument: object,
    expected: object,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stored(function, (argument,), tmp_path, monkeypatch)
    bare = bare_kernel(function, tmp_path, (argument,))
    assert bare is not None
    assert bare((argument,)) == expected
    assert type(bare((argument,))) is type(expected)


def test_memory_that_is_not_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(too_much, (1,), tmp_path, monkeypatch)
    bare = bare_kernel(too_much, tmp_path, (1,))
    assert bare is not None
    assert bare((1,)) is None
    with pytest.raises(MemoryError):
        bare((2**59,))


def test_what_is_missing_damaged_or_needs_numba_is_left_to_numba(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copied(numbers: np.ndarray) -> np.ndarray:
        return zeros(numbers.size, np.int64)

    arguments = (np.uint8(1),)
    assert bare_kernel(is_even, tmp_path, arguments) is None
    stored(is_even, arguments, tmp_path, monkeypatch)
    assert bare_kernel(is_even, tmp_path, (np.uint16(1),)) is None
    assert bare_kernel(is_even, tmp_path, arguments) is not None
    # A result in memory of its own.
    stored(copied, (np.zeros(1),), tmp_path, monkeypatch)
    assert bare_kernel(copied, tmp_path, (np.zeros(1),)) is None
    (path,) = tmp_path.glob("*is_even*-entry-*")
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert bare_kernel(is_even, tmp_path, arguments) is None


def test_code_that_needs_what_the_system_does_not_have_is_left_to_numba(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (np.uint8(1),)
    stored(is_even, arguments, tmp_path, monkeypatch)
    places: list[tuple[Any, Any, Any]] = []

    def note(folder: Path, name: str, key: str) -> bytes | None:
        places.append((folder, name, key))
        return read_entry(folder, name, key)

    monkeypatch.setattr("levolve.kernels.compiler.numba_free_call.read_entry", note)
    assert bare_kernel(is_even, tmp_path, arguments) is not None
    content = read_entry(*places[0])
    assert content is not None
    record, *others = pickle.loads(content)
    for changed in (
        None,
        ("neither", "of these"),
        (*record[:4], ("no_such_function",), *record[5:]),
    ):
        write_entry(*places[0], pickle.dumps((changed, *others)))
        assert bare_kernel(is_even, tmp_path, arguments) is None


SCRIPT = """
import sys
import numpy as np
from levolve.kernels.compiler import kernel, numba_free_call

numba_free_call.MOST_CALLS = 5

@kernel
def fill(values, number):
    values[0] = number

values, loaded = np.zeros(1, np.int64), []
for number in range(8):
    fill(values, number)
    assert values[0] == number
    loaded.append("numba" in sys.modules)
print(loaded)
"""


def test_numba_is_loaded_if_something_is_compiled_or_after_many_calls(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    outputs = []
    for _ in range(2):
        finished = subprocess.run(
            [sys.executable, script],
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
            env={"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
        )
        outputs.append(finished.stdout.strip())
    assert outputs == [str([True] * 8), str([False] * 5 + [True] * 3)]

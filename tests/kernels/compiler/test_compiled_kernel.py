"""Kernels are loaded when they are needed; until then small work is done by plain Python, with the
same result.
"""

import pickle
import subprocess
import sys
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.kernels.bits import random_streams
from levolve.kernels.bits.new_arrays import zeros
from levolve.kernels.compiler import PLAIN, SMALL, compiling_only, kernel, level_kernel, mode
from levolve.kernels.compiler.compiled_kernel import Kernel
from levolve.kernels.walking import shortest_paths
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure

pytestmark = pytest.mark.skipif(
    not isinstance(shortest_paths.distances, Kernel), reason="NUMBA_DISABLE_JIT is set"
)
LEVEL = "S..#\n.#..\n...E"


@level_kernel
def add_up(values: np.ndarray) -> int:
    total = 0
    for index in range(values.size):
        total += one_of(values, index)
    return total


@kernel
def one_of(values: np.ndarray, index: int) -> int:
    return int(values[index])


@kernel
def with_numbers(key: tuple[np.uint64, np.uint64]) -> np.uint64:
    return random_streams.draw(key, 1) ^ random_streams.draw(key, 2) ^ random_streams.draw(key, 3)


def is_loaded(tested: object) -> bool:
    assert isinstance(tested, Kernel)
    return tested.is_loaded


def test_small_work_is_done_without_the_compiler_until_it_takes_long() -> None:
    values = np.arange(SMALL)
    assert add_up(values) == values.sum()
    assert not is_loaded(add_up)
    assert not is_loaded(one_of)
    assert isinstance(add_up, Kernel)
    add_up.patience = 0.0
    assert add_up(values) == values.sum()
    assert is_loaded(add_up)


def test_large_work_is_compiled() -> None:
    def count(values: np.ndarray) -> int:
        return len(values)

    large = level_kernel(count)
    assert large(np.zeros(SMALL + 1)) == SMALL + 1
    assert is_loaded(large)


def test_a_kernel_that_is_not_for_levels_is_compiled() -> None:
    def first(values: np.ndarray) -> int:
        return int(values[0])

    compiled_one = kernel(first)
    assert compiled_one(np.ones(1, np.int64)) == 1
    assert is_loaded(compiled_one)


def test_plain_python_is_left_after_an_error() -> None:
    def broken(values: np.ndarray) -> int:
        return int(values.tolist()[values.size])

    def first(values: np.ndarray) -> int:
        return int(values[0])

    with pytest.raises(IndexError):
        level_kernel(broken)(np.ones(1, np.int64))
    after = kernel(first)
    assert after(np.ones(1, np.int64)) == 1
    assert is_loaded(after)


def test_what_is_only_compiled_returns_zeros_of_the_right_types() -> None:
    def several(values: np.ndarray) -> tuple[int, tuple[float, bool], np.ndarray]:
        return values.size, (float(values[0]), bool(values[0] > 0)), zeros((2, 3), np.uint16)

    with compiling_only():
        number, (part, truth), array = kernel(several)(np.ones(1))
        # Small work is done as usual: what follows depends on its result.
        assert level_kernel(several)(np.ones(5))[0] == 5
    assert [number, part, truth, array.tolist(), array.dtype] == [0, 0.0, False, [[0]], np.uint16]
    with compiling_only(compiles=False):
        assert kernel(several)(np.ones(2, np.int8)) is None


def test_definitions_of_the_compiler_are_loaded_without_linear_algebra() -> None:
    pytest.importorskip("scipy")
    code = (
        "import sys; from levolve.kernels.compiler.linking import load_definitions; "
        "load_definitions(); assert 'numba.np.arraymath' in sys.modules\n"
        "assert 'scipy.linalg' not in sys.modules; import numba, numpy; a = numpy.ones(3); "
        "print(numba.njit(lambda a: numpy.dot(a, a))(a))"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=100
    )
    assert finished.stdout.strip() == "3.0"


@pytest.mark.skipif(not isinstance(random_streams.draw, Kernel), reason="NUMBA_DISABLE_JIT is set")
def test_kernels_are_compiled_without_being_called() -> None:
    def fill(values: np.ndarray) -> None:
        values[0] = 5

    compiled = kernel(fill)
    values = np.ones(1, np.int64)
    with compiling_only():
        compiled(values)
        compiled(values)
    assert values.tolist() == [1]
    assert not is_loaded(compiled)
    compiled(values)
    assert values.tolist() == [5]
    values[0] = 1
    with compiling_only():
        # Loaded by now, and not called either; another thread calls it.
        compiled(values)
        assert values.tolist() == [1]
        other = Thread(target=compiled, args=(values,))
        other.start()
        other.join()
        assert values.tolist() == [5]


@pytest.mark.skipif(mode() == PLAIN, reason="plain mode has a version per number")
def test_numbers_in_calls_do_not_multiply_the_versions_of_a_kernel() -> None:
    before = set(random_streams.draw.part.signatures)  # type: ignore[attr-defined]
    with_numbers((np.uint64(1), np.uint64(2)))
    new = set(random_streams.draw.part.signatures) - before  # type: ignore[attr-defined]
    assert len(new) <= 1
    assert not [kind for signature in new for kind in signature if "Literal" in str(kind)]


def test_other_processes_find_a_kernel_by_its_name() -> None:
    assert pickle.loads(pickle.dumps(shortest_paths.distances)) is shortest_paths.distances


@st.composite
def small_levels(draw: st.DrawFn) -> Level:
    width, height = draw(st.integers(2, 9)), draw(st.integers(2, 9))
    cells = draw(st.lists(st.sampled_from(".#"), min_size=width * height, max_size=width * height))
    cells[0], cells[-1] = "S", "E"
    return Level.from_text(
        "\n".join("".join(cells[y * width : (y + 1) * width]) for y in range(height))
    )


@given(small_levels())
def test_the_measures_of_a_level_do_not_depend_on_how_kernels_run(level: Level) -> None:
    values = []
    for patience in (1e9, 0.0):
        with pytest.MonkeyPatch.context() as patch:
            for tested in LEVEL_KERNELS:
                patch.setattr(tested, "patience", patience)
                patch.setattr(tested, "_call", None if patience else tested.dispatcher)
            values.append(measure(level).of_level())
    assert repr(values[0]) == repr(values[1])


def _level_kernels() -> list[Kernel[..., object]]:
    from levolve.kernels.bits import packed_flood
    from levolve.kernels.building import patterns
    from levolve.kernels.walking import dead_ends, path_shape, structure

    modules = (
        packed_flood,
        path_shape,
        dead_ends,
        patterns,
        structure,
        shortest_paths,
    )
    found = {
        id(value): value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Kernel)
    }
    return [value for value in found.values() if value.small]


LEVEL_KERNELS = _level_kernels()


def test_showing_a_small_level_loads_no_compiler(tmp_path: Path) -> None:
    path = tmp_path / "level.txt"
    path.write_text(LEVEL)
    probe = (
        f"import sys\nfrom levolve.cli.app import run\nassert run(['show', {str(path)!r}]) == "
        "0\nassert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True, timeout=120)

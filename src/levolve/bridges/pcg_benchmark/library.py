"""The PCG Benchmark itself, imported on first use. It is not on PyPI.

Content spaces of the benchmark as spaces of levolve.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

from levolve.contents.spaces import Array, Constant, Dictionary, Integer, Number, Row, Space
from levolve.core.errors import LevolveError, UnknownNameError
from levolve.core.registry import did_you_mean

MODULE = "pcg_benchmark"


def benchmark() -> Any:
    """Return the module `pcg_benchmark`; raise an error that explains how to install it."""
    try:
        return importlib.import_module(MODULE)
    except ModuleNotFoundError as problem:
        if problem.name != MODULE:
            raise
        raise LevolveError(
            f"pcg: requires the PCG Benchmark (module {MODULE}), which is not installed and "
            "not on PyPI; "
            "run: pip install git+https://github.com/amidos2006/pcg_benchmark.git"
        ) from problem


def problem_names() -> list[str]:
    """Return the names of all problems of the benchmark, in alphabetical order."""
    return sorted(benchmark().list())


@lru_cache(maxsize=32)
def environment(name: str) -> Any:
    """Return the environment of a problem, such as "zelda-v0"; each process makes it once."""
    known = problem_names()
    if name not in known:
        raise UnknownNameError(
            f"unknown problem {name!r} of the PCG Benchmark: {did_you_mean(name, known)}"
        )
    return benchmark().make(name)


def convert_space(value: Any) -> Space:
    """Return a space of the benchmark as one of ours. Its upper limits are excluded, ours are
    included.

    Nested lists of one and the same space, which are the benchmark's arrays, become an `Array`.
    """
    inner = getattr(value, "_value", None)
    if inner is not None:
        return convert_space(inner)
    if hasattr(value, "isSampled"):
        limits = value.range()
        if isinstance(limits["min"], int):
            return Integer(limits["min"], limits["max"] - 1)
        return Number(float(limits["min"]), float(limits["max"]))
    if isinstance(value, dict):
        return Dictionary({name: convert_space(part) for name, part in value.items()})
    if isinstance(value, list | tuple):
        shape, element = _array(list(value))
        return (
            Row(*(convert_space(part) for part in value))
            if shape is None
            else Array(shape, convert_space(element))
        )
    if value is None or isinstance(value, bool | int | float | str):
        return Constant(value)
    raise LevolveError(
        "pcg: expected a space of integers, floats, arrays and dictionaries, got "
        f"{type(value).__name__}"
    )


def _array(value: list[Any]) -> tuple[tuple[int, ...] | None, Any]:
    """Return the shape and the element of nested lists that contain one and the same space
    everywhere; None if they do not.
    """
    if not value:
        return None, None
    if all(part is value[0] for part in value) and not isinstance(value[0], list | tuple):
        return ((len(value),), value[0]) if hasattr(value[0], "isSampled") else (None, None)
    if all(isinstance(part, list) for part in value):
        inner = [_array(part) for part in value]
        first, element = inner[0]
        if first is not None and all(shape == first and other is element for shape, other in inner):
            return (len(value), *first), element
    return None, None

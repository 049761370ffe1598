"""The PCG Benchmark itself, imported on first use. It is not on PyPI."""

from __future__ import annotations

import importlib
from functools import lru_cache
from typing import Any

from levolve.errors import LevolveError, UnknownNameError
from levolve.registry import did_you_mean

MODULE = "pcg_benchmark"


def benchmark() -> Any:  # noqa: ANN401 a module without types
    """Return the module `pcg_benchmark`; raise an error that explains how to install it."""
    try:
        return importlib.import_module(MODULE)
    except ModuleNotFoundError as problem:
        if problem.name != MODULE:
            raise
        message = (
            f"pcg: requires the PCG Benchmark (module {MODULE}), which is not installed and not on PyPI; "
            "run: pip install git+https://github.com/amidos2006/pcg_benchmark.git"
        )
        raise LevolveError(message) from problem


def problem_names() -> list[str]:
    """Return the names of all problems of the benchmark, in alphabetical order."""
    return sorted(benchmark().list())


@lru_cache(maxsize=32)
def environment(name: str) -> Any:  # noqa: ANN401 a class without types
    """Return the environment of a problem, such as "zelda-v0"; each process makes it once."""
    known = problem_names()
    if name not in known:
        message = f"unknown problem {name!r} of the PCG Benchmark: {did_you_mean(name, known)}"
        raise UnknownNameError(message)
    return benchmark().make(name)

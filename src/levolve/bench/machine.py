"""The machine that figures were measured on: figures without it say little."""

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from levolve.evolution.evaluation import core_count
from levolve.version import VERSION

LIBRARIES = ("numpy", "numba", "deap", "pygad", "pymoo", "leap_ec", "ribs", "evosax", "gymnasium")


def describe_machine() -> dict[str, Any]:
    """Return the processor, the cores, the load and the versions of Python and of the libraries that are compared."""
    return {
        "processor": processor_name(),
        "cores": core_count(),
        "load": load(),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "levolve": VERSION,
        "libraries": {name: version for name in LIBRARIES if (version := version_of(name))},
    }


def processor_name() -> str:
    """Return the name of the processor, as far as the system states it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def load() -> float | None:
    """Return how many processes wanted to run during the last minute, on average; None where the system does not state it."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None


def version_of(package: str) -> str:
    """Return the version of an installed package; empty if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""

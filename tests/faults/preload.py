"""The library `preload.c`, compiled for the tests, and a folder in memory to try faults in."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

HERE = Path(__file__).parent
# `make faults` sets it: all faults and many kills, instead of a few.
THOROUGH = "LEVOLVE_FAULTS" in os.environ


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The compiled library."""
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip(
            "faults are injected by a library for LD_PRELOAD, which needs Linux and a C "
            "compiler called cc"
        )
    path = tmp_path_factory.mktemp("preload") / "preload.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", str(path), str(HERE / "preload.c"), "-ldl"],
        check=True,
    )
    return path


@pytest.fixture
def fast_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory, where flushing costs no time; in the usual place for tests if there is
    none.
    """
    memory = Path("/dev/shm")  # noqa: S108 a folder with a random name in it
    with TemporaryDirectory(
        prefix="levolve-",
        dir=memory if memory.is_dir() and os.access(memory, os.W_OK) else tmp_path,
    ) as folder:
        yield Path(folder)

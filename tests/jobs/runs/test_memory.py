"""The memory check: all limits count, and the error has the figures."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from levolve.core.errors import LevolveError
from levolve.jobs.memory import available_memory, check_memory
from levolve.recipes.finding import adapt

MEMINFO = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:   12000000 kB\n"


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in {"proc/meminfo": MEMINFO, **files}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_the_memory_of_a_machine_is_what_is_available_not_what_is_built_in(tmp_path: Path) -> None:
    write(tmp_path, {})
    assert available_memory(tmp_path) == (12_000_000 * 1024, "this machine has 16.4 GB")


@pytest.mark.parametrize(
    ("files", "available"),
    [
        # Version 2, in the group itself, with cached files that make room.
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/b/memory.max": "2000000000\n",
                "sys/fs/cgroup/a/b/memory.current": "500000000\n",
                "sys/fs/cgroup/a/b/memory.stat": "anon 1\ninactive_file 100000000\n",
            },
            1_600_000_000,
        ),
        # In the group around it; its own has no limit.
        (
            {
                "proc/self/cgroup": "0::/a/b\n",
                "sys/fs/cgroup/a/b/memory.max": "max\n",
                "sys/fs/cgroup/a/b/memory.current": "500000000\n",
                "sys/fs/cgroup/a/memory.max": "700000000\n",
                "sys/fs/cgroup/a/memory.current": "900000000\n",
            },
            0,
        ),
        # Version 1, inside a container, where only the top of the groups is visible.
        (
            {
                "proc/self/cgroup": "5:cpu:/x\n4:memory:/host/path\n0::/\n",
                "sys/fs/cgroup/memory/memory.limit_in_bytes": "2000000000\n",
                "sys/fs/cgroup/memory/memory.usage_in_bytes": "500000000\n",
            },
            1_500_000_000,
        ),
    ],
)
def test_the_limits_of_control_groups_count(
    files: dict[str, str], available: int, tmp_path: Path
) -> None:
    write(tmp_path, files)
    found, where = available_memory(tmp_path)
    assert found == available
    assert "control group" in where


def test_the_limit_of_the_address_space_counts() -> None:
    code = "from levolve.jobs.memory import available_memory; print(*available_memory())"
    limited = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, (8 * 10**9, 8 * 10**9)); {code}"
    )
    found = subprocess.run(
        [sys.executable, "-c", limited],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        timeout=600,
    ).stdout
    assert int(found.split()[0]) < 8 * 10**9
    assert "the limit of its address space is 8.0 GB" in found


def test_the_error_has_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = adapt("maze", size="100x100")
    monkeypatch.setattr(
        "levolve.jobs.memory.available_memory", lambda: (5_000_000, "this machine has 16.4 GB")
    )
    with pytest.raises(
        LevolveError,
        match=(
            r"needs about 14 MB of memory, but only 5 MB are available \(this machine has 16\.4 "
            r"GB\); choose a size of at most 60x60, "
        ),
    ):
        check_memory(recipe)
    monkeypatch.setattr("levolve.jobs.memory.available_memory", lambda: (50_000_000, ""))
    check_memory(recipe)

"""The memory that a run needs, and that is available to it: on this machine, in its control group,
and below the limit of the process.
"""

import math
import os
from collections.abc import Iterator
from pathlib import Path

from levolve.core.errors import LevolveError
from levolve.recipes.recipe import Recipe

# The number of bytes per cell and individual: tiles, distances and masks; and per further variant.
BYTES_PER_CELL = 8
BYTES_PER_VARIANT = 2
BYTES_PER_CELL_ONCE = 64
# The number of bytes per cell of the genes; bits need less, numbers and their frame of walls most.
BYTES_OF_GENES = 1.5
# How often the genes of an individual are in memory: parents, children and those that are varied;
# with its ancestors, whose genes are stored too.
COPIES, COPIES_WITH_ANCESTORS = 2, 6
# A run without a budget keeps at most as many elites as its archive has cells.
MOST_EVALUATIONS = 1 << 62
# Less than what this process uses anyway: reading the limits would take longer than some runs.
ALWAYS_AVAILABLE = 1 << 22


def needed_memory(recipe: Recipe, *, ancestry: bool = False) -> int:
    """Return about how many bytes a run needs at most, besides those of a small run.

    Parameters
    ----------
    recipe
        What is evolved.
    ancestry
        Whether the run records ancestors.
    """
    width, height = recipe.size
    copies = COPIES_WITH_ANCESTORS if ancestry else COPIES
    individual = (
        BYTES_PER_CELL
        + BYTES_PER_VARIANT * (recipe.parts[0].variants - 1)
        + copies * BYTES_OF_GENES
    )
    elites = (
        min(recipe.parts[2].elites_kept, recipe.evaluations or MOST_EVALUATIONS) * BYTES_OF_GENES
    )
    return int(width * height * (recipe.population * individual + elites + BYTES_PER_CELL_ONCE))


def check_memory(
    recipe: Recipe,
    *,
    ancestry: bool = False,
    most: int | None = None,
    shown: int = 0,
) -> None:
    """Raise an error for a run that does not fit into the available memory; it names a size that
    does.

    Parameters
    ----------
    recipe, ancestry
        See `needed_memory`.
    most
        Less than what is available, if only so many bytes may be used.
    shown
        The number of bytes per cell that are needed to show the run.
    """
    width, height = recipe.size
    needed = needed_memory(recipe, ancestry=ancestry) + width * height * shown
    if needed < ALWAYS_AVAILABLE:
        return
    available, where = available_memory()
    if most is not None and most < available:
        available, where = most, "the limit for one run here"
    if needed > available:
        # The memory is in proportion to the cells.
        share = math.sqrt(available / needed)
        size = f"{int(width * share)}x{int(height * share)}"
        message = (
            f"size: {width}x{height} with a population of {recipe.population} needs about "
            f"{_amount(needed)} "
            f"of memory, but only {_amount(available)} are available ({where}); "
            f"choose a size of at most {size}, or a smaller population"
        )
        # Not an `InputError`: the recipe is valid where more memory is available.
        raise LevolveError(message)


def available_memory(root: Path = Path("/")) -> tuple[int, str]:
    """Return the bytes that this process can still allocate, and a text that names the limit and
    its size.

    `root` is the folder that contains `proc` and `sys`.
    """
    limits = [*_machine(root), *_control_groups(root), *_process(root)]
    return min(limits, default=(1 << 62, "no known limit"))


def _machine(root: Path) -> Iterator[tuple[int, str]]:
    lines = dict(
        line.split(":", 1) for line in _read(root / "proc/meminfo").splitlines() if ":" in line
    )
    total, free = (
        int(lines.get(name, "0").split()[0]) * 1024 for name in ("MemTotal", "MemAvailable")
    )
    if free:
        yield free, f"this machine has {_amount(total)}"
    elif hasattr(os, "sysconf"):
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        yield total, f"this machine has {_amount(total)}"


def _control_groups(root: Path) -> Iterator[tuple[int, str]]:
    """Yield the limit of each control group that this process is in, and of those around it, in
    both versions of their files.
    """
    for line in _read(root / "proc/self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        first = "memory" in controllers.split(",")
        if controllers and not first:
            continue
        top = root / "sys/fs/cgroup" / ("memory" if first else "")
        names = (
            ("memory.limit_in_bytes", "memory.usage_in_bytes")
            if first
            else ("memory.max", "memory.current")
        )
        folder = top / path.lstrip("/")
        # Inside a container, the path is that of the host: only the top is visible.
        for group in {
            top,
            *(parent for parent in (folder, *folder.parents) if parent.is_relative_to(top)),
        }:
            limit, used = (_read(group / name).strip() for name in names)
            if limit.isdigit() and used.isdigit():
                # Cached files count as used, but make room.
                cached = dict(
                    entry.split() for entry in _read(group / "memory.stat").splitlines()
                ).get("inactive_file", "0")
                yield (
                    max(int(limit) - int(used) + int(cached), 0),
                    f"the limit of its control group is {_amount(int(limit))}",
                )


def _process(root: Path) -> Iterator[tuple[int, str]]:
    """Yield the limit of the address space of this process, as set by `ulimit -v`."""
    try:
        import resource
    except ImportError:
        return
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit != resource.RLIM_INFINITY:
        pages = _read(root / "proc/self/statm").split()
        used = int(pages[0]) * os.sysconf("SC_PAGE_SIZE") if pages else 0
        yield max(limit - used, 0), f"the limit of its address space is {_amount(limit)}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""


def _amount(size: int) -> str:
    """Return a size in GB, or in MB if it is small."""
    return f"{size / 1e9:,.1f} GB" if size >= 1e9 else f"{size / 1e6:,.0f} MB"  # a billion

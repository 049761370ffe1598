"""The two ways in which kernels are compiled, and the choice between them.

"linked" starts fast and needs private parts of Numba (`linking`, `numba_free_call`): it is used
with the versions of Numba that it was tested with. "plain" needs `numba.njit` and its cache only.
Both give the same results. Nothing here loads Numba.
"""

import os
import re
import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from levolve.core.errors import InputError

Mode = Literal["linked", "plain"]
LINKED: Mode = "linked"
PLAIN: Mode = "plain"

VARIABLE = "LEVOLVE_COMPILER"
# The minor version of Numba that linked mode was tested with. docs/compiler.md says how it is
# raised; the bounds of the dependency in pyproject.toml follow from it.
TESTED_NUMBA = "0.68"


class CompilerWarning(UserWarning):
    """Kernels are compiled in plain mode, although nobody asked for it."""


def numba_version_file() -> Path:
    """Return the file that contains Numba's version: to import Numba takes too long."""
    found = find_spec("numba")
    origin = None if found is None else found.origin
    return Path(origin or "numba/__init__.py").with_name("_version.py")


def numba_version() -> str:
    """Return the version of Numba that is installed; "unknown" if its file does not tell."""
    try:
        text = numba_version_file().read_text()
    except OSError:
        return "unknown"
    found = re.search(r'"version": "([^"]+)"', text)
    return found[1] if found else "unknown"


def is_tested(version: str) -> bool:
    """Whether linked mode was tested with a version of Numba."""
    return version == TESTED_NUMBA or version.startswith(f"{TESTED_NUMBA}.")


@cache
def mode() -> Mode:
    """Return how kernels are compiled in this process: "linked" or "plain".

    "linked", unless LEVOLVE_COMPILER is "plain" or Numba has a version that was not tested.
    """
    chosen = os.environ.get(VARIABLE, LINKED)
    if chosen not in {LINKED, PLAIN}:
        raise InputError(
            f"{VARIABLE}: expected {LINKED!r} or {PLAIN!r}, got {chosen[:80]!r}; remove the "
            "variable for the default"
        )
    if chosen == PLAIN:
        return PLAIN
    if is_tested(version := numba_version()):
        return LINKED
    message = (
        f"Numba {version} was not tested with this version of levolve (expected {TESTED_NUMBA}): "
        "kernels are compiled in plain mode, with the same results and a slower start; "
        f"set {VARIABLE}={PLAIN} to hide this note, or install 'numba=={TESTED_NUMBA}.*'"
    )
    warnings.warn(message, CompilerWarning, stacklevel=2)
    return PLAIN

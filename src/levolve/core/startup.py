"""What makes commands and imports fast: settings of the process, and public names of a package that
are imported on first use.

Type checkers do not see the latter: they read the same names from imports under `TYPE_CHECKING`,
and know no others.
"""

import gc
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

# Modules, with their functions and classes, are about 170,000 objects, and none of them becomes
# garbage.
OBJECTS_OF_MODULES = 250_000


def start_quickly() -> None:
    """Shorten the import of modules. Call this before NumPy is imported."""
    # Threads of NumPy's matrix library wait for work in a loop, 2**26 steps by default, which takes
    # the processor from what follows.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    # The plug-ins of pydantic, of which levolve uses none, are searched for in the metadata of all
    # installed packages.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    _collect_later()


def _collect_later() -> None:
    """Let the search for garbage, a tenth of the time of a start, begin after as many objects as
    modules have.
    """
    usual = gc.get_threshold()

    def restore(phase: Literal["start", "stop"], _counts: dict[str, int]) -> None:
        if phase == "stop":
            gc.callbacks.remove(restore)
            gc.set_threshold(*usual)
            # Later searches leave the modules out.
            gc.freeze()

    gc.callbacks.append(restore)
    gc.set_threshold(OBJECTS_OF_MODULES, *usual[1:])


def end_quickly() -> None:
    """Let Python end without a last search for garbage, which is as long as a tenth of a short
    command: the system takes all memory back.
    """
    gc.freeze()


def lazy_names(
    package: str, homes: Mapping[str, str], public: Sequence[str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__getattr__` and `__dir__` for a package.

    Parameters
    ----------
    package
        The name of the package.
    homes
        The module of each name; the package itself for a module of it, and `MODULE:` for a module.
    public
        All public names, as in `__all__`.
    """

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(_unknown(package, name, public))
        home = homes[name]
        if home.endswith(":"):
            return importlib.import_module(home[:-1])
        if home == package:
            return importlib.import_module(f"{package}.{name}")
        value = getattr(importlib.import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted(public)

    return find, names


def _unknown(package: str, name: str, public: Sequence[str]) -> str:
    """Return the message about an unknown name, with the most similar public one."""
    near = []
    if not name.startswith("__"):
        # Python asks for special names that most modules lack.
        import difflib

        near = difflib.get_close_matches(name, public, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"module {package!r} has no attribute {name!r}{hint}"

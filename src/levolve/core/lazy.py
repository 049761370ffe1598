"""Public names of a package that are imported on first use.

Type checkers do not see this: they read the same names from imports under `TYPE_CHECKING`, and know
no others.
"""

import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any


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

"""Kernels that are called by address, with their settings: parts of a score, which are compiled when a search first needs them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from levolve.kernels.fused.calls import ROWS, SCORES, STEPS, address_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from levolve.kernels.fused.calls import Address

# What kernels take besides their settings.
SCORE, VALUE, GRADE, WALK, EXPRESSION = (ROWS, SCORES), (ROWS, STEPS, SCORES), (ROWS, STEPS, STEPS, SCORES), (ROWS, STEPS, STEPS), (ROWS, ROWS)


@dataclass(frozen=True, eq=False)
class Call:
    """A kernel, its settings, and arguments of the types of its other arguments. Settings may contain calls."""

    kernel: Callable[..., Any]
    settings: tuple[Any, ...]
    arguments: tuple[Any, ...]

    def bound(self) -> tuple[Address, tuple[Any, ...]]:
        """Return the address of the kernel, and its settings with addresses in place of calls. Compiles what is not compiled yet."""
        settings = self.bound_settings()
        return address_of(self.kernel, settings, *self.arguments), settings

    def bound_settings(self) -> tuple[Any, ...]:
        """Return the settings with addresses in place of calls."""
        return tuple(_bound(setting) for setting in self.settings)


@dataclass(frozen=True, eq=False)
class PlainCall:
    """A kernel without settings, and arguments of the types of its arguments."""

    kernel: Callable[..., Any]
    arguments: tuple[Any, ...]


def _bound(setting: object) -> object:
    if isinstance(setting, Call):
        return setting.bound()
    if isinstance(setting, PlainCall):
        return address_of(setting.kernel, *setting.arguments)
    return tuple(_bound(part) for part in setting) if type(setting) is tuple else setting

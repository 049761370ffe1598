"""Arguments that all environments have in common."""

from collections.abc import Mapping, Sequence
from typing import Any

from levolve.errors import InputError
from levolve.registry import did_you_mean

# Seeds of players are 64 bits.
SEEDS = 1 << 64


def read_render_mode(mode: str | None, known: Sequence[str]) -> str | None:
    """Check a render mode."""
    if mode is not None and mode not in known:
        message = f"unknown render_mode {mode!r}: {did_you_mean(str(mode), list(known))}"
        raise InputError(message)
    return mode


def read_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> Mapping[str, Any]:
    """Check the names of the options of `reset`."""
    for name in options or {}:
        if name not in known:
            message = f"reset: unknown option {name!r}: {did_you_mean(str(name), list(known))}"
            raise InputError(message)
    return options or {}

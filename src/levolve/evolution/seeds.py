"""Seeds of runs, solvers and makers."""

import secrets

import numpy as np

from levolve.errors import InputError


def choose_seed(seed: int | None) -> int:
    """Check the given seed, or draw a random one."""
    if seed is None:
        return secrets.randbits(32)
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 1 << 64:
        message = f"seed: expected a whole number from 0 to 2**64 - 1, got {seed!r}"
        raise InputError(message)
    return int(seed)

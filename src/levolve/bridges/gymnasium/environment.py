"""Arguments that all environments have in common.

What all vector environments share: how many there are, which of them begin an episode, with which
seeds, and how infos are joined.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import InputError
from levolve.core.registry import did_you_mean

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


def vector_metadata() -> dict[str, Any]:
    """Return the metadata. Gymnasium 1.0 always resets at the next step, and has no name for it."""
    modes = getattr(gymnasium.vector, "AutoresetMode", None)
    return {
        "render_modes": ["ansi", "rgb_array"],
        "render_fps": 10,
        **({} if modes is None else {"autoreset_mode": modes.NEXT_STEP}),
    }


def read_count(num_envs: object) -> int:
    """Check the number of environments."""
    if isinstance(num_envs, bool) or not isinstance(num_envs, int | np.integer) or num_envs < 1:
        message = f"num_envs: expected a whole number from 1, got {num_envs!r}"
        raise InputError(message)
    return int(num_envs)


def read_mask(mask: object, count: int, *, begun: bool) -> NDArray[np.bool_]:
    """Return which players begin, `(count,)`; None means all. At the first reset, all of them have
    to.
    """
    if mask is None:
        return np.ones(count, np.bool_)
    if (
        not isinstance(mask, np.ndarray)
        or mask.shape != (count,)
        or mask.dtype != np.bool_
        or not mask.any()
    ):
        message = (
            f"options: reset_mask: expected an array of {count} booleans, at least one of them "
            f"true, got {mask!r}"
        )
        raise InputError(message)
    if not begun and not mask.all():
        message = "options: reset_mask: expected all players at the first reset"
        raise InputError(message)
    return mask


def read_seeds(
    seed: int | Sequence[int | None] | None, other: int, mask: NDArray[np.bool_], *, begun: bool
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return which of the players that begin get a seed, and these seeds: a seed s gives player i
    the seed s + i.

    At the first reset all players get one; those without one of their own count up from `other`.
    """
    count = len(mask)
    if seed is None or isinstance(seed, int):
        seeds: list[int | None] = [None] * count
        if seed is not None or not begun:
            seeds = [(other + player) % SEEDS for player in range(count)]
    else:
        seeds = [None if one is None else int(one) % SEEDS for one in seed]
        if not begun:
            seeds = [
                (other + player) % SEEDS if one is None else one for player, one in enumerate(seeds)
            ]
    if len(seeds) != count:
        message = f"seed: expected one seed, or {count}, one per player, got {len(seeds)}"
        raise InputError(message)
    seeded = [player for player, one in enumerate(seeds) if one is not None and mask[player]]
    return np.array(seeded, np.int64), np.array([seeds[player] for player in seeded], np.uint64)


def joined_infos(
    values: Mapping[str, NDArray[Any]], mask: NDArray[np.bool_] | None = None
) -> dict[str, Any]:
    """Return infos as Gymnasium joins those of single environments: for each name, an array, and
    which players have it.
    """
    infos: dict[str, Any] = {}
    for name, numbers in values.items():
        infos[name] = numbers
        infos[f"_{name}"] = np.ones(len(numbers), np.bool_) if mask is None else mask.copy()
    return infos

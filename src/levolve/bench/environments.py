"""Steps per second of the vector environment for Gymnasium, if it is installed."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from levolve.bench.figures import Effort, Figure
from levolve.bench.timing import fastest

SUBJECT = "environments"
STEPS = 20


def measure(effort: Effort) -> Iterator[Figure]:
    """Step many mazes with random actions; levels, observations and masks are part of a step."""
    if find_spec("gymnasium") is None:
        return
    import gymnasium  # noqa: PLC0415 an optional library

    import levolve.bridges.gymnasium  # noqa: F401, PLC0415 registers the environments

    count = effort.choose(2_000, 10_000)
    environments = gymnasium.make_vec("levolve/Maze-v0", num_envs=count, vectorization_mode="vector_entry_point")
    try:
        environments.reset(seed=1)
        dice = np.random.default_rng(1)
        actions = dice.integers(0, 4, (STEPS, count))
        seconds = fastest(_step_all, environments, actions, seconds=effort.choose(0.3, 2))
    finally:
        environments.close()
    yield Figure(SUBJECT, f"{count:,} mazes", STEPS * count / seconds / 1e6, "million steps/s")


def _step_all(environments: Any, actions: NDArray[np.int64]) -> None:  # noqa: ANN401 an optional library
    for each in actions:
        environments.step(each)

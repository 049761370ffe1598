"""The few measures that say most about a level, for people who read a terminal."""

from collections.abc import Iterable, Mapping
from typing import Any

# How many are shown.
SHOWN = 5
# In the order of their importance; those that are 0, or -1 for none, say little.
USUAL = (
    *("solution_steps", "spheres", "exit_path", "tour_steps", "difficulty"),
    *("rooms", "dead_ends", "ways_round", "walls", "regions"),
)
UNITS = {
    **dict.fromkeys(
        (
            *("solution_steps", "exit_path", "longest_path", "sweep_path", "tour_steps"),
            *("lost_steps", "cul_de_sac_length", "reconvergence", "isolated_reconvergence"),
        ),
        "steps",
    ),
    **dict.fromkeys(("walls", "reachable", "largest_region", "culs_de_sac", "branching"), "cells"),
}


def main_measures(
    measures: Mapping[str, Any], first: Iterable[str] = (), most: int = SHOWN
) -> dict[str, Any]:
    """Return at most `most` measures: those named `first`, such as targets, then the usual ones."""
    named = [name for name in dict.fromkeys(first) if name in measures]
    little = {None, 0, -1}
    usual = [name for name in USUAL if measures.get(name) not in little and name not in named]
    return {name: measures[name] for name in (*named, *usual[: max(most - len(named), 0)])}

"""Packs: many levels at once. Each meets its targets, is distinct from the others, and is proven to
be winnable.

`targets` parses targets, and `order` defines a part of a pack. `pack_job` builds a pack from
sources: `level_source` searches for levels, `puzzle_source` makes puzzles. `pack` stores the
results, and `webpage` makes them playable.
"""

from levolve.jobs.packs.targets import Spread, spread

__all__ = ["Spread", "spread"]

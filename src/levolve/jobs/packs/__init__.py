"""Packs: many levels at once. Each meets its targets, is distinct from the others, and is proven to be winnable.

`targets` parses targets, `order` defines a pack, `builder` searches for its levels, `pack` stores the results, and `webpage` makes them playable.
"""

from levolve.jobs.packs.targets import Spread, spread

__all__ = ["Spread", "spread"]

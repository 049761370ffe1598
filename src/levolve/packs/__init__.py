"""Packs: many levels at once, to order. Each is what was wished for, distinct from the others, and proven to be winnable.

`wanted` reads what people wish, `order` holds it, `bounds` refuses what cannot be, `making` searches, `pack` holds what was found, and `webpage`
makes it playable.
"""

from levolve.packs.wanted import Spread, spread

__all__ = ["Spread", "spread"]

"""Ancestors as the definition says: all births are kept for ever, and a line is walked back from
birth to birth.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Birth:
    """One child with its parents; genes are bytes. `known` are the population of the parents, and
    the best so far.
    """

    generation: int
    child: bytes
    first: bytes | None
    mate: bytes | None
    operators: tuple[str, ...]
    known: frozenset[bytes]


Step = tuple[int, bytes, bytes | None, tuple[str, ...]]


def line_of(genes: bytes, births: list[Birth]) -> list[Step]:
    """From the first ancestor to the individual: when each was born, its genes, those of its second
    parent, and what made it.

    The birth of an individual is the latest before the birth of its child. A child that was known
    is no birth.
    """
    line: list[Step] = []
    before = float("inf")
    wanted: bytes | None = genes
    while wanted is not None:
        found = [
            birth
            for birth in births
            if birth.child == wanted and birth.generation < before and wanted not in birth.known
        ]
        # Of several in one generation, the one that was added last.
        birth = max(reversed(found), key=lambda one: one.generation)
        line.insert(0, (birth.generation, birth.child, birth.mate, birth.operators))
        wanted, before = birth.first, birth.generation
    return line

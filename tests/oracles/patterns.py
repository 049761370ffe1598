"""Tile patterns as tuples, counted, and the divergence of two distributions by its definition."""

from collections import Counter
from collections.abc import Sequence
from math import log

from oracles.walking import Level

Pattern = tuple[int, ...]


def padded(level: Level, outside: int) -> list[list[int]]:
    """The level in one ring of tiles."""
    line = [outside] * (len(level[0]) + 2)
    return [line, *([outside, *row, outside] for row in level), line]


def patterns(level: Level, outside: int, size: int) -> Counter[Pattern]:
    """The windows of the padded level."""
    ring = padded(level, outside)
    return Counter(
        tuple(ring[y + dy][x + dx] for dy in range(size) for dx in range(size))
        for y in range(len(ring) - size + 1)
        for x in range(len(ring[0]) - size + 1)
    )


def divergence(
    level: Level, examples: Sequence[Level], outside: int, sizes: Sequence[int], epsilon: float
) -> float:
    """The mean over the sizes of (KL(P|Q) + KL(Q|P)) / 2, with counts smoothed as by Lucas and
    Volz.
    """
    total = 0.0
    for size in sizes:
        mine = patterns(level, outside, size)
        theirs: Counter[Pattern] = Counter()
        for example in examples:
            theirs += patterns(example, outside, size)
        for pattern in mine | theirs:
            p, q = (
                (counts[pattern] + epsilon) / ((sum(counts.values()) + epsilon) * (1 + epsilon))
                for counts in (mine, theirs)
            )
            total += (p * log(p / q) + q * log(q / p)) / 2
    return total / len(sizes)


def least_difference(level: Level, example: Level) -> float:
    """The smallest share of cells that differ, wherever the smaller extent lies on the larger."""
    rows, columns = min(len(level), len(example)), min(len(level[0]), len(example[0]))
    shares = []
    for y in range(len(level) - rows + 1):
        for v in range(len(example) - rows + 1):
            for x in range(len(level[0]) - columns + 1):
                for u in range(len(example[0]) - columns + 1):
                    differing = sum(
                        level[y + b][x + a] != example[v + b][u + a]
                        for b in range(rows)
                        for a in range(columns)
                    )
                    shares.append(differing / (rows * columns))
    return min(shares)

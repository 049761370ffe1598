"""Masks gene by gene: each function lists the genes of one individual's mask, and `words` lays such
a list out in words.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

from oracles.streams import Stream, draw, draw_below, draw_bits


@dataclass(frozen=True)
class Layout:
    """Genes in reading order of `rows` rows; a row starts a new word, and a word is left when its
    64 bits are used up.
    """

    rows: int
    columns: int
    free: frozenset[int]

    @property
    def length(self) -> int:
        return self.rows * self.columns

    @property
    def words_a_row(self) -> int:
        return (self.columns + 63) // 64

    def word(self, gene: int) -> int:
        return gene // self.columns * self.words_a_row + gene % self.columns // 64

    def bit(self, gene: int) -> int:
        return gene % self.columns % 64

    def words(self, genes: Collection[int]) -> list[int]:
        """The mask of these genes."""
        words = [0] * (self.rows * self.words_a_row)
        for gene in genes:
            words[self.word(gene)] += 2 ** self.bit(gene)
        return words


def coin_mask(stream: Stream, threshold: int, layout: Layout) -> list[int]:
    """Coins come 64 at a time. As many words share them as fit with all their columns; what is left
    over is thrown away.
    """
    used = min(layout.columns, 64)
    sharing = 64 // used
    words = layout.rows * layout.words_a_row
    coins = [
        draw_bits(stream, word // sharing, threshold) >> (word % sharing * used)
        for word in range(words)
    ]
    return [gene for gene in layout.free if coins[layout.word(gene)] >> layout.bit(gene) & 1]


def gap(bits: int, cut: Sequence[int], other: Sequence[int]) -> int:
    """The outcome that 64 bits mean in an alias table of 256 columns."""
    column = bits % 256
    return column if bits // 256 < cut[column] else other[column]


def rare_mask(
    stream: Stream, cut: Sequence[int], other: Sequence[int], layout: Layout
) -> list[int]:
    """Write all coins out in a row: each gap is that many zeros and a one, but 255 is zeros
    only.
    """
    free = sorted(layout.free)
    coins: list[int] = []
    index = 0
    while len(coins) < len(free):
        zeros = gap(draw(stream, index), cut, other)
        coins += [0] * zeros
        if zeros < 255:
            coins.append(1)
        index += 1
    return [gene for gene, coin in zip(free, coins, strict=False) if coin == 1]


def outcome_weights(cut: Sequence[int], other: Sequence[int]) -> list[int]:
    """How many of the 2**64 words mean each outcome."""
    weights = [0] * 256
    for column in range(256):
        weights[column] += cut[column]
        weights[other[column]] += 2**56 - cut[column]
    return weights


def geometric_weights(probability: float) -> list[Fraction]:
    """The exact share of 2**64 for a gap of 0, 1, ... 254, and for 255 zeros in a row."""
    one = Fraction(probability)
    zeros = Fraction(2**64)
    weights = []
    for _ in range(255):
        weights.append(zeros * one)
        zeros *= 1 - one
    return [*weights, zeros]


def segment_mask(stream: Stream, cuts: int, layout: Layout) -> list[int]:
    """One cut falls before any gene but the first; two cuts fall before two different genes."""
    genes = list(range(layout.length))
    if cuts == 1:
        segment = genes[1 + draw_below(stream, 0, len(genes) - 1) :]
    else:
        one = genes.pop(draw_below(stream, 0, len(genes)))
        other = genes[draw_below(stream, 1, len(genes))]
        segment = list(range(min(one, other), max(one, other)))
    return [gene for gene in segment if gene in layout.free]


def point_mask(stream: Stream, points: int, layout: Layout) -> list[int]:
    """Floyd's sampling: the list of candidates grows by one each time, and the newcomer stands in
    for a gene that is taken already.
    """
    free = sorted(layout.free)
    chosen: list[int] = []
    for k in range(points):
        candidates = free[: len(free) - points + k + 1]
        gene = candidates[draw_below(stream, k, len(candidates))]
        chosen.append(candidates[-1] if gene in chosen else gene)
    return chosen


def patch_mask(stream: Stream, threshold: int, size: tuple[int, int], layout: Layout) -> list[int]:
    """The genes of a rectangle, row by row, each with its coin."""
    height, width = size
    top = draw_below(stream, 0, layout.rows - height + 1)
    left = draw_below(stream, 1, layout.columns - width + 1)
    patch = [
        y * layout.columns + x for y in range(top, top + height) for x in range(left, left + width)
    ]
    return [
        gene
        for number, gene in enumerate(patch)
        if draw(stream, 2 + number) < threshold and gene in layout.free
    ]


def rectangle_mask(stream: Stream, size: tuple[int, int], layout: Layout) -> list[int]:
    """The free genes of a rectangle of a drawn size; a quarter of them are rows, and a quarter are
    columns.
    """
    tall, wide = (1 + draw_below(stream, number, side) for number, side in enumerate(size))
    kind = draw_below(stream, 2, 4)
    tall, wide = 1 if kind == 0 else tall, 1 if kind == 1 else wide
    top, left = (
        draw_below(stream, 3, layout.rows - tall + 1),
        draw_below(stream, 4, layout.columns - wide + 1),
    )
    block = [
        y * layout.columns + x for y in range(top, top + tall) for x in range(left, left + wide)
    ]
    return [gene for gene in block if gene in layout.free]


def is_kept(stream: Stream, threshold: int) -> bool:
    """Whether `spare` leaves a mask as it is."""
    return draw(stream, 2**62) < threshold

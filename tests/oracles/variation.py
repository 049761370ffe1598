"""Variation on plain lists of genes, one individual at a time."""

from collections.abc import Collection, Sequence
from typing import TypeVar

from oracles.streams import Stream, draw_below

Gene = TypeVar("Gene")


def cross(own: Sequence[Gene], other: Sequence[Gene], mask: Collection[int]) -> list[Gene]:
    """The genes of `own`, and under the mask those of `other`."""
    return [other[g] if g in mask else own[g] for g in range(len(own))]


def flip(genes: Sequence[int], mask: Collection[int]) -> list[int]:
    return [1 - bit if g in mask else bit for g, bit in enumerate(genes)]


def replace(
    stream: Stream, genes: Sequence[int], bounds: Sequence[int], mask: Collection[int]
) -> list[int]:
    return [
        draw_below(stream, g, bounds[g]) if g in mask else value for g, value in enumerate(genes)
    ]


def replace_by_another(
    stream: Stream, genes: Sequence[int], bounds: Sequence[int], mask: Collection[int]
) -> list[int]:
    """Every masked gene gets one of the values it does not have, if there is one.

    A gene that a rotation brought a value beyond its bound counts as one with its highest value.
    """
    changed = list(genes)
    for g in mask:
        others = [value for value in range(bounds[g]) if value != min(genes[g], bounds[g] - 1)]
        if others:
            changed[g] = others[draw_below(stream, g, len(others))]
    return changed


def inherits(child: Sequence[int], own: Sequence[int], other: Sequence[int]) -> bool:
    """Whether a child has all its genes from one parent, and so needs no score of its own."""
    return list(child) in (list(own), list(other))


def rotate(stream: Stream, genes: Sequence[Gene]) -> list[Gene]:
    """Cut and swap the two parts, twice."""
    turned = list(genes)
    for index in range(2):
        cut = draw_below(stream, index, len(turned))
        turned = turned[cut:] + turned[:cut]
    return turned

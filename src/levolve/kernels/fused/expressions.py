"""Genotypes whose genes are packed, but not the rows of their levels: how rows are made of genes."""

import numpy as np

from levolve.kernels.automata import run_rows
from levolve.kernels.compiler import kernel
from levolve.kernels.fused.calls import call
from levolve.kernels.fused.values import Scores, Settings, Words
from levolve.kernels.memory import empty


@kernel
def grow(settings: tuple[int, int, bool, bool, Words, Words], genes: Words, rows: Words) -> None:
    """Run automata: the last word of the genes is the rule, those before it are the start map.

    Settings: the width, the steps, the two options of `automata.run_rows`, the walls to keep, and the cells to keep open.
    """
    width, steps, survival, outside, walls, is_open = settings
    count, height = rows.shape
    rules = empty(count, np.uint64)
    for level in range(count):
        rules[level] = genes[level, height]
        for y in range(height):
            rows[level, y] = genes[level, y]
    run_rows(rows, rules, width, steps, survival, outside)
    for level in range(count):
        for y in range(height):
            rows[level, y] = (rows[level, y] & ~is_open[y]) | walls[y]


@kernel
def score_expressed(settings: Settings, genes: Words, scores: Scores) -> None:
    """The score of the rows that genes become. Settings: the number of rows, and for the expression and the score an address and settings."""
    height, expressing, scoring = settings
    rows = empty((genes.shape[0], height), np.uint64)
    call(expressing[0], expressing[1], genes, rows)
    call(scoring[0], scoring[1], rows, scores)

"""Fashion maps: with one object per cell, and with rolled NumPy arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.fashion.rule import Map, Rule


@dataclass
class Cell:
    """A cell as a program written for clarity has it."""

    state: int
    score: int = 0


def run_objects(rule: Rule, start: Map, updates: int) -> list[list[int]]:
    """The straightforward version: objects in lists, scores in whole numbers, a new list of objects every update."""
    height, width = start.shape
    scores = rule.whole
    cells = [[Cell(int(state)) for state in row] for row in start]
    for _ in range(updates):
        for y in range(height):
            for x in range(width):
                cell = cells[y][x]
                cell.score = 0
                for dx, dy in rule.neighbourhood:
                    cell.score += scores[cell.state][cells[(y + dy) % height][(x + dx) % width].state]
        following = [[Cell(cell.state) for cell in row] for row in cells]
        for y in range(height):
            for x in range(width):
                best = cells[y][x].score
                for dx, dy in rule.neighbourhood:
                    other = cells[(y + dy) % height][(x + dx) % width]
                    if other.score > best:
                        best = other.score
                        following[y][x].state = other.state
        cells = following
    return [[cell.state for cell in row] for row in cells]


def run_rolled(rule: Rule, start: Map, updates: int) -> Map:
    """A careful version in NumPy: whole arrays of small numbers, rolled once for each neighbour."""
    scores: NDArray[np.int16] = np.array(rule.whole, np.int16).ravel()
    now = start
    for _ in range(updates):
        row = now * np.uint8(rule.states)
        total = np.zeros(now.shape, np.int16)
        for dx, dy in rule.neighbourhood:
            total += scores.take(row + np.roll(now, (-dy, -dx), (0, 1)))
        best, chosen = total, now
        for dx, dy in rule.neighbourhood:
            rolled = np.roll(total, (-dy, -dx), (0, 1))
            chosen = np.where(rolled > best, np.roll(now, (-dy, -dx), (0, 1)), chosen)
            best = np.maximum(best, rolled)
        now = chosen
    return now

"""Reach the Flag by the genetic algorithm of its source: lists of moves, walked one by one."""

import random

from levolve.kernels.flag.field import NEVER
from levolve.puzzles.flag.genetic import chromosome_length
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.settings import SourceSettings


class PlainSource:
    """The source's second version in plain Python, the same settings, its own random numbers."""

    def __init__(self, played: Round, settings: SourceSettings) -> None:
        """Draw the first population."""
        self.rows: list[list[int]] = played.tiles.tolist()
        self.start, self.flag, self.settings = played.start, played.flag, settings
        self.length, self.visits = chromosome_length(played), played.visits
        self.dice = random.Random(1)
        self.population = [[self.dice.choice("udlr") for _ in range(self.length)] for _ in range(settings.population)]

    def fitness(self, chromosome: list[str]) -> float:
        """The negative of what the source makes small; 0 for a win, which is looked for after every move."""
        left = [list(row) for row in self.rows]
        x, y = self.start
        match = self.visits
        if left[y][x] != NEVER:
            left[y][x] -= 1
            match -= 1
        void = 0.0
        for gene in chromosome:
            to_x = x + (gene == "r") - (gene == "l")
            to_y = y + (gene == "d") - (gene == "u")
            if not (0 <= to_y < len(left) and 0 <= to_x < len(left[0])) or left[to_y][to_x] == 0:
                void += self.settings.void_mark
                continue
            x, y = to_x, to_y
            if left[y][x] != NEVER:
                left[y][x] -= 1
                match -= 1
            if match == 0 and (x, y) == self.flag:
                return 0.0
        distance = abs(x - self.flag[0]) + abs(y - self.flag[1])
        return -(self.settings.match_weight * match + self.settings.distance_weight * distance + void)

    def breed(self) -> None:
        """One generation."""
        dice, settings = self.dice, self.settings
        ranked = sorted(self.population, key=self.fitness, reverse=True)
        children = [list(chromosome) for chromosome in ranked[: settings.elites]]
        while len(children) < settings.population:
            one, other = dice.choice(ranked[: settings.parents]), dice.choice(ranked[: settings.parents])
            low, high = sorted((dice.randrange(self.length), dice.randrange(self.length)))
            child = one[:low] + other[low : high + 1] + one[high + 1 :]
            at, to = dice.randrange(self.length), dice.randrange(self.length)
            if dice.random() <= settings.mutation_rate:
                child[at] = dice.choice("udlr")
            else:
                child[at], child[to] = child[to], child[at]
            children.append(child)
        self.population = children

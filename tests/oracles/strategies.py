"""Strategies as their docstrings say them: each function breeds the next population from a plain
list of individuals.

`evaluate` is called once in every generation, with the genes that need a score, in their order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from levolve.kernels.bits.random_streams import GROUP, SELECT
from levolve.search.selection import Proportional
from levolve.search.strategies.annealing import Annealing
from levolve.search.strategies.generational import Generational
from levolve.search.strategies.picks import Picks
from levolve.search.strategies.steady_state import SteadyState
from levolve.search.strategies.truncation import Truncation
from levolve.search.variation.crossovers import UniformCrossover
from oracles.operators import Genome, Space, crossed, mutated
from oracles.selection import accepts, mating_groups
from oracles.selections import chosen
from oracles.streams import open_stream

Evaluate = Callable[[list[Genome]], list[float]]


class Individual(NamedTuple):
    """Genes with their score."""

    genes: Genome
    score: float


Population = list[Individual]
Family = Sequence[Individual]


@dataclass(frozen=True)
class World:
    """What every generation of a search has in common. `start(generation, count)` gives fresh
    individuals.
    """

    space: Space
    start: Callable[[int, int], list[Genome]]
    seed: int
    generations: int


def first_population(count: int, world: World, evaluate: Evaluate) -> Population:
    """Generation 0 of every strategy: fresh individuals, all evaluated."""
    genes = world.start(0, count)
    return [Individual(*pair) for pair in zip(genes, evaluate(genes), strict=True)]


def cut_short(population: Population, evaluated: Population) -> Population:
    """A generation of which only some were evaluated, because the budget is used up: they join the
    population, and its worst leave.
    """
    return best_first(population + evaluated)[: len(population)] if population else evaluated


def generational(
    strategy: Generational,
    world: World,
    generation: int,
    population: Population,
    evaluate: Evaluate,
) -> Population:
    """Breed a whole new generation, except for the elites, which are kept untouched."""
    count = strategy.population - strategy.elites
    scores = [individual.score for individual in population]
    parents = [
        population[i]
        for i in chosen(strategy.selection, scores, count + count % 2, world.seed, generation)
    ]
    children = crossed(
        strategy.crossover,
        world.space,
        [parent.genes for parent in parents],
        world.seed,
        generation,
    )[:count]
    children = mutated(strategy.mutation, world.space, children, world.seed, generation)
    return best_first(population)[: strategy.elites] + scored(
        children, couples(parents)[:count], evaluate
    )


def steady_state(
    strategy: SteadyState, world: World, generation: int, population: Population, evaluate: Evaluate
) -> Population:
    """In each group the two best breed, and the children take the places of the two worst."""
    events = strategy.population // strategy.group if strategy.events is None else strategy.events
    scores = [individual.score for individual in population]
    groups = mating_groups(
        open_stream(world.seed, GROUP, generation, 0), scores, strategy.group, events
    )
    parents = [population[i] for members in groups for i in members[:2]]
    losers = [i for members in groups for i in (members[-1], members[-2])]
    children = crossed(
        strategy.crossover,
        world.space,
        [parent.genes for parent in parents],
        world.seed,
        generation,
    )
    children = mutated(strategy.mutation, world.space, children, world.seed, generation)
    after = list(population)
    for place, child in zip(losers, scored(children, couples(parents), evaluate), strict=True):
        after[place] = child
    return after


def truncation(
    strategy: Truncation, world: World, generation: int, population: Population, evaluate: Evaluate
) -> Population:
    """Drop the worst `kill`; put in their places children of neighbouring survivors, mutants of the
    best, and fresh individuals.
    """
    survivors = best_first(population)[: strategy.population - strategy.kill]
    parents = survivors[: 2 * strategy.couple]
    children = crossed(
        strategy.crossover,
        world.space,
        [parent.genes for parent in parents],
        world.seed,
        generation,
    )[0::2]
    originals = [survivors[i % len(survivors)] for i in range(strategy.mutate)]
    mutants = mutated(
        strategy.mutation,
        world.space,
        [original.genes for original in originals],
        world.seed,
        generation,
    )
    fresh = world.start(generation, strategy.kill - strategy.couple - strategy.mutate)
    families = [
        *couples(parents)[0::2],
        *([original] for original in originals),
        *([] for _ in fresh),
    ]
    return survivors + scored(children + mutants + fresh, families, evaluate)


def annealing(
    strategy: Annealing,
    world: World,
    generation: int,
    population: Population,
    evaluate: Evaluate,
    best_score: float,
) -> Population:
    """Each chain tries one mutant: a better one is taken, a worse one by chance, ever more rarely.

    Every `takeover` generations the better of a pair takes over the worse. `best_score` is the best
    before this generation. A mutant that came out unchanged keeps its score and is not evaluated.
    """
    genes = mutated(
        strategy.mutation,
        world.space,
        [chain.genes for chain in population],
        world.seed,
        generation,
    )
    changed = [i for i, chain in enumerate(population) if genes[i] != chain.genes]
    scores = evaluate([genes[i] for i in changed])
    done = min(generation / max(world.generations, 1), 1.0)
    temperature = (strategy.hot + (strategy.cold - strategy.hot) * done) * abs(
        max([best_score, *scores])
    )
    after = list(population)
    for i, score in zip(changed, scores, strict=True):
        if accepts(
            open_stream(world.seed, SELECT, generation, i),
            population[i].score - score,
            temperature or strategy.cold,
        ):
            after[i] = Individual(genes[i], score)
    if generation % strategy.takeover == 0:
        pairs = mating_groups(
            open_stream(world.seed, GROUP, generation, 0),
            [chain.score for chain in after],
            2,
            len(after) // 2,
        )
        for better, worse in pairs:
            after[worse] = after[better]
    return after


def picks(
    strategy: Picks, world: World, generation: int, population: Population, evaluate: Evaluate
) -> Population:
    """Individuals above neutral are the parents of all others; those that score `keep` stay; every
    other round of children is tamer.
    """
    genes = picked_genes(strategy, world, generation, population)
    return [Individual(*pair) for pair in zip(genes, evaluate(genes), strict=True)]


def picked_genes(
    strategy: Picks, world: World, generation: int, population: Population
) -> list[Genome]:
    """What the strategy `picks` proposes."""
    scores = [individual.score for individual in population]
    neutral = (
        sorted(scores)[(len(scores) - 1) // 2] if strategy.neutral is None else strategy.neutral
    )
    weights = [max(score - neutral, 0.0) for score in scores]
    if not any(weights):
        weights = [float(score == neutral) for score in scores]
    if not any(weights):
        return world.start(generation, strategy.population)
    order = sorted(range(len(scores)), key=lambda place: -scores[place])
    if strategy.keep is None:
        stay = order[:1]
    else:
        stay = [
            place
            for place in order[: max(strategy.population // strategy.rounds // 2, 1)]
            if scores[place] >= strategy.keep
        ]
    proposed = [population[place].genes for place in sorted(stay)]
    size = ceil((strategy.population - len(proposed)) / strategy.rounds)
    for number in range(strategy.rounds):
        count = min(size, strategy.population - len(proposed))
        proposed += picked_round(
            strategy,
            world,
            generation + (number << 32),
            number,
            [population[i].genes for i in range(len(scores))],
            weights,
            count,
        )
    return proposed


def picked_round(
    strategy: Picks,
    world: World,
    key: int,
    number: int,
    genes: list[Genome],
    weights: list[float],
    count: int,
) -> list[Genome]:
    """The children of one round, whose random numbers are those of generation `key`."""
    places = chosen(Proportional(), weights, count + count % 2, world.seed, key)
    if strategy.mates:
        possible = [place for place, weight in enumerate(weights) if weight]
        for one in range(0, len(places), 2):
            if places[one] == places[one + 1]:
                places[one + 1] = possible[(possible.index(places[one]) + 1) % len(possible)]
    parents = [genes[place] for place in places]
    mixed = crossed(strategy.crossover, world.space, parents, world.seed, key)
    children = [
        (mixed if strategy.mates or place // 2 % 2 == 0 else parents)[place]
        for place in range(count)
    ]
    children = mutated(strategy.mutation, world.space, children, world.seed, key)
    if number % 2 == 0:
        return children
    both = [one for pair in zip(children, parents, strict=False) for one in pair]
    return crossed(
        UniformCrossover(1 - 1 / 2 ** ((number + 1) // 2)),
        world.space,
        both,
        world.seed,
        key + (1 << 60),
    )[0::2]


def best_first(population: Population) -> Population:
    """Sorting keeps the order of equals."""
    return sorted(population, key=lambda individual: -individual.score)


def couples(parents: Sequence[Individual]) -> list[Family]:
    """The two parents of each child of a crossover: its own first, then the other of the pair."""
    pairs = [(parents[i], parents[i + 1]) for i in range(0, len(parents), 2)]
    return [family for one, other in pairs for family in ((one, other), (other, one))]


def scored(children: list[Genome], families: Sequence[Family], evaluate: Evaluate) -> Population:
    """Evaluate the children, but for those that came out equal to a parent: they have its score and
    go behind the others.

    From the last to the first, each of them changes places with the last that is not yet known to
    be equal to a parent.
    """
    known = [
        next((parent.score for parent in family if parent.genes == genes), None)
        for genes, family in zip(children, families, strict=True)
    ]
    queue = list(zip(children, known, strict=True))
    new = len(queue)
    for place in reversed(range(len(queue))):
        if queue[place][1] is not None:
            new -= 1
            queue[place], queue[new] = queue[new], queue[place]
    scores = evaluate([genes for genes, _ in queue[:new]])
    inherited = [score for _, score in queue[new:] if score is not None]
    return [
        Individual(genes, score)
        for (genes, _), score in zip(queue, scores + inherited, strict=True)
    ]

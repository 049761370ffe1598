"""The functions of the document about Reach the Flag, on plain lists.

The document's programs keep their settings in module variables; here they are variables of this
module. The map is listed bottom row first. Its start has already fallen, as in the document's
listing, whether it is written as 0 or as the tile it was. Random numbers come from Python's
`random`.

>>> from levolve.compat import reach_the_flag
>>> [[chromosome, score]] = reach_the_flag.fitness([list("rrrruuu")])
>>> score
14
"""

import random
from collections.abc import Sequence

import numpy as np

from levolve.core.errors import InputError
from levolve.kernels.puzzles.flag_source import SourceRules, lay_planes, pack_genes, score_source
from levolve.levels.grid import MOVES
from levolve.puzzles.flag.files import DOCUMENT_ROUNDS, round_from_data

Chromosome = list[str]
Scored = list[list[object]]

move_list = ["r", "l", "u", "d"]
map_game: Sequence[Sequence[int]] = DOCUMENT_ROUNDS["document-5"]["rows"]
# The start is (a1, b1): column and row, the bottom row being 0.
a1, b1 = DOCUMENT_ROUNDS["document-5"]["start"]
population_size = 20
chromosome_length = 20
parents_number = 25
elite_size = 5
mutation_rate = 0.3
# The penalty for each gene that does nothing; None for the first version of the fitness.
void_mark: float | None = None
# Whether mutation swaps two genes where it resets none: the second version.
swap = False


def initial_population() -> list[Chromosome]:
    """Return `population_size` random chromosomes of `chromosome_length` moves."""
    return [random.choices(move_list, k=chromosome_length) for _ in range(population_size)]


def fitness(population: Sequence[Sequence[str]]) -> Scored:
    """Return `[chromosome, score]` for each chromosome; lower is better, 0 solves the round.

    The first version is 2 match + distance; with a `void_mark` it is match + distance + void.
    """
    played = round_from_data({"map": map_game, "start": (a1, b1)})
    lengths = {len(chromosome) for chromosome in population}
    if len(lengths) != 1 or not set().union(*population) <= set(MOVES):
        raise InputError(
            "population: expected chromosomes of one length with the moves u, d, l and r"
        )
    (length,) = lengths
    genes = np.array([[MOVES.index(move) for move in one] for one in population], np.uint8)
    packed = np.zeros((-(-length // 32), len(genes)), np.uint64)
    pack_genes(genes, packed)
    scores = np.zeros(len(genes))
    weights = (2.0, 1.0, 0.0) if void_mark is None else (1.0, 1.0, float(void_mark))
    rules = SourceRules(*weights, 1, 0, 0.0, swap=False, spare=False, at_end=True)
    planes = lay_planes(played.field, len(genes))
    score_source(packed, length, played.field, planes, played.field.left.copy(), rules, scores)
    numbers = [int(-score) if score == int(score) else -score for score in scores.tolist()]
    return [[one, score] for one, score in zip(population, numbers, strict=True)]


def select_parents(fitness_scores: Scored) -> list[Chromosome]:
    """Return the `parents_number` best chromosomes, the best first."""
    ranked = sorted(fitness_scores, key=lambda scored: scored[1])  # type: ignore[arg-type,return-value]
    return [scored[0] for scored in ranked[:parents_number]]  # type: ignore[misc]


def crossover(parent1: Sequence[str], parent2: Sequence[str]) -> Chromosome:
    """Return the first parent with the genes between two random positions of the second."""
    ends = sorted(random.randrange(len(parent1)) for _ in range(2))
    return [*parent1[: ends[0]], *parent2[ends[0] : ends[1] + 1], *parent1[ends[1] + 1 :]]


def create_children(parents: Sequence[Chromosome]) -> list[Chromosome]:
    """Return the elites and children of random parents, `population_size` in all.

    Elites are copies: mutation of the children does not change the parents.
    """
    elites = [list(parent) for parent in parents[:elite_size]]
    missing = population_size - len(elites)
    pairs = [random.choices(parents, k=2) for _ in range(missing)]
    return elites + [crossover(*pair) for pair in pairs]


def mutation(children: list[Chromosome]) -> list[Chromosome]:
    """Mutate chromosomes in place: reset a gene, or else, with `swap`, exchange two."""
    for child in children:
        first, second = (random.randrange(len(child)) for _ in range(2))
        if random.random() <= mutation_rate:
            child[first] = random.choice(move_list)
        elif swap:
            child[first], child[second] = child[second], child[first]
    return children

"""Reach the Flag solved by evolution: the source's two algorithms, and one of our own.

The source makes `match + 1.7 * distance + void` small, where *match* is the visits left over, *distance* the steps to the flag and *void* 1.1
for each gene that does nothing; its first version `2 * match + distance`. Here the negative of it is made large, and 0 is a win in both.
Both look for a win after every move, not only after the last. The source also mutated the elites it meant to keep;
`spare_elites=False` does as it did.

Our own (`guided`) decodes each gene into a move that is neither void nor hopeless: a move after which a tile could no longer be reached or left, or
the visits on black and white no longer fit, is passed over. So a walk is a solved beginning, and its score is how many visits it uses up. No two
individuals with the same walk are both rewarded, and a population that has stood still for a while starts anew.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from levolve.evolution.seeds import choose_seed
from levolve.kernels.flag import guided, source
from levolve.kernels.flag.field import NEVER
from levolve.kernels.flag.genes import start_genes
from levolve.kernels.flag.pruning import make_room
from levolve.levels.grid import MOVES
from levolve.puzzles.flag.exact import least_length
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.puzzle import Progress, Solution, check_range
from levolve.puzzles.search import Search, changed_settings, check_switch
from levolve.registry import Registry


@dataclass(frozen=True)
class Guided:
    """Our own algorithm."""

    population: int = 40
    generations: int = 20_000
    elites: int = 5
    contest: int = 2
    crossing: float = 0.3
    patience: int = 100

    def __post_init__(self) -> None:
        """Check every setting."""
        _check_common(self.population, self.generations, self.elites)
        check_range("contest", self.contest, 1, self.population)
        check_range("crossing", self.crossing, 0, 1, whole=False)
        check_range("patience", self.patience, 1, 1 << 40)

    @property
    def rules(self) -> guided.Rules:
        """The settings as the kernel takes them."""
        return guided.Rules(self.elites, self.contest, float(self.crossing), self.patience)


@dataclass(frozen=True)
class Source:
    """The source's algorithm, as its second version sets it: mutation by swapping two genes or resetting one, void genes count against."""

    population: int = 40
    generations: int = 100_000
    parents: int = 25
    elites: int = 5
    mutation_rate: float = 0.6
    swap: bool = True
    match_weight: float = 1.0
    distance_weight: float = 1.7
    void_mark: float = 1.1
    spare_elites: bool = True

    def __post_init__(self) -> None:
        """Check every setting."""
        _check_common(self.population, self.generations, self.elites)
        check_range("parents", self.parents, 1, self.population)
        for name in ("match_weight", "distance_weight", "void_mark"):
            check_range(name, getattr(self, name), 0, 1000, whole=False)
        check_range("mutation_rate", self.mutation_rate, 0, 1, whole=False)
        check_switch("swap", self.swap)
        check_switch("spare_elites", self.spare_elites)

    @property
    def rules(self) -> source.Rules:
        """The settings as the kernel takes them."""
        weights = float(self.match_weight), float(self.distance_weight), float(self.void_mark)
        return source.Rules(*weights, self.parents, self.elites, float(self.mutation_rate), self.swap, self.spare_elites)


@dataclass(frozen=True)
class FirstSource(Source):
    """The source's first version: mutation by resetting one gene, void genes do not count."""

    mutation_rate: float = 0.3
    swap: bool = False
    match_weight: float = 2.0
    distance_weight: float = 1.0
    void_mark: float = 0.0


SCHEMES: Registry[type[Guided] | type[Source]] = Registry(
    "scheme",
    {name: f"levolve.puzzles.flag.genetic:{kind}" for name, kind in (("guided", "Guided"), ("source-2", "Source"), ("source-1", "FirstSource"))},
)


def _check_common(population: int, generations: int, elites: int) -> None:
    check_range("population", population, 2, 100_000)
    check_range("generations", generations, 1, 1 << 40)
    check_range("elites", elites, 0, population - 1)


def settings_of(scheme: str, changes: Mapping[str, object]) -> Guided | Source:
    """A scheme by name, with some of its settings changed."""
    return changed_settings(SCHEMES[scheme], changes, f"the scheme {scheme!r}")


def chromosome_length(played: Round) -> int:
    """The source's length: a gene for each visit, and five for each tile that never falls, the flag included."""
    return played.visits + 5 * int((played.tiles == NEVER).sum())


class FlagSearch(Search):
    """A population of walks; a win ends it."""

    def __init__(self, played: Round, settings: Guided | Source, seed: int) -> None:
        """Draw the first population."""
        super().__init__(settings.population, settings.generations)
        self.round = played
        self.settings = settings
        self.seed = np.uint64(seed)
        size = settings.population
        self.genes: NDArray[np.uint8] = np.zeros((size, chromosome_length(played)), np.uint8)
        self.scores: NDArray[np.float64] = np.zeros(size)
        self._population = guided.Population(
            self.genes, self.scores, np.zeros(size, np.int64), np.zeros(size, np.uint64), np.array([-1, 0], np.int64)
        )
        start_genes(self.seed, 0, self.genes, guided.ORDERS if isinstance(settings, Guided) else len(MOVES))

    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them wins."""
        field, settings = self.round.field, self.settings
        if isinstance(settings, Guided):
            done, self.winner = guided.evolve_guided(self.seed, self.generation, count, self._population, field, settings.rules)
        else:
            done, self.winner = source.evolve_source(self.seed, self.generation, count, self.genes, self.scores, field, settings.rules)
        self.generation += done

    def moves_of(self, individual: int) -> str:
        """The moves that an individual makes, without void genes, up to the win if it wins."""
        if isinstance(self.settings, Source):
            play = self.round.after("")
            for gene in self.genes[individual]:
                if play.won:
                    break
                play.step(MOVES[gene])
            return play.moves
        way = np.zeros(self.genes.shape[1], np.int8)
        _, made, _ = guided.walk_guided(self.genes[individual], self.round.field, make_room(self.round.field), way)
        return "".join(MOVES[move] for move in way[:made])

    @property
    def diversity(self) -> float:
        """The share of the population that differs in its genes."""
        return len(np.unique(self.genes, axis=0)) / len(self.genes)

    def progress(self) -> Progress:
        """How far it is."""
        best = int(np.argmax(self.scores)) if self.winner < 0 else self.winner
        return Progress(self.generation, self.generations, float(self.scores[best]), self.diversity, self.moves_of(best))


def solve(
    played: Round, *, seed: int | None = None, scheme: str = "guided", watch: Callable[[Progress], None] | None = None, **settings: object
) -> Solution:
    """Solve a round by evolution. `watch` hears from time to time how far it is."""
    chosen = settings_of(scheme, settings)
    played.check_reachable()
    seed = choose_seed(seed)
    began = time.perf_counter()
    search = FlagSearch(played, chosen, seed)
    search.finish(watch)
    moves = None
    if search.winner >= 0:
        moves = search.moves_of(search.winner)
        played.with_solution(moves).check()
    seconds = time.perf_counter() - began
    optimal = least_length(played) if moves is not None else None
    return Solution("flag", "genetic", moves, search.generation, search.evaluations, seed, seconds, optimal)

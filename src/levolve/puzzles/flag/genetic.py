"""Reach the Flag solved by evolution: the source's algorithms, and two of our own.

The source makes `match + distance + void` small, where *match* is the visits left over, *distance*
the steps from the end of the walk to the flag and *void* the number of genes that do nothing
(`source-2`); its first version `2 * match + distance` (`source-1`), its later program `match +
1.7 * distance + 1.1 * void` (`source-3`). Here the negative of it is made large, and 0 is a win. A
win is tested after every move, or at the end only (`win_at_end`, as the source did). The source
also mutated the elites it meant to keep; `spare_elites=False` does as it did.

`guided` decodes each gene into a move that is neither void nor hopeless: a move after which a tile
could no longer be reached or left, or the visits on black and white no longer fit, is skipped. So a
walk is a solved beginning, and its score is how many visits it uses up. No two individuals with the
same walk are both rewarded, and a population without progress starts anew.

`plain` looks at nothing but the tiles beside the player. A chromosome is a walk, and the operators
do the work: see `kernels/puzzles/walks`.
"""

from abc import abstractmethod
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.puzzles import flag_guided, flag_source, flag_walks
from levolve.kernels.puzzles.flag_field import NEVER, start_genes
from levolve.kernels.puzzles.flag_positions import make_room
from levolve.levels.grid import MOVES
from levolve.puzzles.flag.exact import least_length
from levolve.puzzles.flag.rules import Round
from levolve.puzzles.flag.settings import (
    FlagSettings,
    GuidedSettings,
    PlainSettings,
    SourceSettings,
)
from levolve.puzzles.solvers import PuzzleSearch

# Random individuals that are drawn after a search to see what evolution was needed for; from
# streams that no generation uses.
SAMPLE, SAMPLE_GENERATION = 1000, 1 << 41
HALF = 0.5


def chromosome_length(played: Round) -> int:
    """The source's length: a gene for each visit, and five for each tile that never falls, the flag
    included.
    """
    return played.visits + 5 * int((played.tiles == NEVER).sum())


class FlagSearch(PuzzleSearch[Round]):
    """A population of walks; a win ends it. A subclass knows what genes mean."""

    def __init__(self, played: Round, settings: FlagSettings, seed: int | None) -> None:
        """Make room for the population; the subclass draws it."""
        super().__init__("flag", played, settings.population, settings.generations, seed)
        self.genes_each = settings.chromosome_length or chromosome_length(played)
        self.genes: NDArray[np.uint8] = np.zeros((settings.population, self.genes_each), np.uint8)
        self.scores = np.zeros(settings.population)

    @property
    def diversity(self) -> float:
        """The share of the population that differs in its genes."""
        return len(np.unique(self.genes, axis=0)) / len(self.genes)

    def least_moves(self) -> int | None:
        """The length of every solution, where parity determines it."""
        return least_length(self.position) if self.winner >= 0 else None

    # Why random individuals may win as often as evolved ones.
    ease: ClassVar[str] = "this round is easy, and evolution did little"

    @abstractmethod
    def random_wins(self) -> int:
        """How many of `SAMPLE` random individuals win."""

    @cached_property
    def random_share(self) -> float:
        """The share of random individuals that win: how much of the work decoding alone does."""
        return self.random_wins() / SAMPLE

    def facts(self) -> dict[str, Any]:
        """The share of random individuals that win, and the chance that as many of them as were
        scored would have solved the round.
        """
        share = self.random_share
        return {
            "random_share": share,
            "random_chance": round(1 - (1 - share) ** self.evaluations, 6),
        }

    def remarks(self) -> tuple[str, ...]:
        """Says so where random individuals would probably have solved the round as fast."""
        facts = self.facts()
        if self.winner < 0 or facts["random_chance"] < HALF:
            return ()
        return (f"{self.ease}: {facts['random_share']:.1%} of random chromosomes win",)


class SourceSearch(FlagSearch):
    """A gene is a move, played as it stands."""

    def __init__(self, played: Round, settings: SourceSettings, seed: int | None) -> None:
        """Draw the first population."""
        super().__init__(played, settings, seed)
        self.settings = settings
        start_genes(self.seed, 0, self.genes, len(MOVES))

    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them wins."""
        rules = source_rules(self.settings)
        done, self.winner = flag_source.evolve_source(
            self.seed, self.generation, count, self.genes, self.scores, self.position.field, rules
        )
        self.generation += done

    def moves_of(self, individual: int) -> str:
        """The moves that an individual makes, without void genes; up to the win if it wins and a
        win is tested after every move.
        """
        play = self.position.after("")
        for gene in self.genes[individual]:
            if play.won and not self.settings.win_at_end:
                break
            play.step(MOVES[gene])
        return play.moves

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Genes and scores."""
        return {"genes": self.genes, "scores": self.scores}

    def random_wins(self) -> int:
        """How many of `SAMPLE` random chromosomes win."""
        drawn = np.zeros((SAMPLE, self.genes_each), np.uint8)
        start_genes(self.seed, SAMPLE_GENERATION, drawn, len(MOVES))
        return flag_source.count_wins(drawn, self.position.field, self.settings.win_at_end)


class GuidedSearch(FlagSearch):
    """A gene is an order of the moves, of which the first that is neither void nor hopeless is
    made.
    """

    ease: ClassVar[str] = "decoding did most of the work"

    def __init__(self, played: Round, settings: GuidedSettings, seed: int | None) -> None:
        """Draw the first population."""
        super().__init__(played, settings, seed)
        self.settings = settings
        size = settings.population
        self._population = flag_guided.Population(
            self.genes,
            self.scores,
            np.zeros(size, np.int64),
            np.zeros(size, np.uint64),
            np.array([-1, 0], np.int64),
        )
        start_genes(self.seed, 0, self.genes, flag_guided.ORDERS)

    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them wins."""
        settings = self.settings
        rules = flag_guided.GuidedRules(
            settings.kept, settings.contest, float(settings.crossing), settings.patience
        )
        done, self.winner = flag_guided.evolve_guided(
            self.seed, self.generation, count, self._population, self.position.field, rules
        )
        self.generation += done

    def moves_of(self, individual: int) -> str:
        """The moves that an individual makes, up to the win if it wins."""
        way = np.zeros(self.genes_each, np.int8)
        _, made, _ = flag_guided.walk_guided(
            self.genes[individual], self.position.field, make_room(self.position.field), way
        )
        return "".join(MOVES[move] for move in way[:made])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Genes and scores; the length and fingerprint of each walk, and the best score of this
        start and its generation.
        """
        return self._population._asdict()

    def random_wins(self) -> int:
        """How many of `SAMPLE` random chromosomes win."""
        drawn = np.zeros((SAMPLE, self.genes_each), np.uint8)
        start_genes(self.seed, SAMPLE_GENERATION, drawn, flag_guided.ORDERS)
        return flag_guided.count_guided_wins(drawn, self.position.field)


class PlainSearch(FlagSearch):
    """A chromosome is a walk, none of whose moves is void."""

    def __init__(self, played: Round, settings: PlainSettings, seed: int | None) -> None:
        """Draw the first population, which may hold a winner."""
        super().__init__(played, settings, seed)
        self.settings = settings
        size = settings.population
        self._walks = flag_walks.Walks(
            self.genes.view(np.int8),
            np.zeros(size, np.int64),
            self.scores,
            np.zeros(size, np.uint64),
            np.array([-1.0, 0.0]),
        )
        self.winner = flag_walks.start_walks(self.seed, 0, self._walks, played.field)

    def advance(self, count: int) -> None:
        """Breed up to `count` generations, fewer where one of them wins."""
        settings = self.settings
        rules = flag_walks.WalkRules(
            settings.kept,
            settings.contest,
            float(settings.crossing),
            settings.changes,
            settings.patience,
        )
        field = self.position.field
        done, self.winner = flag_walks.evolve_walks(
            self.seed, self.generation, count, self._walks, field, rules, self.winner
        )
        self.generation += done

    @property
    def evaluations(self) -> int:
        """How many walks were scored: each generation's when it is bred."""
        return (self.generation + 1) * self.population

    def moves_of(self, individual: int) -> str:
        """The walk."""
        return "".join(
            MOVES[move] for move in self.genes[individual, : self._walks.made[individual]]
        )

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Walks, lengths, scores and fingerprints, and the best score of this start and its
        generation.
        """
        return self._walks._asdict()

    @property
    def diversity(self) -> float:
        """The share of different walks."""
        return len(np.unique(self._walks.prints)) / self.population

    def random_wins(self) -> int:
        """How many of `SAMPLE` random walks win."""
        return flag_walks.count_random_walks(
            self.seed, SAMPLE_GENERATION, SAMPLE, self.genes_each, self.position.field
        )


def source_rules(settings: SourceSettings) -> flag_source.SourceRules:
    """The settings as the kernel takes them."""
    return flag_source.SourceRules(
        float(settings.match_weight),
        float(settings.distance_weight),
        float(settings.void_mark),
        settings.breeding,
        settings.kept,
        float(settings.mutation_rate),
        settings.swap,
        settings.spare_elites,
        settings.win_at_end,
    )


def flag_search(played: Round, settings: FlagSettings, seed: int | None) -> FlagSearch:
    """The search that goes with some settings."""
    if isinstance(settings, SourceSettings):
        return SourceSearch(played, settings, seed)
    if isinstance(settings, PlainSettings):
        return PlainSearch(played, settings, seed)
    if isinstance(settings, GuidedSettings):
        return GuidedSearch(played, settings, seed)
    raise TypeError(f"settings: expected those of a scheme, got {type(settings).__name__}")

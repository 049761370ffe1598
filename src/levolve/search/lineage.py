"""`Lineage`: records the ancestors of the individuals of a search, so that the line of the best can
be shown.

An individual is identified by its genes. A *birth* is an individual that variation or chance has
made, and that equals none of the population of its parents nor the best so far. The line of an
individual leads from its latest birth to its first parent, whose genes it has except for those that
crossover exchanged and mutation changed, from there to that one's first parent, and so on. Births
without a living descendant are forgotten, so a recorder stays small however long the search is.

The names of variation operators, as captions show them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.core.errors import UnknownNameError
from levolve.search.ancestors import (
    NOBODY,
    Ancestor,
    Descendant,
    ancestor_of,
    long_lines,
    read_lines,
    shorten,
    written_lines,
)
from levolve.search.variation import CROSSOVERS, MUTATIONS
from levolve.search.variation.mutations import MutationSequence, RepairMutation
from levolve.search.variation.operators import Crossover, Mutation

if TYPE_CHECKING:
    from levolve.search.genotypes.gene_space import Genes


def operator_name(operator: Crossover | Mutation) -> str:
    """Return the name of an operator and what it is, such as "two_point crossover"; of a sequence
    the names of its members.

    >>> operator_name(MutationSequence())
    'double_rotation and uniform mutation'
    """
    if isinstance(operator, Crossover):
        return f"{_registered(type(operator))} crossover"
    return f"{' and '.join(_members(operator))} mutation"


def _members(mutation: Mutation) -> list[str]:
    if isinstance(mutation, MutationSequence):
        return [name for member in mutation.mutations for name in _members(member)]
    if isinstance(mutation, RepairMutation):
        return [*_members(mutation.mutation), "repair"]
    return [_registered(type(mutation))]


@lru_cache(maxsize=256)
def _registered(kind: type[Crossover | Mutation]) -> str:
    """Return the registered name of a kind of operator; the name of its class for one that is used
    only in Python.
    """
    try:
        return CROSSOVERS.name_of(kind) if issubclass(kind, Crossover) else MUTATIONS.name_of(kind)
    except UnknownNameError:
        return kind.__name__


Indices = NDArray[np.int64]
Scores = NDArray[np.float64]
Living = Iterable[tuple["Genes", Scores]]

# Births are kept as arrays for this many generations, or bytes, before those with living
# descendants are joined to their lines.
EVERY = 64
MOST_BYTES = 1 << 23


@dataclass(eq=False, slots=True)
class _Open:
    """An individual whose birth is still to be found: its score, and its children."""

    score: float
    children: list[Descendant] = field(default_factory=list)


@dataclass(frozen=True, eq=False, slots=True)
class _Births:
    """Births of one generation by the same operators: children and parents row by row."""

    operators: tuple[str, ...]
    children: Genes
    genes: Genes
    scores: Scores
    first: Indices
    second: Indices

    @property
    def nbytes(self) -> int:
        return self.children.nbytes + self.genes.nbytes

    def parents(self, row: int) -> list[tuple[bytes, float] | None]:
        """Return the genes and scores of the first and the second parent of a child."""
        places = (int(self.first[row]), int(self.second[row]))
        return [
            None if place == NOBODY else (self.genes[place].tobytes(), float(self.scores[place]))
            for place in places
        ]


class Lineage:
    """Records births, and gives the line of an individual.

    A strategy calls `add` with the children that it proposes; `Search.tell` calls `advance`. A
    recorder does not change a search.
    """

    def __init__(self) -> None:
        """Start with nothing recorded."""
        self._born: list[_Births] = []
        # Of each generation its number, its births, and the best individual before it.
        self._generations: list[tuple[int, list[_Births], bytes]] = []
        self._best = b""
        self._bytes = 0
        self._lines: dict[bytes, Descendant] = {}

    def add(
        self,
        children: Genes,
        operators: tuple[Crossover | Mutation, ...] = (),
        *,
        genes: Genes | None = None,
        scores: Scores | None = None,
        first: Indices | None = None,
        second: Indices | None = None,
    ) -> None:
        """Record the births of the next generation; may be called several times.

        Parameters
        ----------
        children
            `(n, ...)` genes.
        operators
            What made them of their parents.
        genes, scores
            The population that the parents belong to; None for children without parents, such as
            random ones.
        first, second
            `(n,)` indices of the parents in the population, -1 for none. Without `second` every
            child has one parent.
        """
        nobody = _nobody(len(children))
        if genes is None or scores is None or first is None:
            self._born.append(
                _Births((), children.copy(), children[:0].copy(), np.empty(0), nobody, nobody)
            )
            return
        names = tuple(map(operator_name, operators))
        # Copies, because populations and children are changed in place.
        self._born.append(
            _Births(
                names,
                children.copy(),
                genes.copy(),
                scores.copy(),
                first.copy(),
                nobody if second is None else second.copy(),
            )
        )

    def add_pairs(
        self,
        children: Genes,
        operators: tuple[Crossover, Mutation],
        genes: Genes,
        scores: Scores,
        parents: Indices,
        crossed: NDArray[np.bool_] | None = None,
    ) -> None:
        """Record children of consecutive pairs of parents, as `GeneSpace.cross` makes them: two per
        pair, the last one may be missing.

        Children that are not `crossed` have only their own parent, and were made by the mutation
        alone.
        """
        first, second = (
            parents[: len(children)],
            parents.reshape(-1, 2)[:, ::-1].ravel()[: len(children)],
        )
        if crossed is None:
            self.add(children, operators, genes=genes, scores=scores, first=first, second=second)
            return
        for both in (True, False):
            chosen = crossed[: len(children)] == both
            mates = second[chosen] if both else None
            self.add(
                children[chosen],
                operators if both else operators[1:],
                genes=genes,
                scores=scores,
                first=first[chosen],
                second=mates,
            )

    def advance(self, generation: int, living: Living, best: Genes) -> None:
        """Close a generation: what was added belongs to it. `living` are the individuals that may
        become parents, and the best.
        """
        self._generations.append((generation, self._born, self._best))
        self._best = best.tobytes()
        self._bytes += sum(births.nbytes for births in self._born)
        self._born = []
        # A line is shortened only at certain generations, so that a resumed search has the same
        # lines.
        is_due = generation % EVERY == 0
        if is_due or self._bytes > MOST_BYTES:
            self._join(living)
        if is_due:
            for node in long_lines(self._lines.values()):
                shorten(node)

    def line(self, genes: Genes, living: Living) -> list[Ancestor]:
        """Return the ancestors of one of the living individuals, from the first to itself."""
        self._join(living)
        nodes = list(self._lines[genes.tobytes()].line())[::-1]
        return [ancestor_of(node, genes) for node in nodes]

    def state(self, living: Living) -> dict[str, Any]:
        """Return all lines of living individuals as plain data."""
        self._join(living)
        return written_lines(self._lines)

    def restore(self, state: Mapping[str, Any], best: Genes | None) -> None:
        """Continue from the result of `state`, with the best individual of that time."""
        self._best = b"" if best is None else best.tobytes()
        self._born, self._generations, self._bytes = [], [], 0
        self._lines = read_lines(state)

    def _join(self, living: Living) -> None:
        """Find the births of all living individuals and of their ancestors among the generations
        since the last call, and forget all others.
        """
        wanted = {
            key: _Open(score)
            for genes, scores in living
            for key, score in zip(_keys(genes), scores.tolist(), strict=True)
        }
        keys = dict.fromkeys(wanted)
        known, lines = self._lines, dict[bytes, Descendant]()

        def found(node: Descendant, children: list[Descendant]) -> None:
            for child in children:
                child.first = node
            if node.genes in keys:
                lines.setdefault(node.genes, node)

        for generation, groups, best in reversed(self._generations):
            parents: list[tuple[bytes, float, Descendant]] = []
            for key, births, row in _births_of(wanted, groups, best):
                first, second = births.parents(row)
                node = Descendant(key, wanted[key].score, generation, operators=births.operators)
                node.mate, node.mate_score = second or (None, None)
                if first:
                    node.births = 1
                    parents.append((*first, node))
                found(node, wanted.pop(key).children)
            # Only now: a parent was born in an earlier generation than its child.
            for key, score, child in parents:
                wanted.setdefault(key, _Open(score)).children.append(child)
        for key, open_ in wanted.items():
            found(known[key] if key in known else Descendant(key, open_.score), open_.children)
        # In the order of the living, whenever they were found.
        self._generations, self._bytes, self._lines = [], 0, {key: lines[key] for key in keys}


@lru_cache(maxsize=16)
def _nobody(number: int) -> Indices:
    return np.full(number, NOBODY)


def _births_of(
    wanted: Mapping[bytes, _Open], groups: list[_Births], best: bytes
) -> Iterator[tuple[bytes, _Births, int]]:
    """Yield the births of wanted individuals in one generation; the caller removes an individual
    that it has received.
    """
    for births in reversed(groups):
        rows = dict(zip(_keys(births.children), count(), strict=False))
        found = wanted.keys() & rows.keys()
        population = births.genes.tobytes() if found else b""
        for key in found:
            if key != best and not _contains(population, key):
                yield key, births, rows[key]


def _contains(population: bytes, genes: bytes) -> bool:
    """Whether an individual is in a population. A search for bytes is faster than a set of all
    individuals, because few are looked up.
    """
    place = population.find(genes)
    while place > 0 and place % len(genes):
        place = population.find(genes, place + 1)
    return place >= 0


def _keys(genes: Genes) -> list[bytes]:
    """Return the bytes of each individual."""
    if not genes.size:
        return [b""] * len(genes)
    rows = np.ascontiguousarray(genes).reshape(len(genes), -1)
    whole: NDArray[np.void] = rows.view(
        np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))
    ).ravel()
    keys: list[Any] = whole.tolist()
    return keys

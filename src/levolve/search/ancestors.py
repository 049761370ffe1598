"""Lines of ancestors: individuals with pointers to their first parents, and their form as plain
data.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from levolve.search.genotypes.gene_space import Genes

# The index of a parent that does not exist.
NOBODY = -1
# The most ancestors in a line; of a longer one every second is dropped.
MOST = 512


@dataclass(frozen=True, eq=False)
class Ancestor:
    """One individual of a line.

    Parameters
    ----------
    generation
        When it was born; None if that was not recorded.
    score, genes
        The individual itself.
    mate, mate_score
        Its second parent; None if it has only one, or none. The first parent is the ancestor before
        it in the line.
    operators
        What made it, such as ("uniform crossover", "uniform mutation"); empty for an individual
        without parents.
    births
        The number of births since the ancestor before it: 1, or more if the line was too long to
        keep all of them; 0 for the first.
    """

    generation: int | None
    score: float
    genes: Genes
    mate: Genes | None
    mate_score: float | None
    operators: tuple[str, ...]
    births: int

    def to_data(self) -> dict[str, Any]:
        """Return everything but the genes as JSON-compatible data."""
        return {
            "generation": self.generation,
            "score": self.score,
            "mate_score": self.mate_score,
            "operators": list(self.operators),
            "births": self.births,
        }


@dataclass(eq=False, slots=True)
class Descendant:
    """An individual with a pointer to its first parent. Genes are bytes."""

    genes: bytes
    score: float
    generation: int | None = None
    first: Descendant | None = None
    mate: bytes | None = None
    mate_score: float | None = None
    operators: tuple[str, ...] = ()
    births: int = 0

    def line(self) -> Iterator[Descendant]:
        """Yield this individual, its first parent, that one's first parent, and so on."""
        node: Descendant | None = self
        while node is not None:
            yield node
            node = node.first


def long_lines(nodes: Iterable[Descendant]) -> list[Descendant]:
    """Return the individuals that have more than `MOST` ancestors; each ancestor is visited
    once.
    """
    lengths: dict[int, int] = {}
    long = []
    for node in nodes:
        path: list[Descendant] = []
        one: Descendant | None = node
        while one is not None and id(one) not in lengths:
            path.append(one)
            one = one.first
        before = 0 if one is None else lengths[id(one)]
        lengths |= {
            id(ancestor): length for length, ancestor in enumerate(reversed(path), before + 1)
        }
        if lengths[id(node)] > MOST:
            long.append(node)
    return long


def shorten(node: Descendant) -> None:
    """Drop every second ancestor of a line that is too long, but neither the first nor the last."""
    line = list(node.line())
    if len(line) <= MOST:
        return
    for child, dropped in zip(line[0:-2:2], line[1:-1:2], strict=True):
        child.first, child.births = dropped.first, child.births + dropped.births


def ancestor_of(node: Descendant, like: Genes) -> Ancestor:
    """Return an individual for callers; `like` are genes of the same shape and type."""

    def read(content: bytes) -> Genes:
        return np.frombuffer(content, like.dtype).reshape(like.shape).copy()

    mate = None if node.mate is None else read(node.mate)
    return Ancestor(
        node.generation,
        node.score,
        read(node.genes),
        mate,
        node.mate_score,
        node.operators,
        node.births,
    )


def written_lines(lines: Mapping[bytes, Descendant]) -> dict[str, Any]:
    """Return lines, by the genes of the individuals that they lead to, as plain data."""
    nodes: dict[int, Descendant] = {}
    for key in sorted(lines):
        for node in lines[key].line():
            if id(node) in nodes:
                break
            nodes[id(node)] = node
    place = {number: index for index, number in enumerate(nodes)}
    listed = list(nodes.values())
    operators = sorted({node.operators for node in listed})
    return {
        "generation": [NOBODY if node.generation is None else node.generation for node in listed],
        "score": [node.score for node in listed],
        "first": [NOBODY if node.first is None else place[id(node.first)] for node in listed],
        "births": [node.births for node in listed],
        "operators": [list(names) for names in operators],
        "operator": [operators.index(node.operators) for node in listed],
        # As differences from the parent and from the child, which are mostly zeros and compressed
        # well.
        "genes": _rows(
            [
                _differing(node.genes, None if node.first is None else node.first.genes)
                for node in listed
            ]
        ),
        "has_mate": [int(node.mate is not None) for node in listed],
        "mate": _rows(
            [_differing(node.mate, node.genes) for node in listed if node.mate is not None]
        ),
        "mate_score": [node.mate_score for node in listed if node.mate_score is not None],
        "living": [place[id(lines[key])] for key in sorted(lines)],
    }


def read_lines(state: Mapping[str, Any]) -> dict[bytes, Descendant]:
    """Return the lines of the result of `written_lines`."""
    operators = [tuple(names) for names in state["operators"]]
    nodes = [
        Descendant(
            b"",
            float(score),
            None if generation == NOBODY else int(generation),
            operators=operators[operator],
            births=int(births),
        )
        for score, generation, operator, births in zip(
            state["score"], state["generation"], state["operator"], state["births"], strict=True
        )
    ]
    for node, first in zip(nodes, state["first"], strict=True):
        node.first = None if first == NOBODY else nodes[first]
    for index in range(len(nodes)):
        _undo_differences(nodes, state["genes"], state["first"], index)
    mates = iter(zip(state["mate"], state["mate_score"], strict=True))
    for node, has_mate in zip(nodes, state["has_mate"], strict=True):
        if has_mate:
            row, score = next(mates)
            node.mate, node.mate_score = _differing(row.tobytes(), node.genes), float(score)
    return {nodes[index].genes: nodes[index] for index in state["living"]}


def _differing(genes: bytes, other: bytes | None) -> bytes:
    """Return the bits in which two individuals differ; applied again, it gives the individual
    back.
    """
    if other is None:
        return genes
    return np.bitwise_xor(np.frombuffer(genes, np.uint8), np.frombuffer(other, np.uint8)).tobytes()


def _rows(contents: list[bytes]) -> NDArray[np.uint8]:
    return (
        np.frombuffer(b"".join(contents), np.uint8).reshape(len(contents), -1)
        if contents
        else np.empty((0, 0), np.uint8)
    )


def _undo_differences(
    nodes: list[Descendant], rows: NDArray[np.uint8], first: list[int], index: int
) -> None:
    """Fill in the genes of an individual and of all its ancestors that have none yet."""
    missing = []
    while not nodes[index].genes and first[index] != NOBODY:
        missing.append(index)
        index = first[index]
    if not nodes[index].genes:
        nodes[index].genes = rows[index].tobytes()
    for place in reversed(missing):
        nodes[place].genes = _differing(rows[place].tobytes(), nodes[first[place]].genes)

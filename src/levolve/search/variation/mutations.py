"""Fill mutation.

Several mutations side by side.

Patch mutation.

Point mutation.

Mutation followed by repair.

Double rotation.

Several mutations in a row.

Window mutation: parts of examples are laid into levels.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated

import numpy as np
from annotated_types import Ge, Interval

from levolve.core.errors import InputError
from levolve.core.settings import setting
from levolve.kernels.bits.random_streams import MEMBER, MUTATE, draw, open_stream, threshold_of
from levolve.kernels.building.windows import lay_windows
from levolve.kernels.variation.masks import patch_masks, point_masks, rectangle_masks, spare
from levolve.search.genotypes.gene_space import Genes, GeneSpace
from levolve.search.variation import MUTATIONS
from levolve.search.variation.crossovers import UniformMutation
from levolve.search.variation.operators import Mutation


@dataclass(frozen=True)
class FillMutation(Mutation):
    """All cells of a random line or block of every individual get the same random value: walls are
    built, and areas are cleared.

    Single changes drive a level towards an even mixture of all values; this one also reaches levels
    that are nearly empty or nearly full. Genes that are not cells do not change; if no gene is a
    cell, all genes are treated as one row.
    """

    width: Annotated[int, Ge(1)] = setting(8, "The greatest width of a block in cells.")
    height: Annotated[int, Ge(1)] = setting(8, "The greatest height of a block in cells.")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the rectangle of each individual and its value."""
        rows, columns = space.grid or (1, space.length)
        masks = space.empty_masks(len(genes))
        height, width = min(self.height, rows), min(self.width, columns)
        rectangle_masks(
            np.uint64(seed),
            MUTATE,
            generation,
            rows,
            columns,
            height,
            width,
            space.word_of,
            space.bit_of,
            space.free,
            masks,
        )
        space.fill(genes, masks, seed, generation)


@dataclass(frozen=True)
class PatchMutation(Mutation):
    """In a random patch of `width` x `height` cells of every individual, each cell's gene changes
    with probability `rate`.

    Adjacent cells change together, for example to move a corner, which no sequence of improving
    single changes could do. Genes that are not cells do not change; if no gene is a cell, all genes
    are treated as one row.
    """

    width: Annotated[int, Ge(1)] = setting(2, "The width of a patch in cells.")
    height: Annotated[int, Ge(1)] = setting(2, "The height of a patch in cells.")
    rate: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.4, "The probability that a gene in the patch changes."
    )

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the position of each individual's patch, and which of its cells change."""
        rows, columns = space.grid or (1, space.length)
        masks = space.empty_masks(len(genes))
        height, width = min(self.height, rows), min(self.width, columns)
        threshold = threshold_of(self.rate)
        patch_masks(
            np.uint64(seed),
            MUTATE,
            generation,
            threshold,
            rows,
            columns,
            height,
            width,
            space.word_of,
            space.bit_of,
            space.free,
            masks,
        )
        space.mutate(genes, masks, seed, generation)


@dataclass(frozen=True)
class PointMutation(Mutation):
    """Exactly `points` genes of every individual change, or all of them if there are fewer."""

    points: Annotated[int, Interval(ge=1, le=1 << 30)] = setting(1, "How many genes change.")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw the genes of each individual without repetition."""
        masks = space.empty_masks(len(genes))
        points = min(self.points, len(space.free_genes))
        point_masks(
            np.uint64(seed),
            MUTATE,
            generation,
            points,
            space.free_genes,
            space.word_of,
            space.bit_of,
            masks,
        )
        space.mutate(genes, masks, seed, generation)


@dataclass(frozen=True)
class DoubleRotation(Mutation):
    """A share `rate` of the individuals is cut at a random gene and the two parts are swapped,
    twice.

    No gene is lost, except that genes that are not free keep their positions, and values rotated
    onto these positions are lost.
    """

    rate: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.05, "The share of individuals that are rotated."
    )

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Rotate the selected individuals."""
        chosen = np.ones((len(genes), 1), np.uint64)
        spare(np.uint64(seed), MUTATE, generation, threshold_of(self.rate), chosen)
        np.copyto(genes, space.rotate(genes, MUTATE, seed, generation), where=chosen == 1)


@lru_cache(maxsize=1024)
def member_seed(seed: int, position: int) -> int:
    """The seed of the member of a sequence at a position, from 0.

    Members of one kind would make the same draws from the same seed: a point would be flipped and
    flipped back. All members have a derived seed, the first one too, so that those of a sequence
    inside a sequence differ as well.
    """
    start, step = open_stream(np.uint64(seed), MEMBER, 0, position)
    return int(draw((np.uint64(start), np.uint64(step)), 0))


@dataclass(frozen=True)
class MutationSequence(Mutation):
    """All of `mutations`, one after the other, each with random numbers of its own. The default is
    a double rotation, then bit flips.
    """

    mutations: tuple[Mutation, ...] = field(
        default=(DoubleRotation(), UniformMutation()),
        metadata={"meaning": "The mutations in their order.", "registry": MUTATIONS, "many": True},
    )

    def __post_init__(self) -> None:
        """Refuse an empty sequence, which would change nothing."""
        if not self.mutations:
            raise InputError("mutations: expected at least one mutation, got none")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change the individuals by each mutation in turn, in place."""
        for position, mutation in enumerate(self.mutations):
            mutation.apply(space, genes, member_seed(seed, position), generation)


@dataclass(frozen=True)
class MutationMixture(Mutation):
    """Each of `mutations` changes an even share of the individuals, so that small and large steps
    are taken side by side.

    Individual i changes by mutation (i + generation) modulo their number, as individual i //
    number. The default is changes of single genes, and patches of cells.
    """

    mutations: tuple[Mutation, ...] = field(
        default=(PointMutation(), PatchMutation()),
        metadata={"meaning": "The mutations.", "registry": MUTATIONS, "many": True},
    )

    def __post_init__(self) -> None:
        """Refuse an empty mixture, which would change nothing."""
        if not self.mutations:
            raise InputError("mutations: expected at least one mutation, got none")

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change each share of the individuals by its mutation, in place."""
        count = len(self.mutations)
        for share in range(min(count, len(genes))):
            position = (share + generation) % count
            part = genes[share::count].copy()
            self.mutations[position].apply(space, part, member_seed(seed, position), generation)
            genes[share::count] = part


@dataclass(frozen=True)
class RepairMutation(Mutation):
    """A mutation, after which individuals get what their content lacks, if the gene space knows it:
    such as exactly one key in a dungeon.

    Without such knowledge it is only the mutation.
    """

    mutation: Mutation = field(
        default_factory=UniformMutation,
        metadata={"meaning": "What is repaired.", "registry": MUTATIONS},
    )

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Change the individuals, and repair them, in place."""
        self.mutation.apply(space, genes, seed, generation)
        if space.repair is not None:
            space.repair(genes, seed, generation)


FLIPPED, LAID = 0, 1


@dataclass(frozen=True)
class WindowMutation(Mutation):
    """Lay a square window of an example into every individual, where cells are genes and the run
    has examples (`like`); else change one gene.

    A share `flips` of the individuals changes one gene instead. Of up to `tries` windows, the one
    is laid whose surroundings fit best.
    """

    least: Annotated[int, Ge(1)] = setting(1, "The side of the smallest window.")
    most: Annotated[int, Ge(1)] = setting(4, "The side of the largest window.")
    tries: Annotated[int, Interval(ge=1, le=1 << 16)] = setting(
        8, "How many windows are compared, at most."
    )
    flips: Annotated[float, Interval(ge=0, le=1)] = setting(
        0.3, "The share of individuals in which one gene changes instead."
    )

    def __post_init__(self) -> None:
        """Raise `InputError` if the smallest window is larger than the largest."""
        if self.least > self.most:
            raise InputError(
                f"least: expected at most the side of the largest window, {self.most}, got "
                f"{self.least}"
            )

    def apply(self, space: GeneSpace, genes: Genes, seed: int, generation: int) -> None:
        """Draw which individuals get a window, and lay it."""
        style = space.style
        if style is None or space.grid is None:
            PointMutation().apply(space, genes, seed, generation)
            return
        before = genes.copy()
        cells = space.cells(genes)
        most = min(self.most, style.smallest, *space.grid)
        layout, outside, least = style.layout, style.outside, min(self.least, most)
        lay_windows(
            np.uint64(member_seed(seed, LAID)),
            MUTATE,
            generation,
            style.padded,
            layout,
            outside,
            least,
            most,
            self.tries,
            cells,
        )
        space.set_cells(genes, cells)
        chosen = np.full((len(genes), 1), 1, np.uint64)
        spare(np.uint64(seed), MUTATE, generation, threshold_of(self.flips), chosen)
        flipped = before
        PointMutation().apply(space, flipped, member_seed(seed, FLIPPED), generation)
        rows = np.flatnonzero(chosen[:, 0])
        genes[rows] = flipped[rows]

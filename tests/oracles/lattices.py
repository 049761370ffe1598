"""Mazes on a lattice by their definition: sets of joined cells, edges sorted by weight, rectangles
painted one by one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from levolve.search.genotypes.lattice import Lattice

Bytes = Sequence[int]


@dataclass
class Maze:
    """The open edges of one level while it is made: 1 for a passage, 2 inside a room."""

    lattice: Lattice
    labels: Bytes
    opened: dict[int, int]

    def degree(self, cell: int) -> int:
        return sum(cell in self.lattice.ends[edge] for edge in self.opened)

    def may_open(self, edge: int) -> bool:
        """Whether each post beside the edge keeps another wall."""
        for post in self.lattice.posts[edge].tolist():
            walls = [
                other
                for other in range(self.lattice.edges)
                if post in self.lattice.posts[other] and other not in self.opened
            ]
            if post >= 0 and walls == [edge]:
                return False
        return True


def weave(  # noqa: C901 one step after the other, as defined
    lattice: Lattice, parts: Sequence[Bytes], limits: Sequence[int], labels: Bytes
) -> dict[int, int]:
    weights, loops, braids, holes = parts
    maze = Maze(lattice, labels, {})
    position = {edge: place for place, edge in enumerate(lattice.order.tolist())}
    keys = {
        edge: (weights[edge] * (256 - limits[0]) + weights[lattice.leaders[edge]] * limits[0])
        // 256
        for edge in position
    }
    ordered = sorted(position, key=lambda edge: (keys[edge], position[edge]))
    home = {cell: {cell} for cell in range(lattice.cells)}

    def join(edge: int) -> bool:
        first, second = (home[cell] for cell in lattice.ends[edge].tolist())
        for cell in second:
            home[cell] = first
        apart = first is not second
        first |= second
        return apart

    for edge in position:
        first, second = lattice.ends[edge].tolist()
        if labels[first] and labels[first] == labels[second]:
            maze.opened[edge] = 2
            join(edge)
    for edge in ordered:
        if join(edge):
            maze.opened[edge] = 1
    for edge in sorted(position):
        if (
            edge not in maze.opened
            and limits[1]
            and loops[edge] < limits[1]
            and maze.may_open(edge)
        ):
            maze.opened[edge] = 1
    for cell in range(lattice.cells):
        if limits[2] and maze.degree(cell) == 1 and not labels[cell] and braids[cell] < limits[2]:
            closed = [
                edge
                for edge in lattice.around[cell].tolist()
                if edge in position and edge not in maze.opened and maze.may_open(edge)
            ]
            if closed:
                maze.opened[min(closed, key=lambda edge: keys[edge])] = 1
    while limits[3]:
        ends = [
            cell
            for cell in range(lattice.cells)
            if maze.degree(cell) == 1
            and holes[cell] < limits[3]
            and not lattice.protected[cell]
            and not labels[cell]
        ]
        # The two ends of a single passage are not both filled: the first is.
        if not ends:
            break
        del maze.opened[
            next(edge for edge in lattice.around[ends[0]].tolist() if edge in maze.opened)
        ]
    return maze.opened


def draw(
    lattice: Lattice, weights: Bytes, labels: Bytes, opened: dict[int, int]
) -> list[list[int]]:
    rows: list[list[int]] = lattice.base.tolist()

    def paint(rectangle: Sequence[int], kind: int) -> None:
        left, top, right, bottom = rectangle
        for y in range(top, bottom):
            rows[y][left:right] = [kind] * (right - left)

    used = {cell for edge in opened for cell in lattice.ends[edge].tolist()}
    for cell in range(lattice.cells):
        if cell not in used and not labels[cell]:
            paint(lattice.rectangles[cell].tolist(), 1)
    for edge, kind in opened.items():
        paint(
            (lattice.spans[edge] if kind == 2 else lattice.doors[edge][weights[edge] % 2]).tolist(),
            0,
        )
    for square, corners in zip(lattice.squares.tolist(), lattice.corners.tolist(), strict=True):
        around = {labels[cell] for cell in corners}
        if len(around) == 1 and 0 not in around:
            paint(square, 0)
    return rows

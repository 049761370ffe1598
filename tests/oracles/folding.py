"""Folding by its definition: copies cell by cell, and gates dug one after the other."""

from collections.abc import Collection, Sequence

Rows = list[list[int]]


def unfold(part: Sequence[Sequence[int]], sources: Sequence[Sequence[int]]) -> Rows:
    cells = [kind for row in part for kind in row]
    return [[cells[source] for source in row] for row in sources]


def dug(
    cells: Sequence[int], line: Sequence[int], walls: Collection[int], fixed: Collection[int]
) -> list[int] | None:
    """The cells of a line to open before the first that is not a wall; None if a fixed wall or the
    end comes first.
    """
    closed: list[int] = []
    for cell in line:
        if cell >= 0 and cells[cell] not in walls:
            return closed
        if cell < 0 or cell in fixed:
            return None
        closed.append(cell)
    return None


def open_gates(
    part: Sequence[Sequence[int]],
    genes: Sequence[int],
    lines: Sequence[Sequence[int]],
    partners: Sequence[int],
    ranges: Sequence[tuple[int, int]],
    walls: Collection[int],
    fixed: Collection[int],
    floor: int,
) -> Rows:
    cells = [kind for row in part for kind in row]
    taken: set[int] = set()
    for gene, (first, last) in zip(genes, ranges, strict=True):
        found = []
        for k in range(last - first):
            line = first + (gene + k) % (last - first)
            both = [
                dug(cells, lines[line], walls, fixed),
                dug(cells, lines[partners[line]], walls, fixed),
            ]
            if None not in both and line not in taken:
                found.append(
                    (max(len(each or []) for each in both), k, both, {line, partners[line]})
                )
        if found:
            taken |= min(found)[3]
            for each in min(found)[2]:
                for cell in each or []:
                    cells[cell] = floor
    width = len(part[0])
    return [cells[row * width : (row + 1) * width] for row in range(len(part))]

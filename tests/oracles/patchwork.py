"""Patchwork as sets of open edges between cells, each edge a frozen set of two (row, column)
cells.
"""

from collections.abc import Iterator

Cell = tuple[int, int]
Edge = frozenset[Cell]
Weights = list[int]


def edges_of(rows: int, columns: int) -> list[tuple[Edge, int]]:
    """The edges of a lattice with the index of their genes: all to the right, then all
    downwards.
    """
    found = []
    for direction, (down, right) in enumerate(((0, 1), (1, 0))):
        for row in range(rows - down):
            for column in range(columns - right):
                index = (direction * rows + row) * columns + column
                found.append((frozenset({(row, column), (row + down, column + right)}), index))
    return found


def lightest_tree(edges: list[Edge], weights: Weights) -> set[Edge]:
    """Kruskal's algorithm with sets of cells; of equal edges, the first is taken."""
    trees: dict[Cell, set[Cell]] = {cell: {cell} for edge in edges for cell in edge}
    chosen = set()
    for _, edge in sorted(zip(weights, edges, strict=True), key=lambda entry: entry[0]):
        one, other = edge
        if trees[one] is not trees[other]:
            chosen.add(edge)
            trees[one] |= trees[other]
            for cell in trees[other]:
                trees[cell] = trees[one]
    return chosen


def hall_of(genes: list[int], share: int, side: int) -> list[Cell]:
    """The cells of a piece's hall; none if it has none."""
    if genes[0] >= share:
        return []
    width = 2 + genes[1] % max(side // 2 - 1, 1)
    height = 2 + genes[2] % max(side // 2 - 1, 1)
    left, top = genes[3] % (side - width + 1), genes[4] % (side - height + 1)
    return [
        (row, column) for row in range(top, top + height) for column in range(left, left + width)
    ]


def in_the_piece(cell: Cell, side: int, turn: int) -> Cell:
    """Where a cell of a site lies in its piece."""
    row, column = cell
    if turn & 1:
        column = side - 1 - column
    if turn & 2:
        row = side - 1 - row
    return (column, row) if turn & 4 else (row, column)


def taken(genes: Iterator[int], count: int) -> list[int]:
    """The next genes."""
    return [next(genes) for _ in range(count)]


def patchwork(
    individual: list[int],
    size: tuple[int, int],
    side: int,
    pieces: int,
    shares: tuple[int, int, int],
) -> list[list[int]]:
    """The tiles of one level."""
    width, height = size
    rows, columns = (height - 1) // 2, (width - 1) // 2
    plan_rows, plan_columns = -(-rows // side), -(-columns // side)
    sites = [(row, column) for row in range(plan_rows) for column in range(plan_columns)]
    genes = iter(individual)
    weights = [taken(genes, 2 * side * side) for _ in range(pieces)]
    chances = [taken(genes, 2 * side * side) for _ in range(pieces)]
    halls = [hall_of(taken(genes, 5), shares[2], side) for _ in range(pieces)]
    chosen = dict(zip(sites, taken(genes, len(sites)), strict=True))
    turns = dict(zip(sites, taken(genes, len(sites)), strict=True))
    plan_weights, plan_chances, doors = (taken(genes, 2 * len(sites)) for _ in range(3))
    assert not list(genes)

    indices = dict(edges_of(side, side))
    links: set[Edge] = set()
    posts: set[Cell] = set()
    for site in sites:
        piece, turn = chosen[site], turns[site]
        top, left = site[0] * side, site[1] * side
        part = (min(side, rows - top), min(side, columns - left))

        def of_the_piece(edge: Edge, turn: int = turn) -> Edge:
            return frozenset(in_the_piece(cell, side, turn) for cell in edge)

        here = edges_of(*part)
        if part == (side, side):
            tree = lightest_tree(
                list(indices), [weights[piece][index] for index in indices.values()]
            )
            inside = {
                edge
                for edge, index in indices.items()
                if edge in tree or chances[piece][index] < shares[0] or edge <= set(halls[piece])
            }
            opened = {edge for edge, _ in here if of_the_piece(edge) in inside}
            hall = {
                (row, column)
                for row in range(side)
                for column in range(side)
                if in_the_piece((row, column), side, turn) in halls[piece]
            }
            posts |= {
                (top + row, left + column) for row, column in hall if (row + 1, column + 1) in hall
            }
        else:
            opened = lightest_tree(
                [edge for edge, _ in here],
                [weights[piece][indices[of_the_piece(edge)]] for edge, _ in here],
            )
            opened |= {
                edge for edge, _ in here if chances[piece][indices[of_the_piece(edge)]] < shares[0]
            }
        links |= {frozenset((top + row, left + column) for row, column in edge) for edge in opened}

    links |= doors_of(
        (plan_rows, plan_columns),
        (rows, columns),
        side,
        (plan_weights, plan_chances, doors),
        shares[1],
    )
    links = loosened(links, rows, columns, side)
    for row in range(rows - 1):
        for column in range(columns - 1):
            square = {(row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1)}
            if sum(edge <= square for edge in links) == len(square):
                posts.add((row, column))
    return as_tiles(links, posts, spans(width), spans(height), size)


def doors_of(
    plan: Cell, lattice: Cell, side: int, genes: tuple[Weights, Weights, Weights], share: int
) -> set[Edge]:
    """The edges between cells of different pieces: one for each edge of the plan's tree, and for
    further ones.
    """
    rows, columns = lattice
    plan_weights, plan_chances, doors = genes
    links: set[Edge] = set()
    plan_edges = edges_of(*plan)
    plan_tree = lightest_tree(
        [edge for edge, _ in plan_edges], [plan_weights[index] for _, index in plan_edges]
    )
    for edge, index in plan_edges:
        if edge in plan_tree or plan_chances[index] < share:
            (top, left), other = min(edge), max(edge)
            if other[0] == top:
                row = top * side + doors[index] % min(side, rows - top * side)
                links.add(frozenset({(row, (left + 1) * side - 1), (row, (left + 1) * side)}))
            else:
                column = left * side + doors[index] % min(side, columns - left * side)
                links.add(frozenset({((top + 1) * side - 1, column), ((top + 1) * side, column)}))

    return links


def loosened(links: set[Edge], rows: int, columns: int, side: int) -> set[Edge]:
    """The edges after dead ends at seams were attached to the cell beyond, one after the other."""
    links = set(links)
    for row in range(rows):
        for column in range(columns):
            beyond = [
                (other_row, other_column)
                for other_row, other_column in (
                    (row, column + 1),
                    (row, column - 1),
                    (row + 1, column),
                    (row - 1, column),
                )
                if 0 <= other_row < rows
                and 0 <= other_column < columns
                and (other_row // side, other_column // side) != (row // side, column // side)
            ]
            own = {edge for edge in links if (row, column) in edge}
            if beyond and len(own) == 1:
                links -= own
                links.add(frozenset({(row, column), beyond[0]}))

    return links


def spans(length: int) -> list[tuple[int, int]]:
    """The first tile of each cell, and the one after its last; in an even length the middle cell is
    two wide.
    """
    count = (length - 1) // 2
    wide = (count + 1) // 2 - 1 if length % 2 == 0 else count
    return [(1 + 2 * k + (k > wide), 2 + 2 * k + (k >= wide)) for k in range(count)]


def as_tiles(
    links: set[Edge],
    posts: set[Cell],
    across: list[tuple[int, int]],
    down: list[tuple[int, int]],
    size: tuple[int, int],
) -> list[list[int]]:
    """The tiles of cells and open edges; a post opens everything around it."""
    width, height = size
    tiles = [[1] * width for _ in range(height)]
    for top, bottom in down:
        for left, right in across:
            for y in range(top, bottom):
                for x in range(left, right):
                    tiles[y][x] = 0
    for edge in links:
        (row, column), (next_row, _) = sorted(edge)
        if row == next_row:
            tiles[down[row][0]][across[column][1]] = 0
        else:
            tiles[down[row][1]][across[column][0]] = 0
    for row, column in posts:
        for y in range(down[row][0], down[row + 1][1]):
            for x in range(across[column][0], across[column + 1][1]):
                tiles[y][x] = 0
    return tiles

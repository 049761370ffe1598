"""A cellular automaton cell by cell: count the filled ones of the eight around, and look the count
up in the rule's eighteen bits.
"""

from oracles.walking import Cell, Level


def filled(level: Level, cell: Cell, *, outside: bool) -> bool:
    x, y = cell
    if 0 <= y < len(level) and 0 <= x < len(level[0]):
        return level[y][x] == 1
    return outside


def next_state(level: Level, cell: Cell, rule: int, *, survival: bool, outside: bool) -> bool:
    """Bit k of the first nine fills a blank cell. Bit k of the last nine turns a filled one blank,
    or, read as survival, keeps it filled.
    """
    x, y = cell
    around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
    count = sum(filled(level, neighbour, outside=outside) for neighbour in around)
    bits = [digit == "1" for digit in reversed(f"{rule:018b}")]
    if not filled(level, cell, outside=outside):
        return bits[count]
    return bits[9 + count] if survival else not bits[9 + count]


def run(level: Level, rule: int, steps: int, *, survival: bool, outside: bool) -> list[list[int]]:
    """All cells change at once, `steps` times."""
    now = [list(row) for row in level]
    for _ in range(steps):
        now = [
            [
                int(next_state(now, (x, y), rule, survival=survival, outside=outside))
                for x in range(len(level[0]))
            ]
            for y in range(len(level))
        ]
    return now

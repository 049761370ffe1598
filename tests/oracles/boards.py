"""Rows of cells as whole numbers: cell x of a row adds 2**x when it is a wall."""

from collections.abc import Sequence


def pack_row(row: Sequence[int]) -> int:
    return sum(2**x for x, tile in enumerate(row) if tile != 0)


def unpack_row(word: int, width: int) -> list[int]:
    return [word // 2**x % 2 for x in range(width)]

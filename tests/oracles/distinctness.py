"""Levels compared cell by cell, and with every turned and mirrored image."""

from collections.abc import Iterator

Level = list[list[int]]


def differing(level: Level, other: Level) -> int:
    return sum(
        a != b
        for row, other_row in zip(level, other, strict=True)
        for a, b in zip(row, other_row, strict=True)
    )


def images(level: Level) -> Iterator[Level]:
    """The seven images beside the level itself, by quarter turns and their mirror images; those of
    another shape are left out.
    """
    turned = level
    for quarter in range(4):
        for image in (turned, [row[::-1] for row in turned]):
            if (quarter > 0 or image is not turned) and len(image) == len(level):
                yield image
        turned = [list(column) for column in zip(*turned[::-1], strict=True)]


def lacking(level: Level, taken: list[Level], least: int) -> int:
    short = sum(max(least - differing(level, other), 0) for other in taken)
    return short + sum(level == image for other in taken for image in images(other))

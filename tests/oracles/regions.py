"""Regions by merging: every cell begins alone, and each legal step joins two regions."""

from oracles.walking import Cell, Level, Steps, cells, may_stand, steps_from


def regions(level: Level, steps: Steps) -> list[set[Cell]]:
    home = {cell: {cell} for cell in cells(level) if may_stand(level, steps, cell)}
    for cell in list(home):
        for target in steps_from(level, steps, cell):
            joined = home[cell] | home[target]
            for each in joined:
                home[each] = joined
    return list({id(region): region for region in home.values()}.values())

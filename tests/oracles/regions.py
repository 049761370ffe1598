"""Regions by merging: every cell begins alone, and each legal step joins two regions."""

from oracles.walking import Cell, Level, MayStep, cells, may_stand, steps_from


def regions(level: Level, may_step: MayStep) -> list[set[Cell]]:
    home = {cell: {cell} for cell in cells(level) if may_stand(level, may_step, cell)}
    for cell in list(home):
        for target in steps_from(level, may_step, cell):
            joined = home[cell] | home[target]
            for each in joined:
                home[each] = joined
    return list({id(region): region for region in home.values()}.values())

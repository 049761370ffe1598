"""Slow twins of furnishing: what is cut off by a cell, and where a player comes among locks."""

from collections.abc import Iterable, Mapping, Sequence

Cell = tuple[int, int]


def reached(walkable: Iterable[Cell], start: Cell, blocked: Iterable[Cell] = ()) -> set[Cell]:
    """Return the cells that can be reached from `start`, which is walkable."""
    left = set(walkable) - set(blocked)
    found, waiting = {start}, [start]
    for x, y in waiting:
        for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if near in left and near not in found:
                found.add(near)
                waiting.append(near)
    return found


def cut_off(walkable: set[Cell], start: Cell, cell: Cell) -> set[Cell]:
    """Return what can no longer be reached from `start` if a cell is blocked."""
    return reached(walkable, start) - reached(walkable, start, [cell]) - {cell}


def come_to(
    barriers: Sequence[tuple[str, str, frozenset[int]]],
    places: Mapping[str, int],
    opened: Iterable[int] = (),
) -> set[int]:
    """Return the regions that a player can come to who starts in region 0.

    A barrier is what opens it ("lock", "taker", "gate" or "open gate"), the name of the thing that
    does, and the regions that it joins. `places` are the regions of these things; `opened` are the
    takers that are open, by their place in the list.
    """
    switches = sorted({name for kind, name, _ in barriers if kind.endswith("gate")})
    states: set[tuple[int, frozenset[str]]] = {(0, frozenset())}
    while True:
        have = {name for name, region in places.items() if region in {at for at, _ in states}}
        found = set(states)
        for at, on in states:
            for number, (kind, name, joined) in enumerate(barriers):
                is_open = {
                    "lock": name in have,
                    "taker": number in set(opened),
                    "gate": name in on,
                    "open gate": name not in on,
                }[kind]
                if is_open and at in joined:
                    found |= {(region, on) for region in joined}
            for name in switches:
                if places.get(name) == at:
                    found.add((at, on ^ {name}))
        if found == states:
            return {at for at, _ in states}
        states = found

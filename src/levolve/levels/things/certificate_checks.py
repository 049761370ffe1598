"""Certificates, verified by the independent checker; `certificate` says what they contain.

The conditions of a class are tested on the kinds and tiles, and the states or sets of a certificate
are explored again. Both need no search for ways to win, so they are short enough to be read. Work
is limited: what would take too long is not proven.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from levolve.core.errors import ProofError, shown
from levolve.levels.things.certificate import Certificate
from levolve.levels.things.checker_rules import Cell, Rules, State

# The most moves that are examined, about ten seconds of work.
MOST_MOVES = 4_000_000
NO_THING = -1


@dataclass
class Work:
    """Counts moves that were examined; `ProofError` beyond the limit."""

    left: int

    def spend(self, moves: int) -> None:
        """Count some moves."""
        self.left -= moves
        if self.left < 0:
            message = f"proof: the certificate is too large to verify: over {MOST_MOVES:,} moves"
            raise ProofError(message)


def check_certificate(rules: Rules, certificate: Certificate) -> None:
    """Raise `ProofError` unless the certificate proves that no state from which the level cannot be
    won can be reached. That it can be won from the start is known from its solution.
    """
    work = Work(MOST_MOVES)
    if certificate.kind == "G":
        _check_states(rules, certificate.data, work)
        return
    acting = acting_things(rules)
    rules = rules.without(set(rules.parts) - acting)
    _check_class(rules, certificate.kind, work)
    if certificate.kind in {"C", "C+T"}:
        _check_sets(rules, certificate.data, work)
    elif certificate.data:
        _refuse(f"expected no data for the class {certificate.kind}")


def acting_things(rules: Rules) -> set[int]:
    """Return the numbers of the things that cannot be ignored."""
    needed = {name for part in rules.parts.values() for name in part.needs}
    switches = {part.gate for part in rules.parts.values()}
    return {
        number
        for number, part in rules.parts.items()
        if part.needs
        or part.spends
        or part.way
        or part.leads is not None
        or part.gate is not None
        or number in switches
        or needed & set(part.gives)
        or (part.counts and rules.collects)
    }


def _refuse(why: str) -> NoReturn:
    message = f"proof: the certificate does not hold: {why}"
    raise ProofError(message)


def _cells(rules: Rules) -> Iterator[Cell]:
    """Return all cells in reading order."""
    for y, row in enumerate(rules.tiles):
        for x in range(len(row)):
            yield x, y


def _check_two_ways(rules: Rules, work: Work) -> None:
    """Raise `ProofError` unless all steps between cells are legal in both directions."""
    for cell in _cells(rules):
        work.spend(1)
        for _, to in rules.neighbours(cell):
            if rules.is_step(cell, to) and not rules.is_step(to, cell):
                _refuse(f"a step from {cell[0]},{cell[1]} to {to[0]},{to[1]} has no way back")


def _groups(rules: Rules, apart: Collection[Cell], work: Work) -> dict[Cell, Cell]:
    """Return the name of each cell: the first cell of its group, in reading order, or the
    cell itself if it is `apart`.
    """
    names = {cell: cell for cell in apart}
    for first in _cells(rules):
        if first in names:
            continue
        names[first] = first
        stack = [first]
        while stack:
            cell = stack.pop()
            work.spend(4)
            for _, to in rules.neighbours(cell):
                if to not in names and rules.is_step(cell, to):
                    names[to] = first
                    stack.append(to)
    return names


def _check_class(rules: Rules, kind: str, work: Work) -> None:
    """Raise `ProofError` unless the acting things fulfil the conditions of a class other than G."""
    _check_two_ways(rules, work)
    spent = {name for part in rules.parts.values() for name in part.spends}
    for part in rules.parts.values():
        back = None if part.leads is None else rules.at.get(part.leads)
        conditions = {
            f"is no switch of the class {kind}": not part.switch
            or ("T" in kind and part.switch == "toggle" and not part.forced),
            f"spends something, which the class {kind} excludes": not part.spends or "C" in kind,
            "needs what is spent elsewhere": bool(part.spends) or not spent & set(part.needs),
            "opens on itself": part.gate != part.number,
            "leads to a thing that does not lead back": part.leads is None
            or (back is not None and back.leads == part.cell),
        }
        for fault, holds in conditions.items():
            if not holds:
                _refuse(f"{part.label} {fault}")
    _check_one_ways(rules, work)


def _check_one_ways(rules: Rules, work: Work) -> None:
    """Raise `ProofError` unless all one-ways are harmless."""
    one_ways = [part for part in rules.parts.values() if part.way]
    if not one_ways:
        return
    apart = _stop_cells(rules) | {
        cell
        for cell, part in rules.at.items()
        if part.way or part.needs or part.spends or part.gate is not None or part.leads is not None
    }
    groups = _groups(rules, apart, work)
    for part in one_ways:
        beside = {
            move: to for move, to in rules.neighbours(part.cell) if rules.is_step(part.cell, to)
        }
        around = {groups[to] for to in beside.values()}
        if part.way not in beside or len(around) != 1 or around & apart:
            _refuse(f"{part.label} does not lead back to where it is entered from")


def _stop_cells(rules: Rules) -> set[Cell]:
    return {cell for _, cell in rules.stops}


class _Graph:
    """The cells of a level as nodes, or groups of plain cells as one node each, and the cells that
    a player can step to from each node, or go by stairs.
    """

    def __init__(self, rules: Rules, *, grouped: bool, work: Work) -> None:
        apart: Iterable[Cell] = _cells(rules)
        if grouped:
            apart = _stop_cells(rules) | set(rules.at)
        self.names = _groups(rules, dict.fromkeys(apart), work)
        self.ways: dict[Cell, dict[Cell, None]] = {name: {} for name in self.names.values()}
        for cell, name in self.names.items():
            part = rules.at.get(cell)
            work.spend(4)
            for move, to in rules.neighbours(cell):
                leaves = part is None or part.way in {"", move}
                if leaves and rules.is_step(cell, to) and name != self.names.get(to):
                    self.ways[name][to] = None
            if part is not None and part.leads is not None:
                self.ways[name][part.leads] = None

    def named(self, state: State) -> State:
        """Return the state with the name of its node instead of the cell."""
        return state._replace(cell=self.names[state.cell])


def _check_states(rules: Rules, data: Mapping[str, Any], work: Work) -> None:
    """Verify a certificate of the class G: explore all states, and compare their ranks."""
    ignored, grouped, ranks = _parts(data, "ignored", "grouped", "ranks")
    if type(grouped) is not bool or not isinstance(ranks, Mapping):
        _refuse(f"expected grouped as true or false, and ranks by state, got {shown(dict(data))}")
    _check_ignored(rules, ignored)
    rules = rules.without(set(ignored))
    if grouped:
        _check_two_ways(rules, work)
    graph = _Graph(rules, grouped=grouped, work=work)
    start = graph.named(rules.start())
    seen, stack = {start}, [start]
    while stack:
        state = stack.pop()
        rank, lowest = _rank(rules, state, ranks), None
        for after in _moves(rules, graph, state, work):
            other = _rank(rules, after, ranks)
            lowest = other if lowest is None or other < lowest else lowest
            if other and after not in seen:
                seen.add(after)
                stack.append(after)
        if lowest is None or lowest >= rank:
            _refuse(f"no move from the state {_text(state)} leads to a lower rank than {rank}")
    _check_count(len(ranks), len(seen))


def _check_ignored(rules: Rules, ignored: object) -> None:
    if not isinstance(ignored, list) or not all(type(number) is int for number in ignored):
        _refuse(f"expected numbers of ignored things, got {shown(ignored)}")
    if len(set(ignored)) != len(ignored):
        _refuse(f"expected different numbers of ignored things, got {shown(ignored)}")
    acting = acting_things(rules)
    for number in ignored:
        if number in acting or not 0 <= number < rules.things:
            _refuse(f"the thing {number} cannot be ignored")


def _text(state: State) -> str:
    return f"{state.cell[0]},{state.cell[1]}/{state.stage}/{state.touched:x}/{state.on:x}"


def _rank(rules: Rules, state: State, ranks: Mapping[str, object]) -> int:
    """Return the rank of a state: 0 if the level has ended."""
    if rules.is_won(state):
        return 0
    rank = ranks.get(_text(state))
    if isinstance(rank, bool) or not isinstance(rank, int) or rank < 1:
        state_text = f"the state {_text(state)}, which a player can reach"
        _refuse(f"expected a rank from 1 for {state_text}, got {shown(rank)}")
    return rank


def _check_count(given: int, reached: int) -> None:
    if given != reached:
        _refuse(f"expected entries for the {reached} that a player can reach, got {given}")


def _moves(rules: Rules, graph: _Graph, state: State, work: Work) -> Iterator[State]:
    """Return the states after each move that changes something."""
    ways = graph.ways[state.cell]
    work.spend(len(ways) + 1)
    for to in ways:
        if not rules.obstacle(state, to):
            yield graph.named(rules.entered(state, to))
    switched = rules.used(state)
    if switched is not None:
        yield switched


def _parts(data: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    if set(data) != set(names):
        _refuse(f"expected data with {', '.join(names)}, got {shown(dict(data))}")
    return tuple(data[name] for name in names)


def _check_sets(rules: Rules, data: Mapping[str, Any], work: Work) -> None:
    """Verify a certificate of the class C or C+T: explore all sets of opened things."""
    (following,) = _parts(data, "next")
    if not isinstance(following, Mapping):
        _refuse(f"expected the next thing by set, got {shown(following)}")
    graph = _Graph(rules, grouped=True, work=work)
    seen, stack = {0}, [0]
    while stack:
        opened = stack.pop()
        number = following.get(f"{opened:x}")
        if type(number) is not int:
            name = f"the set of opened things {opened:x}, which a player can reach"
            _refuse(f"expected the number of a thing for {name}, got {shown(number)}")
        wins, openable = _sweep(rules, graph, opened, work)
        if number == NO_THING and not wins:
            _refuse(f"the goal is not reached when the things {opened:x} are opened")
        if number not in {NO_THING, *openable}:
            _refuse(f"the thing {number} cannot be opened when {opened:x} are opened")
        for other in openable:
            larger = opened | 1 << other
            if larger not in seen:
                seen.add(larger)
                stack.append(larger)
    _check_count(len(following), len(seen))


def _sweep(rules: Rules, graph: _Graph, opened: int, work: Work) -> tuple[bool, set[int]]:
    """Return whether the goal is reached without opening another thing, and what can be opened
    next, if the player takes everything that he can reach.
    """
    last = rules.stops[-1][1]
    passes = len(rules.stops) > 1 or (rules.collects and rules.counting != 0)
    touched, on = opened, rules.start().on
    while True:
        before = touched
        openable: set[int] = set()
        start = State(graph.names[rules.entrance], 0, touched, on)
        seen, stack = {(start.cell, start.on)}, [start]
        cells = {start.cell}
        while stack:
            state = stack.pop()._replace(touched=touched)
            ways: Iterable[Cell] = graph.ways[state.cell]
            if state.cell == last and not passes:
                ways = ()
            work.spend(len(graph.ways[state.cell]) + 1)
            found = [state._replace(cell=to) for to in ways if not rules.obstacle(state, to)]
            switched = rules.used(state)
            for after in [*found, *([switched] if switched else [])]:
                part = rules.at.get(after.cell)
                if part is not None and part.spends and not part.bit & opened:
                    openable.add(part.number)
                    continue
                if part is not None and part.kept:
                    touched |= part.bit
                node = graph.names[after.cell]
                if (node, after.on) not in seen:
                    seen.add((node, after.on))
                    stack.append(after._replace(cell=node))
                    cells.add(node)
        if touched == before:
            stops = {cell for _, cell in rules.stops}
            return stops <= cells and not rules.missing(touched), openable

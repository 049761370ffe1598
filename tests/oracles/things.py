"""Levels with things, decided by a plain search over complete states, one move after the other."""

from collections.abc import Iterator
from typing import NamedTuple

from levolve.levels.level import Level
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import Thing, kinds_of

Cell = tuple[int, int]
STEPS = {"u": (0, -1), "d": (0, 1), "l": (-1, 0), "r": (1, 0)}


class State(NamedTuple):
    """Where the player is, how many stops after the first he visited, and the indices in
    `Level.things` of what he took or opened and of the switches that are on.
    """

    cell: Cell
    stage: int
    done: frozenset[int]
    on: frozenset[int]


class Verdict(NamedTuple):
    """`steps` is the length of a shortest solution. `losing` are the moves from a state that can be
    won to one that cannot, in the order of the search: nearest to the start first. `depth` counts
    the moves to each state.
    """

    winnable: bool
    safe: bool
    steps: int | None
    losing: list[tuple[State, str]]
    depth: dict[State, int]


class Rules:
    """The rules of play of one level."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.tiles = level.tiles.tolist()
        self.things = dict(enumerate(level.things))
        self.stops = list(level.goal.route(level.places) or ())
        self.ids = {thing.id: number for number, thing in self.things.items() if thing.id}
        self.on_cell = {
            thing.cell: number
            for number, thing in self.things.items()
            if (kind := self.kind(thing)) and kind.acts and not kind.held
        }
        numbers = [n for n, thing in self.things.items() if self.kind(thing)]
        self.gives = {number: self.amounts(number, "gives") for number in numbers}
        self.needs = {number: self.amounts(number, "needs") for number in numbers}
        self.spends = {number: self.amounts(number, "spends") for number in numbers}

    def kind(self, thing: Thing) -> Kind | None:
        return kinds_of((thing,), self.level.kinds).get(thing.kind)

    def known(self, number: int) -> Kind:
        kind = self.kind(self.things[number])
        assert kind is not None
        return kind

    def field(self, number: int, name: str) -> str:
        return self.things[number].fields.get(name, self.known(number).fields.get(name, ""))

    def amounts(self, number: int, table: str) -> dict[str, int]:
        """What a thing gives, needs or spends."""
        found: dict[str, int] = {}
        for resource, amount in getattr(self.known(number), table).items():
            name = resource
            for each in self.known(number).fields:
                name = name.replace("{" + each + "}", self.field(number, each))
            if isinstance(amount, int):
                number_of = amount
            else:
                parts = amount.split("+")
                number_of = int(self.field(number, parts[0])) + sum(map(int, parts[1:]))
            found[name] = found.get(name, 0) + number_of
        return {name: value for name, value in found.items() if value}

    def has(self, done: frozenset[int]) -> dict[str, int]:
        """What the player has."""
        found: dict[str, int] = {}
        held = [n for n, thing in self.things.items() if (k := self.kind(thing)) and k.held]
        for number in [*held, *done]:
            for name, value in self.gives[number].items():
                found[name] = found.get(name, 0) + value
        for number in done:
            for name, value in self.spends[number].items():
                found[name] = found.get(name, 0) - value
        return found

    def lets_in(self, number: int, state: State) -> bool:
        kind = self.known(number)
        if kind.gate:
            is_on = self.ids[self.field(number, kind.gate)] in state.on
            open_while_off = self.field(number, "open") == "true"
            if is_on == open_while_off:
                return False
        if self.spends[number] and number in state.done:
            return True
        has = self.has(state.done) if self.needs[number] else {}
        return all(has.get(name, 0) >= value for name, value in self.needs[number].items())

    def entered(self, state: State, cell: Cell) -> State | None:
        """The state after the player entered a cell; None if it does not let him in."""
        done, on, stage = state.done, state.on, state.stage
        number = self.on_cell.get(cell)
        if number is not None:
            if not self.lets_in(number, state):
                return None
            kind = self.known(number)
            if self.gives[number] or self.spends[number] or kind.counts:
                done |= {number}
            if kind.switch and kind.forced:
                on = self.switched(number, on)
        return self.visited(State(cell, stage, done, on))

    def visited(self, state: State) -> State:
        stage = state.stage
        while stage < len(self.stops) - 2 and self.stops[stage + 1] == state.cell:
            stage += 1
        return state._replace(stage=stage)

    def switched(self, number: int, on: frozenset[int]) -> frozenset[int]:
        return on | {number} if self.known(number).switch == "once" else on ^ {number}

    def start(self) -> State:
        on = frozenset(
            number
            for number in self.on_cell.values()
            if self.known(number).switch and self.field(number, "on") == "true"
        )
        return self.visited(State(self.stops[0], 0, frozenset(), on))

    def won(self, state: State) -> bool:
        if state.stage < len(self.stops) - 2 or state.cell != self.stops[-1]:
            return False
        counting = {n for n in self.on_cell.values() if self.known(n).counts}
        return not self.level.goal.collects or counting <= state.done

    def may_leave(self, number: int | None, move: str) -> bool:
        name = "" if number is None else self.known(number).direction
        return number is None or not name or self.field(number, name) == move

    def moves(self, state: State) -> Iterator[tuple[str, State]]:
        """All legal moves, each with the state after it."""
        number = self.on_cell.get(state.cell)
        x, y = state.cell
        for move, (right, down) in STEPS.items():
            to = x + right, y + down
            if not (0 <= to[0] < self.level.width and 0 <= to[1] < self.level.height):
                continue
            steps = self.level.tileset.steps
            if not steps[self.tiles[y][x]][self.tiles[to[1]][to[0]]]:
                continue
            after = self.entered(state, to) if self.may_leave(number, move) else None
            if after is not None:
                yield move, after
        if number is None:
            return
        kind = self.known(number)
        if kind.switch and not kind.forced:
            yield "x", state._replace(on=self.switched(number, state.on))
        if kind.leads:
            to = self.things[self.ids[self.field(number, kind.leads)]].cell
            after = self.entered(state, to)
            if after is not None:
                yield "x", after


def decide(level: Level, most: int = 100_000) -> Verdict | None:
    """Decide a level; None if a player can reach more than `most` states, or if the goal has no
    stops or one is missing.
    """
    rules = Rules(level)
    if not rules.stops:
        return None
    start = rules.start()
    depth = {start: 0}
    edges: dict[State, list[tuple[str, State]]] = {}
    before: dict[State, list[State]] = {}
    wins = []
    queue = [start]
    for state in queue:
        if rules.won(state):
            wins.append(state)
            continue
        edges[state] = list(rules.moves(state))
        for _, after in edges[state]:
            before.setdefault(after, []).append(state)
            if after not in depth:
                depth[after] = depth[state] + 1
                queue.append(after)
        if len(queue) > most:
            return None
    winnable = set(wins)
    stack = list(wins)
    while stack:
        for state in before.get(stack.pop(), ()):
            if state not in winnable:
                winnable.add(state)
                stack.append(state)
    losing = [
        (state, move)
        for state in queue
        if state in winnable
        for move, after in edges.get(state, ())
        if after not in winnable
    ]
    steps = min((depth[state] for state in wins), default=None)
    return Verdict(start in winnable, len(winnable) == len(depth), steps, losing, depth)

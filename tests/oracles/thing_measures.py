"""Measures of levels with things, from plain searches over complete states."""

import heapq
import math
from collections import deque
from itertools import combinations, permutations

from levolve.levels.level import Level
from oracles.things import STEPS, Cell, Rules, State

HEALTH = "health"


def ends_late(level: Level) -> bool:
    """Whether a player can pass the last stop without winning. Then measures of order may count
    what is only behind it.
    """
    return len(level.goal.stops) > 2 or level.goal.collects


class Barred(Rules):
    """The rules of a level in which some things let nobody in, and others have no effect."""

    def __init__(self, level: Level, barred: set[int] = set(), idle: set[int] = set()) -> None:  # noqa: B006 never changed
        super().__init__(level)
        self.barred, self.idle = barred, idle
        for number in idle:
            self.gives[number] = {}

    def lets_in(self, number: int, state: State) -> bool:
        return number not in self.barred and super().lets_in(number, state)

    def switched(self, number: int, on: frozenset[int]) -> frozenset[int]:
        return on if number in self.idle else super().switched(number, on)


def search(rules: Rules) -> tuple[set[int], bool]:
    """The things that some play enters, and whether some play wins."""
    start = rules.start()
    seen, queue, won = {start}, [start], False
    for state in queue:
        if rules.won(state):
            won = True
            continue
        for _, after in rules.moves(state):
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return {rules.on_cell[state.cell] for state in seen if state.cell in rules.on_cell}, won


class Things:
    """What the things of a level are, and what is found about them."""

    def __init__(self, level: Level) -> None:
        self.level, self.rules = level, Rules(level)
        rules = self.rules
        self.all = sorted(rules.on_cell.values())
        switches = {n for n in self.all if rules.known(n).switch}
        self.enemies = {n for n in self.all if HEALTH in rules.spends[n]}
        self.doors = {
            n for n in self.all
            if n not in self.enemies and (rules.needs[n] or rules.known(n).gate)
        }  # fmt: skip
        self.keys = {
            n for n in self.all
            if set(rules.gives[n]) - {HEALTH} and not rules.known(n).counts
        } | switches  # fmt: skip
        self.treasures = {n for n in self.all if rules.known(n).counts} - self.enemies
        self.reached, self.won = search(rules)

    def openers(self, door: int) -> set[int]:
        rules = self.rules
        gate = rules.known(door).gate
        names = set(rules.needs[door]) - {HEALTH}
        found = {key for key in self.keys if names & set(rules.gives[key])}
        return found | ({rules.ids[rules.field(door, gate)]} if gate else set())

    def needed(self) -> set[int]:
        return {n for n in self.reached if self.won and not self.barred(n)[1]}

    def barred(self, *things: int) -> tuple[set[int], bool]:
        return search(Barred(self.level, set(things)))

    def before(self) -> set[tuple[int, int]]:
        """The pairs of which the first has to be entered before the second."""
        found = set()
        for one in self.reached:
            left = self.barred(one)[0]
            found |= {(one, other) for other in self.reached - left - {one}}
        return found

    def order_freedom(self) -> float:
        counted = sorted(self.reached & (self.doors | self.keys))
        before = self.before()
        pairs = list(combinations(counted, 2))
        free = [(a, b) for a, b in pairs if (a, b) not in before and (b, a) not in before]
        return len(free) / len(pairs) if pairs else 1.0

    def useless(self) -> int:
        found = 0
        for key in self.keys:
            reached, won = search(Barred(self.level, idle={key}))
            found += won == self.won and reached - {key} == self.reached - {key}
        return found

    def guarded(self) -> float:
        reached = self.reached & self.treasures
        left = self.barred(*self.enemies)[0]
        return len(reached - left) / len(reached) if reached else 0.0

    def least_damage(self) -> int:
        """The least damage of a play that wins, by a search over states in the order of damage."""
        rules, start = self.rules, self.rules.start()
        heap, best, number = [(0, 0, start)], {start: 0}, 0
        while heap:
            damage, _, state = heapq.heappop(heap)
            if rules.won(state):
                return damage
            if damage > best[state]:
                continue
            for _, after in rules.moves(state):
                new = after.done - state.done
                total = damage + sum(rules.spends[n].get(HEALTH, 0) for n in new)
                if total < best.get(after, math.inf):
                    best[after] = total
                    number += 1
                    heapq.heappush(heap, (total, number, after))
        return -1

    def rounds(self) -> tuple[dict[int, int], dict[int, int]]:
        """The rounds in which things are entered, and in which they are entered or found shut, in a
        level where nothing is spent.
        """
        rules = self.rules
        entered: dict[int, int] = {}
        seen: dict[int, int] = {}
        taken: set[int] = set()
        start = rules.start()
        opened: set[int] = set()
        for number in range(1, len(self.all) + 2):
            on = start.on
            for thing in taken:
                if rules.known(thing).switch:
                    on ^= {thing}
            cells = {start.cell}
            queue = [start.cell]
            over = len(rules.stops) == 2 and not (
                rules.level.goal.collects and any(rules.known(n).counts for n in self.all)
            )
            for cell in queue:
                if over and cell == rules.stops[-1]:
                    continue
                for to in ways(rules, cell):
                    if to in cells:
                        continue
                    if (n := rules.on_cell.get(to)) is not None:
                        seen.setdefault(n, number)
                        held = State(cell, 0, frozenset(taken), on)
                        flipped = State(cell, 0, frozenset(taken), start.on)
                        lets = rules.lets_in(n, held) or rules.lets_in(n, flipped)
                        if n not in opened and not lets:
                            continue
                        opened.add(n)
                        entered.setdefault(n, number)
                    cells.add(to)
                    queue.append(to)
            taken = set(entered)
        return entered, seen


def ways(rules: Rules, cell: Cell) -> list[Cell]:
    """The cells beside one, and where a thing on it leads, as the tiles and one-ways allow."""
    number = rules.on_cell.get(cell)
    x, y = cell
    found = []
    for move, (right, down) in STEPS.items():
        to = x + right, y + down
        inside = 0 <= to[0] < rules.level.width and 0 <= to[1] < rules.level.height
        if inside and rules.level.tileset.steps[rules.tiles[y][x]][rules.tiles[to[1]][to[0]]]:
            found += [to] if rules.may_leave(number, move) else []
    if number is not None and rules.known(number).leads:
        to_thing = rules.ids[rules.field(number, rules.known(number).leads)]
        found.append(rules.things[to_thing].cell)
    return found


def walk(level: Level, play: str) -> tuple[int, int]:
    """The different cells of a play, and its longest errand."""
    rules, state = Rules(level), Rules(level).start()
    cells, errands, errand = {state.cell}, [], 0
    for move in play:
        state = dict(rules.moves(state))[move]
        errand += 1
        if move == "x" or (state.cell not in cells and state.cell in rules.on_cell):
            errands.append(errand)
            errand = 0
        cells.add(state.cell)
    return len(cells), max([*errands, errand])


def distances(level: Level, start: Cell) -> dict[Cell, int]:
    """Steps from a cell, as if nothing barred the way."""
    found = {start: 0}
    queue = deque([start])
    tiles, steps = level.tiles.tolist(), level.tileset.steps
    while queue:
        x, y = queue.popleft()
        for right, down in STEPS.values():
            to = x + right, y + down
            if not (0 <= to[0] < level.width and 0 <= to[1] < level.height) or to in found:
                continue
            if steps[tiles[y][x]][tiles[to[1]][to[0]]]:
                found[to] = found[x, y] + 1
                queue.append(to)
    return found


def walkable(level: Level) -> list[Cell]:
    return [
        (x, y)
        for y, row in enumerate(level.walkable.tolist())
        for x, free in enumerate(row)
        if free
    ]


def key_door_distance(level: Level) -> float:
    things = Things(level)
    found = []
    for door in things.doors:
        steps = distances(level, level.things[door].cell)
        cells = [level.things[key].cell for key in things.openers(door)]
        found += (
            [min(steps[cell] for cell in cells if cell in steps)] if set(cells) & set(steps) else []
        )
    return sum(found) / len(found) if found else 0.0


def enemy_spread(level: Level) -> float:
    cells = [level.things[n].cell for n in Things(level).enemies]
    found = []
    for cell in cells:
        steps = distances(level, cell)
        near = [steps[other] for other in cells if other != cell and other in steps]
        found += [min(near)] if near else []
    return sum(found) / len(found) if found else 0.0


def controlled(level: Level) -> list[int]:
    """The cells with more than 0.35 of safety for each enemy, by the definition of 2013."""
    steps = [distances(level, level.things[n].cell) for n in sorted(Things(level).enemies)]
    found = []
    for index, own in enumerate(steps):
        area = 0
        for cell, near in own.items():
            others = [other.get(cell) for j, other in enumerate(steps) if j != index]
            safety = [1.0 if d is None else max(0.0, (d - near) / (d + near)) for d in others]
            area += min(safety, default=1.0) > 0.35
        found.append(area)
    return found


def area_balance(level: Level) -> float:
    areas = controlled(level)
    pairs = list(permutations(areas, 2))
    if not pairs:
        return 1.0
    return 1 - sum(abs(a - b) / max(a, b, 1) for a, b in pairs) / len(pairs)


def explored(level: Level) -> tuple[float, float]:
    route = level.goal.route(level.places)
    assert route is not None
    there, back = distances(level, route[0]), distances(level, route[-1])
    if route[-1] not in there:
        return 0.0, 0.0
    covered = sum(steps <= there[route[-1]] for steps in there.values())
    if route[0] not in back:
        return covered / len(there), 0.0
    returned = sum(steps <= back[route[0]] for steps in back.values())
    return covered / len(there), 1 - abs(covered - returned) / max(covered, returned)


def leniency(level: Level) -> float:
    """The share of rooms without enemies. Rooms are connected groups of cells of 3x3 squares."""
    legal = {
        (cell, to)
        for cell in walkable(level)
        for to in distances_one(level, cell)
    }  # fmt: skip
    room: set[Cell] = set()
    for x, y in walkable(level):
        square = [(x + i, y + j) for i in range(3) for j in range(3)]
        pairs = [(a, b) for a in square for b in square if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
        if all((a, b) in legal or (b, a) in legal for a, b in pairs):
            room |= set(square)
    groups: list[set[Cell]] = []
    left = set(room)
    while left:
        group, queue = set(), [left.pop()]
        for cell in queue:
            group.add(cell)
            near = {to for to in left if (cell, to) in legal or (to, cell) in legal}
            left -= near
            queue += sorted(near)
        groups.append(group)
    enemies = {level.things[n].cell for n in Things(level).enemies}
    return sum(not group & enemies for group in groups) / len(groups) if groups else 1.0


def distances_one(level: Level, cell: Cell) -> list[Cell]:
    """The cells to which one step leads."""
    x, y = cell
    tiles, steps = level.tiles, level.tileset.steps
    return [
        (x + right, y + down)
        for right, down in STEPS.values()
        if 0 <= x + right < level.width
        and 0 <= y + down < level.height
        and steps[tiles[y, x]][tiles[y + down, x + right]]
    ]

"""Certificates made from the results of the plain search in `oracles/things.py`, for tests of the
checker.
"""

from levolve.levels.level import Level
from levolve.levels.things.certificate import Certificate
from oracles.things import Rules, State, Verdict


def number_of(things: frozenset[int]) -> str:
    return f"{sum(1 << thing for thing in things):x}"


def text_of(state: State) -> str:
    x, y = state.cell
    return f"{x},{y}/{state.stage}/{number_of(state.done)}/{number_of(state.on)}"


def solution_of(level: Level) -> str | None:
    """A shortest solution, found by plain search."""
    rules = Rules(level)
    start = rules.start()
    before: dict[State, tuple[State, str]] = {}
    queue, seen = [start], {start}
    for state in queue:
        if rules.won(state):
            moves, at = "", state
            while at != start:
                at, move = before[at]
                moves = move + moves
            return moves
        for move, after in rules.moves(state):
            if after not in seen:
                seen.add(after)
                before[after] = state, move
                queue.append(after)
    return None


def ranked(level: Level, verdict: Verdict) -> Certificate:
    """A certificate of the class G in which nothing is ignored and cells are no groups. A state that
    cannot be won has a rank that is too low for it.
    """
    rules = Rules(level)
    before: dict[State, list[State]] = {}
    for state in verdict.depth:
        if not rules.won(state):
            for _, after in rules.moves(state):
                before.setdefault(after, []).append(state)
    ranks = {state: 0 for state in verdict.depth if rules.won(state)}
    queue = list(ranks)
    for state in queue:
        for earlier in before.get(state, ()):
            if earlier not in ranks:
                ranks[earlier] = ranks[state] + 1
                queue.append(earlier)
    texts = {text_of(state): ranks.get(state, 1) for state in verdict.depth if not rules.won(state)}
    return Certificate("G", {"ignored": [], "grouped": False, "ranks": texts})


def tabled(level: Level, verdict: Verdict, kind: str) -> Certificate:
    """A certificate of the class C or C+T. A set from which nothing leads on has -1."""
    rules = Rules(level)
    spending = {number for number, spent in rules.spends.items() if spent}
    following: dict[str, int] = {}
    for state in verdict.depth:
        if rules.won(state):
            continue
        following.setdefault(number_of(state.done & spending), -1)
    # A move that opens something is better than none; a win is better still.
    winnable = _winnable(rules, verdict)
    wins = set()
    for state in winnable:
        if rules.won(state):
            continue
        opened = state.done & spending
        for _, after in rules.moves(state):
            if rules.won(after):
                wins.add(number_of(opened))
            elif after in winnable and after.done & spending != opened:
                following[number_of(opened)] = min((after.done & spending) - opened)
    return Certificate(kind, {"next": following | dict.fromkeys(wins, -1)})


def _winnable(rules: Rules, verdict: Verdict) -> set[State]:
    before: dict[State, list[State]] = {}
    for state in verdict.depth:
        if not rules.won(state):
            for _, after in rules.moves(state):
                before.setdefault(after, []).append(state)
    found = {state for state in verdict.depth if rules.won(state)}
    stack = list(found)
    while stack:
        for state in before.get(stack.pop(), ()):
            if state not in found:
                found.add(state)
                stack.append(state)
    return found

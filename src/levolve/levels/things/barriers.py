"""Why a level with things cannot be won: the things that nothing opens, or that nobody reaches."""

from typing import TYPE_CHECKING

from levolve.levels.things.checker_rules import Cell, Rules, State

if TYPE_CHECKING:
    from levolve.levels.level import Level

# Explanations look at no more states, and name no more things.
MOST_STATES, NAMED = 50_000, 3


def barriers(level: "Level") -> str:
    """Return in words what bars the way in a level that cannot be won; nothing if that is not one
    of its things.
    """
    rules = Rules(level)
    states = [rules.start()]
    seen = set(states)
    barring: dict[str, None] = {}
    for state in states:
        if len(states) > MOST_STATES:
            return ""
        used = rules.used(state)
        found = [] if used is None else [used]
        for cell in _beside(rules, state):
            if rules.obstacle(state, cell):
                barring[rules.at[cell].label] = None
            else:
                found.append(rules.entered(state, cell))
        states += [after for after in dict.fromkeys(found) if after not in seen]
        seen.update(found)
    passed = {rules.at[state.cell].label for state in states if state.cell in rules.at}
    closed = [label for label in barring if label not in passed]
    if closed:
        return f"nothing opens {_some(closed)}"
    touched = 0
    for state in states:
        touched |= state.touched
    left = [part.label for part in rules.missing(touched)]
    return f"nobody reaches {_some(left)}" if left else ""


def _beside(rules: Rules, state: State) -> list[Cell]:
    """Return the cells to which the tiles, one-ways and stairs let the player go."""
    here = rules.at.get(state.cell)
    cells = [
        to
        for move, to in rules.neighbours(state.cell)
        if rules.is_step(state.cell, to) and (here is None or here.way in {"", move})
    ]
    return cells if here is None or here.leads is None else [*cells, here.leads]


def _some(labels: list[str]) -> str:
    more = f" and {len(labels) - NAMED} more" if len(labels) > NAMED else ""
    return ", ".join(labels[:NAMED]) + more

"""The independent checker of levels with things: it replays a solution move by move, and verifies
that the level cannot be lost.

It shares no code with what finds solutions and certificates.
"""

from typing import TYPE_CHECKING

from levolve.core.errors import ProofError
from levolve.levels.checker import STEPS
from levolve.levels.things.certificate_checks import acting_things, check_certificate
from levolve.levels.things.checker_rules import Rules, State

if TYPE_CHECKING:
    from levolve.levels.level import Level

USE = "x"


def check(level: "Level", *, loss: bool = False) -> None:
    """Raise `ProofError` unless the solution wins the level and, if things act in it, its
    certificate proves that it cannot be lost. With `loss`, only the solution is replayed.
    """
    rules = Rules(level)
    if level.solution is None:
        message = "proof: the level has no solution"
        raise ProofError(message)
    state = rules.start()
    needs_certificate = bool(acting_things(rules)) and not rules.is_won(state)
    for count, move in enumerate(level.solution, 1):
        if rules.is_won(state):
            message = f"proof: move {count} ({move}) is made after the level was won"
            raise ProofError(message)
        state = moved(rules, state, count, move)
    if not rules.is_won(state):
        raise ProofError(_unfinished(rules, state, len(level.solution)))
    if loss or not needs_certificate:
        return
    if level.certificate is None:
        message = (
            "proof: the level has no certificate that it cannot be lost; use level.prove(), or "
            "allow a loss to replay only the solution"
        )
        raise ProofError(message)
    check_certificate(rules, level.certificate)


def moved(rules: Rules, state: State, count: int, move: str) -> State:
    """Return the state after the move numbered `count`; `ProofError` if it is not legal."""
    x, y = state.cell
    here = rules.at.get(state.cell)
    if move == USE:
        switched = rules.used(state)
        if switched is not None:
            return switched
        if here is None or here.leads is None:
            message = f"proof: move {count} (x) at {x},{y} uses nothing"
            if here is not None:
                message += f": {here.label} is not used"
            raise ProofError(message)
        to = here.leads
    else:
        to = dict(rules.neighbours(state.cell)).get(move, (-1, -1)) if move in STEPS else (-1, -1)
        if to == (-1, -1):
            message = f"proof: move {count} ({move}) leaves the level from {x},{y}"
            raise ProofError(message)
        if not rules.is_step(state.cell, to):
            raise _illegal(count, move, state, to, "is not a legal step")
        if here is not None and here.way not in {"", move}:
            only = f"leaves {here.label}, which can be left only by {here.way}"
            raise _illegal(count, move, state, to, only)
    obstacle = rules.obstacle(state, to)
    if obstacle:
        raise _illegal(count, move, state, to, obstacle)
    return rules.entered(state, to)


def _illegal(count: int, move: str, state: State, to: tuple[int, int], why: str) -> ProofError:
    (x, y), (to_x, to_y) = state.cell, to
    return ProofError(f"proof: move {count} ({move}) from {x},{y} to {to_x},{to_y} {why}")


def _unfinished(rules: Rules, state: State, moves: int) -> str:
    x, y = state.cell
    ends = f"proof: the solution ends after {moves} moves at {x},{y} without"
    missing = rules.missing(state.touched)
    if state.stage == len(rules.stops) - 1 and missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return f"{ends} collecting {missing[0].label}{more}"
    name, (to_x, to_y) = rules.stops[state.stage]
    return f"{ends} reaching the {name} at {to_x},{to_y}"

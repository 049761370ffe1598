"""Proofs: whether a level can be won, and whether it can be lost.

`prove` decides both exactly, with a shortest solution, a certificate for a level that cannot be
lost, and a shortest way to lose one that can. A level with too many states is undecided.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from levolve.kernels.proofs import proving, sweeps
from levolve.kernels.proofs.condensation import Whole, has_groups
from levolve.kernels.proofs.walks import LOSS, WIN, shortest_play
from levolve.levels.places import Place
from levolve.levels.things.batch_proofs import (
    SEARCHED,
    WalkingSpace,
    Workspace,
    tables_of_level,
    walking_space,
    workspace,
)
from levolve.levels.things.certificate import Certificate
from levolve.levels.things.lowering import DONE, NO_STATE, SWITCH, Mechanics, lower

if TYPE_CHECKING:
    from levolve.levels.level import Level

# The most states of a proof.
PROVEN = 2**24
# How many states take as long as one set of opened things, at least.
SET_STATES = 16
# The most states of a certificate, and of the search for a shortest play.
CERTIFIED, WALKED = 2**16, 2**20
MOVES = "udlrx"


@dataclass(frozen=True)
class LosingMove:
    """A move after which a level can no longer be won.

    Attributes
    ----------
    play
        A shortest play from the start that ends with it.
    cell
        The cell (x, y) that it leads to.
    holds
        What the player has before it: amounts by resource, without those of 0.
    """

    play: str
    cell: Place
    holds: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The move in words: `move 5 (r) to 4,4, with 1 small key`."""
        holds = ", ".join(f"{amount} {name}" for name, amount in self.holds.items())
        x, y = self.cell
        return f"move {len(self.play)} ({self.play[-1]}) to {x},{y}, with {holds or 'nothing'}"

    def to_data(self) -> dict[str, Any]:
        """The move as plain data."""
        return {"play": self.play, "cell": list(self.cell), "holds": dict(self.holds)}


@dataclass(frozen=True)
class Proof:
    """What is known about winning and losing a level.

    Attributes
    ----------
    winnable
        Whether the level can be won.
    safe
        Whether it can be won from every state that a player can reach.
    undecided
        Whether the level has more states than the limit. Then it is neither winnable nor safe as
        far as is known.
    kind
        The class of the level: A, T, C, C+T or G; empty if a place of the goal is missing.
    steps, solution
        The fewest moves to win, and such moves; None if there are none, or if the search for them
        exceeds its limit.
    certificate
        Why a safe level cannot be lost; None if the level is not safe, has no things that act, or
        has too many states.
    losing_moves
        The losing move that can be made first, if the level can be both won and lost.
    states, lost
        The number of states of the condensed level, and of those from which it cannot be won.
    spheres
        The number of rounds of a sweep that takes everything it reaches and then opens what it can.
    """

    winnable: bool
    safe: bool
    undecided: bool = False
    kind: str = ""
    steps: int | None = None
    solution: str | None = None
    certificate: Certificate | None = None
    losing_moves: tuple[LosingMove, ...] = ()
    states: int = 0
    lost: int = 0
    spheres: int = 0


def prove(level: "Level", states: int = PROVEN) -> Proof:
    """Decide whether a level can be won, and whether it can be lost.

    Parameters
    ----------
    level
        A level of any tileset and goal, with or without things.
    states
        The most states to compute. A level with more is undecided.
    """
    if level.goal.missing(level.places):
        return Proof(winnable=False, safe=False)
    return _Prover(lower(level), states).proof()


def prove_rest(mechanics: Mechanics, states: int = SEARCHED) -> Proof:
    """Decide whether a level can be won, and by which moves: without a certificate, without its
    losing moves, and by default with few states, so that it is known at once.
    """
    return _Prover(mechanics, states).proof(explained=False)


class _Prover:
    """The proof of one level."""

    def __init__(self, mechanics: Mechanics, states: int) -> None:
        self.mechanics = mechanics
        self.tables = tables_of_level(mechanics)
        self.traits, self.amounts = self.tables.traits, self.tables.amounts
        self.steps = np.ascontiguousarray(mechanics.steps, np.uint8)
        self.cell_nodes = np.empty(0, np.int32)
        self.states = states
        self.space = workspace() if states >= SEARCHED else Workspace(states)
        self.results = self._search()

    def _search(self) -> NDArray[np.int32]:
        """Return the results of a search, which is repeated with more memory if necessary."""
        results = self._search_in(self.space)
        if results[0, proving.WINNABLE] < 0:
            general = results[0, proving.CLASS] & sweeps.GENERAL
            states = self.states if general else self.states // SET_STATES
            if states > self.space.states:
                self.space = Workspace(states)
                results = self._search_in(self.space)
        return results

    def _search_in(self, space: Workspace) -> NDArray[np.int32]:
        mechanics = self.mechanics
        results = np.zeros((1, proving.RESULTS), np.int32)
        proving.prove_levels(
            mechanics.tiles[np.newaxis],
            self.steps,
            mechanics.stops[np.newaxis],
            mechanics.collects,
            self.tables.initial,
            self.tables.firsts,
            self.traits,
            self.amounts,
            space.sets,
            space.choices,
            space.ways,
            space.reach,
            space.keys,
            space.ranks,
            space.heads,
            space.links,
            space.table,
            space.order,
            space.paying,
            space.parts,
            self.cell_nodes,
            np.empty((0, proving.MARKS), np.int32),
            results,
        )
        return results

    def proof(self, *, explained: bool = True) -> Proof:
        """Return the proof; if `explained`, with a certificate or a losing move."""
        row = self.results[0].tolist()
        won, lost = row[proving.WINNABLE], row[proving.LOST]
        safe = won == 1 and lost == 0
        solution = self._play(WIN) if won == 1 else None
        loss, certificate = None, None
        acting = self._acting()
        if won == 1 and row[proving.CLASS] in (sweeps.SIMPLE, sweeps.TOGGLES):
            certificate = Certificate(self._kind) if acting else None
        elif explained and won == 1 and (acting or not safe):
            # Once more, with all that is found.
            self.cell_nodes = np.empty(self.mechanics.tiles.size, np.int32)
            self.results = self._search()
            try:
                if self.results[0, proving.WINNABLE] == 1:
                    certificate = self._certificate(acting) if safe else None
                    loss = None if safe else self._play(LOSS)
            finally:
                self.space.table[: int(self.results[0, proving.SIZE])] = -1
        return Proof(
            winnable=won == 1,
            safe=safe,
            undecided=won < 0,
            kind=self._kind,
            steps=None if solution is None else len(solution),
            solution=solution,
            certificate=certificate,
            losing_moves=() if loss is None else (self._losing_move(loss),),
            states=row[proving.STATES],
            lost=lost,
            spheres=row[proving.SPHERES],
        )

    @property
    def _kind(self) -> str:
        bits = int(self.results[0, proving.CLASS])
        if bits & sweeps.GENERAL:
            return "G"
        return ("A", "T", "C", "C+T")[bits]

    def _play(self, aim: int) -> str | None:
        mechanics, space = self.mechanics, self.space
        walking = walking_space()
        count: Whole = -2
        for states in (SEARCHED, WALKED):
            walking = walking if states == SEARCHED else WalkingSpace(states)
            count = shortest_play(
                aim,
                mechanics.tiles,
                self.steps,
                mechanics.stops,
                mechanics.collects,
                mechanics.initial,
                self.traits,
                self.amounts,
                int(self.results[0, proving.CLASS]),
                self.cell_nodes,
                space.sets,
                space.choices,
                int(self.results[0, proving.PAYERS]),
                space.paying,
                space.keys,
                space.ranks,
                space.table,
                int(self.results[0, proving.SIZE]),
                walking.plays,
                walking.lengths,
                walking.parents,
                walking.entries,
                walking.edges,
                walking.table,
                walking.moves,
            )
            if count >= -1:
                break
        if count < 0:
            return None
        return "".join(MOVES[move] for move in walking.moves[:count].tolist())

    def _losing_move(self, play: str) -> LosingMove:
        mechanics = self.mechanics
        width = mechanics.tiles.shape[1]
        at = mechanics.at.ravel().tolist()
        cell = int(mechanics.stops[0])
        have, before = mechanics.initial.astype(np.int64), mechanics.initial.astype(np.int64)
        done: set[int] = set()
        for move in play:
            before = have.copy()
            thing = at[cell]
            if move == "x":
                cell = int(mechanics.leads_to[thing]) if mechanics.leads_to[thing] >= 0 else cell
            else:
                cell += {"u": -width, "d": width, "l": -1, "r": 1}[move]
            thing = at[cell]
            if thing >= 0 and mechanics.states[thing] == DONE and thing not in done:
                done.add(thing)
                have += mechanics.gives[thing] - mechanics.spends[thing]
        holds = {
            name: amount
            for name, amount in zip(mechanics.resources, before.tolist(), strict=True)
            if amount
        }
        return LosingMove(play, (cell % width, cell // width), holds)

    def _certificate(self, acting: list[int]) -> Certificate | None:
        kind = self._kind
        count = int(self.results[0, proving.STATES])
        if count > CERTIFIED:
            return None
        if kind == "G":
            return self._ranks(count, acting)
        names = self.mechanics.things.tolist()
        paying = self.space.paying[: int(self.results[0, proving.PAYERS])].tolist()
        number = [names[thing] for thing in paying]
        following = {
            f"{sum(1 << number[k] for k in range(len(number)) if opened >> k & 1):x}": (
                names[choice] if choice >= 0 else -1
            )
            for opened, choice in zip(
                self.space.sets[:count].tolist(), self.space.choices[:count].tolist(), strict=True
            )
        }
        return Certificate(kind, {"next": following})

    def _acting(self) -> list[int]:
        """Return the rows of acting things."""
        mechanics = self.mechanics
        roles = np.empty(len(self.traits) + 1, np.uint8)
        wanted = np.empty(len(self.traits) + len(mechanics.initial) + 1, np.uint8)
        sweeps.find_roles(self.traits, self.amounts, mechanics.collects, roles, wanted)
        return [thing for thing in range(len(self.traits)) if roles[thing] & sweeps.ACTS]

    def _ranks(self, count: int, acting: list[int]) -> Certificate:
        mechanics = self.mechanics
        names = mechanics.things.tolist()
        # In the order of `number_bits`.
        bits = [
            (1 << names[thing], mechanics.states[thing] == SWITCH)
            for thing in acting
            if mechanics.states[thing] != NO_STATE
        ]
        nodes, cells = np.unique(self.cell_nodes, return_index=True)
        width = mechanics.tiles.shape[1]
        first = {
            node: f"{cell % width},{cell // width}"
            for node, cell in zip(nodes.tolist(), cells.tolist(), strict=True)
        }
        ranks: dict[str, int] = {}
        sets: dict[int, str] = {}
        for (state, place), rank in zip(
            self.space.keys[:count].tolist(), self.space.ranks[:count].tolist(), strict=True
        ):
            if state not in sets:
                touched = on = 0
                for k, (bit, is_switch) in enumerate(bits):
                    if state >> k & 1:
                        touched, on = (touched, on | bit) if is_switch else (touched | bit, on)
                sets[state] = f"{touched:x}/{on:x}"
            ranks[f"{first[place & 0xFFFFFFFF]}/{place >> 32}/{sets[state]}"] = rank
        return Certificate(
            "G",
            {
                "ignored": sorted(set(names) - {names[thing] for thing in acting}),
                "grouped": bool(has_groups(self.steps)),
                "ranks": ranks,
            },
        )

"""The data of a session: what is written, what is read, versions, limits, and the tree of actions.

`Tree`: the actions of a session as a tree. Acting after undo begins a new branch; every sheet stays
reachable by its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from levolve.core.errors import InputError, shown
from levolve.formats.reading.budgets import MOST_CELLS, check_amount
from levolve.jobs.breeding.actions import Action, cells_of, read_action
from levolve.recipes.recipe import Recipe
from levolve.search.problem import choose_seed
from levolve.version import ENGINE, VERSION, difference

if TYPE_CHECKING:
    from levolve.jobs.breeding.breeder import Breeder
    from levolve.jobs.breeding.moments import Moments
    from levolve.levels.level import Level


@dataclass(eq=False)
class TreeNode:
    """The moment after an action; without an action, the beginning.

    `sheet` is the number of the sheet that the action led to, None if it led to no new one;
    `generation` the generations of evolution so far; `digest` that of the sheet as it was bred,
    None if that is not known yet.
    """

    parent: TreeNode | None
    action: Action | None
    sheet: int | None
    generation: int = 0
    digest: str | None = None
    children: list[TreeNode] = field(default_factory=list, repr=False)

    @property
    def path(self) -> list[TreeNode]:
        """The nodes from the beginning to this one."""
        found = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return found[::-1]


class Tree:
    """The nodes of a session in the order in which they were added, the current one (`at`), and the
    end of the current branch (`tip`).
    """

    def __init__(self) -> None:
        """Begin with the first sheet."""
        root = TreeNode(None, None, 0)
        self.nodes = [root]
        self.sheets = [root]
        self.at = self.tip = root

    def add(self, action: Action, parent: TreeNode | None = None) -> TreeNode:
        """Add an action after a node, by default the current one, without going there."""
        parent = self.at if parent is None else parent
        breeds = action.generations > 0
        node = TreeNode(
            parent,
            action,
            len(self.sheets) if breeds else None,
            parent.generation + action.generations,
        )
        parent.children.append(node)
        self.nodes.append(node)
        if breeds:
            self.sheets.append(node)
        return node

    def act(self, action: Action) -> TreeNode:
        """Add an action after the current node, and go there. What was undone stays as a branch if
        it led to a sheet.
        """
        self._drop_undone()
        self.at = self.tip = self.add(action)
        return self.at

    def _drop_undone(self) -> None:
        """Drop the undone actions if no sheet is among them: nothing could return to them."""
        undone = list(self._up(self.tip, self.at))
        if any(node.sheet is not None or len(node.children) > 1 for node in undone):
            return
        if undone:
            self.at.children.remove(undone[-1])
        dropped = set(map(id, undone))
        self.nodes = [node for node in self.nodes if id(node) not in dropped]
        self.tip = self.at

    @staticmethod
    def _up(first: TreeNode, end: TreeNode) -> Iterator[TreeNode]:
        """The nodes from one up to, but without, another."""
        node: TreeNode | None = first
        while node is not None and node is not end:
            yield node
            node = node.parent

    @property
    def before(self) -> TreeNode | None:
        """Where undo leads; None at the beginning."""
        return self.at.parent

    @property
    def after(self) -> TreeNode | None:
        """Where redo leads; None at the end of the branch."""
        following = None
        for node in self._up(self.tip, self.at):
            following = node
        return following

    def sheet_of(self, node: TreeNode) -> TreeNode:
        """The node that bred the sheet that is shown at a node."""
        while node.sheet is None and node.parent is not None:
            node = node.parent
        return node

    def find(self, number: object) -> TreeNode:
        """The node of a sheet by its number."""
        if (
            isinstance(number, bool)
            or not isinstance(number, int)
            or not 0 <= number < len(self.sheets)
        ):
            raise InputError(
                f"number: expected the number of a sheet, from 0 to {len(self.sheets) - 1}, got "
                f"{shown(number)}"
            )
        return self.sheets[number]

    def go(self, node: TreeNode) -> None:
        """Make a node the current one. The branch stays the same if it passes through the node;
        otherwise it is the newest one from there.
        """
        if node not in self.tip.path:
            self.tip = node
            while self.tip.children:
                self.tip = self.tip.children[-1]
        self.at = node


class TreeSheet:
    """A sheet of a session's tree.

    Attributes
    ----------
    number
        The sheet's number, from 0, in the order in which sheets were bred.
    parent
        The number of the sheet that it was bred from; None for the first.
    generation
        The generations of evolution that led to it.
    action
        The action that led to it; None for the first.
    """

    def __init__(self, node: TreeNode, parent: int | None, moments: Moments) -> None:
        """Describe the sheet of a node; its levels are bred when they are asked for."""
        self.number: int = node.sheet or 0
        self.parent = parent
        self.generation = node.generation
        self.action = node.action
        self._node = node
        self._moments = moments

    @property
    def levels(self) -> list[Level]:
        """The levels as they were bred, before anything was painted."""
        return list(self._moments.at(self._node).sheet.levels)

    @property
    def digest(self) -> str:
        """Sha256 over the levels, in their order."""
        return self._node.digest or self._moments.at(self._node).sheet.digest


# Actions are carried out again when a session is read, with all their generations.
MOST_ACTIONS = 10_000
FORMAT = "levolve session"
# Version 1 had no branches: a list of actions, and a list of undone ones.
SESSION_VERSION = 2
FIRST_VERSION = 1
LONGEST_MAKER = 40
NEEDED = ("recipe", "seed", "sheet", "strategy", "wildness", "blend", "actions")


@dataclass(frozen=True)
class SessionData:
    """The data of a session, checked as far as that is possible without breeding.

    `actions` are pairs of the number of the action before it, 0 for the beginning, and the action;
    `digests` those of the sheets, by action.
    """

    recipe: Recipe
    seed: int
    settings: Mapping[str, Any]
    actions: list[tuple[int, Action]]
    digests: Mapping[int, str]
    at: int
    tip: int
    digest: str | None
    version: str
    engine: str


def first_data(breeder: Breeder, wildness: float, blend: float) -> dict[str, Any]:
    """The beginning of a session as plain data."""
    return {
        "format": FORMAT,
        "version": SESSION_VERSION,
        "levolve": VERSION,
        "engine": ENGINE,
        **breeder.to_data(),
        "wildness": wildness,
        "blend": blend,
    }


def tree_data(tree: Tree) -> dict[str, Any]:
    """The actions of a session as plain data.

    Each names the number of the action before it (`after`), unless that is the one listed before
    it, and the digest of the sheet that it led to.
    """
    numbers = {node: number for number, node in enumerate(tree.nodes)}
    actions = []
    for number, node in enumerate(tree.nodes):
        if node.action is None or node.parent is None:
            continue
        entry = node.action.to_data()
        if numbers[node.parent] != number - 1:
            entry["after"] = numbers[node.parent]
        if node.digest is not None:
            entry["digest"] = node.digest
        actions.append(entry)
    return {"actions": actions, "at": numbers[tree.at], "tip": numbers[tree.tip]}


def read_data(data: Mapping[str, Any], source: str) -> SessionData:
    """Read the data of a session of any version."""
    if data.get("format") != FORMAT:
        raise InputError(
            f"{source}: expected data of a session, with format {FORMAT!r}, got format "
            f"{shown(data.get('format'))}"
        )
    version = data.get("version")
    if (
        isinstance(version, bool)
        or not isinstance(version, int)
        or not FIRST_VERSION <= version <= SESSION_VERSION
    ):
        raise InputError(
            f"{source}: expected version {FIRST_VERSION} or {SESSION_VERSION}, got "
            f"{shown(version)}; "
            f"it was saved by levolve {shown(data.get('levolve'))}, this is {VERSION}"
        )
    missing = [name for name in NEEDED if name not in data]
    if missing:
        raise InputError(f"{source}: expected {', '.join(missing)} in it; the file is damaged")
    recipe = Recipe.from_data(data["recipe"], source)
    listed = _listed(data["actions"], f"{source}: actions")
    undone = (
        _listed(data.get("undone", []), f"{source}: undone") if version == FIRST_VERSION else []
    )
    actions = [
        read_action(entry, f"{source}: actions {number}") for number, entry in enumerate(listed, 1)
    ]
    # What was undone last comes first.
    actions += [
        read_action(entry, f"{source}: undone {number}") for number, entry in enumerate(undone, 1)
    ][::-1]
    check_amount(
        sum(map(_cost, actions)), MOST_ACTIONS, "actions and generations", f"{source}: actions"
    )
    check_amount(sum(map(cells_of, actions)), MOST_CELLS, "cells", f"{source}: actions")
    entries = (
        [entry for entry in listed if isinstance(entry, Mapping)]
        if version == SESSION_VERSION
        else []
    )
    parents = [
        _number(entry, "after", number, number, f"{source}: actions {number + 1}")
        for number, entry in enumerate(entries)
    ]
    parents += range(len(parents), len(actions))
    at = (
        _number(data, "at", len(listed), len(actions), source)
        if version == SESSION_VERSION
        else len(listed)
    )
    tip = (
        _number(data, "tip", at, len(actions), source)
        if version == SESSION_VERSION
        else len(actions)
    )
    digests = {
        number: str(entry["digest"]) for number, entry in enumerate(entries, 1) if "digest" in entry
    }
    try:
        seed = choose_seed(-1 if data["seed"] is None else data["seed"])
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from problem
    settings = {name: data[name] for name in ("sheet", "wildness", "blend", "strategy")}
    whole = None if "digest" not in data else str(data["digest"])
    maker = [str(data.get(name, ""))[:LONGEST_MAKER] for name in ("levolve", "engine")]
    return SessionData(
        recipe,
        seed,
        settings,
        list(zip(parents, actions, strict=True)),
        digests,
        at,
        tip,
        whole,
        *maker,
    )


def tree_from(given: SessionData) -> Tree:
    """The tree of a session."""
    tree = Tree()
    nodes: list[TreeNode] = tree.nodes
    for number, (parent, action) in enumerate(given.actions, 1):
        tree.add(action, nodes[parent]).digest = given.digests.get(number)
    tree.at, tree.tip = nodes[given.at], nodes[given.tip]
    if tree.at not in tree.tip.path:
        raise InputError(
            f"tip: expected an action that follows number {given.at}, got {given.tip}; the file "
            "is damaged"
        )
    return tree


def check_room(tree: Tree, action: Action) -> None:
    """Raise `InputError` if a session that is saved with one more action could not be read
    again.
    """
    cost = sum(_cost(node.action) for node in tree.nodes if node.action is not None) + _cost(action)
    if cost > MOST_ACTIONS:
        raise InputError(
            f"{action.kind}: a session has at most {MOST_ACTIONS:,} actions and automatic "
            f"generations, and this one would have {cost:,}; "
            "save a level, and begin a new session with it"
        )


def differs(expected: str, digest: str, version: str = "", engine: str = "") -> str:
    """A sentence about a sheet that was bred again with other levels."""
    saved = difference(version, engine) if version else ""
    return (
        f"replayed, but the levels differ: digest {shown(expected)} in it, {digest} now; "
        f"{saved or 'it was changed after it was saved, or saved with another engine'}"
    )


def _cost(action: Action) -> int:
    return max(action.generations, 1)


def _listed(listed: object, where: str) -> list[object]:
    if not isinstance(listed, list):
        raise InputError(f"{where}: expected a list of actions, got {type(listed).__name__}")
    check_amount(len(listed), MOST_ACTIONS, "actions", where)
    return listed


def _number(data: Mapping[str, Any], name: str, default: int, most: int, where: str) -> int:
    """The number of an action; 0 is the beginning."""
    number = data.get(name, default)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        raise InputError(
            f"{where}: {name}: expected the number of an action, from 0 to {most}, got "
            f"{shown(number)}"
        )
    return number

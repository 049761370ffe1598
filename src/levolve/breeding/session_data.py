"""The data of a session: what is written, what is read, versions, limits, and the tree of actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from levolve.breeding.actions import Action, cells_of, read_action
from levolve.breeding.tree import Tree, TreeNode
from levolve.errors import InputError, shown
from levolve.evolution.seeds import choose_seed
from levolve.formats.reading.budgets import MOST_CELLS, check_amount
from levolve.recipes.recipe import Recipe
from levolve.version import ENGINE, VERSION, difference

if TYPE_CHECKING:
    from levolve.breeding.breeder import Breeder

# Actions are carried out again when a session is read, with all their generations.
MOST_ACTIONS = 10_000
FORMAT = "levolve session"
# Version 1 had no branches: a list of actions, and a list of undone ones.
SESSION_VERSION = 2
FIRST_VERSION = 1
LONGEST_MAKER = 40
NEEDED = ("recipe", "seed", "sheet", "strategy", "wildness", "blend", "actions")


@dataclass(frozen=True)
class Given:
    """The data of a session, checked as far as that is possible without breeding.

    `actions` are pairs of the number of the action before it, 0 for the beginning, and the action; `digests` those of the sheets, by action.
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

    Each names the number of the action before it (`after`), unless that is the one listed before it, and the digest of the sheet that it led to.
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


def read_data(data: Mapping[str, Any], source: str) -> Given:
    """Read the data of a session of any version."""
    if data.get("format") != FORMAT:
        message = f"{source}: expected data of a session, with format {FORMAT!r}, got format {shown(data.get('format'))}"
        raise InputError(message)
    version = data.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or not FIRST_VERSION <= version <= SESSION_VERSION:
        message = (
            f"{source}: expected version {FIRST_VERSION} or {SESSION_VERSION}, got {shown(version)}; "
            f"it was saved by levolve {shown(data.get('levolve'))}, this is {VERSION}"
        )
        raise InputError(message)
    missing = [name for name in NEEDED if name not in data]
    if missing:
        message = f"{source}: expected {', '.join(missing)} in it; the file is damaged"
        raise InputError(message)
    recipe = Recipe.from_data(data["recipe"], source)
    listed = _listed(data["actions"], f"{source}: actions")
    undone = _listed(data.get("undone", []), f"{source}: undone") if version == FIRST_VERSION else []
    actions = [read_action(entry, f"{source}: actions {number}") for number, entry in enumerate(listed, 1)]
    # What was undone last comes first.
    actions += [read_action(entry, f"{source}: undone {number}") for number, entry in enumerate(undone, 1)][::-1]
    check_amount(sum(map(_cost, actions)), MOST_ACTIONS, "actions and generations", f"{source}: actions")
    check_amount(sum(map(cells_of, actions)), MOST_CELLS, "cells", f"{source}: actions")
    entries = [entry for entry in listed if isinstance(entry, Mapping)] if version == SESSION_VERSION else []
    parents = [_number(entry, "after", number, number, f"{source}: actions {number + 1}") for number, entry in enumerate(entries)]
    parents += range(len(parents), len(actions))
    at = _number(data, "at", len(listed), len(actions), source) if version == SESSION_VERSION else len(listed)
    tip = _number(data, "tip", at, len(actions), source) if version == SESSION_VERSION else len(actions)
    digests = {number: str(entry["digest"]) for number, entry in enumerate(entries, 1) if "digest" in entry}
    try:
        seed = choose_seed(-1 if data["seed"] is None else data["seed"])
    except InputError as problem:
        message = f"{source}: {problem}"
        raise InputError(message) from problem
    settings = {name: data[name] for name in ("sheet", "wildness", "blend", "strategy")}
    whole = None if "digest" not in data else str(data["digest"])
    maker = [str(data.get(name, ""))[:LONGEST_MAKER] for name in ("levolve", "engine")]
    return Given(recipe, seed, settings, list(zip(parents, actions, strict=True)), digests, at, tip, whole, *maker)


def tree_from(given: Given) -> Tree:
    """The tree of a session."""
    tree = Tree()
    nodes: list[TreeNode] = tree.nodes
    for number, (parent, action) in enumerate(given.actions, 1):
        tree.add(action, nodes[parent]).digest = given.digests.get(number)
    tree.at, tree.tip = nodes[given.at], nodes[given.tip]
    if tree.at not in tree.path(tree.tip):
        message = f"tip: expected an action that follows number {given.at}, got {given.tip}; the file is damaged"
        raise InputError(message)
    return tree


def check_room(tree: Tree, action: Action) -> None:
    """Raise `InputError` if a session that is saved with one more action could not be read again."""
    cost = sum(_cost(node.action) for node in tree.nodes if node.action is not None) + _cost(action)
    if cost > MOST_ACTIONS:
        message = (
            f"{action.kind}: a session has at most {MOST_ACTIONS:,} actions and automatic generations, and this one would have {cost:,}; "
            "save a level, and begin a new session with it"
        )
        raise InputError(message)


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
        message = f"{where}: expected a list of actions, got {type(listed).__name__}"
        raise InputError(message)
    check_amount(len(listed), MOST_ACTIONS, "actions", where)
    return listed


def _number(data: Mapping[str, Any], name: str, default: int, most: int, where: str) -> int:
    """The number of an action; 0 is the beginning."""
    number = data.get(name, default)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= most:
        message = f"{where}: {name}: expected the number of an action, from 0 to {most}, got {shown(number)}"
        raise InputError(message)
    return number

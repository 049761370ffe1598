"""`Tree`: the actions of a session as a tree. Acting after undo begins a new branch; every sheet stays reachable by its number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from levolve.breeding.actions import Action
from levolve.errors import InputError, shown


@dataclass(eq=False)
class TreeNode:
    """The moment after an action; without an action, the beginning.

    `sheet` is the number of the sheet that the action led to, None if it led to no new one; `generation` the generations of evolution so far;
    `digest` that of the sheet as it was bred, None if that is not known yet.
    """

    parent: TreeNode | None
    action: Action | None
    sheet: int | None
    generation: int = 0
    digest: str | None = None
    children: list[TreeNode] = field(default_factory=list, repr=False)


class Tree:
    """The nodes of a session in the order in which they were added, the current one (`at`), and the end of the current branch (`tip`)."""

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
        node = TreeNode(parent, action, len(self.sheets) if breeds else None, parent.generation + action.generations)
        parent.children.append(node)
        self.nodes.append(node)
        if breeds:
            self.sheets.append(node)
        return node

    def act(self, action: Action) -> TreeNode:
        """Add an action after the current node, and go there. What was undone stays as a branch if it led to a sheet."""
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

    def path(self, node: TreeNode) -> list[TreeNode]:
        """The nodes from the beginning to this one."""
        found = [node]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return found[::-1]

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
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(self.sheets):
            message = f"number: expected the number of a sheet, from 0 to {len(self.sheets) - 1}, got {shown(number)}"
            raise InputError(message)
        return self.sheets[number]

    def go(self, node: TreeNode) -> None:
        """Make a node the current one. The branch stays the same if it passes through the node; otherwise it is the newest one from there."""
        if node not in self.path(self.tip):
            self.tip = node
            while self.tip.children:
                self.tip = self.tip.children[-1]
        self.at = node

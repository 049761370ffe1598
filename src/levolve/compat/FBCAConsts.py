"""The parameters and data structures of libFBCAGen: change the import, keep the program."""

from dataclasses import dataclass, field

# The default parameters of the document. A map is `CALength` wide and `CAWidth` high.
CALength = 100
CAWidth = 100
neighbours = [(0, 1), (0, -1), (-1, 0), (1, 0)]
numOfGens = 40
numOfStates = 2
scoreMatrix: list[float | str] = [1, 2, 3, 4]


@dataclass(slots=True)
class CACell:
    """A cell: its state, and its score in the latest update."""

    state: int = 0
    score: float | str = 0


LevelMap = list[list[CACell]]


@dataclass(slots=True)
class Fbca:
    """An automaton: its map as columns of cells, and its five parameters.

    Each automaton has lists of its own; in the source all share one map. An empty score matrix
    means the default one.
    """

    levelMap: LevelMap = field(default_factory=list)
    scoreMatrix: list[float | str] = field(default_factory=list)
    behaviourNum: int = 0
    g: int = field(default_factory=lambda: numOfGens)
    n: int = field(default_factory=lambda: numOfStates)
    neighbourhood: list[tuple[int, int]] = field(default_factory=lambda: list(neighbours))
    torusWidth: int = field(default_factory=lambda: CAWidth)
    torusLength: int = field(default_factory=lambda: CALength)

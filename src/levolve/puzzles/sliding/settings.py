"""Settings of reading and solving boards of the sliding puzzle."""

from dataclasses import dataclass

from levolve.puzzles.settings import check_range, check_switch, setting


@dataclass(frozen=True)
class BoardOptions:
    """Options of reading a board."""

    goal: object = setting(None, "Another goal than 1, 2, 3 … and the blank last, written like the board.")
    size: object = setting(None, "Width and height, such as 3x4, where the board is no square.")


@dataclass(frozen=True)
class SlidingExactSettings:
    """Settings of exact search."""

    budget: int = setting(300_000_000, "The most positions to examine before the search is abandoned.")

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("budget", self.budget, 1, 1 << 60)


@dataclass(frozen=True)
class EnhancedSettings:
    """The source's enhanced version, mended, with longer steps on large boards; a default of None is chosen by the size of the board."""

    population: int = setting(500, "Individuals per generation, at least 2.")
    generations: int | None = setting(None, "The most generations. Default: 200 up to 3x3, 2,000 up to 4x4, 10,000 above.")
    elites: int = setting(20, "How many of the best paths are handed on unchanged and joined to others.")
    mutation: float = setting(1.0, "The probability that a path is mutated.")
    crossing: float = setting(0.1, "The probability that a path is joined to an elite.")
    start_length: int = setting(30, "The number of moves of a path in the first generation.")
    diversity: bool = setting(default=True, meaning="Whether paths are changed that crowd on one board, and elites must end on different boards.")
    crowd: float = setting(0.1, "The share of paths that may end on one board before those in excess are changed.")
    shaken: int = setting(10, "How many mutations a path in excess gets.")
    stride: int | None = setting(None, "The most moves by which a path grows at a time. Default: 4 up to 3x3, 16 above.")
    reach: int | None = setting(None, "The most moves that a cut takes off; 0 for any number. Default: 0 up to 3x3, 16 above.")
    patience: int = setting(50, "Generations without a better score after which the population starts anew.")
    longest: int | None = setting(None, "The most moves of a path. Default: 128 up to 3x3, 64 per cell above.")
    shorten: bool = setting(default=True, meaning="Whether the solution is shortened over the boards of all paths and those around them.")

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("population", self.population, 2, 100_000)
        check_range("elites", self.elites, 0, self.population - 1)
        for name in ("mutation", "crossing", "crowd"):
            check_range(name, getattr(self, name), 0, 1, whole=False)
        check_range("start_length", self.start_length, 0, 10_000)
        check_range("shaken", self.shaken, 0, 10_000)
        check_range("patience", self.patience, 1, 1 << 40)
        for name, low, high in (("generations", 1, 1 << 40), ("stride", 1, 1000), ("reach", 0, 10_000), ("longest", 8, 10_000)):
            if getattr(self, name) is not None:
                check_range(name, getattr(self, name), low, high)
        check_switch("diversity", self.diversity)
        check_switch("shorten", self.shorten)


@dataclass(frozen=True)
class SourcePathSettings:
    """The source's algorithm with its values and nothing else: single moves, no fresh start, no shortening. Elites are kept, cycles are cut out."""

    population: int = setting(500, "Individuals per generation, at least 2.")
    generations: int = setting(200, "The most generations.")
    mutation: float = setting(1.0, "The probability that a path is mutated.")
    crossing: float = setting(0.1, "The probability that a path is joined to an elite.")
    start_length: int = setting(30, "The number of moves of a path in the first generation.")
    elites: int = setting(20, "How many of the best paths are handed on unchanged and joined to others.")
    diversity: bool = setting(
        default=False, meaning="Whether paths past a tenth of the population that end on one board are changed: the source's enhanced version."
    )

    def __post_init__(self) -> None:
        """Check every setting."""
        self.enhanced()

    def enhanced(self) -> EnhancedSettings:
        """The same in the settings of our own scheme."""
        check_range("generations", self.generations, 1, 1 << 40)
        return EnhancedSettings(
            population=self.population,
            generations=self.generations,
            elites=self.elites,
            mutation=self.mutation,
            crossing=self.crossing,
            start_length=self.start_length,
            diversity=self.diversity,
            stride=1,
            reach=0,
            patience=1 << 40,
            # A path grows by one move per generation at most, so none is ever too long.
            longest=min(max(self.start_length + self.generations, 8), 10_000) if isinstance(self.start_length, int) else None,
            shorten=False,
        )

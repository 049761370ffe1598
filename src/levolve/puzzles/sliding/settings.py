"""Settings of reading and solving boards of the sliding puzzle."""

from dataclasses import dataclass

from levolve.core.errors import InputError
from levolve.puzzles.settings import check_range, check_switch, setting

EXCESS = ("regrow", "mutate")
# How often the author's report mutates a path in excess.
REPORTED_MUTATIONS = 100
POPULATION = "Individuals per generation, at least 2."
ELITES = (
    "How many of the best paths survive unchanged and are joined to others. Default: 20, at most "
    "all but one."
)
MUTATION = "The probability that a path is mutated."
CROSSING = "The probability that a path is joined to an elite."
START_LENGTH = "The number of moves of a path in the first generation."


@dataclass(frozen=True)
class BoardOptions:
    """Options of reading a board."""

    goal: object = setting(
        None, "Another goal than 1, 2, 3 … and the blank last, written like the board."
    )
    size: object = setting(None, "Width and height, such as 3x4, where the board is no square.")


@dataclass(frozen=True)
class SlidingExactSettings:
    """Settings of exact search."""

    budget: int = setting(
        300_000_000, "The most positions to examine before the search is abandoned."
    )

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("budget", self.budget, 1, 1 << 60)


@dataclass(frozen=True)
class EnhancedSettings:
    """The source's enhanced version, mended, with longer steps on large boards; a default of None
    is chosen by the size of the board.
    """

    population: int = setting(500, POPULATION)
    generations: int | None = setting(
        None, "The most generations. Default: 200 up to 3x3, 2,000 up to 4x4, 10,000 above."
    )
    elites: int | None = setting(None, ELITES)
    mutation: float = setting(1.0, MUTATION)
    crossing: float = setting(0.1, CROSSING)
    start_length: int = setting(30, START_LENGTH)
    diversity: bool = setting(
        default=True,
        meaning=(
            "Whether paths in excess on one board are changed, and elites end on different boards."
        ),
    )
    crowd: float = setting(
        0.1, "The share of paths that may end on one board before those in excess are changed."
    )
    shaken: int = setting(
        10,
        (
            "How many random moves a path in excess grows by after it was cut to a random "
            "length; with excess 'mutate', how often it is mutated."
        ),
    )
    excess: str = setting(
        "regrow",
        "What is done to a path in excess: 'regrow' cuts it to a random length and lets it grow, "
        "'mutate' mutates it repeatedly as in the author's report.",
    )
    stride: int | None = setting(
        None, "The most moves by which a path grows at a time. Default: 4 up to 3x3, 16 above."
    )
    reach: int | None = setting(
        None,
        "The most moves that a cut takes off; 0 for any number. Default: 0 up to 3x3, 16 above.",
    )
    patience: int = setting(
        50, "Generations without a better score after which the population starts anew."
    )
    longest: int | None = setting(
        None, "The most moves of a path. Default: 128 up to 3x3, 64 per cell above."
    )
    shorten: bool = setting(
        default=True,
        meaning=(
            "Whether the solution is shortened over the boards of all paths and those around them."
        ),
    )

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("population", self.population, 2, 100_000)
        if self.elites is not None:
            check_range("elites", self.elites, 0, self.population - 1)
        if self.excess not in EXCESS:
            raise InputError(f"excess: expected one of {', '.join(EXCESS)}, got {self.excess!r}")
        for name in ("mutation", "crossing", "crowd"):
            check_range(name, getattr(self, name), 0, 1, whole=False)
        check_range("start_length", self.start_length, 0, 10_000)
        check_range("shaken", self.shaken, 0, 10_000)
        check_range("patience", self.patience, 1, 1 << 40)
        for name, low, high in (
            ("generations", 1, 1 << 40),
            ("stride", 1, 1000),
            ("reach", 0, 10_000),
            ("longest", 8, 10_000),
        ):
            if getattr(self, name) is not None:
                check_range(name, getattr(self, name), low, high)
        check_switch("diversity", self.diversity)
        check_switch("shorten", self.shorten)

    @property
    def kept(self) -> int:
        """How many elites a generation has."""
        return min(20, self.population - 1) if self.elites is None else self.elites


@dataclass(frozen=True)
class SourcePathSettings:
    """The document's algorithm and values: single moves, no fresh start, no shortening.

    Two mistakes are not repeated: elites are kept, and cycles that a crossover closes are cut out.
    """

    population: int = setting(500, POPULATION)
    generations: int = setting(200, "The most generations.")
    mutation: float = setting(1.0, MUTATION)
    crossing: float = setting(0.1, CROSSING)
    start_length: int = setting(30, START_LENGTH)
    elites: int | None = setting(None, ELITES)
    diversity: bool = setting(
        default=False,
        meaning=(
            "The author's enhanced version: paths in excess of a tenth of the population on one "
            "board get the mutation operator 100 times."
        ),
    )

    def __post_init__(self) -> None:
        """Check every setting."""
        self.enhanced()

    def enhanced(self) -> EnhancedSettings:
        """Return the same algorithm in the settings of levolve's own scheme."""
        check_range("generations", self.generations, 1, 1 << 40)
        # A path of the baseline grows by one move per generation. Repeated mutation also cuts, so
        # that no path comes near this length.
        whole = isinstance(self.start_length, int)
        longest = max(self.start_length + self.generations, 1024) if whole else 1024
        return EnhancedSettings(
            population=self.population,
            generations=self.generations,
            elites=self.elites,
            mutation=self.mutation,
            crossing=self.crossing,
            start_length=self.start_length,
            diversity=self.diversity,
            shaken=REPORTED_MUTATIONS,
            excess="mutate",
            stride=1,
            reach=0,
            patience=1 << 40,
            longest=min(longest, 10_000),
            shorten=False,
        )

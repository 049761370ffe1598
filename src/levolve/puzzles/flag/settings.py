"""Settings of the genetic schemes for Reach the Flag."""

from dataclasses import dataclass

from levolve.puzzles.settings import check_range, check_switch, setting

POPULATION = "Individuals per generation, at least 2."
GENERATIONS = "The most generations."
ELITES = "How many of the best individuals survive. Default: 5, at most all but one."
PARENTS = "How many of the best individuals breed. Default: five eighths of the population."
LENGTH = (
    "The number of genes. Default: one per visit, and five for each tile that never falls, the "
    "flag included."
)
CONTEST = "How many random individuals compete to be a parent."
PATIENCE = "Generations without a better score after which the population starts anew."
RATE = "The probability that one gene of a child is reset."
SWAP = "Whether two genes are swapped where none is reset."
MATCH, DISTANCE = (
    "The weight of visits left over in the score.",
    "The weight of the steps from the end of the walk to the flag.",
)
VOID = "The penalty for each gene that does nothing."
SPARE = (
    "Whether elites survive unchanged; by default they are mutated, as in the document's program."
)
AT_END = "Whether a win counts only after the last gene; if not, it is tested after every move."


@dataclass(frozen=True)
class FlagSettings:
    """What all schemes have in common."""

    population: int = setting(40, POPULATION)
    generations: int = setting(20_000, GENERATIONS)
    elites: int | None = setting(None, ELITES)
    chromosome_length: int | None = setting(None, LENGTH)

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("population", self.population, 2, 100_000)
        check_range("generations", self.generations, 1, 1 << 40)
        if self.elites is not None:
            check_range("elites", self.elites, 0, self.population - 1)
        if self.chromosome_length is not None:
            check_range("chromosome_length", self.chromosome_length, 1, 100_000)

    @property
    def kept(self) -> int:
        """How many elites a generation has."""
        return min(5, self.population - 1) if self.elites is None else self.elites


@dataclass(frozen=True)
class GuidedSettings(FlagSettings):
    """Our own: genes are decoded into moves that are neither void nor hopeless. The decoding does
    most of the work.
    """

    contest: int = setting(2, CONTEST)
    crossing: float = setting(
        0.3, "The probability that a child gets its end from a second parent."
    )
    patience: int = setting(100, PATIENCE)

    def __post_init__(self) -> None:
        """Check every setting."""
        super().__post_init__()
        check_range("contest", self.contest, 1, self.population)
        check_range("crossing", self.crossing, 0, 1, whole=False)
        check_range("patience", self.patience, 1, 1 << 40)


@dataclass(frozen=True)
class PlainSettings(FlagSettings):
    """Our own without any look ahead: walks evolve by turns of their ends, detours, cuts and
    joints. Evolution does the work.
    """

    contest: int = setting(2, CONTEST)
    crossing: float = setting(
        0.2,
        (
            "The probability that a child goes on like a second parent from a cell that both "
            "come through."
        ),
    )
    changes: int = setting(3, "The most mutations of a child; each child gets at least one.")
    patience: int = setting(400, PATIENCE)

    def __post_init__(self) -> None:
        """Check every setting."""
        super().__post_init__()
        check_range("contest", self.contest, 1, self.population)
        check_range("crossing", self.crossing, 0, 1, whole=False)
        check_range("changes", self.changes, 1, 1000)
        check_range("patience", self.patience, 1, 1 << 40)


@dataclass(frozen=True)
class SourceSettings(FlagSettings):
    """The document's second version: match + distance + void; mutation resets a gene or swaps two.

    As in the document's program, elites are mutated like all children and a win counts only after
    the last gene.
    """

    generations: int = setting(100_000, GENERATIONS)
    parents: int | None = setting(None, PARENTS)
    mutation_rate: float = setting(0.6, RATE)
    swap: bool = setting(default=True, meaning=SWAP)
    match_weight: float = setting(1.0, MATCH)
    distance_weight: float = setting(1.0, DISTANCE)
    void_mark: float = setting(1.0, VOID)
    spare_elites: bool = setting(default=False, meaning=SPARE)
    win_at_end: bool = setting(default=True, meaning=AT_END)

    def __post_init__(self) -> None:
        """Check every setting."""
        super().__post_init__()
        if self.parents is not None:
            check_range("parents", self.parents, 1, self.population)
        for name in ("match_weight", "distance_weight", "void_mark"):
            check_range(name, getattr(self, name), 0, 1000, whole=False)
        check_range("mutation_rate", self.mutation_rate, 0, 1, whole=False)
        for name in ("swap", "spare_elites", "win_at_end"):
            check_switch(name, getattr(self, name))

    @property
    def breeding(self) -> int:
        """How many individuals breed: 25 of 40, as in the document's measurements."""
        return max(1, self.population * 5 // 8) if self.parents is None else self.parents


@dataclass(frozen=True)
class FirstSourceSettings(SourceSettings):
    """The document's first version: 2 match + distance; mutation resets one gene."""

    mutation_rate: float = setting(0.3, RATE)
    swap: bool = setting(default=False, meaning=SWAP)
    match_weight: float = setting(2.0, MATCH)
    void_mark: float = setting(0.0, VOID)


@dataclass(frozen=True)
class ThirdSourceSettings(SourceSettings):
    """The author's later program: match + 1.7 distance + 1.1 for each void gene."""

    distance_weight: float = setting(1.7, DISTANCE)
    void_mark: float = setting(1.1, VOID)

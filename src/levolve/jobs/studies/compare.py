"""`compare`: several recipes, one budget: which of them finds better levels, reaches the target
sooner, or fills the better archive.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack, overload

from levolve.core.arguments import EXECUTOR, named_arguments
from levolve.core.events import Watch
from levolve.jobs.checkpoints import complete
from levolve.jobs.executors import ExecutorSource, work_pool
from levolve.jobs.store.places import StoreSource
from levolve.jobs.studies.comparison import Comparison, SizesComparison
from levolve.jobs.studies.comparison_job import ComparisonJob
from levolve.recipes.finding import RecipeSource, Size
from levolve.search.problem import choose_seed

Axes = Iterable[str] | str | Literal[True]


class Options(TypedDict, total=False):
    """The options of all comparisons."""

    runs: int
    evaluations: int
    objective: str | Mapping[str, Any] | None
    seed: int | None
    settings: Mapping[str, Any] | None
    vary: Mapping[str, Any] | None
    paired: bool
    against: str | None
    executor: ExecutorSource | None
    watch: Watch | None
    store: StoreSource


class ArchiveOptions(Options, total=False):
    """The options of comparisons of archives."""

    size: Size | None
    grid: Sequence[int] | str | None
    ranges: Mapping[str, tuple[float, float]] | None


class SizesOptions(Options, total=False):
    """The options of comparisons on several sizes."""

    target: Mapping[str, Any] | None


class CompareOptions(ArchiveOptions, SizesOptions, total=False):
    """The options of comparisons on one size."""


@overload
def compare(
    recipes: Sequence[RecipeSource], *, sizes: Sequence[Size], **options: Unpack[SizesOptions]
) -> SizesComparison: ...


@overload
def compare(
    recipes: Sequence[RecipeSource],
    *,
    sizes: None = None,
    axes: Axes | None = None,
    **options: Unpack[CompareOptions],
) -> Comparison: ...


@named_arguments(EXECUTOR)
def compare(
    recipes: Sequence[RecipeSource],
    *,
    sizes: Sequence[Size] | None = None,
    axes: Axes | None = None,
    grid: Sequence[int] | str | None = None,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    runs: int = 20,
    evaluations: int = 20_000,
    objective: str | Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    size: Size | None = None,
    seed: int | None = 1,
    settings: Mapping[str, Any] | None = None,
    vary: Mapping[str, Any] | None = None,
    paired: bool = False,
    against: str | None = None,
    executor: ExecutorSource | None = None,
    watch: Watch | None = None,
    store: StoreSource = None,
) -> Comparison | SizesComparison:
    """Run each recipe several times on the problem of the first recipe, and compare what an equal
    number of evaluations gives.

    Parameters
    ----------
    recipes
        Two or more, or one with `vary`: names, paths of .toml or .json files, or `Recipe` objects.
    sizes
        Several sizes, each (width, height) or "WIDTHxHEIGHT": the result is a `SizesComparison`,
        with the ranks of the recipes over all of them.
    axes
        Measures: each run illuminates over them, and the archives are compared by QD score and by
        coverage. True for the axes that `illuminate` chooses for the first recipe. A recipe with
        the strategy `map_elites` keeps its settings. By default levels are compared by their
        scores.
    grid, ranges
        With `axes`, as for `illuminate`; `grid` is (50, 50) by default. The archives of all recipes
        have the cells of the first one.
    runs
        Runs of each recipe, 2 or more, with seeds from `seed` on.
    evaluations
        Evaluations of each run; every run uses exactly so many, unless it reaches the goal or
        proposes nothing new for long.
    objective, target
        An objective by name or table, or ranges of measures to hit, instead of the first recipe's
        objective.
    size
        (width, height) or "WIDTHxHEIGHT", instead of the first recipe's.
    seed
        The seed of the first run of each recipe, from 0 to 2**64 - 1. None for a random one.
    settings
        Settings by path that are changed in every recipe.
    vary
        Values by path of a setting: every recipe is compared once with each of them, such as
        `{"genotype.kind": ["direct", "barriers"]}`. A recipe is then named after its values.
    paired
        Whether runs are compared seed by seed (Wilcoxon's signed ranks), not each with each (Mann
        and Whitney). Recipes with the same genotype begin with the same levels for the same seed.
    against
        The name of a recipe: only the others are tested against it, not each pair.
    executor
        Where runs are carried out; see `levolve.evolve`. It does not change the result.
    watch
        Is called with a `RunFinished` event for each run, in order.
    store
        Where the comparison is stored, so that `levolve.resume` can continue it: a path, a `Store`,
        or True for the user's own. By default nowhere.

    >>> result = compare(["maze", "maze"], runs=3, evaluations=500, size="8x8")
    >>> [entrant.name for entrant in result.entrants], result.pairs[0].p
    (['maze #1', 'maze #2'], 1.0)
    """
    job = ComparisonJob.of(
        recipes,
        sizes=sizes,
        axes=axes,
        grid=grid,
        ranges=ranges,
        runs=runs,
        evaluations=evaluations,
        objective=objective,
        target=target,
        size=size,
        seed=choose_seed(seed),
        settings=settings,
        vary=vary,
        paired=paired,
        against=against,
    )
    with work_pool(executor=executor) as pool:
        job.executor = pool
        return complete(job, store, watch)


def compare_sizes(
    recipes: Sequence[RecipeSource], sizes: Sequence[Size], **options: Unpack[SizesOptions]
) -> SizesComparison:
    """Call `compare` with `sizes`; see there for the parameters.

    >>> found = compare_sizes(["maze", "maze-barriers", "maze-long"], ["6x6", "8x8"], runs=2, evaluations=300, objective="exit_path")
    >>> found.ranks.blocks, [row["size"] for row in found.rows()[:3]]
    (4, ['6x6', '6x6', '6x6'])
    """  # noqa: E501 text in another language
    return compare(recipes, sizes=sizes, **options)


def compare_illuminations(
    recipes: Sequence[RecipeSource], *, axes: Axes | None = None, **options: Unpack[ArchiveOptions]
) -> Comparison:
    """Call `compare` with `axes`, by default those that `illuminate` chooses; see there for the
    parameters.

    >>> found = compare_illuminations(["maze", "maze-barriers"], axes="walls,exit_path", grid="10x10", size="8x8", runs=3, evaluations=600)
    >>> found.pairs[0].p, found.coverage.pairs[0].first in {"maze", "maze-barriers"}
    (0.1, True)
    """  # noqa: E501 text in another language
    return compare(recipes, axes=True if axes is None else axes, **options)

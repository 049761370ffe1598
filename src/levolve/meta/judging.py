"""The unit of work of meta-evolution: whole runs of one recipe. Plain data in, a small result out, so that it may be done on any machine."""

from collections.abc import Sequence
from dataclasses import dataclass

from levolve.errors import InputError, LevolveError
from levolve.genotypes.genes import Genes
from levolve.runs.parts import Table
from levolve.runs.recipe import Recipe
from levolve.runs.run import Run
from levolve.version import VERSION


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of the runs of one recipe: the score of each, what they used, and the genes of the best level."""

    scores: tuple[float, ...]
    evaluations: int
    genes: Genes

    @property
    def score(self) -> float:
        """The mean of the runs."""
        return sum(self.scores) / len(self.scores)


def judge(recipe: Table, seeds: Sequence[int], version: str) -> Outcome | str:
    """Run a recipe with each of the seeds; or the words by which it was refused. `version` is that of who asks: another may give other bytes."""
    if version != VERSION:
        message = f"--cluster: expected workers with levolve {version}, got one with {VERSION}; install the same there"
        raise LevolveError(message)
    try:
        runs = [Run(Recipe.from_data(recipe), seed) for seed in seeds]
        scores = tuple(run.finish().best_score for run in runs)
    except InputError as problem:
        return str(problem)
    best = max(range(len(runs)), key=scores.__getitem__)
    return Outcome(scores, sum(run.evaluations for run in runs), runs[best].best_genes)

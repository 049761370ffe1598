"""A complete evolution with each genotype: the same strategy and objective at 21x21 cells.

All genotypes are measured in the same loop, one generation at a time. What `direct` gains by kernels for many generations is a figure of its own.
"""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from levolve.bench.figures import Effort, Figure
from levolve.bench.timing import in_turns, processor_seconds
from levolve.evolution.loop import advance
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.runs.run import Run

SUBJECT = "genotypes"
# Changes to one recipe, by name. Genotypes that need another objective or places are measured by their own subjects.
VARIANTS: dict[str, dict[str, Any]] = {
    "direct": {},
    "chromatic": {"genotype.kind": "chromatic"},
    "barriers": {"genotype.kind": "barriers"},
    "tunnels": {"genotype.kind": "tunnels"},
    "automaton": {"genotype.kind": "automaton"},
    "passages": {"genotype": {"kind": "passages"}},
    "passages with loops": {"genotype": {"kind": "passages", "loops": 0.1, "braid": 0.5}},
    "rooms": {"genotype": {"kind": "rooms"}},
    "mirror of passages": {"genotype": {"kind": "mirror", "of": {"kind": "passages"}}},
    "direct, finished": {"finish": ["fill_pockets", "drop_specks", "thicken", "frame"]},
    "passages, placed": {"genotype": {"kind": "passages"}, "places": "sides"},
}


def measure(effort: Effort) -> Iterator[Figure]:
    """Let the genotypes take turns; the fastest run of each counts."""
    strategy = {"kind": "generational", "mutation": {"kind": "uniform", "rate": 0.005}}
    changes = {"strategy": strategy, "generations": effort.choose(30, 200), "size": "21x21", "entrance": "1,1", "exit": "-2,-2"}
    plain = find_recipe("maze").changed(changes)
    seeds = iter(range(10**6))

    def rate(recipe: Recipe) -> float:
        problem = recipe.problem
        search = recipe.parts[2].fitted(problem).search(problem.space, problem.start, next(seeds), recipe.planned_generations)
        seconds = processor_seconds(lambda: deque(advance(search, problem.evaluate, recipe.limits), maxlen=0))
        return search.evaluations / seconds

    def rate_of_run() -> float:
        run = Run(plain, next(seeds))
        return 1 / processor_seconds(run.finish) * run.evaluations

    contenders: dict[str, Callable[[], float]] = {name: partial(rate, plain.changed(variant)) for name, variant in VARIANTS.items()}
    contenders["direct, many generations per call"] = rate_of_run
    rates = in_turns(contenders, 1 + effort.choose(3, 8))
    for name, measured in rates.items():
        # The first run may compile.
        fastest = max(measured[1:])
        share = fastest / max(rates["direct"][1:])
        yield Figure(SUBJECT, name, fastest, "evaluations/s", None if name == "direct" else share, "" if name == "direct" else "direct")

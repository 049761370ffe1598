"""Every entry of every registry keeps to the laws of its noun. A new entry is tested by being
there.
"""

from typing import Any

import numpy as np
import pytest

from levolve import testing
from levolve.core.errors import InputError, UnknownNameError
from levolve.core.registry import Registry
from levolve.formats import FORMATS
from levolve.kernels.bits.random_streams import CROSS
from levolve.levels.frame import TOUR
from levolve.levels.level import Level, Origin
from levolve.levels.measures import MEASURES
from levolve.recipes.part_tables import build, describe
from levolve.recipes.recipe import Recipe, find_recipe, shipped, summaries
from levolve.search.genotypes import GENOTYPES
from levolve.search.genotypes.direct import Direct
from levolve.search.genotypes.dungeon import Dungeon
from levolve.search.genotypes.finish_steps import FINISHES
from levolve.search.genotypes.finished import Finished
from levolve.search.genotypes.gene_space import BitGenes, GeneSpace, NumberGenes
from levolve.search.objectives import OBJECTIVES
from levolve.search.selection import SELECTIONS
from levolve.search.strategies import STRATEGIES
from levolve.search.variation import CROSSOVERS, MUTATIONS

PARTS: dict[str, Registry[Any]] = {
    "genotype": GENOTYPES,
    "finish": FINISHES,
    "objective": OBJECTIVES,
    "strategy": STRATEGIES,
    "selection": SELECTIONS,
    "crossover": CROSSOVERS,
    "mutation": MUTATIONS,
}
SPACES = {
    "bits": BitGenes([7] * 9, grid=(9, 7)),
    "wide bits": BitGenes([130] * 2, grid=(2, 130)),
    "numbers": NumberGenes(np.full(90, 6), grid=(9, 10)),
}


def started(space: GeneSpace, count: int) -> np.ndarray:
    """Genes that differ in most places."""
    numbers = np.random.default_rng(4).integers(0, 2**63, (count, space.words), dtype=np.uint64)
    if isinstance(space, NumberGenes):
        return np.random.default_rng(4).integers(0, 6, (count, space.length)).astype(np.uint8)
    return numbers & space.free


@pytest.mark.parametrize("name", GENOTYPES)
def test_genotypes_keep_their_laws(name: str) -> None:
    testing.check_genotype(GENOTYPES[name]())


@pytest.mark.parametrize("genotype", [Direct(0.4), Dungeon()], ids=["direct", "dungeon"])
@pytest.mark.parametrize("name", FINISHES)
def test_a_genotype_with_a_finish_keeps_the_laws_of_genotypes(
    name: str, genotype: Direct | Dungeon
) -> None:
    testing.check_genotype(Finished(genotype, (FINISHES[name](),)))


@pytest.mark.parametrize("name", STRATEGIES)
def test_strategies_keep_their_laws(name: str) -> None:
    testing.check_strategy(STRATEGIES[name]())


@pytest.mark.parametrize("genotype", GENOTYPES)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_objectives_keep_their_laws_on_every_genotype_that_has_their_places(
    objective: str, genotype: str
) -> None:
    rule, way = OBJECTIVES[objective](), GENOTYPES[genotype]()
    if not rule.needs or way.sets_places == (rule.needs == TOUR):
        testing.check_objective(rule, way)
    else:
        with pytest.raises(InputError, match="expected levels with"):
            testing.check_objective(rule, way)


@pytest.mark.parametrize(
    "text",
    [
        "S.#\n..1\n#.E",
        "ROY\nVBG\nentrance: 0,0\nexit: 2,1",
        "..\n##",
        "A.B\n#..\n##C\ncheckpoint 12: 0,1\ncheckpoint 3: 0,0",
    ],
)
@pytest.mark.parametrize("name", FORMATS)
def test_formats_keep_their_laws(name: str, text: str) -> None:
    level = Level.from_text(text)
    origin = Origin.of(find_recipe("maze").to_data(), 2**63 + 5, 3, "0.1.0")
    testing.check_format(FORMATS[name], level)
    testing.check_format(FORMATS[name], level.with_origin(origin))
    solution = {"S": "rdrd", "R": "rrd", "A": "rrdd"}.get(text[0])
    testing.check_format(FORMATS[name], level.with_origin(origin).with_solution(solution))


@pytest.mark.parametrize("name", MEASURES)
def test_measures_keep_their_laws(name: str) -> None:
    testing.check_measure(MEASURES[name])


@pytest.mark.parametrize(
    ("noun", "name"), [(noun, name) for noun, registry in PARTS.items() for name in registry]
)
def test_a_part_that_is_written_down_and_built_again_is_equal(noun: str, name: str) -> None:
    registry = PARTS[noun]
    part = build(registry, name, noun)
    table = describe(registry, part)
    assert table["kind"] == name
    assert build(registry, table, noun) == part


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
@pytest.mark.parametrize("name", CROSSOVERS)
def test_a_crossover_only_exchanges_genes_between_its_two_parents(
    name: str, space: GeneSpace
) -> None:
    genes = started(space, 12)
    parents = np.arange(12)
    masks = CROSSOVERS[name]().masks(space, 6, 3, 1)
    children, again = np.empty_like(genes), np.empty_like(genes)
    space.cross(genes, parents, masks, children)
    space.cross(children, parents, masks, again)
    assert np.array_equal(again, genes), "exchanging the same genes twice gives the parents back"
    assert not np.array_equal(children, genes)
    assert np.array_equal(masks & space.free, masks)
    assert np.array_equal(CROSSOVERS[name]().masks(space, 3, 3, 1), masks[:3]), (
        "a pair does not depend on the pairs beside it"
    )


@pytest.mark.parametrize("space", SPACES.values(), ids=SPACES)
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_decided_by_seed_generation_and_individual_alone(
    name: str, space: GeneSpace
) -> None:
    mutation = build(
        MUTATIONS,
        {"kind": name, **({"rate": 0.5} if name == "double_rotation" else {})},
        "mutation",
    )
    genes = started(space, 12)

    def mutants(count: int, seed: int, generation: int) -> np.ndarray:
        changed = genes[:count].copy()
        mutation.apply(space, changed, seed, generation)
        return changed

    first = mutants(12, 8, 2)
    assert not np.array_equal(first, genes)
    assert np.array_equal(mutants(12, 8, 2), first)
    assert np.array_equal(mutants(5, 8, 2), first[:5])
    assert not np.array_equal(mutants(12, 8, 3), first)
    assert not np.array_equal(mutants(12, 9, 2), first)


@pytest.mark.parametrize("name", SELECTIONS)
def test_a_selection_prefers_higher_scores(name: str) -> None:
    scores = np.linspace(0, 10, 40)
    parents = SELECTIONS[name]().choose(scores, 4000, 1, 1)
    assert parents.shape == (4000,)
    assert scores[parents].mean() > scores.mean() + 1
    assert np.array_equal(SELECTIONS[name]().choose(scores, 100, 1, 1), parents[:100])
    lifted = SELECTIONS[name]().choose(np.linspace(-10, 0, 40), 4000, 1, 1)
    assert np.linspace(-10, 0, 40)[lifted].mean() > -4


@pytest.mark.parametrize("name", shipped())
def test_recipes_survive_toml_and_json(name: str) -> None:
    recipe = find_recipe(name)
    assert recipe.name == name
    assert recipe.summary == summaries()[name] != ""
    assert Recipe.from_text(recipe.to_toml()) == recipe
    assert Recipe.from_text(recipe.to_json(), "json") == recipe


def test_a_registry_takes_entries_of_others_but_no_name_twice() -> None:
    registry: Registry[int] = Registry(
        "number", {"built_in": "levolve.kernels.bits.random_streams:CROSS"}
    )
    registry.add("mine", 5)
    assert (registry["mine"], registry["built_in"], list(registry), len(registry)) == (
        5,
        CROSS,
        ["built_in", "mine"],
        2,
    )
    assert registry.name_of(5) == "mine"
    with pytest.raises(UnknownNameError, match="already registered"):
        registry.add("mine", 6)
    with pytest.raises(UnknownNameError, match="unknown number 'min': did you mean 'mine'"):
        registry["min"]
    with pytest.raises(UnknownNameError, match="not a registered number"):
        registry.name_of(7)

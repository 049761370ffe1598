"""Crossovers and mutations: the same individuals as by their twins, for genes of bits and of
numbers.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from levolve.cli.values import parse_settings
from levolve.core.errors import InputError
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.search.genotypes.gene_space import BitGenes, NumberGenes
from levolve.search.variation.crossovers import UniformMutation
from levolve.search.variation.mutations import DoubleRotation, MutationSequence, PointMutation
from levolve.search.variation.operators import Mutation
from oracles import operators as twin
from oracles.masks import Layout
from search.inputs import (
    Pair,
    crossovers,
    every_crossover,
    every_mutation,
    mutations,
    seeds,
    spaces,
)


@pytest.mark.parametrize("name", every_crossover)
@given(data=st.data(), pairs=st.integers(1, 5), seed=seeds, generation=st.integers(0, 1000))
def test_children_are_those_of_the_twin(
    name: str, data: st.DataObject, pairs: int, seed: int, generation: int
) -> None:
    crossover = data.draw(every_crossover[name])
    pair = data.draw(spaces(with_grid=name == "chunk"))
    missing = data.draw(st.integers(0, 1), "children fewer than parents")
    genes = pair.start(seed, 0, 2 * pairs)
    children = np.full_like(genes[missing:], 99)
    pair.real.cross(
        genes, np.arange(2 * pairs), crossover.masks(pair.real, pairs, seed, generation), children
    )
    expected = twin.crossed(crossover, pair.twin, pair.genomes(genes), seed, generation)
    assert pair.genomes(children) == expected[: len(children)]


@pytest.mark.parametrize("name", every_mutation)
@given(
    data=st.data(),
    pair=spaces(),
    count=st.integers(0, 6),
    seed=seeds,
    generation=st.integers(0, 1000),
)
def test_mutants_are_those_of_the_twin(
    name: str, data: st.DataObject, pair: Pair, count: int, seed: int, generation: int
) -> None:
    mutation = data.draw(every_mutation[name])
    genes = pair.start(seed, 0, count)
    expected = twin.mutated(mutation, pair.twin, pair.genomes(genes), seed, generation)
    mutation.apply(pair.real, genes, seed, generation)
    assert pair.genomes(genes) == expected


def test_a_gene_rotated_beyond_its_bound_wraps_around_and_mutates_as_its_twin_does() -> None:
    bounds = [2, 6, 1, 4]
    real, same = (
        NumberGenes(np.array(bounds)),
        twin.Space(Layout(1, 4, frozenset(range(4))), bounds, None, are_bits=False),
    )
    pair = Pair(real, same, np.dtype(np.uint8))
    scheme = MutationSequence((DoubleRotation(1.0), UniformMutation(1.0)))
    genes = np.tile(np.array([1, 5, 0, 3], np.uint8), (50, 1))
    expected = twin.mutated(scheme, same, pair.genomes(genes), 4, 1)
    scheme.apply(real, genes, 4, 1)
    assert pair.genomes(genes) == expected


@given(spaces(with_grid=True), mutations, seeds, st.data())
def test_genes_that_are_not_free_never_vary(
    pair: Pair, mutation: Mutation, seed: int, data: st.DataObject
) -> None:
    crossover = data.draw(crossovers(pair))
    genes = pair.start(seed, 0, 6)
    before = np.array(pair.genomes(genes))
    fixed = [g for g in range(pair.twin.layout.length) if g not in pair.twin.layout.free]
    children = np.empty_like(genes)
    pair.real.cross(genes, np.arange(6), crossover.masks(pair.real, 3, seed, 1), children)
    mutation.apply(pair.real, children, seed, 1)
    assert np.array_equal(np.array(pair.genomes(children))[:, fixed], before[:, fixed])


@pytest.mark.parametrize("kind", ["bits", "numbers"])
def test_members_of_a_sequence_make_draws_of_their_own(kind: str) -> None:
    space = BitGenes([64] * 4) if kind == "bits" else NumberGenes(np.full(256, 2))
    single = np.zeros((200, 4), np.uint64) if kind == "bits" else np.zeros((200, 256), np.uint8)
    twice, nested = single.copy(), single.copy()
    PointMutation().apply(space, single, 3, 1)
    MutationSequence((PointMutation(), PointMutation())).apply(space, twice, 3, 1)
    MutationSequence((MutationSequence((PointMutation(), PointMutation())), PointMutation())).apply(
        space, nested, 3, 1
    )
    ones = np.bitwise_count if kind == "bits" else np.asarray
    assert (ones(single).sum(axis=1) == 1).all()
    # The same draws would flip every point back; of 200 individuals chance does that to few.
    assert (ones(twice).sum(axis=1) == 2).mean() > 0.9
    assert (ones(nested).sum(axis=1) == 3).mean() > 0.9


def test_a_sequence_is_written_as_a_table_with_a_list_of_mutations() -> None:
    scheme = (
        'strategy.mutation={kind="sequence", mutations=[{kind="double_rotation", rate=0.2}, '
        '{kind="uniform", rate=0.05}, "point"]}'
    )
    recipe = find_recipe("maze").changed(parse_settings([scheme]))
    assert recipe.parts[2].mutation == MutationSequence(  # type: ignore[attr-defined]
        (DoubleRotation(0.2), UniformMutation(0.05), PointMutation())
    )
    assert Recipe.from_text(recipe.to_toml()) == recipe
    assert (
        find_recipe("maze").changed({"strategy.mutation": "sequence"}).parts[2].mutation  # type: ignore[attr-defined]
        == MutationSequence()
    )


@pytest.mark.parametrize(
    ("mutations", "problem"),
    [
        ([], "at least one mutation, got none"),
        ([{"kind": "uniform", "rate": 2}], r"mutations\.0\.rate: expected less"),
        (["flip"], "unknown mutation 'flip'"),
    ],
)
def test_a_sequence_refuses_members_that_are_none(mutations: list[object], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        find_recipe("maze").changed(
            {"strategy.mutation": {"kind": "sequence", "mutations": mutations}}
        )

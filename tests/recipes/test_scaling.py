import pytest

from levolve.recipes.finding import adapt_any
from levolve.recipes.recipe import find_recipe


@pytest.mark.parametrize(
    ("size", "generations"), [("20x20", 1000), ("10x10", 1000), ("40x40", 2000), ("128x128", 6400)]
)
def test_generations_grow_with_the_side_of_the_level_and_never_shrink(
    size: str, generations: int
) -> None:
    assert adapt_any("maze", size=size).generations == generations


def test_a_number_that_is_given_is_used() -> None:
    assert adapt_any("maze", size="40x40", generations=7).generations == 7
    assert adapt_any("maze", size="40x40", settings={"generations": 8}).generations == 8
    assert (
        adapt_any("maze", size="40x40", settings={"evaluations": 99}).generations
        == find_recipe("maze").generations
    )

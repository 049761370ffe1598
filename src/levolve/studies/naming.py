"""Names of the recipes of a study: distinct, and in every error about one of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from levolve.errors import InputError
from levolve.recipes.recipe import Recipe


def distinct_names(recipes: Sequence[Recipe], sources: Sequence[object]) -> list[str]:
    """A name for each recipe that no other has: its own; where several have the same, with the name of its file, or else a number."""
    own = [recipe.name for recipe in recipes]
    files = [f" ({Path(str(source)).name})" if str(source).endswith((".toml", ".json")) else "" for source in sources]
    named = [name + file if own.count(name) > 1 else name for name, file in zip(own, files, strict=True)]
    names: list[str] = []
    for name in named:
        numbered = (f"{name} #{number}" for number in range(1, 2 * len(named) + 1))
        names.append(name if named.count(name) == 1 else next(each for each in numbered if each not in {*names, *named}))
    return names


@contextmanager
def about_recipe(name: str) -> Iterator[None]:
    """Let errors name the recipe they are about."""
    try:
        yield
    except InputError as problem:
        message = f"recipe {name}: {problem}"
        raise InputError(message) from problem

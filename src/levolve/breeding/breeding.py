"""`breed`: a recipe in, a breeding session out; or a saved session in, and the same session out."""

from collections.abc import Mapping
from typing import Any

from levolve.breeding.session import WILDNESS, Session
from levolve.errors import InputError
from levolve.levels.level import Level
from levolve.recipes.adapt import RecipeSource, Size, adapt


def breed(  # noqa: PLR0913 the usual changes have names of their own
    recipe: RecipeSource | Mapping[str, Any],
    *,
    size: Size | None = None,
    sheet: int | None = None,
    seed: int | None = None,
    wildness: float | None = None,
    blend: float | None = None,
    strategy: str | None = None,
    objective: str | Mapping[str, Any] | None = None,
    target: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    start: Level | None = None,
    keep: str = "",
) -> Session:
    """Begin a breeding session, or replay one.

    Parameters
    ----------
    recipe
        A recipe's name, the path of a .toml or .json file, or a `Recipe`; or the data of a session, as `Session.to_data` gives it, and nothing else.
    size, objective, target, settings, start, keep
        Changes to the recipe; see `levolve.recipes.adapt.adapt`.
    sheet
        Levels per sheet, from 2 to 48; 12 by default.
    seed
        From 0 to 2**64 - 1; by default a random one, which the session names.
    wildness
        How much children differ from their parents, from 0 to 1; 0.3 by default.
    blend
        How much the objective counts beside the picks, from 0 to 1; 0 by default.
    strategy
        The strategy that takes the picks; "picks" by default. The recipe's own keeps its settings.

    >>> session = breed("maze", size=(14, 14), sheet=6, seed=3)
    >>> session.pick({0: "love", 3: "like"})
    >>> levels = session.next()
    >>> levels[0].check()
    >>> breed(session.to_data()).levels == levels
    True
    """
    if isinstance(recipe, Mapping):
        given: dict[str, object] = {"size": size, "sheet": sheet, "seed": seed, "wildness": wildness, "blend": blend, "strategy": strategy}
        given |= {"objective": objective, "target": target, "settings": settings, "start": start, "keep": keep or None}
        unexpected = [name for name, value in given.items() if value is not None]
        if unexpected:
            message = f"{unexpected[0]}: expected nothing beside the data of a session, which says everything"
            raise InputError(message)
        return Session.from_data(recipe)
    return Session(
        adapt(recipe, size=size, objective=objective, target=target, settings=settings, start=start, keep=keep),
        seed,
        sheet=12 if sheet is None else sheet,
        wildness=WILDNESS if wildness is None else wildness,
        blend=0.0 if blend is None else blend,
        strategy="picks" if strategy is None else strategy,
    )

"""`levolve recipes`: what there is."""

import json as json_text
from typing import Annotated

import typer

from levolve.cli.options import Json


def recipes(
    name: Annotated[str | None, typer.Argument(metavar="[RECIPE]", help="Print this recipe whole, as TOML: a start for one of your own.")] = None,
    json: Json = False,
) -> None:
    """List the recipes that come with levolve, one line each, or print one whole."""
    from levolve.runs.recipe import find_recipe, summaries

    if name is not None:
        found = find_recipe(name)
        print(found.to_json() if json else found.to_toml(), end="")
        return
    listed = summaries()
    if json:
        print(json_text.dumps(listed, indent=2))
        return
    width = max(len(title) for title in listed)
    for title, summary in listed.items():
        print(f"{title:<{width}}  {summary}")

"""`levolve recipes`: list recipes, or print one."""

import json as json_text
from typing import Annotated

import typer

from levolve.cli.options import Json
from levolve.printable import one_line


def recipes(
    name: Annotated[str | None, typer.Argument(metavar="[RECIPE]", help="Print this recipe as TOML, as a starting point for your own.")] = None,
    json: Json = False,
) -> None:
    """List the recipes of levolve and of installed plug-ins, one per line, or print one recipe."""
    from levolve.recipes.recipe import find_recipe, summaries

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
        print(one_line(f"{title:<{width}}  {summary}"))

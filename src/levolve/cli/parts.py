"""`levolve parts`: what a recipe can be put together from."""

import dataclasses
import json as json_text
from typing import Annotated, Any

import typer

from levolve.cli.options import Json
from levolve.registry import Registry


def parts(
    noun: Annotated[str | None, typer.Argument(metavar="[NOUN]", help="Only these: genotypes, objectives, strategies, selections, …")] = None,
    json: Json = False,
) -> None:
    """List genotypes, objectives, strategies and all else a recipe can name, with their settings and defaults."""
    shelves: Registry[dict[str, dict[str, Any]]] = Registry("noun", {})
    for name, registry in _registries().items():
        shelves.add(name, {entry: _describe(registry, entry) for entry in registry})
    chosen = {name: shelves[name] for name in ([noun] if noun else shelves)}
    if json:
        print(json_text.dumps(chosen, indent=2))
        return
    for position, (name, entries) in enumerate(chosen.items()):
        print(f"{'' if position == 0 else chr(10)}{name}")
        width = max(len(entry) for entry in entries)
        for entry, about in entries.items():
            print(f"  {entry:<{width}}  {about['meaning']}")
            for setting, default in about["settings"].items():
                print(f"  {'':<{width}}    {setting} = {default}")


def _registries() -> dict[str, Registry[Any]]:
    from levolve.evolution import STRATEGIES
    from levolve.evolution.selection import SELECTIONS
    from levolve.evolution.variation import CROSSOVERS, MUTATIONS
    from levolve.formats import FORMATS
    from levolve.genotypes import GENOTYPES
    from levolve.measures import MEASURES
    from levolve.objectives import OBJECTIVES

    return {
        "genotypes": GENOTYPES,
        "objectives": OBJECTIVES,
        "strategies": STRATEGIES,
        "selections": SELECTIONS,
        "crossovers": CROSSOVERS,
        "mutations": MUTATIONS,
        "measures": MEASURES,
        "formats": FORMATS,
    }


def _describe(registry: Registry[Any], name: str) -> dict[str, Any]:
    entry = registry[name]
    if not isinstance(entry, type):
        return {"meaning": entry.meaning, "settings": {}}
    from levolve.runs.parts import describe

    settings = describe(registry, entry())
    nested = {field.name for field in dataclasses.fields(entry) if "registry" in field.metadata}
    shown = {key: _short(value) if key in nested else value for key, value in settings.items() if key != "kind"}
    return {"meaning": (entry.__doc__ or "").splitlines()[0].replace("**", ""), "settings": shown}


def _short(part: Any) -> Any:  # noqa: ANN401 a table or a list of tables
    return [table["kind"] for table in part] if isinstance(part, list) else part["kind"]

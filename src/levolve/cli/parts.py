"""`levolve parts`: list everything that a recipe, a file or a command can name."""

import json as json_text
from textwrap import fill
from typing import Annotated, Any

import typer

from levolve.cli.options import Json
from levolve.printable import one_line

WIDTH = 79


def parts(
    noun: Annotated[str | None, typer.Argument(metavar="[NOUN]", help="List only genotypes, objectives, puzzles, rules, palettes, …")] = None,
    json: Json = False,
) -> None:
    """List genotypes, objectives, formats, puzzles, fashion rules and all else that has a name, with settings and where each comes from."""
    from levolve.recipes.catalogue import catalogue

    listed = catalogue(noun)
    if json:
        print(json_text.dumps(listed, indent=2))
        return
    for position, (name, entries) in enumerate(listed.items()):
        print(f"{'' if position == 0 else chr(10)}{name}")
        width = max((len(entry) for entry in entries if len(entry) < WIDTH // 2), default=0)
        for entry, about in entries.items():
            meaning = about.get("meaning") or about.get("broken", "")
            print(_wrapped(f"  {one_line(entry):<{width}}  ", f"{meaning} [{about['source']}]"))
            for setting, details in about.get("settings", {}).items():
                print(_wrapped(f"  {'':<{width}}    ", f"{setting} = {_described(details)}"))


def _described(details: dict[str, Any]) -> str:
    limits = f" ({details['range']})" if "range" in details else ""
    meaning = f": {details['meaning']}" if "meaning" in details else ""
    return f"{json_text.dumps(details['default'])}{limits}{meaning}"


def _wrapped(start: str, text: str) -> str:
    if len(start) > WIDTH // 2:
        # Such as the path of a plug-in: the text begins on the next line.
        return f"{start.rstrip()}\n{_wrapped('    ', text)}"
    return fill(text, WIDTH, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)

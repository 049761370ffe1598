"""`levolve parts`: list everything that a recipe, a file or a command can name.

`levolve recipes`: list recipes, or print one.

`levolve rules`: the fashion rules that come with levolve.

`levolve fingerprint`: print the behaviour fingerprints of fashion rules.
"""

import json as json_text
import shutil
import sys
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any

import typer

from levolve.cli.options import Json, Quiet, RuleName
from levolve.cli.output import is_terminal
from levolve.cli.progress import Report
from levolve.core.errors import InputError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.worlds.shipped import ShippedRule

WIDTH = 79


def parts(
    noun: Annotated[
        str | None,
        typer.Argument(
            metavar="[NOUN]", help="List only genotypes, objectives, puzzles, rules, palettes, …"
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List genotypes, objectives, formats, puzzles, fashion rules and all else that has a name,
    with settings and where each comes from.
    """
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
    return fill(
        text,
        WIDTH,
        initial_indent=start,
        subsequent_indent=" " * len(start),
        break_on_hyphens=False,
    )


def recipes(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[RECIPE]", help="Print this recipe as TOML, as a starting point for your own."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the recipes of levolve and of installed plug-ins, one per line, or print one recipe."""
    from levolve.recipes.recipe import comments_of, find_recipe, summaries

    if name is not None:
        found = find_recipe(name)
        print(found.to_json() if json else comments_of(name) + found.to_toml(), end="")
        return
    listed = summaries()
    if json:
        print(json_text.dumps(listed, indent=2))
        return
    width = max(len(title) for title in listed)
    columns = shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None
    for title, summary in listed.items():
        line = one_line(f"{title:<{width}}  {summary}")
        print(line if columns is None else fill(line, columns, subsequent_indent=" " * (width + 2)))


LEAST_THUMBNAIL, MOST_THUMBNAIL = 8, 24


def rules(json: Json = False, quiet: Quiet = False) -> None:
    """List the fashion rules that come with levolve, one line each with a strip of a map: for
    'levolve map' and 'levolve fingerprint'.
    """
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.worlds.shipped import list_rules

        found = list_rules()
        if json:
            print(json_text.dumps([rule.to_data() for rule in found], indent=2))
            return
        from levolve.cli.output import print_picture

        name, summary = (
            max(len(getattr(rule, part)) for rule in found) for part in ("name", "summary")
        )
        columns = shutil.get_terminal_size().columns - name - summary - 4
        for rule in found:
            words = one_line(f"{rule.name:<{name}}  {rule.summary}")
            if quiet or columns < LEAST_THUMBNAIL:
                print(words)
            else:
                print_picture(partial(_line, words, rule, min(columns, MOST_THUMBNAIL)))


def _line(words: str, rule: "ShippedRule", columns: int, colour: bool) -> str:
    return f"{rule.thumbnail(columns, colour=colour)}  {words}"


def fingerprint(
    rule: RuleName,
    others: Annotated[
        list[str] | None, typer.Argument(metavar="[RULE…]", help="More rules to compare.")
    ] = None,
    portrait: Annotated[
        Path | None,
        typer.Option(
            "--portrait",
            metavar="FILE.png",
            help="Draw a map of behaviours over two scores, one colour per behaviour.",
        ),
    ] = None,
    axes: Annotated[
        str,
        typer.Option(
            "--axes", metavar="R,C:R,C", help="With --portrait: row and column of the two scores."
        ),
    ] = "0,1:1,0",
    arithmetic: Annotated[
        str | None,
        typer.Option(
            "--arithmetic",
            metavar="NAME",
            help="How sums are compared: exact, float or text. Default: that of each rule.",
        ),
    ] = None,
    side: Annotated[
        int, typer.Option("--side", metavar="N", help="With --portrait: steps along each axis.")
    ] = 256,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the behaviour fingerprints of rules. Rules with the same fingerprint behave identically
    on every map.
    """
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.worlds.fingerprints import check_portrait_path, fingerprint_rules
        from levolve.worlds.fingerprints import portrait as make_portrait
        from levolve.worlds.shipped import find_design

        if portrait is not None:
            check_portrait_path(portrait)
        found = fingerprint_rules([rule, *(others or [])], arithmetic=arithmetic)
        if portrait is not None:
            slice_ = make_portrait(find_design(rule).rule, _parse_axes(axes), side=side)
            slice_.save(portrait)
            report.say(f"written: {portrait}, {len(slice_.fingerprints)} behaviours")
    if json:
        data = [one.to_data() for one in found]
        print(json_text.dumps(data if len(data) > 1 else data[0], indent=2))
        return
    for one in found:
        print_ = one.fingerprint
        kind = "generic" if print_.generic else "with ties"
        print(
            one_line(
                f"{one.rule}: {print_.digest}, {print_.states} states, {print_.neighbours} "
                f"neighbours, {kind}"
            )
        )
        if len(print_.ranks) <= 20:  # longer ones are too long to print
            print(f"  number                 {print_.number}")
            print(f"  order                  {print_.order}")


def _parse_axes(axes: str) -> tuple[tuple[int, int], tuple[int, int]]:
    try:
        (a, b), (c, d) = (
            tuple(int(part) for part in entry.split(",")) for entry in axes.split(":")
        )
    except ValueError as problem:
        raise InputError(
            f"--axes: expected ROW,COLUMN:ROW,COLUMN such as 0,1:1,0, got {axes!r}"
        ) from problem
    return (a, b), (c, d)

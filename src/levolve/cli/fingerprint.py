"""`levolve fingerprint`: print the behaviour fingerprints of fashion rules."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Json, Quiet, RuleName
from levolve.cli.report import Report
from levolve.errors import InputError
from levolve.printable import one_line


def fingerprint(
    rule: RuleName,
    others: Annotated[list[str] | None, typer.Argument(metavar="[RULE…]", help="More rules to compare.")] = None,
    portrait: Annotated[
        Path | None,
        typer.Option("--portrait", metavar="FILE.png", help="Draw a map of behaviours over two scores, one colour per behaviour."),
    ] = None,
    axes: Annotated[str, typer.Option("--axes", metavar="R,C:R,C", help="With --portrait: row and column of the two scores.")] = "0,1:1,0",
    arithmetic: Annotated[
        str | None,
        typer.Option("--arithmetic", metavar="NAME", help="How sums are compared: exact, float or text. Default: that of each rule."),
    ] = None,
    side: Annotated[int, typer.Option("--side", metavar="N", help="With --portrait: steps along each axis.")] = 256,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the behaviour fingerprints of rules. Rules with the same fingerprint behave identically on every map."""
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.fashion.design import find_design
        from levolve.fashion.fingerprints import check_portrait_path, fingerprint_rules
        from levolve.fashion.fingerprints import portrait as make_portrait

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
        print(one_line(f"{one.rule}: {print_.digest}, {print_.states} states, {print_.neighbours} neighbours, {kind}"))
        if len(print_.ranks) <= 20:  # noqa: PLR2004 longer ones are too long to print
            print(f"  number                 {print_.number}")
            print(f"  order                  {print_.order}")


def _parse_axes(axes: str) -> tuple[tuple[int, int], tuple[int, int]]:
    try:
        (a, b), (c, d) = (tuple(int(part) for part in entry.split(",")) for entry in axes.split(":"))
    except ValueError as problem:
        message = f"--axes: expected ROW,COLUMN:ROW,COLUMN such as 0,1:1,0, got {axes!r}"
        raise InputError(message) from problem
    return (a, b), (c, d)

"""`levolve fingerprint`: how a fashion rule behaves, as a number."""

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.options import Json, Quiet, RuleName
from levolve.cli.report import Report
from levolve.errors import InputError


def fingerprint(
    rule: RuleName,
    others: Annotated[list[str] | None, typer.Argument(metavar="[RULE…]", help="More rules, to compare.")] = None,
    portrait: Annotated[
        Path | None, typer.Option("--portrait", metavar="FILE.png", help="Draw which behaviours occur when two scores change, a colour each.")
    ] = None,
    axes: Annotated[str, typer.Option("--axes", metavar="R,C:R,C", help="With --portrait: the two scores, each by row and column.")] = "0,1:1,0",
    side: Annotated[int, typer.Option("--side", metavar="N", help="With --portrait: steps along each axis.")] = 256,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Print the behaviour fingerprint of rules: rules with the same behave alike on every map."""
    from levolve.formats.files import check_writable, write_file

    if portrait is not None:
        if portrait.suffix.lower() != ".png":
            message = f"--portrait: expected a file name that ends in .png, got {str(portrait)!r}"
            raise InputError(message)
        check_writable(portrait)
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.fashion.design import find_designs
        from levolve.fashion.fingerprints import fingerprint as fingerprint_of
        from levolve.fashion.fingerprints import portrait as portrait_of
        from levolve.fashion.pictures import encode_picture

        designs = [design for name in (rule, *(others or [])) for design in find_designs(name)]
        found = [(design, fingerprint_of(design.rule)) for design in designs]
        if portrait is not None:
            slice_ = portrait_of(designs[0].rule, _parse_axes(axes), side=side)
            write_file(portrait, encode_picture(*slice_.picture()))
            report.say(f"written: {portrait}, {len(slice_.fingerprints)} behaviours")
    if json:
        data = [
            {
                "rule": design.name,
                "states": print_.states,
                "neighbours": print_.neighbours,
                "number": str(print_.number),
                "digest": print_.digest,
                "generic": print_.generic,
                "order": print_.order,
            }
            for design, print_ in found
        ]
        print(json_text.dumps(data if len(data) > 1 else data[0], indent=2))
        return
    for design, print_ in found:
        print(
            f"{design.name}: {print_.digest}, {print_.states} states, {print_.neighbours} neighbours, {'generic' if print_.generic else 'with ties'}"
        )
        if len(print_.ranks) <= 20:  # noqa: PLR2004 longer ones are no help to the eye
            print(f"  number                 {print_.number}")
            print(f"  order                  {print_.order}")


def _parse_axes(axes: str) -> tuple[tuple[int, int], tuple[int, int]]:
    try:
        (a, b), (c, d) = (tuple(int(part) for part in entry.split(",")) for entry in axes.split(":"))
    except ValueError as problem:
        message = f"--axes: expected ROW,COLUMN:ROW,COLUMN such as 0,1:1,0, got {axes!r}"
        raise InputError(message) from problem
    return (a, b), (c, d)

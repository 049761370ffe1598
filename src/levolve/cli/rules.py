"""`levolve rules`: the fashion rules that come with levolve."""

import json as json_text
import shutil
from functools import partial
from typing import TYPE_CHECKING

from levolve.cli.options import Json, Quiet
from levolve.cli.report import Report
from levolve.printable import one_line

if TYPE_CHECKING:
    from levolve.fashion.shipped import ShippedRule

LEAST_THUMBNAIL, MOST_THUMBNAIL = 8, 24


def rules(json: Json = False, quiet: Quiet = False) -> None:
    """List the fashion rules that come with levolve, one line each with a strip of a map: for 'levolve map' and 'levolve fingerprint'."""
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.fashion.shipped import list_rules

        found = list_rules()
        if json:
            print(json_text.dumps([rule.to_data() for rule in found], indent=2))
            return
        from levolve.cli.pictures import print_picture

        name, summary = (max(len(getattr(rule, part)) for rule in found) for part in ("name", "summary"))
        columns = shutil.get_terminal_size().columns - name - summary - 4
        for rule in found:
            words = one_line(f"{rule.name:<{name}}  {rule.summary}")
            if quiet or columns < LEAST_THUMBNAIL:
                print(words)
            else:
                print_picture(partial(_line, words, rule, min(columns, MOST_THUMBNAIL)))


def _line(words: str, rule: "ShippedRule", columns: int, colour: bool) -> str:
    return f"{rule.thumbnail(columns, colour=colour)}  {words}"

"""What `levolve show` prints about a level: its picture, measures, spheres, solution, origin."""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from levolve.cli.output import print_field, print_level, print_main_measures
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.formats.themes.theme import Theme
    from levolve.levels.level import Level
    from levolve.levels.measures.key_order import KeyOrder

# The longest solution that is printed in full.
MOST_MOVES = 48
# Lines are as wide as the narrowest terminal; this many things of a sphere are named.
WIDE, INDENT, MOST_NAMED = 79, 25, 20
JOIN = "~"


def print_report(
    level: "Level", file: Path, measures: dict[str, Any], field: str | None, *, every: bool
) -> None:
    """Print a level or its field, and its facts."""
    if field is None:
        print_level(level)
    else:
        print_field(level, field)
    print(
        one_line(
            f"{file}: {level.width}x{level.height} {level.tileset.name}, "
            f"{', '.join(level.places) or 'no places'}"
        )
    )
    print_main_measures(measures, (), every=every)
    order = order_of(level)
    if order is not None:
        _print_spheres(order)
    if level.solution is None:
        from levolve.levels.solver import explain_unwinnable

        print(f"  solution               none: {one_line(explain_unwinnable(level))}")
    else:
        print(
            f"  solution               {len(level.solution)} moves, replayed: "
            f"{shortened(level.solution)}"
        )
    if level.origin is not None:
        origin = level.origin
        maker = f"levolve {origin.version}{f', engine {origin.engine}' if origin.engine else ''}"
        print(
            one_line(
                f"  origin                 recipe {origin.recipe.get('name')}, seed "
                f"{origin.seed}, {maker}"
            )
        )
    print(f"  digest                 {level.digest}")


def shortened(solution: str) -> str:
    """Return a solution, or the beginning of a long one."""
    return solution if len(solution) <= MOST_MOVES else f"{solution[: MOST_MOVES - 1]}…"


def order_of(level: "Level") -> "KeyOrder | None":
    """Return the order of a level's things; None without things that act or without an end."""
    if not level.has_mechanics or not level.goal.stops or level.goal.missing(level.places):
        return None
    from levolve.levels.measures.key_order import key_order

    return key_order(level)


def write_order(level: "Level", path: Path | None, theme: "Theme") -> None:
    """Write a picture of the order of a level's things, if a path is given."""
    if path is None:
        return
    from levolve.core.errors import InputError
    from levolve.formats.pictures.order_graph import encode_order
    from levolve.formats.writing import write_file

    if path.suffix.lower() != ".png":
        raise InputError(f"--order: expected a file name that ends in .png, got {str(path)!r}")
    write_file(path, encode_order(level, theme))


def _print_spheres(order: "KeyOrder") -> None:
    """Print what a sweep enters in each round; a star marks what every play that wins enters."""
    for number, indices in order.by_sphere.items():
        words = [
            # The words of a label stay on one line.
            order.labels[index].replace(" ", JOIN) + ("*" if order.required[index] else "")
            for index in indices[:MOST_NAMED]
        ]
        words += [f"{len(indices) - MOST_NAMED} more"] if len(indices) > MOST_NAMED else []
        text = one_line(", ".join(words))
        head = f"  {f'sphere {number}' if number else 'out of reach':<{INDENT - 2}}"
        lines = textwrap.fill(text, WIDE, initial_indent=head, subsequent_indent=" " * INDENT)
        print(lines.replace(JOIN, " "))
    if any(order.required):
        print(f"  {'':<{INDENT - 2}}* every play that wins enters it")

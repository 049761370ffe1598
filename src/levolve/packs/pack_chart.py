"""A pack as a chart: the difficulty of its levels in order, and one more measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import MaxNLocator

from levolve.errors import InputError
from levolve.runs.charts import COLOURS, INK, dress, new_figure, words

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from levolve.packs.pack import Pack

MARKERS = ("o", "s", "^", "D", "v", "P", "X")


def pack_figure(pack: Pack, measure: str = "difficulty") -> Figure:
    """Return a measure of each level and puzzle of a pack in its order; every recipe has its own colour."""
    kinds = list(dict.fromkeys(member.kind or pack.name for member in pack.members))
    values = [measures.get(measure) for measures in pack.measures]
    if all(value is None for value in values):
        known = sorted({name for measures in pack.measures for name in measures})
        message = f"plot: expected a measure of the pack's levels, one of {', '.join(known)}, got {measure!r}"
        raise InputError(message)
    figure = new_figure()
    axes = figure.add_subplot()
    for number, kind in enumerate(kinds):
        points = [
            (place, value)
            for place, (member, value) in enumerate(zip(pack.members, values, strict=True), 1)
            if (member.kind or pack.name) == kind and value is not None
        ]
        colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number // len(COLOURS) % len(MARKERS)]
        axes.scatter([place for place, _ in points], [value for _, value in points], color=colour, marker=marker, s=36, label=kind)
    axes.set_title(f"{pack.name}: {len(pack.items)} levels in order", loc="left", color=INK, pad=12, parse_math=False)
    axes.set_xlabel("place in the pack", color=INK)
    axes.set_ylabel(words(measure), color=INK)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if len(kinds) > 1:
        for text in axes.legend(frameon=False, labelcolor=INK).get_texts():
            text.set_parse_math(False)
    dress(axes)
    return figure

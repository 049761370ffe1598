"""The house style of charts by matplotlib: colours, axes, and PNG bytes that are the same each time. Requires the extra `plot`."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, which people with any kind of colour vision can tell apart; yellow, too faint on white, is left out.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Once the colours are used up they come again with another stroke.
STROKES = ("solid", "dashed", "dotted", "dashdot")
INK, FAINT = "#333333", "#DDDDDD"
WIDTH, HEIGHT, MARGIN, DOTS_AN_INCH = 9.0, 5.2, 0.12, 150


def new_figure(width: float = WIDTH, height: float = HEIGHT) -> Figure:
    """Return an empty white figure of so many inches, which no window shows by itself."""
    figure = Figure(figsize=(width, height), dpi=DOTS_AN_INCH, facecolor="white", layout=ConstrainedLayoutEngine(w_pad=MARGIN, h_pad=MARGIN))
    FigureCanvasAgg(figure)
    return figure


def style_axes(axes: Axes) -> None:
    """Draw a faint grid, and no more frame than the line below."""
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, length=0)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(INK)


def words(name: str) -> str:
    """Return the name of a measure or an objective as words."""
    return name.replace("_", " ")


def png_of(figure: Figure, name: str = "", origin: Mapping[str, Any] | None = None) -> bytes:
    """Return a figure as PNG. It carries `origin` as JSON under `name`, and nothing that would differ the next time."""
    buffer = io.BytesIO()
    metadata = {"Software": None, **({} if origin is None else {name: json.dumps(origin)})}
    figure.savefig(buffer, format="png", dpi=DOTS_AN_INCH, metadata=metadata)
    return buffer.getvalue()

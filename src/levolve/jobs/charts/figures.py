"""What charts by matplotlib have in common: figures, axes, legends, bands and heat maps. Requires
the extra `plot`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from levolve.jobs.charts.style import FAINT, INK, words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.legend import Legend
    from numpy.typing import ArrayLike

    from levolve.jobs.charts.heat_maps import HeatMap

WIDTH, HEIGHT, MARGIN, DOTS_AN_INCH = 9.0, 5.2, 0.12, 150


def new_figure(width: float = WIDTH, height: float = HEIGHT) -> Figure:
    """Return an empty white figure of so many inches, which no window shows by itself."""
    figure = Figure(
        figsize=(width, height),
        dpi=DOTS_AN_INCH,
        facecolor="white",
        layout=ConstrainedLayoutEngine(w_pad=MARGIN, h_pad=MARGIN),
    )
    FigureCanvasAgg(figure)
    return figure


def style_axes(
    axes: Axes,
    title: str,
    x: str = "",
    y: str = "",
    *,
    numbers: Literal["thousands", "whole", ""] = "",
) -> None:
    """Add the title and the names of both axes, draw a faint grid, and no more frame than the line
    below.

    `numbers` is the form of those on the first axis: with a comma at thousands, or only whole ones.
    """
    # A dollar sign in a name is no formula.
    axes.set_title(title, loc="left", color=INK, fontsize=11, pad=10, parse_math=False)
    axes.set_xlabel(words(x), color=INK)
    axes.set_ylabel(words(y), color=INK)
    if numbers == "thousands":
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    if numbers == "whole":
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=FAINT, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(colors=INK, length=0)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "bottom")
        spine.set_color(INK)


def add_legend(owner: Axes | Figure, **options: Any) -> Legend:
    """Add a legend without a frame."""
    legend = owner.legend(frameon=False, labelcolor=INK, **options)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return legend


def draw_bands(
    axes: Axes,
    x: ArrayLike,
    middle: ArrayLike,
    bands: Sequence[tuple[ArrayLike, ArrayLike, float]],
    **look: Any,
) -> None:
    """Draw a line with bands around it, each with its lower and upper ends and its strength."""
    for low, high, strength in bands:
        axes.fill_between(x, low, high, color=look["color"], alpha=strength, linewidth=0)
    axes.plot(x, middle, linewidth=2, **look)


def draw_heat_map(axes: Axes, drawn: HeatMap, title: str) -> ScalarMappable:
    """Draw a heat map, the first axis to the right, the second upwards; the result is what a colour
    bar is made of.
    """
    first, second = drawn.axes[0], drawn.axes[1] if len(drawn.axes) > 1 else None
    right, upper = (
        (first.low, first.high),
        (0.0, 1.0) if second is None else (second.low, second.high),
    )
    colours = LinearSegmentedColormap.from_list(
        "ramp", np.array(drawn.ramp.steps) / np.iinfo(np.uint8).max
    )
    norm = PowerNorm(drawn.ramp.power, *drawn.scale)
    image = axes.imshow(
        drawn.values.T,
        origin="lower",
        extent=(*right, *upper),
        aspect="auto",
        interpolation="nearest",
        cmap=colours,
        norm=norm,
    )
    style_axes(axes, title, first.name, "" if second is None else second.name)
    axes.grid(visible=False)
    if second is None:
        axes.set_yticks([])
    return image


def png_of(figure: Figure, origin: tuple[str, Mapping[str, Any]] | None = None) -> bytes:
    """Return a figure as PNG. It contains the data of `origin` under its name, and nothing that
    would differ the next time.
    """
    buffer = io.BytesIO()
    metadata = {"Software": None, **({} if origin is None else {origin[0]: json.dumps(origin[1])})}
    figure.savefig(buffer, format="png", dpi=DOTS_AN_INCH, metadata=metadata)
    return buffer.getvalue()

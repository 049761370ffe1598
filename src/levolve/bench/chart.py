"""Benchmarks as a picture, on a logarithmic axis. Requires the extra `plot`.

Its bars say how many times as fast as each library a complete evolution is.
"""

import io

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import StrMethodFormatter

from levolve.bench.bench import Bench
from levolve.bench.evolution import SUBJECT
from levolve.bench.measuring import Figure, number_text
from levolve.bench.peers import KERNEL
from levolve.core.errors import InputError
from levolve.jobs.charts.style import COLOURS, INK, dress

WIDTH, HEIGHT_PER_BAR, HEIGHT_OF_REST, DOTS_PER_INCH = 9.0, 0.34, 1.4, 120


def bench_picture(bench: Bench) -> bytes:
    """Return a PNG with one bar per library and fitness, the slowest first."""
    figures = sorted((each for each in bench.measured if each.subject == SUBJECT and each.ratio is not None), key=lambda each: -(each.ratio or 0))
    if not figures:
        message = (
            "--output: expected the subject evolution and at least one of the libraries that it compares for a plot, got neither; write .json instead"
        )
        raise InputError(message)
    height = HEIGHT_OF_REST + HEIGHT_PER_BAR * len(figures)
    canvas = Canvas(figsize=(WIDTH, height), dpi=DOTS_PER_INCH, facecolor="white", layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.12))
    FigureCanvasAgg(canvas)
    axes = canvas.add_subplot()
    ratios = [each.ratio or 0 for each in figures]
    bars = axes.barh([each.beside for each in figures], ratios, color=[_colour(each) for each in figures], height=0.7)
    axes.bar_label(bars, labels=[f" {number_text(ratio)} x" for ratio in ratios], color=INK)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(1, max(ratios) * 2.5)
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlabel("how many times as many evaluations per processor second levolve makes", color=INK)
    machine = bench.machine
    axes.set_title(f"A complete evolution of mazes, one core of {machine['processor']}", loc="left", color=INK, pad=12)
    dress(axes)
    axes.grid(visible=False, axis="y")
    buffer = io.BytesIO()
    canvas.savefig(buffer, format="png", dpi=DOTS_PER_INCH, metadata={"Software": None})
    return buffer.getvalue()


def _colour(figure: Figure) -> str:
    return COLOURS[1] if figure.beside.endswith(KERNEL.name) else COLOURS[0]

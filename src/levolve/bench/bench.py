"""`Bench`: carries out benchmarks and holds their figures.

Benchmarks as a picture: how many times as fast as each library a complete evolution is, on a
logarithmic axis.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from levolve.bench import SUBJECTS
from levolve.bench.evolution import SUBJECT
from levolve.bench.measuring import Effort, Figure, describe_machine, number_text
from levolve.bench.peers import KERNEL
from levolve.core.errors import InputError
from levolve.jobs.charts.style import COLOURS, INK


@dataclass
class Bench:
    """Benchmarks of some subjects; by default all. `figures()` measures and yields one figure after
    the other.
    """

    effort: Effort = field(default_factory=Effort)
    subjects: tuple[str, ...] = ()
    measured: list[Figure] = field(default_factory=list)
    machine: dict[str, Any] = field(default_factory=describe_machine)

    def __post_init__(self) -> None:
        """Raise `UnknownNameError` for an unknown subject, before anything is measured."""
        self.subjects = self.subjects or tuple(SUBJECTS)
        for name in self.subjects:
            SUBJECTS.origin_of(name)

    def figures(self, begin: Callable[[str], None] | None = None) -> Iterator[Figure]:
        """Measure, and yield every figure when it is known; `begin(name)` is called before each
        subject.
        """
        for name in self.subjects:
            if begin is not None:
                begin(name)
            for figure in SUBJECTS[name](self.effort):
                self.measured.append(figure)
                yield figure

    def to_data(self) -> dict[str, Any]:
        """Return the machine and all figures as JSON-compatible data."""
        return {
            "machine": self.machine,
            "quick": self.effort.quick,
            "figures": [figure.to_data() for figure in self.measured],
        }


HEIGHT_PER_BAR, HEIGHT_OF_REST = 0.34, 1.4


def bench_picture(bench: Bench) -> bytes:
    """Return a PNG with one bar per library and fitness, the slowest first."""
    from levolve.jobs.charts.figures import new_figure, png_of, style_axes

    figures = sorted(
        (each for each in bench.measured if each.subject == SUBJECT and each.ratio is not None),
        key=lambda each: -(each.ratio or 0),
    )
    if not figures:
        raise InputError(
            "--output: expected the subject evolution and at least one of the libraries that it "
            "compares for a plot, got neither; write .json instead"
        )
    height = HEIGHT_OF_REST + HEIGHT_PER_BAR * len(figures)
    canvas = new_figure(height=height)
    axes = canvas.add_subplot()
    ratios = [each.ratio or 0 for each in figures]
    bars = axes.barh(
        [each.beside for each in figures],
        ratios,
        color=[_colour(each) for each in figures],
        height=0.7,
    )
    axes.bar_label(bars, labels=[f" {number_text(ratio)} x" for ratio in ratios], color=INK)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlim(1, max(ratios) * 2.5)
    title = f"A complete evolution of mazes, one core of {bench.machine['processor']}"
    style_axes(
        axes,
        title,
        "how many times as many evaluations per processor second levolve makes",
        numbers="thousands",
    )
    axes.grid(visible=False, axis="y")
    return png_of(canvas)


def _colour(figure: Figure) -> str:
    return COLOURS[1] if figure.beside.endswith(KERNEL.name) else COLOURS[0]

"""`Bench`: carries out benchmarks and holds their figures."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from levolve.bench import SUBJECTS
from levolve.bench.measuring import Effort, Figure, describe_machine


@dataclass
class Bench:
    """Benchmarks of some subjects; by default all. `figures()` measures and yields one figure after the other."""

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
        """Measure, and yield every figure when it is known; `begin(name)` is called before each subject."""
        for name in self.subjects:
            if begin is not None:
                begin(name)
            for figure in SUBJECTS[name](self.effort):
                self.measured.append(figure)
                yield figure

    def to_data(self) -> dict[str, Any]:
        """Return the machine and all figures as JSON-compatible data."""
        return {"machine": self.machine, "quick": self.effort.quick, "figures": [figure.to_data() for figure in self.measured]}

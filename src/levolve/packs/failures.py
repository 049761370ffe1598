"""Failed searches of a pack: how near they came, and why no level was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from levolve.levels.batch import Batch
from levolve.packs.objective import PackObjective
from levolve.packs.targets import Range, write_range

SIMILAR = "levels that meet all targets were found, but all are too similar to levels of the pack; lower the distinctness or request fewer levels"


@dataclass
class Failures:
    """The consecutive failed searches for levels with the same targets.

    `shortfall` and `unmet` are those of the nearest result. `similar` is whether a result met all targets, but was not distinct; if so, `unmet`
    describes the nearest of those results, because distinctness is then the only obstacle.
    """

    count: int = 0
    shortfall: float = float("inf")
    unmet: tuple[str, ...] = ()
    similar: bool = False

    def add(self, objective: PackObjective, batch: Batch) -> None:
        """Count a failed search by its best level, the only one of the batch."""
        short, similar = float(objective.shortfall(batch)[0]), meets_targets(objective, batch)
        self.count += 1
        if (not similar, short) < (not self.similar, self.shortfall):
            self.shortfall, self.unmet, self.similar = short, tuple(objective.unmet(batch)), similar


def meets_targets(objective: PackObjective, batch: Batch) -> bool:
    """Whether the only level of a batch is winnable and meets all targets, distinct from others or not."""
    return bool(without_distinctness(objective).shortfall(batch)[0] == 0)


def without_distinctness(objective: PackObjective) -> PackObjective:
    """Return the objective for levels that need not be distinct from any other."""
    return replace(objective, distinctness=objective.distinctness.emptied(), value=None)


def diagnoses(objective: PackObjective) -> list[PackObjective]:
    """Return the objectives of searches that show why no level was found: all targets without distinctness, then each target alone."""
    free = without_distinctness(objective)
    return [free, *(replace(free, targets={name: limits}) for name, limits in objective.targets.items())] if len(objective.targets) > 1 else [free]


def reason_of(targets: Mapping[str, Range], met: Sequence[bool]) -> str:
    """Return one sentence that says why no level was found, from what the searches of `diagnoses` met; empty if they show nothing more."""
    together, *alone = met
    if together:
        return SIMILAR
    if not alone:
        return ""
    texts = [f"{name} {write_range(limits)}" for name, limits in targets.items()]
    if all(alone):
        return f"the targets seem to contradict each other: levels were found for each alone, but none for {' with '.join(texts)}"
    never = [text for text, success in zip(texts, alone, strict=True) if not success]
    return f"no level was found for {' or '.join(never)} even without the other targets"

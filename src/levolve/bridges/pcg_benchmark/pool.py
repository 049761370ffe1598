"""`Pool`: the contents evaluated for a pack, and the places of the pack that they fill."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.bridges.pcg_benchmark.repair import MapDraws
from levolve.search.variation.crossovers import UniformCrossover, UniformMutation
from levolve.search.variation.mutations import RepairMutation

if TYPE_CHECKING:
    from levolve.contents.content import ContentProblem
    from levolve.search.genotypes.gene_space import Genes

# The most candidates that are kept, those of the highest quality.
MOST = 2_000
# Parents are drawn from so many candidates that come nearest to a place's control.
NEAREST = 12
PARENTS = 1 << 33
# Drawing anew and breeding share the evaluations according to the last so many accepted contents.
RECENT = 20
SMALLEST_SHARE = 0.1
CROSSOVER = UniformCrossover(rate=0.5)
MUTATION = RepairMutation(UniformMutation(0.04))


@dataclass(frozen=True, eq=False)
class Candidate:
    """An evaluated content: its genes, the content, the benchmark's information about it, and
    whether it was bred.
    """

    genes: Genes
    content: Any
    info: Mapping[str, Any]
    bred: bool = False


class Pool:
    """Candidates, and the accepted one of each place.

    A candidate is accepted for a place if it passes quality, meets the control of the place, and
    differs from all accepted ones, in both directions: the benchmark's diversity is not symmetric.
    """

    def __init__(self, judge: Any, controls: Sequence[Mapping[str, Any]]) -> None:
        """Start with all places open."""
        self.judge = judge
        self.controls = controls
        self.accepted: list[Candidate | None] = [None] * len(controls)
        # Candidates with their quality, from the highest to the lowest.
        self._candidates: list[tuple[float, Candidate]] = []
        # Whether the contents accepted last were bred; at first as if both ways were equally good.
        self._recent = deque([True, False] * (RECENT // 2), RECENT)

    @property
    def filled(self) -> int:
        """How many places are filled."""
        return sum(one is not None for one in self.accepted)

    @property
    def is_complete(self) -> bool:
        """Whether all places are filled."""
        return self.filled == len(self.accepted)

    @property
    def open(self) -> list[int]:
        """The places that are not filled."""
        return [place for place, one in enumerate(self.accepted) if one is None]

    def add(self, candidates: Iterable[Candidate]) -> None:
        """Add candidates; those that pass fill open places."""
        for candidate in candidates:
            quality = float(self.judge.quality(candidate.info))
            self._candidates.append((quality, candidate))
            if quality >= 1:
                self._offer(candidate)
        self._candidates.sort(key=lambda entry: -entry[0])
        del self._candidates[MOST:]

    def _offer(self, candidate: Candidate) -> None:
        """Accept a candidate for the first open place whose control it meets, if it differs from
        all accepted ones.
        """
        place = next(
            (
                place
                for place in self.open
                if self.judge.controlability(candidate.info, self.controls[place]) >= 1
            ),
            None,
        )
        if place is not None and all(
            self._differ(candidate, other) for other in self.accepted if other is not None
        ):
            self.accepted[place] = candidate
            self._recent.append(candidate.bred)

    def _differ(self, one: Candidate, other: Candidate) -> bool:
        return bool(
            self.judge.diversity(one.info, other.info) >= 1
            and self.judge.diversity(other.info, one.info) >= 1
        )

    def count_bred(self, count: int) -> int:
        """Return how many of `count` individuals to breed: none at first, then by the share of bred
        ones among those accepted last.
        """
        share = min(max(sum(self._recent) / RECENT, SMALLEST_SHARE), 1 - SMALLEST_SHARE)
        return round(count * share) if self._candidates else 0

    def propose(self, problem: ContentProblem, seed: int, generation: int, count: int) -> Genes:
        """Return the genes of `count` individuals to evaluate: those drawn anew, then those bred
        for open places (`count_bred`).
        """
        bred = self.count_bred(count)
        fresh = problem.start(seed, generation, count - bred)
        if not bred:
            return fresh
        draws = MapDraws(seed, generation, PARENTS)
        waiting, parents = self.open, []
        for _ in range((bred + 1) // 2):
            nearest = self._nearest(waiting[draws.below(len(waiting))])
            parents += [nearest[draws.below(len(nearest))].genes for _ in range(2)]
        genes = np.array(parents, fresh.dtype)
        children = np.empty_like(genes)
        masks = CROSSOVER.masks(problem.space, len(genes) // 2, seed, generation)
        problem.space.cross(genes, np.arange(len(genes)), masks, children)
        MUTATION.apply(problem.space, children, seed, generation)
        return np.concatenate((fresh, children[:bred]))

    def _nearest(self, place: int) -> list[Candidate]:
        """Return the candidates that come nearest to passing at a place: by quality, then by
        control.
        """
        control = self.controls[place]
        best = self._candidates[0][0]
        ranked = [
            (quality, float(self.judge.controlability(one.info, control)), one)
            for quality, one in self._candidates
            if quality >= min(best, 1)
        ]
        ranked = (
            ranked
            if len(ranked) >= NEAREST
            else [(quality, 0.0, one) for quality, one in self._candidates[:NEAREST]]
        )
        return [
            one for _, _, one in sorted(ranked, key=lambda entry: (-entry[0], -entry[1]))[:NEAREST]
        ]

    def chosen(self) -> list[Candidate]:
        """Return the accepted candidate of each place; open places get candidates of the highest
        quality and control that are used nowhere else.
        """
        used = {id(one) for one in self.accepted if one is not None}
        chosen: list[Candidate] = []
        for place, one in enumerate(self.accepted):
            found = one if one is not None else self._substitute(place, used)
            used.add(id(found))
            chosen.append(found)
        return chosen

    def _substitute(self, place: int, used: set[int]) -> Candidate:
        free = [entry for entry in self._candidates if id(entry[1]) not in used] or self._candidates
        return max(
            free,
            key=lambda entry: (
                entry[0],
                float(self.judge.controlability(entry[1].info, self.controls[place])),
            ),
        )[1]

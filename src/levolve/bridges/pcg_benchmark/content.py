"""`BenchmarkContent`: the contents of a problem of the PCG Benchmark.

A sheet of pictures of contents.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image as PillowImage

from levolve.bridges.pcg_benchmark.library import convert_space, environment
from levolve.bridges.pcg_benchmark.repair import MapDraws, TileRepair, grow
from levolve.bridges.pcg_benchmark.rules import rules_for
from levolve.contents.content import Content, canonical_bytes
from levolve.core.errors import EvaluationError, InputError
from levolve.core.settings import setting
from levolve.search.objectives.function import Returned, reason_of

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    from levolve.contents.spaces import Space
    from levolve.search.genotypes.gene_space import Genes, NumberGenes

# Information about contents that is remembered, in each process.
MOST = 20_000
# Added to an individual's number for the stream by which its map grows; its repair has a stream of
# its own.
GROWN = 1 << 32


@dataclass(frozen=True)
class BenchmarkContent(Content):
    """The contents of a problem of the PCG Benchmark, scored by its quality, which is 1 for a
    content that passes.

    With control parameters, the score is the mean of the quality and of the controlability.
    Features are both, and every number in the benchmark's `info`. The benchmark's values between 0
    and 1 guide the search; `info`, which may play the content, is computed once per content.
    """

    problem: str = setting("binary-v0", "The name of the problem, such as zelda-v0.")
    control: dict[str, Any] | None = setting(
        None, "Control parameters that the content should meet."
    )

    def __post_init__(self) -> None:
        """Raise `InputError` for control parameters that the problem does not have."""
        if self.control is not None:
            known = environment(self.problem).control_space.range()
            if set(self.control) != set(known):
                raise InputError(
                    f"control: expected the parameters {', '.join(known)} of {self.problem}, got "
                    f"{', '.join(self.control) or 'none'}"
                )

    def content_space(self) -> Space:
        """Return the content space of the problem."""
        return convert_space(environment(self.problem).content_space)

    def gene_space(self) -> NumberGenes:
        """Return the gene space, with a repair if it is known what the maps of the problem need."""
        space = super().gene_space()
        rules = rules_for(self.problem, environment(self.problem)._problem)
        if rules is not None and space.grid is not None:
            space.repair = TileRepair(rules, *space.grid)
        return space

    def start(self, space: NumberGenes, seed: int, generation: int, count: int) -> Genes:
        """Draw the genes of `count` individuals: repaired noise, and where maps must be connected,
        every second one grown as corridors.
        """
        genes = space.draw(seed, generation, count)
        if isinstance(space.repair, TileRepair):
            for individual in range(1, count if space.repair.rules.connected else 0, 2):
                tiles = grow(space.repair, MapDraws(seed, generation, individual + GROWN))
                genes[individual] = tiles
            space.repair(genes, seed, generation)
        return genes

    @property
    def goal(self) -> float:
        """The score of a content that passes."""
        return 1.0

    def info(self, content: Any) -> Mapping[str, Any]:
        """Return the benchmark's information about a content; it is remembered."""
        key = self.problem, canonical_bytes(content)
        if key not in _KNOWN:
            _KNOWN[key] = environment(self.problem).info(content)
            if len(_KNOWN) > MOST:
                _KNOWN.popitem(last=False)
        return _KNOWN[key]

    def assess(self, contents: Sequence[Any] | NDArray[np.int64]) -> list[Returned]:
        """Return quality and controlability, with the numbers of `info` as features."""
        judge = environment(self.problem)._problem
        returned = []
        for index, content in enumerate(contents):
            try:
                info = self.info(content)
                quality = float(judge.quality(info))
                met = (
                    1.0 if self.control is None else float(judge.controlability(info, self.control))
                )
            except Exception as problem:
                raise EvaluationError(reason_of(problem), index, f"pcg:{self.problem}") from problem
            features = {
                name: float(value)
                for name, value in info.items()
                if isinstance(value, int | float | np.number)
            }
            features |= {name: np.nan for name, value in info.items() if value is None}
            features |= (
                {"quality": quality}
                if self.control is None
                else {"quality": quality, "controlability": met}
            )
            returned.append(
                Returned(quality if self.control is None else (quality + met) / 2, features)
            )
        return returned

    @property
    def draws(self) -> bool:
        """The benchmark draws all contents."""
        return True

    def picture(self, content: Any) -> Image:
        """Return the benchmark's picture of a content; the first one of an animation."""
        drawn = environment(self.problem).render(content)
        picture: Image = drawn[0] if isinstance(drawn, list) else drawn
        return picture

    def describe(self, content: Any) -> str:
        """Return a map of tiles as rows of digits, and any other content as JSON."""
        tiles = np.asarray(content) if isinstance(content, np.ndarray | list) else None
        if tiles is None or tiles.ndim != 2 or tiles.max() > 9:  # rows and columns of digits
            return super().describe(content)
        return "\n".join("".join(str(tile) for tile in row) for row in tiles.tolist())


_KNOWN: OrderedDict[tuple[str, bytes], Mapping[str, Any]] = OrderedDict()


GAP = 6
WIDEST = 2400
BACKGROUND = (255, 255, 255)


def sheet_of(pictures: Sequence[PillowImage.Image]) -> PillowImage.Image:
    """Return one picture with all others in rows, about as wide as high; large ones are scaled
    down.
    """
    columns = ceil(sqrt(len(pictures)))
    width, height = (
        max(getattr(picture, side) for picture in pictures) for side in ("width", "height")
    )
    scale = min(1.0, WIDEST / (columns * (width + GAP)))
    step_x, step_y = int(width * scale) + GAP, int(height * scale) + GAP
    sheet = PillowImage.new(
        "RGB", (columns * step_x + GAP, ceil(len(pictures) / columns) * step_y + GAP), BACKGROUND
    )
    for number, picture in enumerate(pictures):
        size = max(int(picture.width * scale), 1), max(int(picture.height * scale), 1)
        small = (
            picture.convert("RGB").resize(size, PillowImage.Resampling.BOX)
            if scale < 1
            else picture.convert("RGB")
        )
        sheet.paste(small, (GAP + number % columns * step_x, GAP + number // columns * step_y))
    return sheet

"""`Content`: the base class of kinds of contents: a space, and how contents are scored.

Contents of any space, scored by any function. `ContentProblem`: contents of one kind as a problem
for searches.
"""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from levolve.contents.spaces import Array, Integer, Space
from levolve.core.errors import EvaluationError, InputError, LevolveError
from levolve.core.function_names import MANY, MEANING, FunctionName
from levolve.core.settings import Configurable, setting
from levolve.search.genotypes.gene_space import NumberGenes
from levolve.search.objectives.function import Returned, read_many, read_one, reason_of
from levolve.search.objectives.reward import FAR_BELOW
from levolve.search.problem import FEASIBLE, Evaluation

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    from levolve.contents.spaces import Space
    from levolve.search.genotypes.gene_space import Genes, NumberGenes


@dataclass(frozen=True)
class Content(Configurable):
    """A kind of content. A subclass is a frozen dataclass whose fields are its settings."""

    @abstractmethod
    def content_space(self) -> Space:
        """Return the space of the contents."""

    @abstractmethod
    def assess(self, contents: Sequence[Any] | NDArray[np.int64]) -> list[Returned]:
        """Return the score and the features of each content; `EvaluationError` names one that
        cannot be evaluated. Higher scores are better.
        """

    @property
    def goal(self) -> float | None:
        """The highest possible score, at which a run ends; None if it is unknown."""
        return None

    def gene_space(self) -> NumberGenes:
        """Return the gene space: one whole number per gene. A kind of content that can repair genes
        sets `repair` of it.
        """
        space = self.content_space()
        return NumberGenes(np.array(space.bounds, np.int64), grid=space.grid)

    def start(self, space: NumberGenes, seed: int, generation: int, count: int) -> Genes:
        """Draw the genes of `count` individuals, repaired if the gene space can repair them."""
        genes = space.draw(seed, generation, count)
        if space.repair is not None:
            space.repair(genes, seed, generation)
        return genes

    @property
    def draws(self) -> bool:
        """Whether `picture` draws contents."""
        return False

    def picture(self, content: Any) -> Image:
        """Return a picture of a content."""
        raise InputError(f"content {type(self).__name__}: has no picture")

    def describe(self, content: Any) -> str:
        """Return a content as text, for the terminal: JSON with one line per row of an array."""
        return _indented(plain(content))


def plain(content: Any) -> Any:
    """Return a content as JSON-compatible data: arrays as lists, NumPy numbers as numbers."""
    if isinstance(content, np.ndarray | np.generic):
        return content.tolist()
    if isinstance(content, dict):
        return {str(key): plain(value) for key, value in content.items()}
    return [plain(value) for value in content] if isinstance(content, list | tuple) else content


def canonical_bytes(content: Any) -> bytes:
    """Return a content as bytes: JSON without spaces, with sorted keys. Equal contents have equal
    bytes.
    """
    return json.dumps(
        plain(content), sort_keys=True, separators=(",", ":"), ensure_ascii=True
    ).encode()


def digest_of(content: Any) -> str:
    """Return the SHA-256 of a content."""
    return hashlib.sha256(canonical_bytes(content)).hexdigest()


def genes_of(space: NumberGenes, genes: Sequence[int]) -> Genes:
    """Return the genes of one individual, `(1, length)`, in the type of a gene space."""
    return np.array([genes], space.dtype)


def _indented(data: Any, margin: str = "") -> str:
    """Return data as JSON text: one line per entry, rows of numbers on one line."""
    inner = margin + "  "
    match data:
        case dict() if data:
            entries = ",\n".join(
                f"{inner}{json.dumps(key)}: {_indented(value, inner)}"
                for key, value in data.items()
            )
            return f"{{\n{entries}\n{margin}}}"
        case list() if any(isinstance(value, list | dict) for value in data):
            entries = ",\n".join(f"{inner}{_indented(value, inner)}" for value in data)
            return f"[\n{entries}\n{margin}]"
    return json.dumps(data)


def total(content: Any) -> float:
    """Return the sum of an array of numbers: the function that is used if none is named."""
    return float(np.sum(content))


@dataclass(frozen=True)
class FunctionContent(Content):
    """Contents of a space, scored by a function; higher is better.

    The function takes one content and returns its score; one marked by `levolve.many_contents`
    takes a list of n contents, or an `(n, ...)` array if contents are arrays of integers, and
    returns n scores. Instead of scores it may return a pair of scores and features, or a dictionary
    of features, of which `score`, if present, is the score.

    With `errors` "unwinnable", a content at which the function raises an exception scores below all
    others; its features are 0.
    """

    space: Space = setting(Array(8, Integer(0, 1)), "The space of the contents.")
    function: FunctionName = field(
        default=FunctionName.built_in("total", total),
        metadata={"meaning": MEANING, "function": True},
    )
    errors: Literal["raise", "unwinnable"] = setting(
        "raise", "What an exception means: the end of the run, or a content below all others."
    )
    least: float | None = setting(
        None,
        (
            "The lowest possible score of the function, if known: contents that fail then score "
            "1 less."
        ),
    )
    highest: float | None = setting(
        None, "The highest possible score of the function, if known: a run that reaches it ends."
    )

    def content_space(self) -> Space:
        """Return the space."""
        return self.space

    @property
    def goal(self) -> float | None:
        """The highest possible score, if known."""
        return self.highest

    def assess(self, contents: Sequence[Any] | NDArray[np.int64]) -> list[Returned]:
        """Call the function, for all contents at once or one after the other."""
        if self.function.takes == MANY:
            try:
                return read_many(self.function.function(contents), len(contents))
            except Exception as problem:  # noqa: BLE001 any exception of a function of the user
                if len(contents) == 1:
                    return [self._failed(problem, 0)]
            # One content at a time shows which one fails.
            return [
                self._one(contents[index : index + 1], index, many=True)
                for index in range(len(contents))
            ]
        return [self._one(content, index, many=False) for index, content in enumerate(contents)]

    def _one(self, given: Any, index: int, *, many: bool) -> Returned:
        try:
            returned = self.function.function(given)
            return read_many(returned, 1)[0] if many else read_one(returned)
        except Exception as problem:  # noqa: BLE001 any exception of a function of the user
            return self._failed(problem, index)

    def _failed(self, problem: Exception, index: int) -> Returned:
        if self.errors == "raise" or isinstance(problem, LevolveError):
            raise EvaluationError(
                reason_of(problem), index, f"objective {self.function}"
            ) from problem
        return Returned(FAR_BELOW if self.least is None else self.least - 1.0, {}, failed=True)


@dataclass(frozen=True, eq=False)
class ContentProblem:
    """Contents of one kind, encoded as whole numbers. A problem can be pickled if its content can.

    Parameters
    ----------
    content
        The space of the contents, and how they are scored.
    features
        Names of the features of the content that every evaluation contains in addition to the
        scores.
    """

    content: Content
    features: tuple[str, ...] = ()

    @cached_property
    def _encoding(self) -> tuple[Space, NumberGenes]:
        return self.content.content_space(), self.content.gene_space()

    @property
    def space(self) -> NumberGenes:
        """The gene space."""
        return self._encoding[1]

    @property
    def parts(self) -> tuple[object, ...]:
        """The content."""
        return (self.content,)

    def __getstate__(self) -> dict[str, Any]:
        """Return what to pickle: the spaces are built again."""
        return {"content": self.content, "features": self.features}

    def start(self, seed: int, generation: int, count: int) -> Genes:
        """Draw the genes of `count` individuals."""
        return self.content.start(self.space, seed, generation, count)

    def result(self, genes: Genes) -> Iterator[Any]:
        """Decode `(n, length)` genes into contents, without those whose genes occurred before."""
        unique = {row.tobytes(): row for row in genes}
        return (self.decode(row[np.newaxis])[0] for row in unique.values())

    def decode(self, genes: Genes) -> Sequence[Any] | NDArray[np.int64]:
        """Decode `(n, length)` genes into n contents; see `Space.decode_all`."""
        return self._encoding[0].decode_all(genes)

    def evaluate(self, genes: Genes) -> Evaluation:
        """Return the scores and features of n individuals. An individual's evaluation does not
        depend on the others.
        """
        returned = self.content.assess(self.decode(genes))
        named = [name for name in self.features if name != FEASIBLE]
        for one in returned:
            missing = [] if one.failed else [name for name in named if name not in one.features]
            if missing:
                known = ", ".join(one.features) or "none"
                raise InputError(
                    f"feature {missing[0]!r}: expected a feature that the objective returns for "
                    f"every content, one of {known}"
                )
        values = np.array(
            [[one.features.get(name, np.nan) for name in named] for one in returned], np.float64
        )
        values = values.reshape(len(returned), len(named))
        # A content that failed has no features, and one may have a feature without a value (NaN):
        # these count as 0, and the content is not feasible.
        lacking = np.isnan(values)
        features: dict[str, NDArray[Any]] = dict(
            zip(named, np.where(lacking, 0.0, values).T, strict=True)
        )
        if FEASIBLE in self.features:
            met = np.array(
                [not one.failed and bool(one.features.get(FEASIBLE, True)) for one in returned],
                bool,
            )
            features[FEASIBLE] = met & ~lacking.any(axis=1)
        return Evaluation(np.array([one.score for one in returned], np.float64), features)

    def axis(self, name: str) -> tuple[float, float, float] | None:
        """Return None: the usual range of a feature is unknown."""
        return None

    @property
    def least(self) -> float:
        """The score that counts as none, 0."""
        return 0.0

    def keys(self, genes: Genes) -> Sequence[bytes]:
        """Return the genes of each individual as bytes: equal genes are equal contents."""
        return [row.tobytes() for row in np.ascontiguousarray(genes)]

"""`Content`: the base class of kinds of contents: a space, and how contents are scored."""

from __future__ import annotations

import hashlib
import json
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.errors import InputError
from levolve.genotypes.genes import NumberGenes
from levolve.objectives.returned import Returned
from levolve.settings import Part

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    from levolve.contents.spaces import Space
    from levolve.genotypes.genes import Genes


@dataclass(frozen=True)
class Content(Part):
    """A kind of content. A subclass is a frozen dataclass whose fields are its settings."""

    @abstractmethod
    def content_space(self) -> Space:
        """Return the space of the contents."""

    @abstractmethod
    def assess(self, contents: Sequence[Any] | NDArray[np.int64]) -> list[Returned]:
        """Return the score and the features of each content; `EvaluationError` names one that cannot be evaluated. Higher scores are better."""

    @property
    def goal(self) -> float | None:
        """The highest possible score, at which a run ends; None if it is unknown."""
        return None

    def gene_space(self) -> NumberGenes:
        """Return the gene space: one whole number per gene. A kind of content that can repair genes sets `repair` of it."""
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

    def picture(self, content: Any) -> Image:  # noqa: ANN401, ARG002 any content
        """Return a picture of a content."""
        message = f"content {type(self).__name__}: has no picture"
        raise InputError(message)

    def describe(self, content: Any) -> str:  # noqa: ANN401 any content
        """Return a content as text, for the terminal: JSON with one line per row of an array."""
        return _indented(plain(content))


def plain(content: Any) -> Any:  # noqa: ANN401 any content
    """Return a content as JSON-compatible data: arrays as lists, NumPy numbers as numbers."""
    if isinstance(content, np.ndarray | np.generic):
        return content.tolist()
    if isinstance(content, dict):
        return {str(key): plain(value) for key, value in content.items()}
    return [plain(value) for value in content] if isinstance(content, list | tuple) else content


def canonical_bytes(content: Any) -> bytes:  # noqa: ANN401 any content
    """Return a content as bytes: JSON without spaces, with sorted keys. Equal contents have equal bytes."""
    return json.dumps(plain(content), sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest_of(content: Any) -> str:  # noqa: ANN401 any content
    """Return the SHA-256 of a content."""
    return hashlib.sha256(canonical_bytes(content)).hexdigest()


def genes_of(space: NumberGenes, genes: Sequence[int]) -> Genes:
    """Return the genes of one individual, `(1, length)`, in the type of a gene space."""
    return np.array([genes], space.dtype)


def _indented(data: Any, margin: str = "") -> str:  # noqa: ANN401 plain data
    """Return data as JSON text: one line per entry, rows of numbers on one line."""
    inner = margin + "  "
    match data:
        case dict() if data:
            entries = ",\n".join(f"{inner}{json.dumps(key)}: {_indented(value, inner)}" for key, value in data.items())
            return f"{{\n{entries}\n{margin}}}"
        case list() if any(isinstance(value, list | dict) for value in data):
            entries = ",\n".join(f"{inner}{_indented(value, inner)}" for value in data)
            return f"[\n{entries}\n{margin}]"
    return json.dumps(data)

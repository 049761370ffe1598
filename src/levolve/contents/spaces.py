"""Spaces of contents: numbers, choices, arrays, dictionaries and rows, nested as needed. A content
is encoded as whole numbers, one gene per number.

Plain Python values are spaces too: a `range` is an integer, dictionaries and lists contain spaces,
and any other value is constant.

>>> space = as_space({"size": range(3, 6), "map": Array((2, 2), range(4)), "name": "cave"})
>>> space.bounds
[3, 4, 4, 4, 4]
>>> space.decode([2, 0, 1, 2, 3])
{'size': 5, 'map': [[0, 1], [2, 3]], 'name': 'cave'}
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from levolve.core.errors import InputError, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

MOST_VALUES = 1 << 32
# More genes than this are a mistake, such as a shape in pixels.
MOST_GENES = 1 << 20


class Space(ABC):
    """A space: a frozen dataclass that can be written as plain data with a `kind`."""

    kind: ClassVar[str]

    @property
    @abstractmethod
    def bounds(self) -> list[int]:
        """The number of values of each gene, in order. A constant has no gene."""

    @abstractmethod
    def read(self, genes: Iterator[int]) -> Any:
        """Take the genes of one content from an iterator, and decode them."""

    @abstractmethod
    def encode(self, content: Any) -> list[int]:
        """Return the genes of a content; raise `InputError` for one that is not of this space."""

    def to_data(self) -> dict[str, Any]:
        """Return the space as plain data: its kind and its fields."""
        return {"kind": self.kind, **{name: _plain(value) for name, value in vars(self).items()}}

    @property
    def grid(self) -> tuple[int, int] | None:
        """(height, width) if the first genes are the cells of a grid in reading order."""
        return None

    def decode(self, genes: Sequence[int]) -> Any:
        """Decode the genes of one content, plain Python numbers."""
        return self.read(iter(genes))

    def decode_all(self, genes: NDArray[Any]) -> Sequence[Any] | NDArray[np.int64]:
        """Decode `(n, genes)` into n contents; a list, or an `(n, ...)` array if the contents are
        arrays of numbers.
        """
        return [self.decode(row) for row in genes.tolist()]

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Accept spaces, plain Python values, and data as settings."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(as_space)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) if isinstance(part, Space) else part for part in value]
    return value.to_data() if isinstance(value, Space) else value


def _check_number(
    content: Any, kinds: tuple[type, ...], noun: str, low: float, high: float
) -> None:
    """Raise `InputError` for a content that is no number of these kinds in the range."""
    is_number = isinstance(content, kinds) and not isinstance(content, bool)
    if not is_number or not low <= content <= high:
        raise InputError(f"content: expected a {noun} from {low} to {high}, got {shown(content)}")


@dataclass(frozen=True)
class Integer(Space):
    """A whole number from `low` to `high`, both included."""

    kind: ClassVar[str] = "integer"

    low: int
    high: int

    def __post_init__(self) -> None:
        """Raise `InputError` for an empty or too large range."""
        if not self.low <= self.high < self.low + MOST_VALUES:
            raise InputError(
                f"space: expected an integer range with 1 to {MOST_VALUES} values, got "
                f"{self.low} to {self.high}"
            )

    @property
    def bounds(self) -> list[int]:
        """One gene."""
        return [self.high - self.low + 1]

    def read(self, genes: Iterator[int]) -> int:
        """Return the number."""
        return self.low + next(genes)

    def encode(self, content: Any) -> list[int]:
        """Return the distance from `low`."""
        _check_number(content, (int, np.integer), "whole number", self.low, self.high)
        return [int(content) - self.low]


@dataclass(frozen=True)
class Number(Space):
    """A number from `low` to `high`, both included, on a scale of `steps` values."""

    kind: ClassVar[str] = "number"

    low: float
    high: float
    steps: int = 1 << 16

    def __post_init__(self) -> None:
        """Raise `InputError` for an empty range or scale."""
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high):
            given = f"{self.low} to {self.high}"
            raise InputError(f"space: expected a number range from low to high, got {given}")
        if not 2 <= self.steps <= MOST_VALUES:  # the two ends
            raise InputError(f"space: expected 2 to {MOST_VALUES} steps, got {self.steps}")

    @property
    def bounds(self) -> list[int]:
        """One gene."""
        return [self.steps]

    def read(self, genes: Iterator[int]) -> float:
        """Return the number."""
        return self.low + (self.high - self.low) * (next(genes) / (self.steps - 1))

    def encode(self, content: Any) -> list[int]:
        """Return the nearest step."""
        _check_number(content, (int, float, np.number), "number", self.low, self.high)
        return [round((float(content) - self.low) / (self.high - self.low) * (self.steps - 1))]


@dataclass(frozen=True)
class OneOf(Space):
    """One of several values: numbers, texts, or anything else that JSON can represent."""

    kind: ClassVar[str] = "one_of"

    options: tuple[Any, ...]

    def __init__(self, *options: Any) -> None:
        """Set the options: `OneOf("orc", "dragon")`."""
        if not options:
            raise InputError("space: expected at least one option to choose from, got none")
        object.__setattr__(self, "options", options)

    @property
    def bounds(self) -> list[int]:
        """One gene."""
        return [len(self.options)]

    def read(self, genes: Iterator[int]) -> Any:
        """Return the option."""
        return self.options[next(genes)]

    def encode(self, content: Any) -> list[int]:
        """Return the number of the option."""
        for number, option in enumerate(self.options):
            if type(option) is type(content) and option == content:
                return [number]
        raise InputError(
            f"content: expected one of {shown(list(self.options))}, got {shown(content)}"
        )


@dataclass(frozen=True)
class Constant(Space):
    """A value that does not vary."""

    kind: ClassVar[str] = "constant"

    value: Any = None

    @property
    def bounds(self) -> list[int]:
        """No gene."""
        return []

    def read(self, genes: Iterator[int]) -> Any:
        """Return the value."""
        return self.value

    def encode(self, content: Any) -> list[int]:
        """Return no gene, whatever the value."""
        return []


@dataclass(frozen=True)
class Array(Space):
    """An array of a shape, such as `(height, width)`, of equal elements. A content is a list of
    lists, or in a batch an array of numbers.
    """

    kind: ClassVar[str] = "array"

    shape: tuple[int, ...]
    element: Space

    def __init__(self, shape: int | Sequence[int], element: Any) -> None:
        """Set the shape, and the space of each element."""
        sides = (shape,) if isinstance(shape, int) else tuple(int(side) for side in shape)
        if not sides or min(sides) < 1:
            raise InputError(
                f"space: expected an array with sides of at least 1, got {shown(shape)}"
            )
        object.__setattr__(self, "shape", sides)
        object.__setattr__(self, "element", as_space(element))

    @property
    def bounds(self) -> list[int]:
        """The genes of all elements in reading order."""
        inner = self.element.bounds
        if prod(self.shape) * len(inner) > MOST_GENES:
            raise InputError(
                f"space: expected at most {MOST_GENES} genes, got an array of shape {self.shape}"
            )
        return inner * prod(self.shape)

    @property
    def grid(self) -> tuple[int, int] | None:
        """The shape, if it has two sides and each element is one gene."""
        if len(self.shape) != 2 or len(self.element.bounds) != 1:  # rows and columns
            return None
        return self.shape[0], self.shape[1]

    def read(self, genes: Iterator[int]) -> Any:
        """Return nested lists."""
        return self._nested(genes, self.shape)

    def _nested(self, genes: Iterator[int], shape: tuple[int, ...]) -> Any:
        if not shape:
            return self.element.read(genes)
        return [self._nested(genes, shape[1:]) for _ in range(shape[0])]

    def decode_all(self, genes: NDArray[Any]) -> Sequence[Any] | NDArray[np.int64]:
        """Return an `(n, *shape)` int64 array of integers; nested lists of any other elements."""
        if isinstance(self.element, Integer):
            return genes.astype(np.int64).reshape(len(genes), *self.shape) + self.element.low
        return super().decode_all(genes)

    def encode(self, content: Any) -> list[int]:
        """Return the genes of all elements."""
        return self._flat(content, self.shape)

    def _flat(self, content: Any, shape: tuple[int, ...]) -> list[int]:
        if not shape:
            return self.element.encode(content)
        if not isinstance(content, list | tuple | np.ndarray) or len(content) != shape[0]:
            raise InputError(
                f"content: expected an array of shape {self.shape}, got {shown(content)}"
            )
        return [gene for part in content for gene in self._flat(part, shape[1:])]


@dataclass(frozen=True)
class Dictionary(Space):
    """A dictionary with a space for the value of each key."""

    kind: ClassVar[str] = "dictionary"

    fields: tuple[tuple[str, Space], ...]

    def __init__(self, fields: Mapping[str, Any]) -> None:
        """Set the space of each key."""
        object.__setattr__(
            self, "fields", tuple((str(name), as_space(value)) for name, value in fields.items())
        )

    @property
    def bounds(self) -> list[int]:
        """The genes of all values in the order of the keys."""
        return [bound for _, space in self.fields for bound in space.bounds]

    @property
    def grid(self) -> tuple[int, int] | None:
        """The grid of the first value, whose genes come first."""
        return self.fields[0][1].grid if self.fields else None

    def read(self, genes: Iterator[int]) -> dict[str, Any]:
        """Return the dictionary."""
        return {name: space.read(genes) for name, space in self.fields}

    def encode(self, content: Any) -> list[int]:
        """Return the genes of all values."""
        names = [name for name, _ in self.fields]
        if not isinstance(content, Mapping) or set(content) != set(names):
            known = ", ".join(names)
            raise InputError(f"content: expected a dictionary with {known}, got {shown(content)}")
        return [gene for name, space in self.fields for gene in space.encode(content[name])]

    def to_data(self) -> dict[str, Any]:
        """Return the space as plain data."""
        return {"kind": self.kind, "fields": {name: space.to_data() for name, space in self.fields}}


@dataclass(frozen=True)
class Row(Space):
    """A list with a space for each of its values."""

    kind: ClassVar[str] = "row"

    values: tuple[Space, ...]

    def __init__(self, *values: Any) -> None:
        """Set the space of each value."""
        object.__setattr__(self, "values", tuple(as_space(value) for value in values))

    @property
    def bounds(self) -> list[int]:
        """The genes of all values."""
        return [bound for space in self.values for bound in space.bounds]

    def read(self, genes: Iterator[int]) -> list[Any]:
        """Return the list."""
        return [space.read(genes) for space in self.values]

    def encode(self, content: Any) -> list[int]:
        """Return the genes of all values."""
        if not isinstance(content, list | tuple) or len(content) != len(self.values):
            raise InputError(
                f"content: expected a list of {len(self.values)} values, got {shown(content)}"
            )
        pairs = zip(self.values, content, strict=True)
        return [gene for space, value in pairs for gene in space.encode(value)]


def as_space(value: Any) -> Space:
    """Return the space of a plain Python value, or of the data that `Space.to_data` returns; a
    space is returned unchanged.
    """
    if isinstance(value, Space):
        return value
    if isinstance(value, range):
        if not len(value):
            raise InputError(f"space: expected a range with values, got {value!r}")
        return Integer(value[0], value[-1]) if value.step == 1 else OneOf(*value)
    if isinstance(value, Mapping):
        kind = value.get("kind")
        if not isinstance(kind, str) or kind not in _KINDS:
            return Dictionary(value)
        try:
            return _KINDS[kind](**{name: value[name] for name in value if name != "kind"})
        except TypeError as problem:
            raise InputError(
                f"space: expected the data of a space of kind {kind!r}, got {shown(dict(value))}"
            ) from problem
    if isinstance(value, list | tuple):
        return Row(*value)
    if value is None or isinstance(value, bool | int | float | str):
        return Constant(value)
    raise InputError(
        f"space: expected a space, a range, a dictionary, a list or a constant, got {shown(value)}"
    )


_KINDS: dict[str, Callable[..., Space]] = {
    "integer": Integer,
    "number": Number,
    "one_of": lambda options: OneOf(*options),
    "constant": Constant,
    "array": Array,
    "dictionary": Dictionary,
    "row": lambda values: Row(*values),
}

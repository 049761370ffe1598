"""Settings of solvers and requests to makers: frozen dataclasses whose fields carry a sentence
each, so that they can be listed and checked.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

from levolve.core.errors import InputError
from levolve.core.registry import did_you_mean

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MEANING, READ = "meaning", "read"
Pair = tuple[int, int]
Settings = TypeVar("Settings", bound="DataclassInstance")


def setting(default: Any, meaning: str, read: Callable[[str, str], object] | None = None) -> Any:
    """A field of a settings class: its default, and a sentence about it.

    `read(name, text)` turns a text, as it is written on the command line, into the field's value.
    """
    return field(default=default, metadata={MEANING: meaning, READ: read})


def meanings(kind: "type[DataclassInstance]") -> dict[str, tuple[object, str]]:
    """The default and the sentence of every field of a settings class, by name."""
    return {entry.name: (entry.default, entry.metadata.get(MEANING, "")) for entry in fields(kind)}


def changed_settings(kind: type[Settings], changes: Mapping[str, object], what: str) -> Settings:
    """The defaults with some values changed; texts are read as their field says. An unknown name is
    refused: `what` says whose setting it is not.
    """
    known = {entry.name: entry for entry in fields(kind)}
    values = {}
    for name, value in changes.items():
        if name not in known:
            raise InputError(
                f"unknown setting {name!r} of {what}: "
                f"{did_you_mean(name, list(known)) if known else 'it has none'}"
            )
        read = known[name].metadata.get(READ)
        if isinstance(value, list):
            value = tuple(value)  # noqa: PLW2901 a list as JSON and TOML have it
        values[name] = read(name, value) if isinstance(value, str) and read is not None else value
    return kind(**values)


@dataclass(frozen=True)
class NoOptions:
    """A puzzle whose positions are read without options."""


@dataclass(frozen=True)
class ExactSettings:
    """Settings of exact search."""

    budget: int = setting(
        50_000_000, "The most positions to examine before the search is abandoned."
    )

    def __post_init__(self) -> None:
        """Check every setting."""
        check_range("budget", self.budget, 1, 1 << 60)


def check_making(count: int, tries: int) -> None:
    """Refuse a count or a number of tries out of range."""
    check_range("count", count, 1, 100_000)
    check_range("tries", tries, 1, 1 << 40)


def check_range(name: str, value: object, low: float, high: float, *, whole: bool = True) -> None:
    """Refuse a value that is not a number from `low` to `high`."""
    kind = int if whole else int | float
    if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
        raise InputError(
            f"{name}: expected {'a whole number' if whole else 'a number'} from {low:,} to "
            f"{high:,}, got {value!r}"
        )


def check_pair(name: str, value: object, low: int, high: int) -> Pair:
    """A range (least, most) of whole numbers, least not above most, both from `low` to `high`."""
    if not isinstance(value, tuple) or len(value) != 2:  # two ends
        raise InputError(f"{name}: expected two whole numbers, least and most, got {value!r}")
    check_range(f"{name}, least", value[0], low, high)
    check_range(f"{name}, most", value[1], value[0], high)
    return value


def check_switch(name: str, value: object) -> None:
    """Refuse a value that is neither true nor false."""
    if not isinstance(value, bool):
        raise InputError(f"{name}: expected true or false, got {value!r}")


def read_size(name: str, text: str) -> Pair:
    """`7x9` as (7, 9), width first."""
    return _read_pair(name, text, "x")


def read_range(name: str, text: str) -> Pair:
    """`7..9` as (7, 9); `7` as (7, 7)."""
    return (
        (int(text), int(text))
        if re.fullmatch(r"\s*\d{1,6}\s*", text)
        else _read_pair(name, text, "..")
    )


def _read_pair(name: str, text: str, sign: str) -> Pair:
    match = re.fullmatch(rf"(\d{{1,6}}){re.escape(sign)}(\d{{1,6}})", text.strip())
    if match is None:
        raise InputError(
            f"{name}: expected {'WIDTHxHEIGHT' if sign == 'x' else 'LOW..HIGH'} such as "
            f"7{sign}9, got {text!r}"
        )
    return int(match[1]), int(match[2])

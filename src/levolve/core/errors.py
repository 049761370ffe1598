"""The errors that levolve raises. A message is one paragraph: which argument, what was expected,
what was given, what to do.
"""

from __future__ import annotations

import reprlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

from levolve.core.safe_text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pydantic import ValidationError

LONGEST_INPUT = 80
LONGEST_MESSAGE = 1500
# Abbreviates long values without building their complete text first.
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = LONGEST_INPUT
_SHORT.maxlist = _SHORT.maxtuple = _SHORT.maxdict = 8
_SHORT.maxlevel = 3


class LevolveError(Exception):
    """A valid request could not be carried out."""

    exit_code = 1

    def __str__(self) -> str:
        """Return the message, which cannot control a terminal or a page.

        One that quotes too much of a file is abbreviated.
        """
        return _shortened(super().__str__())


class InputError(LevolveError, ValueError):
    """An argument, a setting or a file is not what was expected."""

    exit_code = 2


class UnknownNameError(InputError, LookupError):
    """A name that no registry entry has."""


class PlaceError(InputError):
    """A place of a level is on a tile that is not walkable."""


class ProofError(LevolveError):
    """A level has no valid proof that it can be won."""


class PluginError(LevolveError):
    """A plug-in is missing or cannot be loaded."""


class OutputError(LevolveError):
    """A file or folder could not be written."""


class StoreError(LevolveError):
    """The store of runs cannot be opened, read or written."""


class EvaluationError(LevolveError):
    """A function could not evaluate an individual.

    Parameters
    ----------
    reason
        What is wrong.
    individual
        The position of the individual in the batch given to an evaluator; None if it is not known.
    where
        The name of the function.
    """

    def __init__(self, reason: str, individual: int | None = None, where: str = "") -> None:
        """Store all three, so that the error can be pickled."""
        super().__init__(reason, individual, where)
        self.reason, self.individual, self.where = reason, individual, where

    def __str__(self) -> str:
        """Return the function, the individual and the reason."""
        named = None if self.individual is None else f"individual {self.individual}"
        return _shortened(": ".join(part for part in (self.where, named, self.reason) if part))

    def at(self, position: Callable[[int], int]) -> EvaluationError:
        """Return the error for a larger batch, in which `position` gives the place of an
        individual.
        """
        return EvaluationError(
            self.reason, None if self.individual is None else position(self.individual), self.where
        )


def _shortened(text: str) -> str:
    whole = len(text) <= LONGEST_MESSAGE
    return printable(text if whole else f"{text[: LONGEST_MESSAGE - 1]}…")


class MissingExtraError(LevolveError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, modules: tuple[str, ...], extra: str) -> None:
        """Create a message that names the command or option, the required modules, and how to
        install them from an index or in a checkout.
        """
        are = "is" if len(modules) == 1 else "are"
        super().__init__(
            f"{what}: requires {' and '.join(modules)}, which {are} not installed; run: pip "
            f"install 'levolve[{extra}]', "
            f"or in a checkout of levolve: pip install '.[{extra}]'"
        )


@contextmanager
def requiring(what: str, modules: tuple[str, ...], extra: str) -> Iterator[None]:
    """Turn a failed import of optional modules into `MissingExtraError`. `what` is the command or
    function that needs them.
    """
    try:
        yield
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] not in modules:
            raise
        raise MissingExtraError(what, modules, extra) from problem


def shown(value: object) -> str:
    """Describe a value in an error message, abbreviated if it is long: whatever a file contains,
    the message stays one paragraph.
    """
    if isinstance(value, str) and len(value) > LONGEST_INPUT:
        return f"{value[:LONGEST_INPUT]!r}…"
    try:
        text = _SHORT.repr(value)
    except ValueError:
        # Python writes no whole number of more than 4,300 digits.
        text = "a number that is too long to be shown"
    return text if len(text) <= 2 * LONGEST_INPUT else f"{text[: LONGEST_INPUT - 1]}…"


def explain(problem: ValidationError, where: str) -> str:
    """Describe a validation error in one line: where, what was expected, what was given."""
    first = problem.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    expected = (
        first["msg"]
        .removeprefix("Input should be ")
        .replace("String should have at least 1 character", "a name")
    )
    if first["type"] == "value_error":
        # One of our own messages: it already says what was expected, and may begin with the name of
        # the setting.
        sentence = first["msg"].removeprefix("Value error, ")
        return ": ".join(
            filter(
                None, [where, sentence if sentence.startswith(place) else f"{place}: {sentence}"]
            )
        )
    if first["type"] == "missing":
        # The input is the whole table, which would not help.
        return ": ".join(filter(None, [where, f"{place} is missing"]))
    return ": ".join(
        filter(None, [where, place, f"expected {expected}, got {shown(first['input'])}"])
    )

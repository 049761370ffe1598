"""Everything levolve raises on purpose. A message is one paragraph: which argument, what was expected, what came, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

LONGEST_INPUT = 80


class LevolveError(Exception):
    """The call was right, but it could not be done."""

    exit_code = 1


class InputError(LevolveError, ValueError):
    """An argument, a setting or a file is not what was expected."""

    exit_code = 2


class UnknownNameError(InputError, LookupError):
    """A name that no registry entry has."""


class PlaceError(InputError):
    """A place of a level is where nobody can stand."""


class ProofError(LevolveError):
    """A level does not hold a valid proof that it can be won."""


class OutputError(LevolveError):
    """A file or folder could not be written."""


def explain(problem: ValidationError, where: str) -> str:
    """A validation error in one line: where, what was expected, what came."""
    first = problem.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    expected = first["msg"].removeprefix("Input should be ").replace("String should have at least 1 character", "a name")
    if first["type"] == "value_error":
        # One of our own messages; it says what was expected, and names the place if nothing else does.
        sentence = first["msg"].removeprefix("Value error, ")
        return ": ".join(filter(None, [where, sentence if sentence.startswith(place) else f"{place}: {sentence}"]))
    if first["type"] == "missing":
        # What came is everything around it.
        return ": ".join(filter(None, [where, f"{place} is missing"]))
    came = repr(first["input"])
    if len(came) > LONGEST_INPUT:
        came = came[: LONGEST_INPUT - 1] + "…"
    return ": ".join(filter(None, [where, place, f"expected {expected}, got {came}"]))

"""The errors that levolve raises. A message is one paragraph: which argument, what was expected, what was given, what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

LONGEST_INPUT = 80


class LevolveError(Exception):
    """A valid request could not be carried out."""

    exit_code = 1


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


class MissingExtraError(LevolveError):
    """An optional dependency is not installed."""

    def __init__(self, what: str, modules: tuple[str, ...], extra: str) -> None:
        """Create a message that names the command or option, the required modules, and how to install them from an index or in a checkout."""
        are = "is" if len(modules) == 1 else "are"
        super().__init__(
            f"{what}: requires {' and '.join(modules)}, which {are} not installed; run: pip install 'levolve[{extra}]', "
            f"or in a checkout of levolve: pip install '.[{extra}]'"
        )


def explain(problem: ValidationError, where: str) -> str:
    """Describe a validation error in one line: where, what was expected, what was given."""
    first = problem.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    expected = first["msg"].removeprefix("Input should be ").replace("String should have at least 1 character", "a name")
    if first["type"] == "value_error":
        # One of our own messages: it already says what was expected, and may begin with the name of the setting.
        sentence = first["msg"].removeprefix("Value error, ")
        return ": ".join(filter(None, [where, sentence if sentence.startswith(place) else f"{place}: {sentence}"]))
    if first["type"] == "missing":
        # The input is the whole table, which would not help.
        return ": ".join(filter(None, [where, f"{place} is missing"]))
    given = repr(first["input"])
    if len(given) > LONGEST_INPUT:
        given = given[: LONGEST_INPUT - 1] + "…"
    return ": ".join(filter(None, [where, place, f"expected {expected}, got {given}"]))

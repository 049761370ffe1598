"""Options of puzzle commands: each is a field of the puzzle's own settings, and refused by name where the puzzle has no such field."""

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from levolve.errors import InputError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def given(kind: "type[DataclassInstance]", owner: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as values of fields of `kind`; `owner` names the puzzle in the message about an option it does not have."""
    known = [entry.name for entry in fields(kind)]
    chosen = {name: value for name, value in options.items() if value is not None and value is not False}
    for name in chosen:
        if name not in known:
            message = f"{option(name)}: {owner} do not have this option; they have {', '.join(map(option, known)) or 'none'}"
            raise InputError(message)
    return chosen


def option(name: str) -> str:
    """A field's name as an option of the command line."""
    return f"--{name.replace('_', '-')}"

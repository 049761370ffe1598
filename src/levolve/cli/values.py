"""Values of options that need no check, without pydantic.

Newer versions of Typer convert every value with pydantic, also that of an option that is not given. To load pydantic and to build a converter per
option takes 0.2 s, as long as many a command. So what is clearly right is converted here, and everything else by Typer, with its messages.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def convert_plain_values(parameters: Iterable[Any]) -> None:
    """Let parameters of Typer convert plain values themselves. Those of older versions of Typer have no descriptor, and are fast without this."""
    for parameter in parameters:
        descriptor = getattr(parameter, "type_descriptor", None)
        if descriptor is not None and "process_value" not in vars(parameter):
            parameter.process_value = _plain_or(parameter.process_value, parameter, descriptor)


def _plain_or(process: Callable[[Any, Any], Any], parameter: Any, descriptor: Any) -> Callable[[Any, Any], Any]:  # noqa: ANN401 Typer's types
    def process_value(context: Any, value: Any) -> Any:  # noqa: ANN401 Typer's types
        try:
            plain = _not_given(parameter) if value is None else _converted(value, descriptor.annotation, descriptor)
        except _NotPlainError:
            return process(context, value)
        return plain if parameter.callback is None else parameter.callback(context, parameter, plain)

    return process_value


class _NotPlainError(Exception):
    """A value that Typer has to convert, or to refuse."""


def _not_given(parameter: Any) -> tuple[()] | None:  # noqa: ANN401 Typer's type
    if parameter.required:
        raise _NotPlainError
    return () if parameter.multiple or parameter.nargs == -1 else None


def _converted(value: object, kind: object, descriptor: Any) -> object:  # noqa: ANN401 Typer's type
    match value:
        case list() | tuple() if value and kind in {list[str], list[Path]}:
            return [_converted(part, str if kind == list[str] else Path, descriptor) for part in value]
        case bool() if kind is bool:
            return value
        case int() if kind is int:
            # The default of an option.
            return value
        case str() if kind is str and descriptor.choices is None:
            return value
        case str() if kind is int and not descriptor.is_ranged and value.isascii() and value.isdigit():
            return int(value)
        case str() if kind is Path and _is_plain_file(value, descriptor.parameter_info):
            return Path(value)
    raise _NotPlainError


def _is_plain_file(path: str, requested: Any) -> bool:  # noqa: ANN401 Typer's type
    """Whether a path names a file that can be read, and nothing else is requested of it."""
    anything = requested.file_okay and not requested.writable and not requested.resolve_path and not requested.allow_dash
    return anything and os.path.isfile(path) and os.access(path, os.R_OK)  # noqa: PTH113 Path has no such test of access

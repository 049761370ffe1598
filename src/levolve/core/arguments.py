"""Keyword arguments of public functions: a mistyped one gets a hint, an old spelling a warning.

Old spellings work until 1.0.
"""

import functools
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from levolve.core.errors import InputError
from levolve.core.registry import did_you_mean
from levolve.core.safe_text import printable

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class ArgumentNameError(InputError, TypeError):
    """A function was called with a keyword that it does not have."""


def _first(given: Mapping[str, Any]) -> Any:
    return next(iter(given.values()))


@dataclass(frozen=True)
class OldSpelling:
    """Arguments of earlier versions that one argument replaces.

    Parameters
    ----------
    names
        Their names.
    new
        The name of the argument that replaces them.
    hint
        How the new argument is given, for the warning.
    value
        Returns the value of the new argument from all that were given, the new one included.
    """

    names: tuple[str, ...]
    new: str
    hint: str
    value: Callable[[Mapping[str, Any]], Any] = _first


def old_executor(given: Mapping[str, Any]) -> Any:
    """Return the `executor` that stands for `threads`, `processes` and `cluster`."""
    threads, processes = given.get("threads"), given.get("processes")
    if given.get("executor") is not None:
        return given["executor"]
    if processes is not None:
        return f"processes:{processes}"
    cluster = given.get("cluster")
    return (
        f"{cluster}:{threads}" if cluster == "local" and threads is not None else cluster or threads
    )


EXECUTOR = OldSpelling(
    ("threads", "processes", "cluster"),
    "executor",
    "a number of threads, 'processes:N', 'local' or the address of a Dask cluster",
    old_executor,
)


def named_arguments(
    *old: OldSpelling,
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Let a function refuse unknown keywords with a hint, and accept old spellings of others."""

    def decorate(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        parameters = inspect.signature(function).parameters.values()
        known = {
            each.name
            for each in parameters
            if each.kind not in {each.POSITIONAL_ONLY, each.VAR_KEYWORD}
        }
        any_name = any(each.kind is each.VAR_KEYWORD for each in parameters)
        name = function.__name__

        @functools.wraps(function)
        def call(*values: Parameters.args, **options: Parameters.kwargs) -> Result:
            if not options.keys() <= known:
                replace_old(name, old, options, stacklevel=3)
                unknown = [] if any_name else [option for option in options if option not in known]
                if unknown:
                    raise ArgumentNameError(
                        f"{name}: unknown argument {unknown[0]!r}: "
                        f"{did_you_mean(unknown[0], sorted(known))}"
                    )
            return function(*values, **options)

        return call

    return decorate


def replace_old(
    function: str, old: tuple[OldSpelling, ...], options: dict[str, Any], *, stacklevel: int = 2
) -> None:
    """Replace old spellings among the keywords of a call, each with a warning."""
    for spelling in old:
        given = {name: options.pop(name) for name in spelling.names if name in options}
        if given:
            used = " and ".join(f"{name}=" for name in given)
            sentence = (
                f"{function}: {used} is replaced by {spelling.new}=, {spelling.hint}; until 1.0 "
                "it still works"
            )
            warnings.warn(printable(sentence), FutureWarning, stacklevel=stacklevel)
            options[spelling.new] = spelling.value(
                {**given, **{key: options[key] for key in (spelling.new,) if key in options}}
            )

"""`FunctionName`: a Python function as a value of a recipe, written as `module:function`.

A recipe names code that is executed. A function given as a Python object is accepted as it is. A function given by name, as in a file, is imported
only from levolve, from installed plug-ins, and from modules that were named as plug-ins (`--plugin MODULE`, LEVOLVE_PLUGINS or `load_plugin`): a file
of someone else never imports other code.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from levolve.errors import InputError, shown
from levolve.plugins import is_plugin

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

# The prefix of functions that no other process can find by name, such as lambdas and functions of a script.
LOCAL = "local:"
_REFERENCE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")

ONE, MANY = "one", "many"


def one_level(function: AnyFunction) -> AnyFunction:
    """Mark a function as one that takes one `Level` and returns its score. By default a function takes `(n, height, width)` tiles."""
    function.takes = ONE  # type: ignore[attr-defined] # functions have attributes
    return function


def many_contents(function: AnyFunction) -> AnyFunction:
    """Mark a function as one that takes a list of n contents, or an `(n, ...)` array of them, and returns n scores.

    By default a function takes one content.
    """
    function.takes = MANY  # type: ignore[attr-defined] # functions have attributes
    return function


class FunctionName(str):
    """The name of a function, `module:function`, together with the function. It is a text wherever a recipe is written."""

    __slots__ = ("__weakref__", "function")

    function: Callable[..., Any]

    @classmethod
    def of(cls, value: object) -> FunctionName:
        """Return the name of a function, or find a function by its name; raise `InputError` if there is none, or if its module is no plug-in."""
        if isinstance(value, FunctionName):
            return value
        if isinstance(value, str):
            return _GIVEN[value] if value in _GIVEN else cls._named(value, _find(value))
        if not callable(value):
            message = f"expected a function, or its name as module:function, got {shown(value)}"
            raise InputError(message)
        return cls._of_function(value)

    @classmethod
    def _of_function(cls, function: Callable[..., Any]) -> FunctionName:
        name = public = _public_name(function)
        number = 1
        while name in _GIVEN and _GIVEN[name].function != function:
            number += 1
            name = f"{public}-{number}"
        return _GIVEN[name] if name in _GIVEN else _GIVEN.setdefault(name, cls._named(name, function))

    @classmethod
    def _named(cls, name: str, function: Callable[..., Any]) -> FunctionName:
        made = cls(name)
        made.function = function
        return made

    @property
    def is_local(self) -> bool:
        """Whether only this process knows the function."""
        return self.startswith(LOCAL)

    @property
    def module(self) -> str:
        """The module of the function."""
        return self.partition(":")[0]

    @property
    def takes(self) -> str | None:
        """Whether it is marked as taking "one" or "many"; None if it is not marked."""
        return getattr(self.function, "takes", None)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Accept functions and their names as settings."""
        from pydantic_core import core_schema  # noqa: PLC0415 not needed for parts with default settings

        return core_schema.no_info_plain_validator_function(cls.of)


# The names given to functions of this process, as long as a recipe or an objective uses them.
_GIVEN: WeakValueDictionary[str, FunctionName] = WeakValueDictionary()


def _public_name(function: Callable[..., Any]) -> str:
    """Return `module:function` if the function can be found by it, otherwise a name that begins with "local:"."""
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if module not in {None, "__main__"} and name is not None and _REFERENCE.fullmatch(f"{module}:{name}"):
        try:
            if _attribute(sys.modules[str(module)], name) is function:
                return f"{module}:{name}"
        except (KeyError, AttributeError):
            pass
    code = getattr(function, "__code__", None)
    # The same function of the same script has the same name in another process, so that states can be compared.
    digest = sha256(repr((code.co_code, code.co_names) if code is not None else type(function).__name__).encode()).hexdigest()[:8]
    return f"{LOCAL}{name or type(function).__name__}-{digest}"


def _find(name: str) -> Callable[..., Any]:
    """Import a function by its name."""
    if name.startswith(LOCAL):
        message = f"function {name}: it was defined inside a script or a function of another process, and cannot be found by name; give it in Python"
        raise InputError(message)
    if not _REFERENCE.fullmatch(name):
        message = f"expected the name of a function as module:function, got {shown(name)}"
        raise InputError(message)
    module, _, attribute = name.partition(":")
    if not is_plugin(module):
        message = (
            f"function {name}: the module {module!r} is not a plug-in, and a recipe must not import other code; "
            f"if you trust it, name it with --plugin {module} (in Python: levolve.plugins.load_plugin({module!r}))"
        )
        raise InputError(message)
    try:
        function = _attribute(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as problem:
        message = f"function {name}: {problem}"
        raise InputError(message) from problem
    if not callable(function):
        message = f"function {name}: expected a function, got {shown(function)}"
        raise InputError(message)
    home = getattr(function, "__module__", None)
    if home is None or not is_plugin(home):
        # Such as a module that a plug-in imports for its own use.
        message = f"function {name}: expected a function that the plug-in defines itself, got one of {home}"
        raise InputError(message)
    return function  # type: ignore[no-any-return] # checked above


def _attribute(module: object, path: str) -> Any:  # noqa: ANN401 any attribute
    for name in path.split("."):
        module = getattr(module, name)
    return module

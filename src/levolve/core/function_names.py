"""`FunctionName`: a Python function as a value of a recipe, written as `module:function`.

A recipe names code that is executed. A function given as a Python object is accepted as it is. A
name, as in a file, stands only for a function that a plug-in defines and marks with `one_level`,
`many_levels`, `one_content` or `many_contents`. Plug-ins are installed packages with entry points,
and modules named by `--plugin MODULE`, LEVOLVE_PLUGINS or `load_plugin`. So a file of someone else
neither imports a module nor calls a function that was not meant for it. In a process, the name of a
function that was given to it as a Python object stands for it too, as long as a recipe has it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from hashlib import sha256
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from levolve.core.errors import InputError, shown
from levolve.core.plugins import plugin_module

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])

# The prefix of functions that no other process can find by name, such as lambdas and functions of a
# script.
LOCAL = "local:"
_REFERENCE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_][\w.]*")

ONE, MANY = "one", "many"
# The meaning of a setting that is a function.
MEANING = "The function: a Python function, or module:function of a plug-in that marks it."


def one_level(function: AnyFunction) -> AnyFunction:
    """Mark a function as one that takes one `Level` and returns its score, and that recipes may
    name.
    """
    return _marked(function, ONE)


def many_levels(function: AnyFunction) -> AnyFunction:
    """Mark a function as one that takes `(n, height, width)` tiles and returns n scores, and that
    recipes may name.

    A function of levels without a mark is called in the same way, but recipes may not name it.
    """
    return _marked(function, MANY)


def one_content(function: AnyFunction) -> AnyFunction:
    """Mark a function as one that takes one content and returns its score, and that recipes may
    name.

    A function of contents without a mark is called in the same way, but recipes may not name it.
    """
    return _marked(function, ONE)


def many_contents(function: AnyFunction) -> AnyFunction:
    """Mark a function as one that takes a list of n contents, or an `(n, ...)` array of them, and
    returns n scores.

    Recipes may name it.
    """
    return _marked(function, MANY)


def _marked(function: AnyFunction, takes: str) -> AnyFunction:
    function.takes = takes  # type: ignore[attr-defined] # functions have attributes
    return function


class FunctionName(str):
    """The name of a function, `module:function`, together with the function. It is a text wherever
    a recipe is written.
    """

    __slots__ = ("__weakref__", "function")

    function: Callable[..., Any]

    @classmethod
    def of(cls, value: object) -> FunctionName:
        """Return the name of a function, or find a function by its name.

        Raises `InputError` for a name that is not that of a marked function of a plug-in.
        """
        if isinstance(value, FunctionName):
            return value
        if isinstance(value, str):
            return _BUILT_IN.get(value) or _GIVEN.get(value) or cls._named(value, _find(value))
        if not callable(value):
            raise InputError(
                f"expected a function, or its name as module:function, got {shown(value)}"
            )
        return cls._of_function(value)

    @classmethod
    def built_in(cls, name: str, function: Callable[..., Any]) -> FunctionName:
        """Return a short name, without a module, for the function that a part uses by default."""
        return _BUILT_IN.setdefault(name, cls._named(name, function))

    @classmethod
    def _of_function(cls, function: Callable[..., Any]) -> FunctionName:
        name = public = _public_name(function)
        number = 1
        while name in _GIVEN and _GIVEN[name].function != function:
            number += 1
            name = f"{public}-{number}"
        return (
            _GIVEN[name] if name in _GIVEN else _GIVEN.setdefault(name, cls._named(name, function))
        )

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
    def takes(self) -> str | None:
        """Whether it is marked as taking "one" or "many"; None if it is not marked."""
        return _mark_of(self.function)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Accept functions and their names as settings."""
        from pydantic_core import core_schema

        return core_schema.no_info_plain_validator_function(cls.of)


# The names given to functions of this process, as long as a recipe or an objective uses them.
_GIVEN: WeakValueDictionary[str, FunctionName] = WeakValueDictionary()
# The functions that parts use by default. Recipes name them without a module.
_BUILT_IN: dict[str, FunctionName] = {}


def _mark_of(function: object) -> str | None:
    mark = getattr(function, "takes", None)
    return mark if isinstance(mark, str) and mark in {ONE, MANY} else None


def _public_name(function: Callable[..., Any]) -> str:
    """Return `module:function` if the function can be found by it, otherwise a name that begins
    with "local:".
    """
    module, name = getattr(function, "__module__", None), getattr(function, "__qualname__", None)
    if (
        module not in {None, "__main__"}
        and name is not None
        and _REFERENCE.fullmatch(f"{module}:{name}")
    ):
        try:
            if _attribute(sys.modules[str(module)], name) is function:
                return f"{module}:{name}"
        except (KeyError, AttributeError):
            pass
    code = getattr(function, "__code__", None)
    # The same function of the same script has the same name in another process, so that states can
    # be compared.
    digest = sha256(
        repr(
            (code.co_code, code.co_names) if code is not None else type(function).__name__
        ).encode()
    ).hexdigest()[:8]
    return f"{LOCAL}{name or type(function).__name__}-{digest}"


def _find(name: str) -> Callable[..., Any]:
    """Return the marked function of a plug-in that has this name."""
    if name.startswith(LOCAL):
        raise InputError(
            f"function {name}: it was defined inside a script or a function of another process, "
            "and cannot be found by name; give it in Python"
        )
    if not _REFERENCE.fullmatch(name):
        raise InputError(f"expected the name of a function as module:function, got {shown(name)}")
    module, _, path = name.partition(":")
    found = plugin_module(module)
    if found is None and module.partition(".")[0] == "levolve":
        raise InputError(
            f"function {name}: expected a function of a plug-in, because no function of levolve "
            "can be named in a recipe; 'levolve parts' lists its parts"
        )
    if found is None:
        raise InputError(
            f"function {name}: the module {module!r} is not a plug-in, and a recipe must not use "
            f"other code; if you trust it, name it with --plugin {module} "
            f"(in Python: levolve.core.plugins.load_plugin({module!r}))"
        )
    try:
        function = _defined(found, path)
    except AttributeError as problem:
        raise InputError(f"function {name}: {problem}") from problem
    if not callable(function):
        raise InputError(f"function {name}: expected a function, got {shown(function)}")
    home = getattr(function, "__module__", None)
    if not isinstance(home, str) or plugin_module(home) is None:
        # Such as a function that a plug-in imports for its own use.
        raise InputError(
            f"function {name}: expected a function that the plug-in defines itself, got one of "
            f"{home}"
        )
    if _mark_of(function) is None:
        raise InputError(
            f"function {name}: expected a function that is marked for use in recipes; put one of "
            "@levolve.one_level, many_levels, one_content or many_contents above it"
        )
    return function  # type: ignore[no-any-return] # checked above


def _attribute(module: object, path: str) -> Any:
    for name in path.split("."):
        module = getattr(module, name)
    return module


def _defined(module: ModuleType, path: str) -> Any:
    """Return what a module or a class of it contains by this name. No code of an attribute runs."""
    found: Any = module
    for name in path.split("."):
        if not isinstance(found, ModuleType | type) or name not in vars(found):
            raise AttributeError(
                f"{getattr(found, '__name__', type(found).__name__)} has no attribute {name!r}"
            )
        # A static method is wrapped.
        found = getattr(vars(found)[name], "__func__", vars(found)[name])
    return found

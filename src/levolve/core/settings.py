"""Settings of parts. A part is a frozen dataclass; the annotations of its fields define which
values are accepted.

Genotypes, objectives, strategies, selections, crossovers and mutations derive from
`Configurable`, so that a part built in Python is checked exactly like one built from a recipe.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable
from dataclasses import Field, field, fields, is_dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from levolve.core.errors import InputError, explain

if TYPE_CHECKING:
    Check = Callable[[object], Any]


class CheckedType(ABCMeta):
    """The metaclass of parts, which checks the values given to a part before it is built."""

    def __call__(cls, *values: Any, **settings: Any) -> Any:
        """Build a part. Values are converted where possible, such as int to float; `InputError`
        names a setting whose value is not accepted.
        """
        if (values or settings) and is_dataclass(cls):
            if values:
                names = [
                    field.name for field in settings_of(cls) if field.init and not field.kw_only
                ]
                values = (
                    tuple(
                        checked_setting(cls, name, value)
                        for name, value in zip(names, values, strict=False)
                    )
                    + values[len(names) :]
                )
            known = _checks(cls)
            settings = {
                name: checked_setting(cls, name, value) if name in known else value
                for name, value in settings.items()
            }
        return super().__call__(*values, **settings)


class Configurable(metaclass=CheckedType):
    """The base class of the parts of a recipe. A subclass is a frozen dataclass; each field is a
    setting.

    The annotation of a field limits its values: `Annotated[float, Interval(ge=0, le=1)]`. Its
    metadata may contain `meaning`, a sentence for listings; `registry`, if the value is itself a
    part, with `many` for a tuple of parts; and `names`, the registry of the keys of a table.
    """

    @classmethod
    def fault(cls) -> str:
        """Return why this class cannot be registered, empty if it can: every setting has a
        default.
        """
        try:
            settings_of(cls)
            cls()
        except Exception as problem:  # noqa: BLE001 classes of others
            return f"expected a part whose settings have defaults, got {cls.__name__}: {problem}"
        return ""


def setting(default: Any, meaning: str) -> Any:
    """A field of a part: its default, and a sentence about it for listings."""
    return field(default=default, metadata={"meaning": meaning})


def settings_of(kind: type) -> tuple[Field[Any], ...]:
    """Return the settings of a kind of part."""
    if not is_dataclass(kind):
        raise InputError(
            f"{kind.__name__}: expected a frozen dataclass whose fields are its settings"
        )
    return _fields(kind)


# To look them up takes longer than to check a value.
_fields = lru_cache(maxsize=256)(fields)


def summary(kind: type) -> str:
    """Return the first paragraph of a class's docstring, as one line."""
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def checked_setting(kind: type, name: str, value: object, where: str | None = None) -> Any:
    """Convert a value for the setting `name` of a kind of part; if it is not accepted, raise
    `InputError`, which begins with `where` or the name.
    """
    return checked(_checks(kind)[name], value, where or name)


def checked_value(annotation: Any, value: object, where: str) -> Any:
    """Convert a value to a type; raise `InputError` if that is not possible."""
    from pydantic import TypeAdapter

    return checked(TypeAdapter(annotation).validate_python, value, where)


def checked(check: Check, value: object, where: str) -> Any:
    """Apply a check to a value; raise `InputError` if the check fails."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    try:
        return check(value)
    except TypeError as problem:
        raise InputError(f"{where}: {problem}") from problem
    except ValueError as problem:
        from pydantic import ValidationError

        if not isinstance(problem, ValidationError):
            raise
        raise InputError(explain(problem, where)) from problem


@lru_cache(maxsize=256)
def _checks(kind: type) -> dict[str, Check]:
    from pydantic import TypeAdapter

    hints = get_type_hints(kind, include_extras=True)
    return {
        field.name: _instance_check(field, hints[field.name])
        if "registry" in field.metadata
        else TypeAdapter(hints[field.name]).validate_python
        for field in settings_of(kind)
    }


def _instance_check(field: Field[Any], hint: Any) -> Check:
    """Return a check for settings that are parts: the value must be an instance of the right
    class.
    """
    many = "many" in field.metadata
    wanted = get_args(hint)[0] if many else hint

    def check(value: object) -> object:
        if many and not isinstance(value, list | tuple):
            raise TypeError(f"expected a tuple of objects of {wanted.__name__}, got {value!r}")
        for part in value if isinstance(value, list | tuple) and many else (value,):
            if not isinstance(part, wanted):
                raise TypeError(f"expected an object of {wanted.__name__}, got {part!r}")
        return tuple(value) if isinstance(value, list | tuple) and many else value

    return check

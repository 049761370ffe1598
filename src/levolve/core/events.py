"""Events: the progress reports of searches, solvers and builders, as plain data.

Every kind of event is a frozen dataclass derived from `Event`. Library functions take `watch`, a
callback that receives each event; the command line and the studio only present them.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar


@dataclass(frozen=True)
class Event:
    """The base class of events. A subclass sets `kind`, its name in `to_data`; its fields are plain
    values or objects with `to_data`.
    """

    kind: ClassVar[str] = "event"

    def to_data(self) -> dict[str, Any]:
        """Return the event as JSON-compatible data: its kind as `event`, then its fields."""
        return {
            "event": self.kind,
            **{field.name: _plain(getattr(self, field.name)) for field in fields(self)},
        }


Watch = Callable[[Event], None]


def _plain(value: Any) -> Any:
    if hasattr(value, "to_data"):
        return value.to_data()
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {str(key): _plain(part) for key, part in value.items()}
    return value.item() if hasattr(value, "item") else value

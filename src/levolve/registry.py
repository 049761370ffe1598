"""Named registries: one per noun, an entry is one line. Entries are imported when they are first asked for."""

import difflib
import importlib
from collections.abc import Iterator
from typing import Generic, TypeVar, cast

from levolve.errors import UnknownNameError

Entry = TypeVar("Entry")


def did_you_mean(name: str, known: list[str]) -> str:
    """The end of an error message about an unknown name: the nearest known one, and all of them."""
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return f"{hint}Known: {', '.join(known)}"


class Registry(Generic[Entry]):
    """Entries by name. An entry is given as the object itself or as `module:attribute`, which is imported on first use."""

    def __init__(self, noun: str, entries: dict[str, str]) -> None:
        """Start a registry for `noun`, such as "genotype", used in error messages."""
        self.noun = noun
        self._entries: dict[str, Entry | str] = dict(entries)

    def add(self, name: str, entry: Entry) -> None:
        """Register an entry of your own. A name that is taken is refused: a recipe must not change its meaning."""
        if name in self._entries:
            message = f"{self.noun} {name!r} is already registered; choose another name"
            raise UnknownNameError(message)
        self._entries[name] = entry

    def __getitem__(self, name: str) -> Entry:
        """The entry called `name`."""
        if name not in self._entries:
            message = f"unknown {self.noun} {name!r}: {did_you_mean(str(name), list(self))}"
            raise UnknownNameError(message)
        entry = self._entries[name]
        if isinstance(entry, str):
            module, attribute = entry.split(":")
            entry = cast("Entry", getattr(importlib.import_module(module), attribute))
            self._entries[name] = entry
        return entry

    def name_of(self, entry: Entry) -> str:
        """The name an entry is registered under."""
        for name in self:
            if self[name] is entry:
                return name
        message = f"{entry!r} is not a registered {self.noun}"
        raise UnknownNameError(message)

    def __contains__(self, name: object) -> bool:
        """Whether an entry has this name."""
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        """The names, in the order they were registered."""
        return iter(self._entries)

    def __len__(self) -> int:
        """How many entries there are."""
        return len(self._entries)

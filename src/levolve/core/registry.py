"""Registries of named entries, one per noun. An entry is one line, and is imported on first use."""

import difflib
import importlib
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from levolve.core.errors import LONGEST_INPUT, InputError, PluginError, UnknownNameError, shown
from levolve.core.plugins import (
    BUILT_IN,
    Source,
    bridge_entries,
    entry_points,
    load_named_plugins,
    module_source,
    warn,
)

Entry = TypeVar("Entry")


# The most characters of known names in a message, if a command lists them; and how many of more
# names are shown.
MOST_LISTED, FIRST = 100, 3


def did_you_mean(name: str, known: list[str], listing: str = "") -> str:
    """Return the end of an error message about an unknown name: the most similar known name, and
    all known names.

    If these are many and `listing` is a command that lists them, the command is named instead.
    """
    near = near_names(name, known)
    hint = f"did you mean {near[0]!r}? " if near else ""
    names = ", ".join(known)
    if not listing or len(names) <= MOST_LISTED:
        return f"{hint}Known: {names}"
    first = "" if near else f"Known: {', '.join(known[:FIRST])}, …; "
    return f"{hint}{first}'{listing}' lists all {len(known)}"


def near_names(name: str, known: list[str]) -> list[str]:
    """Return the most similar known name, if there is one."""
    # A long name, as a damaged file may contain, is like no other, and the comparison would take
    # long.
    return difflib.get_close_matches(name, known, n=1) if len(name) <= LONGEST_INPUT else []


class Reference(str):
    """An entry that is not loaded yet: `module:attribute`, or `package:file.toml` for data in a
    file of a package.
    """

    __slots__ = ()

    @property
    def module(self) -> str:
        """The module or package to import."""
        return self.partition(":")[0].strip()

    def load(self) -> Any:
        """Import the module and take the attribute, or read the file."""
        attribute = self.partition(":")[2].strip()
        if attribute.endswith(".toml"):
            import tomllib
            from importlib import resources

            return tomllib.loads(
                (resources.files(self.module) / attribute).read_text(encoding="utf-8")
            )
        value: Any = importlib.import_module(self.module)
        for name in filter(None, attribute.split(".")):
            value = getattr(value, name)
        return value


class Registry(Generic[Entry]):
    """Entries by name: built-in ones, those of installed plug-ins, and those added in Python.

    Entry points are read only when an unknown name is looked up, or when the names are listed. A
    plug-in that cannot be loaded is skipped with a warning; looking its name up raises
    `PluginError`.
    """

    def __init__(
        self,
        noun: str,
        entries: Mapping[str, str],
        group: str | None = None,
        *,
        kinds: Sequence[str] = (),
        classes: str = "",
    ) -> None:
        """Create a registry.

        Parameters
        ----------
        noun
            What the entries are, such as "genotype"; used in messages.
        entries
            Names and references `module:attribute`, imported on first use.
        group
            The entry point group of installed plug-ins; None if plug-ins cannot extend this
            registry.
        kinds
            References of classes, of one of which an entry of a plug-in must be an instance.
        classes
            The reference of the class of which an entry of a plug-in must be a subclass.
        """
        self.noun = noun
        self._entries: dict[str, Entry | Reference] = {
            name: Reference(reference) for name, reference in entries.items()
        }
        self._sources: dict[str, Source] = dict.fromkeys(entries, BUILT_IN)
        # What is wrong with entries of plug-ins; empty if nothing is.
        self._faults: dict[str, str] = {}
        self._group = group
        self._kinds = tuple(map(Reference, kinds))
        self._classes = Reference(classes)
        self._discovered = group is None

    def add(self, name: str, entry: Entry) -> None:
        """Register an entry. A registered name is never replaced, because the meaning of a recipe
        must not change.

        Adding the same entry again does nothing.
        """
        if name in self:
            if self._entries[name] is entry:
                return
            raise UnknownNameError(
                f"{self.noun} {name!r} is already registered ({self._sources[name]}); choose "
                "another name"
            )
        if wrong := self._wrong(entry):
            raise InputError(f"{self.noun} {name!r}: {wrong}")
        self._sources[name] = module_source(str(sys._getframe(1).f_globals.get("__name__", "")))  # noqa: SLF001 the calling module is recorded as the source
        self._entries[name] = entry

    def _discover(self) -> None:
        """Read the entries of bridges and the entry points of installed packages, without importing
        them.
        """
        if self._discovered or self._group is None:
            return
        load_named_plugins()
        for name, reference in bridge_entries(self._group).items():
            self._sources.setdefault(name, BUILT_IN)
            self._entries.setdefault(name, Reference(reference))
        for source, name, reference in entry_points(self._group):
            owner = self._sources.setdefault(name, source)
            if owner is source or owner == source:
                self._entries.setdefault(name, Reference(reference))
            else:
                warn(
                    f"{source} {self.noun} {name}",
                    (
                        f"plug-in {source}: its {self.noun} {name!r} is left out, because "
                        f"{self.noun} {name!r} is registered already ({owner})"
                    ),
                )
        self._discovered = True

    def __getitem__(self, name: str) -> Entry:
        """Return the entry called `name`."""
        if name not in self:
            raise UnknownNameError(f"unknown {self.noun} {shown(name)}: {self.hint(str(name))}")
        entry = self._entries[name]
        if not isinstance(entry, Reference):
            return entry
        loaded: Entry
        if self._sources[name] == BUILT_IN:
            loaded = entry.load()
        else:
            if name not in self._faults:
                self._faults[name], loaded = self._tried(entry)
            if self._faults[name]:
                raise PluginError(
                    f"plug-in {self._sources[name]}: its {self.noun} {name!r} ({entry}) "
                    f"{self._faults[name]}; update or uninstall that package"
                )
        self._entries[name] = loaded
        return loaded

    def _tried(self, entry: Reference) -> tuple[str, Any]:
        """Return what is wrong with an entry of a plug-in, empty if nothing is, and the entry."""
        try:
            loaded = entry.load()
            wrong = self._wrong(loaded)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # noqa: BLE001 anything that other code raises, such as SystemExit
            return f"cannot be loaded: {type(problem).__name__}: {problem}", None
        return wrong and f"cannot be used: {wrong}", loaded

    def _wrong(self, entry: object) -> str:
        """Return why an object cannot be an entry, empty if it can."""
        if self._kinds:
            kinds = tuple(kind.load() for kind in self._kinds)
            if isinstance(entry, type) or not isinstance(entry, kinds):
                return (
                    f"expected a {' or '.join(kind.__name__ for kind in kinds)}, got {shown(entry)}"
                )
        if not self._classes:
            return ""
        base = self._classes.load()
        if not (isinstance(entry, type) and issubclass(entry, base)):
            return f"expected a subclass of {base.__name__}, got {shown(entry)}"
        if inspect.isabstract(entry):
            lacking = ", ".join(sorted(getattr(entry, "__abstractmethods__", ())))
            return f"expected a class that defines {lacking}, got {shown(entry)}"
        check = getattr(entry, "fault", None)
        return str(check()) if inspect.ismethod(check) else ""

    def hint(self, name: str) -> str:
        """Return the end of an error message about an unknown name; see `did_you_mean`."""
        # `levolve parts` calls the entries as their group is called.
        return did_you_mean(
            name,
            list(self),
            "" if self._group is None else f"levolve parts {self._group.removeprefix('levolve.')}",
        )

    def origin_of(self, name: str) -> Source:
        """Return the source of the entry called `name`: levolve, a package with its version, or a
        module.
        """
        if name not in self:
            self[name]  # raises UnknownNameError with all known names
        return self._sources[name]

    def name_of(self, entry: Entry) -> str:
        """Return the name under which an entry is registered."""
        for complete in (False, True):
            if complete:
                self._discover()
            for name, known in list(self._entries.items()):
                # The module of an existing entry is already loaded, so no other module has to be
                # imported.
                if known is entry or (
                    isinstance(known, Reference)
                    and known.module in sys.modules
                    and self._works(name)
                    and self[name] is entry
                ):
                    return name
        raise UnknownNameError(f"{entry!r} is not a registered {self.noun}")

    def broken(self) -> dict[str, str]:
        """Return the names of plug-in entries that cannot be loaded, each with the reason."""
        self._discover()
        return {name: sentence for name in self._entries if (sentence := self._fault(name))}

    def _fault(self, name: str) -> str:
        if self._sources[name] == BUILT_IN or not isinstance(self._entries[name], Reference):
            return ""
        try:
            self[name]
        except PluginError as problem:
            return str(problem)
        return ""

    def _works(self, name: str) -> bool:
        """Whether an entry can be loaded. Built-in entries always can; an entry of a plug-in is
        tried, and a warning is given if it fails.
        """
        fault = self._fault(name)
        if fault:
            warn(self._sources[name], fault)
        return not fault

    def __contains__(self, name: object) -> bool:
        """Whether there is an entry with this name."""
        if not isinstance(name, str):
            return False
        if name not in self._entries:
            self._discover()
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, built-in ones first. Plug-ins that cannot be loaded are skipped
        with a warning.
        """
        self._discover()
        return iter([name for name in list(self._entries) if self._works(name)])

    def __len__(self) -> int:
        """Return the number of entries."""
        return sum(1 for _ in self)

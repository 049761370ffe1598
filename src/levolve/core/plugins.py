"""Plug-ins: installed packages that declare their parts as entry points, and modules loaded by name
during development.

A package lists its parts in entry point groups such as `levolve.genotypes`. A registry reads its
group when an unknown name is looked up, or when its names are listed. A module in development
registers its parts with `REGISTRY.add`, and is named by `--plugin MODULE` or the environment
variable LEVOLVE_PLUGINS.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from levolve.core.errors import InputError, LevolveError, PluginError
from levolve.core.safe_text import printable
from levolve.version import VERSION

if TYPE_CHECKING:
    from importlib.metadata import Distribution
    from types import ModuleType

# Modules to load, separated like the folders of PYTHONPATH. Child processes load them too.
VARIABLE = "LEVOLVE_PLUGINS"
MODULE = "module:"


class PluginWarning(UserWarning):
    """A plug-in is skipped because it cannot be loaded."""


@dataclass(frozen=True)
class Source:
    """The source of an entry of a registry: levolve itself, an installed package, or a module that
    was loaded by name.
    """

    kind: Literal["built-in", "package", "module"] = "built-in"
    name: str = "levolve"
    version: str = VERSION

    def __str__(self) -> str:
        """Return `built-in`, the package with its version, or the module."""
        match self.kind:
            case "built-in":
                return "built-in"
            case "package":
                return f"{self.name} {self.version}"
        return f"module {self.name}"

    @property
    def key(self) -> str:
        """The name of this plug-in in the origin of a level: that of the package, or `module:` and
        that of the module.
        """
        return f"{MODULE}{self.name}" if self.kind == "module" else self.name


BUILT_IN = Source()


@lru_cache(maxsize=1)
def _entry_points() -> Mapping[str, list[tuple[Source, str, str]]]:
    from importlib import metadata

    groups: dict[str, list[tuple[Source, str, str]]] = {}
    packages: set[str] = set()
    for distribution in metadata.distributions():
        try:
            source, points = _read(distribution)
        except Exception as problem:  # noqa: BLE001 any damage to files of a package
            folder = str(getattr(distribution, "_path", "of unknown place"))
            message = (
                f"plug-in {folder}: its metadata cannot be read: {_failure(problem)}; install "
                "that package again, or delete this folder"
            )
            _broken[folder] = message
            warn(folder, message)
            continue
        # If a package is installed twice, Python imports the first one on its path.
        if points and source.name not in packages:
            packages.add(source.name)
            for group, name, value in points:
                groups.setdefault(group, []).append((source, name, value))
    return {
        group: sorted(found, key=lambda entry: (entry[0].name, entry[1]))
        for group, found in groups.items()
    }


def _read(distribution: Distribution) -> tuple[Source, list[tuple[str, str, str]]]:
    """Return a package and its entry points: group, name and reference."""
    try:
        text = distribution.read_text("entry_points.txt") or ""
    except UnicodeDecodeError as problem:
        if b"levolve." in problem.object:
            raise
        text = ""
    if "levolve." not in text:
        # Most packages: nothing has to be parsed.
        return BUILT_IN, []
    found = [(point.group, point.name, point.value) for point in distribution.entry_points]
    points = [point for point in found if point[0].startswith("levolve.")]
    # Versions of Python differ in what they do without metadata: an exception, or None.
    name, version = distribution.name, distribution.version
    if not isinstance(name, str) or not name or not isinstance(version, str):
        raise PluginError("expected METADATA with a name and a version")
    return Source("package", name, version), points


def entry_points(group: str) -> list[tuple[Source, str, str]]:
    """Return the entry points of a group: for each the package, the name and the reference
    `module:attribute`.
    """
    return _entry_points().get(group, [])


@lru_cache(maxsize=1)
def _bridges() -> Mapping[str, Mapping[str, str]]:
    import tomllib
    from importlib import resources

    return tomllib.loads(
        (resources.files("levolve") / "bridges" / "entries.toml").read_text(encoding="utf-8")
    )


def bridge_entries(group: str) -> Mapping[str, str]:
    """Return what the bridges of levolve add to a registry, by the group of its entry points: names
    and references `module:attribute`.
    """
    return _bridges().get(group, {})


def load_plugin(plugin: str) -> None:
    """Import a plug-in in development, which registers its parts with `REGISTRY.add`. Loading it
    again has no effect.

    Parameters
    ----------
    plugin
        The name of a module on the Python path, or the path of a `.py` file. Child processes load
        it too.
    """
    name, known = _module_name(plugin)
    try:
        importlib.import_module(name)
    except KeyboardInterrupt:
        raise
    except LevolveError as problem:
        raise PluginError(f"plug-in {plugin}: {problem}") from problem
    except BaseException as problem:  # such as SystemExit
        if isinstance(problem, ModuleNotFoundError) and problem.name == name:
            raise InputError(
                f"plug-in {plugin}: expected a module on the Python path, or the path of a .py "
                f"file such as ./{name}.py; there is no such module"
            ) from problem
        raise PluginError(f"plug-in {plugin}: cannot be loaded: {_failure(problem)}") from problem
    named = named_plugins()
    if known not in named:
        os.environ[VARIABLE] = os.pathsep.join([*named, known])


def load_named_plugins() -> None:
    """Load the modules named in LEVOLVE_PLUGINS; one that cannot be loaded is skipped with a
    warning.
    """
    for plugin in named_plugins():
        if plugin in _broken:
            continue
        try:
            load_plugin(plugin)
        except LevolveError as problem:
            _broken[plugin] = f"{VARIABLE}: {problem}"
            warn(plugin, _broken[plugin])


# Plug-ins that could not be read or loaded, each with the reason. They are not tried again.
_broken: dict[str, str] = {}


def broken_plugins() -> dict[str, str]:
    """Return the packages and named modules that cannot be used at all, each with the reason."""
    load_named_plugins()
    _entry_points()
    return dict(_broken)


def _failure(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"


def named_plugins() -> list[str]:
    """Return the modules and files named in LEVOLVE_PLUGINS, including those loaded by
    `load_plugin`.
    """
    return [name for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]


def _module_name(plugin: str) -> tuple[str, str]:
    """Return the module name of a plug-in, and the name that other processes can load. The folder
    of a file is added to the Python path.
    """
    if not plugin.endswith(".py"):
        return plugin, plugin
    path = Path(plugin).resolve()
    if not path.is_file():
        raise InputError(
            f"plug-in {plugin}: expected the path of a Python file; there is no such file"
        )
    if not path.stem.isidentifier():
        raise InputError(
            f"plug-in {plugin}: expected a file name of letters, digits and _ before .py, got "
            f"{path.stem!r}; rename the file"
        )
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
        importlib.invalidate_caches()
    found = sys.modules.get(path.stem) or importlib.util.find_spec(path.stem)
    file = getattr(found, "__file__", None) or getattr(found, "origin", None)
    if file is None or Path(file).resolve() != path:
        other = file or "part of Python"
        raise InputError(
            f"plug-in {plugin}: expected a file name that no other module has, got "
            f"{path.stem!r}, which is {other}; rename the file"
        )
    return path.stem, str(path)


_warned: set[str] = set()


def warn(plugin: object, message: str) -> None:
    """Warn about a skipped plug-in, once per plug-in."""
    if str(plugin) not in _warned:
        _warned.add(str(plugin))
        warnings.warn(printable(message), PluginWarning, stacklevel=2)


def module_source(name: str) -> Source:
    """Return the source of the entries of a module: its top-level package. Without `__version__`,
    the version is a digest of the file.
    """
    package = name.partition(".")[0]
    if package == "levolve":
        return BUILT_IN
    if getattr(sys.modules.get(package), "__file__", None) is None:
        # A namespace package, which has neither a file nor a version.
        package = name
    return Source("module", package, _module_version(package) or "")


def _module_version(name: str) -> str | None:
    """Return the version of a loaded module; None if it is not loaded."""
    module = sys.modules.get(name)
    if module is None:
        return None
    version = getattr(module, "__version__", None)
    if version is not None:
        return str(version)
    file = getattr(module, "__file__", None)
    import hashlib

    return (
        f"sha256:{hashlib.sha256(Path(file).read_bytes()).hexdigest()[:12]}" if file else "unknown"
    )


def present_version(plugin: str) -> str | None:
    """Return the installed or loaded version of a plug-in, by its key in the origin of a level;
    None if it is missing.
    """
    if plugin.startswith(MODULE):
        load_named_plugins()
        return _module_version(plugin.removeprefix(MODULE))
    from importlib import metadata

    try:
        return metadata.version(plugin)
    except Exception:  # noqa: BLE001 not installed, or its metadata is damaged
        return None


def present_plugins() -> dict[str, str]:
    """Return all installed or loaded plug-ins: their keys and versions."""
    load_named_plugins()
    packages = {
        source.key: source.version for found in _entry_points().values() for source, _, _ in found
    }
    modules = [module_source(_stem(plugin)) for plugin in named_plugins()]
    return packages | {source.key: source.version for source in modules if source.version}


def require_plugins(plugins: Mapping[str, str]) -> None:
    """Raise `PluginError` unless all these plug-ins, given as key and version, are installed or
    loaded, in any version.
    """
    for plugin, version in plugins.items():
        if present_version(plugin) is None:
            raise PluginError(
                f"this level requires the plug-in {_described(plugin, version)}, which is not "
                f"{_remedy(plugin, version)}"
            )


def other_versions(plugins: Mapping[str, str]) -> list[str]:
    """Return a sentence for each of these plug-ins that is present in another version."""
    found = {plugin: present_version(plugin) for plugin in plugins}
    return [
        (
            f"it was made with the plug-in {_described(plugin, version)}, but {found[plugin]} is "
            "installed"
        )
        for plugin, version in plugins.items()
        if found[plugin] not in {None, version}
    ]


def _described(plugin: str, version: str) -> str:
    return (
        f"module {plugin.removeprefix(MODULE)} ({version})"
        if plugin.startswith(MODULE)
        else f"{plugin} {version}"
    )


def _remedy(plugin: str, version: str) -> str:
    if plugin.startswith(MODULE):
        return (
            f"loaded; name it with --plugin {plugin.removeprefix(MODULE)}, or with the path of "
            "its file"
        )
    return f"installed; install that package: pip install '{plugin}=={version}', or from its source"


def plugin_module(name: str) -> ModuleType | None:
    """Return a module that belongs to a plug-in, whose functions a file may name; None for any
    other.

    These are the modules named as plug-ins, those that entry points of installed packages name, and
    the modules below either that they import. No module of levolve is one, and nothing else is
    imported: a file that names a module does not run it.
    """
    top = name.partition(".")[0]
    if top == "levolve":
        return None
    load_named_plugins()
    for plugin in named_plugins():
        module = _stem(plugin)
        if name == module or name.startswith(f"{module}."):
            return sys.modules.get(name)
    references = [reference for found in _entry_points().values() for _, _, reference in found]
    modules = dict.fromkeys(reference.partition(":")[0].strip() for reference in references)
    own = [module for module in modules if module.partition(".")[0] == top]
    for module in own:
        try:
            importlib.import_module(module)
        except KeyboardInterrupt:
            raise
        except BaseException as problem:  # noqa: BLE001 anything that other code raises
            warn(f"import {module}", f"plug-in {module}: cannot be loaded: {_failure(problem)}")
    return sys.modules.get(name) if own else None


def _stem(plugin: str) -> str:
    """Return the name of the module of a plug-in that is named by a module or by a file."""
    return Path(plugin).stem if plugin.endswith(".py") else plugin

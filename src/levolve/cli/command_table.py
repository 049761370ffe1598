"""The commands of `levolve`, imported when they are called: a list of them, or one of them, does
not load the others.

Values of options that need no check, without pydantic.

Newer versions of Typer convert every value with pydantic, also that of an option that is not given.
To load pydantic and to build a converter per option takes 0.2 s, as long as many a command. So what
is clearly right is converted here, and everything else by Typer, with its messages.
"""

import functools
import importlib
import inspect
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command


def convert_plain_values(parameters: Iterable[Any]) -> None:
    """Let parameters of Typer convert plain values themselves. Those of older versions of Typer
    have no descriptor, and are fast without this.
    """
    for parameter in parameters:
        descriptor = getattr(parameter, "type_descriptor", None)
        if descriptor is not None and "process_value" not in vars(parameter):
            parameter.process_value = _plain_or(parameter.process_value, parameter, descriptor)


def _plain_or(
    process: Callable[[Any, Any], Any], parameter: Any, descriptor: Any
) -> Callable[[Any, Any], Any]:
    def process_value(context: Any, value: Any) -> Any:
        try:
            plain = (
                _not_given(parameter)
                if value is None
                else _converted(value, descriptor.annotation, descriptor)
            )
        except _NotPlainError:
            return process(context, value)
        return (
            plain if parameter.callback is None else parameter.callback(context, parameter, plain)
        )

    return process_value


class _NotPlainError(Exception):
    """A value that Typer has to convert, or to refuse."""


def _not_given(parameter: Any) -> tuple[()] | None:
    if parameter.required:
        raise _NotPlainError
    return () if parameter.multiple or parameter.nargs == -1 else None


def _converted(value: object, kind: object, descriptor: Any) -> object:
    match value:
        case list() | tuple() if value and kind in {list[str], list[Path]}:
            return [
                _converted(part, str if kind == list[str] else Path, descriptor) for part in value
            ]
        case bool() if kind is bool:
            return value
        case int() if kind is int:
            # The default of an option.
            return value
        case str() if kind is str and descriptor.choices is None:
            return value
        case str() if (
            kind is int and not descriptor.is_ranged and value.isascii() and value.isdigit()
        ):
            return int(value)
        case str() if kind is Path and _is_plain_file(value, descriptor.parameter_info):
            return Path(value)
    raise _NotPlainError


def _is_plain_file(path: str, requested: Any) -> bool:
    """Whether a path names a file that can be read, and nothing else is requested of it."""
    anything = (
        requested.file_okay
        and not requested.writable
        and not requested.resolve_path
        and not requested.allow_dash
    )
    return anything and os.path.isfile(path) and os.access(path, os.R_OK)  # noqa: PTH113 Path has no such test of access


# The name of each command and the first paragraph of its help.
COMMANDS = {
    "demo": (
        "Build a pack of 24 levels from several recipes, easy to hard, and a page to play them. "
        "No browser is opened."
    ),
    "recipes": (
        "List the recipes of levolve and of installed plug-ins, one per line, or print one recipe."
    ),
    "parts": (
        "List genotypes, objectives, formats, puzzles, fashion rules and all else that has a "
        "name, with settings and where each comes from."
    ),
    "evolve": "Evolve a level with a recipe, and show the best one.",
    "furnish": (
        "Place keys, doors, treasure, monsters and other things in a level of any format, which "
        "itself does not change."
    ),
    "breed": (
        "Breed levels by picking favourites from sheets. Reads commands from the terminal or a "
        "pipe; 'help' lists them."
    ),
    "pack": (
        "Build a pack of distinct, proven winnable levels that meet their targets, and a page to "
        "play them."
    ),
    "join": (
        "Join packs into a new one, in the order of difficulty. Every level keeps its origin, "
        "and 'levolve replay' regenerates it."
    ),
    "compare": (
        "Compare recipes with a rank test, all with the same size, places, objective and number "
        "of evaluations."
    ),
    "range": (
        "Show the expressive range of recipes: where their levels lie between two measures, and "
        "how much the recipes overlap."
    ),
    "illuminate": (
        "Find the best level for every combination of two measures, and show which combinations "
        "there are."
    ),
    "meta": (
        "Evolve the settings of a recipe: each set of settings is scored by whole runs, and the "
        "best set is written as a recipe."
    ),
    "solve": (
        "Solve a position of a puzzle: a sliding puzzle, a round of Reach the Flag, or any other "
        "puzzle that is registered."
    ),
    "make": "Make new puzzles of a requested difficulty, each with a proof that it can be solved.",
    "map": (
        "Make a map by a fashion rule: a record file, a .toml or .json rule file, or a shipped "
        "name."
    ),
    "rules": (
        "List the fashion rules that come with levolve, one line each with a strip of a map: for "
        "'levolve map' and 'levolve fingerprint'."
    ),
    "fingerprint": (
        "Print the behaviour fingerprints of rules. Rules with the same fingerprint behave "
        "identically on every map."
    ),
    "show": "Show the picture, measures, solution and origin of a level or puzzle.",
    "play": (
        "Play a level on the terminal: with keys and doors, levers and gates, monsters and "
        "treasure."
    ),
    "check": (
        "Check files: replay the solution of each and measure it; for a puzzle also report what "
        "exact search finds, such as soft locks."
    ),
    "convert": (
        "Convert a file: levels to any format (see 'levolve parts formats'); records to "
        "pictures, arrays, rules and levels."
    ),
    "replay": (
        "Regenerate the level of a file from its recipe and seed, and compare the bytes. For a "
        "level of a pack, the whole pack is regenerated."
    ),
    "resume": (
        "Continue an interrupted run. Result and files are the same as without the interruption."
    ),
    "studio": (
        "Open the studio: a page on this computer only. Runs are stored, and continue when the "
        "page is closed."
    ),
    "prepare": (
        "Compile all kernels now, so that no later command waits for them. Needed once per "
        "version; fast if already compiled."
    ),
    "bench": "Measure speed on this machine: evolution compared with other libraries, "
    "every measure, "
    "growth with size, packs, puzzles, threads and start-up.",
    "runs": "List stored runs, show, plot, delete, export and repair them.",
}
# The function, or the group, of each command.
HOMES = {
    "demo": "levolve.cli.commands.packs:demo",
    "recipes": "levolve.cli.commands.lists:recipes",
    "parts": "levolve.cli.commands.lists:parts",
    "evolve": "levolve.cli.commands.evolve:evolve",
    "furnish": "levolve.cli.commands.furnish:furnish",
    "breed": "levolve.cli.commands.breed:breed",
    "pack": "levolve.cli.commands.pack:pack",
    "join": "levolve.cli.commands.packs:join",
    "compare": "levolve.cli.commands.compare:compare",
    "range": "levolve.cli.commands.range:range",
    "illuminate": "levolve.cli.commands.illuminate:illuminate",
    "meta": "levolve.cli.commands.tune:meta",
    "solve": "levolve.cli.commands.puzzles:solve",
    "make": "levolve.cli.commands.puzzles:make",
    "map": "levolve.cli.commands.map:map",
    "rules": "levolve.cli.commands.lists:rules",
    "fingerprint": "levolve.cli.commands.lists:fingerprint",
    "show": "levolve.cli.commands.files:show",
    "play": "levolve.cli.commands.play:play",
    "check": "levolve.cli.commands.files:check",
    "convert": "levolve.cli.commands.files:convert",
    "replay": "levolve.cli.commands.files:replay",
    "resume": "levolve.cli.commands.runs:resume",
    "studio": "levolve.cli.commands.system:studio",
    "prepare": "levolve.cli.commands.system:prepare",
    "bench": "levolve.cli.commands.system:bench",
    "runs": "levolve.cli.commands.runs:runs",
}
# Other names of commands: those of the functions in Python.
ALIASES = {"tune": "meta", "expressive-range": "range"}
Plugins = Annotated[
    list[str] | None,
    typer.Option(
        "--plugin",
        metavar="MODULE",
        help="Load a plug-in module or .py file. May be repeated. See also: LEVOLVE_PLUGINS.",
    ),
]


class _Ours:
    """What all commands share: our help, and plain values."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the help."""
        from levolve.cli.help import print_help

        print_help(self, ctx)

    def get_params(self, ctx: Any) -> Any:
        """Return the parameters."""
        parameters = super().get_params(ctx)  # type: ignore[misc] # of Typer's class beside this one
        convert_plain_values(parameters)
        return parameters


class Command(_Ours, TyperCommand):
    """A command."""


class Group(_Ours, TyperGroup):
    """A group of commands."""


class CommandGroup(Group):
    """A group whose commands have only a name and a summary until one is called."""

    def __init__(self, **settings: Any) -> None:
        """List all commands."""
        super().__init__(**settings)
        self.commands = {name: Command(name, help=summary) for name, summary in COMMANDS.items()}

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import the command that is called."""
        if args and args[0] in ALIASES:
            args = [ALIASES[args[0]], *args[1:]]
        if args and args[0] in COMMANDS:
            self.commands[args[0]] = load_command(args[0])
        return super().resolve_command(ctx, args)


def load_command(name: str) -> Any:
    """Return a command, or the group of commands `runs`."""
    module, _, attribute = HOMES[name].partition(":")
    found = getattr(importlib.import_module(module), attribute)
    if isinstance(found, typer.Typer):
        return get_command(found)
    from levolve.cli.presenters import with_store

    single = typer.Typer(add_completion=False)
    single.command(name, cls=Command)(with_plugins(with_store(found)))
    return get_command(single)


def with_plugins(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--plugin` to a command; the modules it names are loaded before the command
    runs.
    """
    signature = inspect.signature(command)

    @functools.wraps(command)
    def run_with_plugins(*, plugin: list[str] | None = None, **options: Any) -> Any:
        for module in plugin or ():
            from levolve.core.plugins import load_plugin

            load_plugin(module)
        return command(**options)

    option = inspect.Parameter(
        "plugin", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Plugins
    )
    run_with_plugins.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), option]
    )
    run_with_plugins.__annotations__ = {**command.__annotations__, "plugin": Plugins}
    return run_with_plugins

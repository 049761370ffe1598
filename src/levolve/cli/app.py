"""The `levolve` command: runs a subcommand, and reports every error as one paragraph and an exit
code.
"""

import sys
import traceback
import warnings
from contextlib import suppress
from types import TracebackType
from typing import Annotated

import typer

from levolve.cli.command_table import CommandGroup
from levolve.cli.output import open_output, printable_output
from levolve.core.errors import LevolveError
from levolve.core.safe_text import one_line, printable
from levolve.core.startup import end_quickly, start_quickly
from levolve.core.stopping import note_interrupts
from levolve.version import VERSION

WRONG_CALL = 2
INTERRUPTED = 130
# The base class of Typer's errors, in versions that use click and in versions that include it.
CALL_ERROR = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="levolve",
    cls=CommandGroup,
    help="Evolve grid levels, each with a proof that it can be won, and solve grid puzzles.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"levolve {VERSION}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Evolve grid levels, each with a proof that it can be won, and solve grid puzzles."""


def main() -> None:
    """Run the command line. Exit codes: 0 success, 1 failure, 2 wrong usage, 130 interrupted, 143
    terminated.

    A reader of the output that leaves early changes none of them.
    """
    start_quickly()
    note_interrupts()
    output, _ = open_output()
    warnings.showwarning = _show_warning
    sys.excepthook = _show_bug
    code = run(sys.argv[1:])
    with suppress(OSError):
        sys.stdout.flush()
    if output.problem is not None and code == 0:
        typer.echo(f"levolve: {output.problem.strerror}", err=True)
        code = 1
    end_quickly()
    sys.exit(code)


def _show_bug(
    kind: type[BaseException], problem: BaseException, trace: TracebackType | None
) -> None:
    """Print the traceback of an unexpected error; its message may quote a file."""
    sys.stderr.write(printable("".join(traceback.format_exception(kind, problem, trace))))


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    """Print a warning as one paragraph, without the line of code it comes from."""
    typer.echo(f"levolve: {one_line(message)}", err=True)


@printable_output()
def run(arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    try:
        result = app(arguments, prog_name="levolve", standalone_mode=False)
    except Exception as problem:  # noqa: BLE001 unexpected errors are raised again
        code, message = _exit_code(problem)
        if message is not None:
            typer.echo(one_line(message), err=True)
        return code
    except SystemExit as problem:
        # Typer exits in this way, without a word, if a connection or a file's reader breaks off.
        if not isinstance(problem.__context__, OSError):
            raise
        typer.echo(f"levolve: {problem.__context__.strerror}", err=True)
        return 1
    except KeyboardInterrupt:
        result = INTERRUPTED
    if result == INTERRUPTED:
        typer.echo("levolve: interrupted", err=True)
    return result if isinstance(result, int) else 0


def _exit_code(problem: Exception) -> tuple[int, str | None]:
    """Return the exit code and the message for an error. An unexpected error is raised again: it is
    a bug.
    """
    match problem:
        case LevolveError():
            return problem.exit_code, f"levolve: {problem}"
        case typer.Abort() | Exception(__context__=KeyboardInterrupt()):
            # Interrupted directly, or while a library converted the interrupt into another error.
            return INTERRUPTED, "levolve: interrupted"
        case MemoryError():
            return 1, "levolve: not enough memory; choose a smaller size or population"
        case OSError():
            return 1, f"levolve: {problem.strerror or problem}"
    if not isinstance(problem, CALL_ERROR):
        raise problem
    context, text = (
        getattr(problem, "ctx", None),
        getattr(problem, "format_message", problem.__str__)().strip(),
    )
    if not text:
        # Called without arguments: the help has been printed.
        return WRONG_CALL, None
    hint = f" Try '{context.command_path} --help'." if context else ""
    return WRONG_CALL, f"levolve: {text.rstrip('.')}{'' if text.endswith('?') else '.'}{hint}"

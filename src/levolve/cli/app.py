"""The `levolve` command: finds the subcommand, and turns every error into one paragraph and an exit code."""

import io
import signal
import sys
from typing import Annotated

import typer

from levolve.cli import check, compare, convert, demo, evolve, fingerprint, make, meta, pack, parts, recipes, replay, show, solve
from levolve.cli import map as map_command
from levolve.errors import LevolveError
from levolve.version import VERSION

WRONG_CALL = 2
INTERRUPTED = 130
# Typer's own errors, whether it brings click along or stands on it.
CALL_ERROR = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="levolve",
    help="Evolve grid levels that come with a proof that they can be won.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
for command in (demo, recipes, parts, evolve, pack, compare, meta, solve, make, map_command, fingerprint, show, check, convert, replay):
    app.command()(getattr(command, command.__name__.rsplit(".", 1)[-1]))


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"levolve {VERSION}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")] = False,
) -> None:
    """Evolve grid levels that come with a proof that they can be won."""


def main() -> None:
    """Run the command line; exit 0 done, 1 could not do it, 2 wrong call, 130 interrupted."""
    if hasattr(signal, "SIGPIPE"):
        # Who reads our output may stop reading, as `head` does: end quietly, like other commands.
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    code = run(sys.argv[1:])
    try:
        sys.stdout.flush()
    except OSError as problem:
        typer.echo(f"levolve: standard output: {problem.strerror}", err=True)
        sys.stdout = io.StringIO()
        code = 1
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and give its exit code."""
    try:
        result = app(arguments, prog_name="levolve", standalone_mode=False)
    except Exception as problem:  # noqa: BLE001 what is not foreseen is raised on
        code, message = _judge(problem)
        if message is not None:
            typer.echo(message, err=True)
        return code
    except KeyboardInterrupt:
        result = INTERRUPTED
    if result == INTERRUPTED:
        typer.echo("levolve: interrupted", err=True)
    return result if isinstance(result, int) else 0


def _judge(problem: Exception) -> tuple[int, str | None]:
    """The exit code for what went wrong, and what to say about it. What nobody foresaw is raised on: that is a bug of ours."""
    match problem:
        case LevolveError():
            return problem.exit_code, f"levolve: {problem}"
        case typer.Abort() | Exception(__context__=KeyboardInterrupt()):
            # Interrupted; or a library was, and made another error of it.
            return INTERRUPTED, "levolve: interrupted"
        case MemoryError():
            return 1, "levolve: there is not enough memory for this; choose a smaller size or population"
        case OSError():
            return 1, f"levolve: {problem.strerror or problem}"
    if not isinstance(problem, CALL_ERROR):
        raise problem
    context, text = getattr(problem, "ctx", None), getattr(problem, "format_message", problem.__str__)().strip()
    if not text:
        # Called with nothing at all: the help has been printed.
        return WRONG_CALL, None
    hint = f" Try '{context.command_path} --help'." if context else ""
    return WRONG_CALL, f"levolve: {text.rstrip('.')}{'' if text.endswith('?') else '.'}{hint}"

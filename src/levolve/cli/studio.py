"""`levolve studio`: a local page to watch evolution, breed levels, play them and take files away."""

from typing import TYPE_CHECKING, Annotated

import typer

from levolve.cli.options import Quiet, missing_extra

if TYPE_CHECKING:
    from levolve.runs.store.places import Storing


def studio(
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="The port. Default: any free one.")] = 0,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Open the studio: a page on this computer only. Runs are kept in the store, and go on if the page is closed."""
    from levolve.errors import InputError

    try:
        from levolve.studio.server import serve
    except ModuleNotFoundError as problem:
        raise missing_extra(problem, "studio", ("fastapi", "starlette", "uvicorn"), "studio") from problem
    if storing.path is None:
        message = "--no-store: expected a store; the studio keeps its runs there"
        raise InputError(message)

    def announce(address: str) -> None:
        print(address, flush=True)
        if not quiet:
            typer.echo("levolve: open this address in a browser; Ctrl-C stops the studio, and runs can be resumed later", err=True)

    serve(storing.path, port, announce=announce, open_browser=open_page)

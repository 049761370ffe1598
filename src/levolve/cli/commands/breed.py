"""`levolve breed`: a sheet of levels on the terminal, and commands that pick from it."""

import json as json_text
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from levolve.cli.breeding import Desk
from levolve.cli.options import (
    Json,
    Objective,
    Quiet,
    Seed,
    Settings,
    Size,
    Targets,
    ThemeOption,
    TileOption,
)
from levolve.cli.progress import Report
from levolve.cli.values import parse_settings, read_targets
from levolve.core.errors import InputError
from levolve.core.safe_text import one_line

if TYPE_CHECKING:
    from levolve.jobs.breeding.session import Session
    from levolve.jobs.store.places import Storing


def breed(
    recipe: Annotated[
        str | None,
        typer.Argument(
            metavar="RECIPE",
            help="A recipe's name (see 'levolve recipes') or the path of a .toml or .json file.",
        ),
    ] = None,
    size: Size = None,
    seed: Seed = None,
    sheet: Annotated[
        int | None,
        typer.Option("--sheet", metavar="N", help="Levels per sheet, from 2 to 48. Default: 12."),
    ] = None,
    wildness: Annotated[
        float | None,
        typer.Option(
            "--wild",
            metavar="X",
            help="How much children differ from their parents, from 0 to 1. Default: 0.3.",
        ),
    ] = None,
    blend: Annotated[
        float | None,
        typer.Option(
            "--blend",
            metavar="X",
            help="Weight of the objective relative to the picks, from 0 to 1. Default: 0.",
        ),
    ] = None,
    objective: Objective = None,
    target: Targets = None,
    settings: Settings = None,
    session: Annotated[
        Path | None,
        typer.Option("--session", metavar="FILE", help="Continue a session that 'save' wrote."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(
            "--resume", metavar="N", help="Continue a stored session by its number, or 'last'."
        ),
    ] = None,
    sessions: Annotated[bool, typer.Option("--sessions", help="List the stored sessions.")] = False,
    theme: ThemeOption = None,
    tile: TileOption = None,
    json: Json = False,
    quiet: Quiet = False,
    *,
    storing: "Storing",
) -> None:
    """Breed levels by picking favourites from sheets. Reads commands from the terminal or a pipe;
    'help' lists them.
    """
    if sessions:
        list_sessions(storing, json=json)
        return
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.formats.look import look_of
        from levolve.jobs.breeding.breed import SessionKeeper
        from levolve.jobs.breeding.breed import breed as begin
        from levolve.jobs.breeding.session import Session

        look, number = look_of(theme, tile), None
        if session is not None or resume is not None:
            option = f"--resume {resume}" if session is None else f"--session {session}"
            if any(
                given is not None
                for given in (
                    recipe,
                    size,
                    seed,
                    sheet,
                    wildness,
                    blend,
                    objective,
                    target,
                    settings,
                )
            ) or (session and resume):
                raise InputError(
                    f"{option}: expected no recipe and no other settings together with it, "
                    "because the session contains them"
                )
            if session is None:
                number, current = stored(storing, str(resume))
            else:
                current = Session.read(session)
        elif recipe is None:
            raise InputError(
                "RECIPE: expected a recipe's name, or --session FILE, or --resume N; 'levolve "
                "recipes' lists what there is"
            )
        else:
            changes, targets = parse_settings(settings), read_targets(target)
            current = begin(
                recipe,
                size=size,
                sheet=sheet,
                seed=seed,
                wildness=wildness,
                blend=blend,
                objective=objective,
                target=targets,
                settings=changes,
            )
        keeper = SessionKeeper(current, storing, number)
        Desk(
            current,
            look,
            sys.stderr if json else sys.stdout,
            silent=json and quiet,
            keep=keeper.keep,
        ).work()
    if keeper.remark and not quiet:
        typer.echo(one_line(keeper.remark), err=True)
    if json:
        print(json_text.dumps(current.to_data(), indent=2))


def stored(storing: "Storing", number: str) -> "tuple[int, Session]":
    """A session of the store, with its number."""
    from levolve.jobs.breeding.breed import stored_session
    from levolve.jobs.store.store import Store

    if storing.path is None:
        raise InputError(f"--resume {number}: expected a store, got --no-store")
    with Store(storing.path, create=False) as store:
        record, session = stored_session(store, number)
    return record.id, session


def list_sessions(storing: "Storing", *, json: bool) -> None:
    """Print the sessions of the store, one line each, the one that was used last first."""
    from levolve.cli.commands.runs import age
    from levolve.jobs.store.places import default_path
    from levolve.jobs.store.store import Store

    with Store(storing.path or default_path(), create=not storing.requested) as store:
        found = store.sessions.list()
        path = store.path
    if json:
        print(json_text.dumps([record.to_data() for record in found], indent=2))
    elif not found:
        print(f"no breeding sessions in {one_line(path)}")
    else:
        for record in found:
            print(f"{record.id:>5}  {one_line(record.name):<40.40}  {age(record.updated):>7} ago")
        print(f"levolve breed --resume {found[0].id}")

"""`levolve prepare`: compile all kernels ahead."""

import json as json_text
import time
from typing import TYPE_CHECKING, Annotated

import typer

from levolve.cli.options import Json, Quiet
from levolve.cli.report import Report

if TYPE_CHECKING:
    from levolve.events import Event


def prepare(
    processes: Annotated[
        int | None, typer.Option("--processes", metavar="N", min=1, help="Compile in this number of processes. Default: one per core.")
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Compile all kernels now, so that no later command waits for them. Needed once per version; on an unchanged cache it ends soon."""
    with Report(quiet=quiet) as report:
        from levolve.preparing import UnitPrepared, units
        from levolve.preparing import prepare as prepare_all

        faults: list[str] = []
        began = time.monotonic()
        with report.bar("preparing kernels", len(units())) as bar:

            def watch(event: "Event") -> None:
                if isinstance(event, UnitPrepared):
                    bar.reach(event.done, event.unit)
                    faults.extend([f"{event.unit}: {event.fault}"] if event.fault else [])

            names = prepare_all(processes, watch)
        seconds = round(time.monotonic() - began, 3)
        for fault in faults:
            report.say(f"levolve: {fault}")
    if json:
        print(json_text.dumps({"units": names, "faults": faults, "seconds": seconds}))
    elif not quiet:
        print(f"prepared: the kernels of {len(names) - len(faults)} of {len(names)} recipes, puzzles and commands in {seconds:.0f} s")

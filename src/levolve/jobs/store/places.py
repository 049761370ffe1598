"""Where the store is, and how often a job is written to it."""

import math
import os
from dataclasses import dataclass
from pathlib import Path

from levolve.core.errors import InputError
from levolve.jobs.store.store import Store

VARIABLE = "LEVOLVE_STORE"
SECONDS_VARIABLE = "LEVOLVE_CHECKPOINT_SECONDS"
SECONDS = 5.0

# What library functions accept as `store`: None for no store, True for the user's own, a path, or a
# store.
StoreSource = None | bool | str | Path | Store


def default_path() -> Path:
    """Return the path of the user's store: LEVOLVE_STORE, or a file in the user's data folder."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    from platformdirs import user_data_path

    return user_data_path("levolve", appauthor=False) / "runs.sqlite"


def checkpoint_seconds() -> float:
    """Return the least number of seconds between two checkpoints: LEVOLVE_CHECKPOINT_SECONDS, or 5.
    0 means after every event.
    """
    text = os.environ.get(SECONDS_VARIABLE, "")
    try:
        seconds = float(text) if text else SECONDS
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise InputError(
            f"{SECONDS_VARIABLE}: expected a number of seconds, 0 or more, got {text!r}"
        )
    return seconds


@dataclass(frozen=True)
class Storing:
    """Where a command stores its job: `path`, None for nowhere. If a store that was not `requested`
    cannot be used, the job runs without it.
    """

    path: Path | None
    requested: bool = False

    @classmethod
    def of(cls, path: Path | None = None, *, off: bool = False) -> "Storing":
        """Return what the options `--store PATH` and `--no-store` mean."""
        if off and path is not None:
            raise InputError("--no-store: expected either this or --store PATH, got both")
        return (
            cls(None)
            if off
            else cls(default_path() if path is None else path, requested=path is not None)
        )


def open_store(store: StoreSource, *, create: bool = True) -> Store | None:
    """Open what a library function was given as its store; None if nothing is to be stored."""
    if store is None or store is False:
        return None
    if isinstance(store, Store):
        return store
    return Store(default_path() if store is True else store, create=create)

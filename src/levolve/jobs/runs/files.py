"""Runs in files: the recipe, the seed and the complete state, as JSON with a marker."""

import base64
import binascii
import json
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError, LevolveError, shown
from levolve.formats.reading.data import parse_json
from levolve.formats.reading.files import read_bytes
from levolve.jobs.runs.run import ContentRun, Run
from levolve.jobs.store.codec import decode_state, encode_state
from levolve.version import ENGINE, VERSION, difference

FORMAT = "levolve run"
KINDS: dict[str, type[Run] | type[ContentRun]] = {kind.kind: kind for kind in (Run, ContentRun)}


def encode_run_file(run: Run | ContentRun, path: Path) -> dict[Path, bytes]:
    """Return the bytes of the file of a run, finished or not."""
    data = {
        "format": FORMAT,
        "version": VERSION,
        "engine": ENGINE,
        "kind": run.kind,
        "digest": _digest(run),
        "call": run.call(),
        "state": base64.b64encode(encode_state(run.state())).decode(),
    }
    return {path: (json.dumps(data, indent=1) + "\n").encode()}


def read_run(path: str | Path) -> Run | ContentRun:
    """Read a run; its `finish` continues it, if it has not ended.

    Raises `InputError` if the file is damaged, or if its recipe and state give another best level
    now.
    """
    data = parse_json(read_bytes(path), str(path))
    if not isinstance(data, dict) or data.get("format") != FORMAT or data.get("kind") not in KINDS:
        message = f"{path}: expected a run, as written by levolve.save, got something else"
        raise InputError(message)
    made = difference(str(data.get("version")), str(data.get("engine", "")))
    try:
        run = KINDS[data["kind"]].from_call(data["call"])
        run.restore(decode_state(base64.b64decode(data["state"], validate=True)))
    except InputError as problem:
        message = f"{path}: {'; '.join(filter(None, [str(problem), made]))}"
        raise InputError(message) from problem
    except (LookupError, TypeError, ValueError, AttributeError, binascii.Error) as problem:
        # A call and a state may hold anything.
        message = (
            f"{path}: expected a run, got damaged data ({type(problem).__name__}: "
            f"{shown(str(problem))})"
        )
        raise InputError(message) from problem
    if _digest(run) != data.get("digest"):
        message = (
            f"{path}: expected the digest {shown(data.get('digest'))}, got {_digest(run)}; "
            f"{made or 'the file was changed'}"
        )
        raise InputError(message)
    return run


def _digest(run: Run | ContentRun) -> Any:
    """Return the digest of the best level or content; None if there is none yet."""
    if run.score is None:
        return None
    try:
        return run.digest
    except LevolveError:
        return None

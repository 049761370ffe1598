"""Breeding sessions in files."""

import json
from pathlib import Path

from levolve.jobs.breeding.session import Session


def encode_session(session: Session, path: Path) -> dict[Path, bytes]:
    """Return the bytes of the file of a session."""
    return {path: (json.dumps(session.to_data(), indent=2) + "\n").encode()}


def read_session(path: str | Path) -> Session:
    """Replay the session in a file."""
    return Session.read(path)

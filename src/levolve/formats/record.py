"""What a record is: something else than a level that files of ours hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from levolve.levels.grid import Grid


@dataclass(frozen=True)
class Record:
    """Things of one kind. `decode` gives what it finds in a file's bytes, or None where that is not its own; `save` writes by the path's suffix."""

    kind: type[Grid]
    decode: Callable[[bytes], Grid | None]
    save: Callable[[Any, str | Path], Path]

"""What a format is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from levolve.levels.level import Level


@dataclass(frozen=True)
class Format:
    """A level to bytes and back. `decode` raises `InputError` with a message that begins with what was wrong."""

    meaning: str
    encode: Callable[[Level], bytes]
    decode: Callable[[bytes], Level]

"""The rounds that come with levolve, easy to hard, all of its own making."""

from functools import lru_cache
from importlib.resources import files

from levolve.errors import InputError
from levolve.puzzles.flag import text
from levolve.puzzles.flag.rules import Round


@lru_cache(maxsize=1)
def shipped() -> tuple[Round, ...]:
    """All of them, the easiest first; each holds its solution and its facts."""
    folder = files("levolve.puzzles.flag") / "rounds"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".txt"))
    return tuple(text.parse((folder / name).read_text(encoding="utf-8")) for name in names)


def shipped_round(number: int) -> Round:
    """Round `number`, counted from 1."""
    if not 1 <= number <= len(shipped()):
        message = f"round: expected a number from 1 to {len(shipped())} for a round that comes with levolve, got {number}"
        raise InputError(message)
    return shipped()[number - 1]

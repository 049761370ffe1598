"""`join_packs`: packs in their folders become one."""

from collections.abc import Sequence
from pathlib import Path

from levolve.errors import InputError
from levolve.packs.pack import Pack
from levolve.registry import did_you_mean

GIVEN = "given"
# Each order by name: whether the hardest level is first, None for the packs one after the other.
ORDERS = {"easy..hard": False, "hard..easy": True, GIVEN: None}


def join_packs(folders: Sequence[str | Path], order: str = "easy..hard") -> Pack:
    """Read packs from their folders and join them. Every level keeps its origin, and every part its order, seed and results.

    Parameters
    ----------
    folders
        The folders of at least two packs. No level may be in two of them.
    order
        "easy..hard" or "hard..easy", as in `Pack.joined`, or "given" for the levels of one pack after those of the other.
    """
    if order not in ORDERS:
        message = f"order: unknown order {order!r}: {did_you_mean(str(order), list(ORDERS))}"
        raise InputError(message)
    if len(folders) < 2:  # noqa: PLR2004 one pack is joined already
        message = f"PACK: expected the folders of at least two packs, got {len(folders)}"
        raise InputError(message)
    packs = [Pack.load(folder) for folder in folders]
    _check_distinct(folders, packs)
    kinds = dict.fromkeys(part.order.name for pack in packs for part in pack.parts)
    return Pack.joined(", ".join(kinds), packs, descending=ORDERS[order])


def _check_distinct(folders: Sequence[str | Path], packs: Sequence[Pack]) -> None:
    """Raise `InputError` if a level is in two packs."""
    seen: dict[str, str] = {}
    equal = []
    for folder, pack in zip(folders, packs, strict=True):
        for item, name in zip(pack.items, pack.names, strict=True):
            here = str(Path(folder) / name)
            if item.digest in seen:
                equal.append(f"{here} equals {seen[item.digest]}")
            seen.setdefault(item.digest, here)
    if equal:
        more = f" and {len(equal) - 1} more" if len(equal) > 1 else ""
        message = f"PACK: expected packs without equal levels, got {len(equal)}: {equal[0]}{more}; leave one pack out, or build it with another seed"
        raise InputError(message)

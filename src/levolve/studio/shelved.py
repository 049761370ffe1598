"""Packs, archives and other runs of the store as the shelf lists them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from levolve.archives.illumination import Illumination
from levolve.errors import InputError
from levolve.levels.level import Level
from levolve.packs.builder import PackBuilder
from levolve.packs.members import Item
from levolve.packs.mixed import MixedPackBuilder
from levolve.packs.pack import Pack
from levolve.packs.puzzle_builder import PuzzlePackBuilder
from levolve.resuming import stored_job
from levolve.runs.store.records import StoredRun
from levolve.runs.store.store import Store
from levolve.studio.shown import shown_level, shown_puzzle

Shelf = Literal["packs", "maps", "runs"]
PACKS: Shelf = "packs"
MAPS: Shelf = "maps"
RUNS: Shelf = "runs"
# Jobs that are neither packs nor maps are runs.
SHELVES: dict[str, Shelf] = {PackBuilder.kind: PACKS, MixedPackBuilder.kind: PACKS, PuzzlePackBuilder.kind: PACKS, Illumination.kind: MAPS}
# The levels of a pack that the shelf shows.
PREVIEWED = 4


def shelf_of(record: StoredRun) -> Shelf:
    """Return where a run of the store is listed."""
    return SHELVES.get(record.kind, RUNS)


@dataclass(frozen=True)
class ShelvedRun:
    """A pack, an archive or another run, with the levels and puzzles of its result; those of an archive are found by their cells."""

    record: StoredRun
    items: Sequence[Item] = ()

    def contains(self, words: Sequence[str]) -> bool:
        """Whether all words, in lower case, are in its name, kind, number, seed, size or status."""
        record = self.record
        text = f"{record.name} {record.kind} {record.id} {record.seed} {record.size} {record.status}".lower()
        return all(word in text for word in words)

    def to_data(self) -> dict[str, Any]:
        """Return the entry for the page, with some of its levels."""
        names = "id kind name size status updated headline"
        levels = [shown_level(item) for item in self.items[:PREVIEWED] if isinstance(item, Level)]
        puzzles = [item for item in self.items[:1] if not isinstance(item, Level)]
        return {
            **{name: getattr(self.record, name) for name in names.split()},
            "seed": str(self.record.seed),
            "count": len(self.items),
            "levels": levels,
            "picture": shown_puzzle(puzzles[0]) if puzzles else None,
        }


def stored_pack(store: Store, record: StoredRun) -> Pack:
    """Return the pack of a stored builder, as of its last checkpoint."""
    if shelf_of(record) != PACKS or record.call is None:
        message = f"run {record.id}: expected a pack, got a run of kind {record.kind}"
        raise InputError(message)
    pack: Pack = stored_job(store, record).result
    return pack

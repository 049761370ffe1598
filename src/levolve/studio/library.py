"""The library of the studio: every level and puzzle of the store, by a short reference."""

import math
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from levolve.errors import InputError, LevolveError
from levolve.formats.look import Look
from levolve.levels.level import Level
from levolve.packs.members import Item, member_of
from levolve.packs.pack import Pack
from levolve.packs.webpage import page, tilesets_of
from levolve.puzzles import PUZZLES
from levolve.puzzles.files import decode_json
from levolve.runs.store.store import Store
from levolve.studio.archives import elite_level, stored_archive
from levolve.studio.shown import shown_level
from levolve.studio.stored import best_level

RUN, KEPT, CELL = "run", "kept", "cell"
Limits = tuple[float | None, float | None]
MOST_MEASURED = 4096


@dataclass(frozen=True)
class ItemReference:
    """Where a level is: place n of the result of a run (`run-5-0`), a cell of an archive (`cell-7-120`), or a kept level (`kept-3`)."""

    source: str
    number: int
    place: int = 0

    @classmethod
    def parse(cls, text: str) -> "ItemReference":
        """Parse a reference; raises `InputError` for any other text."""
        match = re.fullmatch(r"(run|cell)-([1-9][0-9]{0,17})-([0-9]{1,8})|kept-([1-9][0-9]{0,17})", text)
        if match is None:
            message = f"level: expected a reference such as run-5-0, cell-7-120 or kept-3, got {text[:40]!r}"
            raise InputError(message)
        return cls(KEPT, int(match[4])) if match[4] else cls(match[1], int(match[2]), int(match[3]))

    def __str__(self) -> str:
        """Return the text that `parse` takes."""
        return f"{KEPT}-{self.number}" if self.source == KEPT else f"{self.source}-{self.number}-{self.place}"


def find_item(store: Store, reference: ItemReference) -> Item:
    """Return a level or a puzzle of the store. Place 0 of an unfinished run is its best level so far."""
    if reference.source == KEPT:
        return _decoded(store.shelf.find(reference.number).content)
    if reference.source == CELL:
        return elite_level(stored_archive(store, store.find(reference.number)), reference.place)
    contents = store.levels(reference.number)
    if reference.place < len(contents):
        return _decoded(contents[reference.place])
    record = store.find(reference.number)
    if reference.place == 0:
        return best_level(store, record)
    message = f"level: run {reference.number} has {len(contents)} levels, there is no number {reference.place}"
    raise InputError(message)


def _decoded(content: bytes) -> Item:
    found: Item = decode_json(content)
    return found


class KnownMeasures:
    """Measures of levels by digest, computed once; the least recently used are forgotten."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: OrderedDict[str, dict[str, float]] = OrderedDict()
        self._lock = Lock()

    def of(self, item: Item) -> dict[str, float]:
        """Return all measures of a level or a puzzle."""
        with self._lock:
            if item.digest in self._known:
                self._known.move_to_end(item.digest)
                return self._known[item.digest]
        measures = member_of(item).measures()
        with self._lock:
            self._known[item.digest] = measures
            while len(self._known) > MOST_MEASURED:
                self._known.popitem(last=False)
        return measures


@dataclass(frozen=True)
class Listed:
    """One entry of the shelf."""

    reference: ItemReference
    name: str
    recipe: str
    item: Item
    added: float

    def contains(self, words: Iterable[str]) -> bool:
        """Whether all words, in lower case, are in its name, recipe or digest."""
        text = f"{self.name} {self.recipe} {self.item.digest}".lower()
        return all(word in text for word in words)

    def to_data(self, measures: dict[str, float]) -> dict[str, Any]:
        """Return the entry for the page: a level with its rows, a puzzle without."""
        shown = {"level": shown_level(self.item)} if isinstance(self.item, Level) else {"level": None}
        return {
            "id": str(self.reference),
            "name": self.name,
            "recipe": self.recipe,
            "digest": self.item.digest,
            "steps": len(self.item.solution or ""),
            "added": self.added,
            "measures": measures,
            **shown,
        }


def listed_items(store: Store) -> list[Listed]:
    """Return all levels and puzzles of the store, each digest once, the newest first; damaged ones are left out."""
    found: dict[str, Listed] = {}
    for kept in store.shelf.list():
        _add(found, ItemReference(KEPT, kept.id), kept.name, kept.content, kept.added)
    for record in store.runs():
        for place, content in enumerate(store.levels(record.id)):
            _add(found, ItemReference(RUN, record.id, place), f"{record.kind} {record.id}", content, record.updated)
    return sorted(found.values(), key=lambda entry: -entry.added)


def _add(found: dict[str, Listed], reference: ItemReference, name: str, content: bytes, added: float) -> None:
    try:
        item = _decoded(content)
    except LevolveError:
        return
    found.setdefault(item.digest, Listed(reference, name, member_of(item).kind, item, added))


class LevelLibrary:
    """All levels and puzzles of a store, with their measures."""

    def __init__(self, store: Path) -> None:
        """Use the SQLite file at this path."""
        self._path = store
        self.measured = KnownMeasures()

    def item(self, reference: str) -> Item:
        """Return a level or a puzzle."""
        with Store(self._path) as store:
            return find_item(store, ItemReference.parse(reference))

    def level(self, reference: str) -> Level:
        """Return a level; raises `InputError` for a puzzle."""
        found = self.item(reference)
        if not isinstance(found, Level):
            message = f"level: expected a level, got a puzzle at {reference}"
            raise InputError(message)
        return found

    def listed(self) -> list[Listed]:
        """Return all entries, the newest first."""
        with Store(self._path) as store:
            return listed_items(store)

    def matching(
        self, entries: Iterable[Listed], search: str = "", recipe: str = "", measure: str = "", limits: Limits = (None, None)
    ) -> list[Listed]:
        """Return the entries whose name, recipe or digest contains all words of a search, of a recipe, with a measure within limits."""
        words = search.lower().split()
        found = [entry for entry in entries if (not recipe or entry.recipe == recipe) and entry.contains(words)]
        least, most = limits
        if not measure or limits == (None, None):
            return found
        low, high = -math.inf if least is None else least, math.inf if most is None else most
        return [entry for entry in found if low <= self.measured.of(entry.item).get(measure, math.nan) <= high]

    def keep(self, reference: str, name: str) -> int:
        """Keep a level or a puzzle on the shelf, and return its number there."""
        item = self.item(reference)
        with Store(self._path) as store:
            return store.shelf.add(name, item.digest, member_of(item).json(), reference)

    def remove(self, number: int) -> None:
        """Take a level off the shelf."""
        with Store(self._path) as store:
            store.shelf.delete([number])


def pack_of(name: str, items: Iterable[Item]) -> Pack:
    """Return chosen levels and puzzles as a pack, from easy to hard."""
    chosen = tuple({item.digest: item for item in items}.values())
    return Pack.joined(name, [Pack(name, chosen, ())])


def play_page(title: str, items: Sequence[Item], look: Look, style: str, script: str) -> bytes:
    """Return the page on which levels and puzzles are played, as in a pack, with the addresses of its style and script."""
    pack = Pack(title, tuple(items), ())
    puzzles = sorted({member.kind for member in pack.members if member.kind in PUZZLES and not isinstance(member.item, Level)})
    address = f"{script}?puzzles={','.join(puzzles)}" if puzzles else script
    listed = [{"name": name, "measures": measures, "files": []} for name, measures in zip(pack.names, pack.measures, strict=True)]
    entries = [member.entry(entry, look) for member, entry in zip(pack.members, listed, strict=True)]
    return page(title, pack.digest, tilesets_of(pack.levels, look), entries, linked=(style, address))

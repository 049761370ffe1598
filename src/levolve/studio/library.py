"""The library of the studio: every level and puzzle of the store, by a short reference.

Levels of stored runs.
"""

import math
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from levolve.core.errors import InputError, LevolveError
from levolve.formats.look import Look
from levolve.jobs.archives.illuminate import Illumination
from levolve.jobs.packs.members import Item, member_of
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.webpage import page, tilesets_of
from levolve.jobs.resume import stored_job
from levolve.jobs.runs.run import Run
from levolve.jobs.store.records import StoredRun
from levolve.jobs.store.store import Store
from levolve.levels.level import Level
from levolve.levels.measures.measure import number_text
from levolve.puzzles import PUZZLES
from levolve.puzzles.load_save import decode_json
from levolve.studio.views import (
    MAPS,
    PACKS,
    Shelf,
    ShelvedRun,
    elite_level,
    shelf_of,
    shown_level,
    shown_puzzle,
    stored_archive,
)


def best_level(store: Store, record: StoredRun) -> Level:
    """Return the best level of a run: of its result, or of its last checkpoint."""
    for content in store.levels(record.id):
        found = decode_json(content)
        if isinstance(found, Level):
            return found
    if record.kind == Illumination.kind:
        archive = stored_archive(store, record)
        return elite_level(archive, int(archive.cells[archive.scores.argmax()]))
    if record.kind != Run.kind or record.call is None:
        raise InputError(
            f"run {record.id}: expected a run that evolves levels, got one of kind {record.kind}"
        )
    level: Level = stored_job(store, record).result.best
    return level


def stored_level(store: Store, record: StoredRun) -> dict[str, Any] | None:
    """Return the best level of a run for the page; None if there is none yet."""
    try:
        return shown_level(best_level(store, record))
    except LevolveError:
        return None


RUN, KEPT, CELL = "run", "kept", "cell"
MOST_MEASURED = 4096


@dataclass(frozen=True)
class ItemReference:
    """Where a level is: place n of the result of a run (`run-5-0`), a cell of an archive
    (`cell-7-120`), or a kept level (`kept-3`).
    """

    source: str
    number: int
    place: int = 0

    @classmethod
    def parse(cls, text: str) -> "ItemReference":
        """Parse a reference; raises `InputError` for any other text."""
        match = re.fullmatch(
            r"(run|cell)-([1-9][0-9]{0,17})-([0-9]{1,8})|kept-([1-9][0-9]{0,17})", text
        )
        if match is None:
            raise InputError(
                "level: expected a reference such as run-5-0, cell-7-120 or kept-3, got "
                f"{text[:40]!r}"
            )
        return cls(KEPT, int(match[4])) if match[4] else cls(match[1], int(match[2]), int(match[3]))

    def __str__(self) -> str:
        """Return the text that `parse` takes."""
        place = "" if self.source == KEPT else f"-{self.place}"
        return f"{self.source}-{self.number}{place}"


def find_item(store: Store, reference: ItemReference) -> Item:
    """Return a level or a puzzle of the store. Place 0 of an unfinished run is its best level so
    far.
    """
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
    raise InputError(
        f"level: run {reference.number} has {len(contents)} levels, there is no number "
        f"{reference.place}"
    )


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
class Filter:
    """What the shelf looks for: all words of a search, a recipe, and a measure within limits. Empty
    texts and None are no conditions.
    """

    search: str = ""
    recipe: str = ""
    measure: str = ""
    least: float | None = None
    most: float | None = None

    @property
    def words(self) -> list[str]:
        """The words of the search, in lower case."""
        return self.search.lower().split()

    @property
    def measures_levels(self) -> bool:
        """Whether a measure has to be within limits."""
        return bool(self.measure) and (self.least, self.most) != (None, None)

    def accepts(self, measures: dict[str, float]) -> bool:
        """Whether the measure of a level is within the limits."""
        low, high = (
            -math.inf if self.least is None else self.least,
            math.inf if self.most is None else self.most,
        )
        return low <= measures.get(self.measure, math.nan) <= high


@dataclass(frozen=True)
class Listed:
    """A level or a puzzle of the shelf."""

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
        """Return the entry for the page: a level with its rows, a puzzle with a picture."""
        level = shown_level(self.item) if isinstance(self.item, Level) else None
        return {
            "id": str(self.reference),
            "name": self.name,
            "recipe": self.recipe,
            "digest": self.item.digest,
            "steps": len(self.item.solution or ""),
            "added": self.added,
            "measures": measures,
            "level": level,
            "picture": None if isinstance(self.item, Level) else shown_puzzle(self.item),
        }


def listed_items(store: Store) -> list[Listed]:
    """Return all levels and puzzles of the store, each digest once, the newest first; damaged ones
    are left out. Those of archives are not listed.
    """
    kept = (
        (ItemReference(KEPT, one.id), one.name, one.content, one.added)
        for one in store.shelf.list()
    )
    found: dict[str, Listed] = {}
    for entry in [
        *_read(kept),
        *(entry for record in store.runs() for entry in listed_result(store, record)),
    ]:
        found.setdefault(entry.item.digest, entry)
    return sorted(found.values(), key=lambda entry: -entry.added)


def listed_result(store: Store, record: StoredRun) -> Iterator[Listed]:
    """Yield the levels and puzzles of the result of a run or a pack, in its order."""
    names = f"pack {record.id}, level {{}}" if shelf_of(record) == PACKS else f"run {record.id}"
    contents = enumerate(store.levels(record.id))
    return _read(
        (ItemReference(RUN, record.id, place), names.format(place + 1), content, record.updated)
        for place, content in contents
    )


def listed_elites(store: Store, record: StoredRun) -> Iterator[Listed]:
    """Yield the levels of an archive that can be won, the best first, each named by its values on
    the axes.
    """
    archive = stored_archive(store, record)
    for cell, level, figures in archive.entries():
        name = ", ".join(
            f"{axis.replace('_', ' ')} {number_text(figures[axis])}" for axis in archive.grid.names
        )
        yield Listed(
            ItemReference(CELL, record.id, cell), name, archive.recipe.name, level, record.updated
        )


def _read(stored: Iterable[tuple[ItemReference, str, bytes, float]]) -> Iterator[Listed]:
    for reference, name, content, added in stored:
        try:
            item = _decoded(content)
        except LevolveError:
            continue
        yield Listed(reference, name, member_of(item).kind, item, added)


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
            raise InputError(f"level: expected a level, got a puzzle at {reference}")
        return found

    def name(self, reference: str) -> str:
        """Return the name of a level or a puzzle on the shelf."""
        found = ItemReference.parse(reference)
        if found.source == KEPT:
            with Store(self._path) as store:
                return store.shelf.find(found.number).name
        return (
            f"map {found.number}, cell {found.place}"
            if found.source == CELL
            else f"run {found.number}, level {found.place + 1}"
        )

    def listed(self, run: int | None = None) -> list[Listed]:
        """Return all levels and puzzles, the newest first; or those of one run, pack or archive, in
        its order.
        """
        with Store(self._path) as store:
            if run is None:
                return listed_items(store)
            record = store.find(run)
            return list(
                (listed_elites if shelf_of(record) == MAPS else listed_result)(store, record)
            )

    def matching(self, entries: Iterable[Listed], wanted: Filter) -> list[Listed]:
        """Return the entries that a filter accepts; words are looked for in names, recipes and
        digests.
        """
        found = [
            entry
            for entry in entries
            if wanted.recipe in {"", entry.recipe} and entry.contains(wanted.words)
        ]
        return (
            [entry for entry in found if wanted.accepts(self.measured.of(entry.item))]
            if wanted.measures_levels
            else found
        )

    def shelved(self, shelf: Shelf, wanted: Filter) -> list[ShelvedRun]:
        """Return the packs, archives or other runs that a filter accepts, the newest first; of a
        measure, those with at least one level within.
        """
        found = []
        with Store(self._path) as store:
            for record in store.runs():
                if (
                    shelf_of(record) != shelf
                    or wanted.recipe not in {"", record.name}
                    or not ShelvedRun(record).contains(wanted.words)
                ):
                    continue
                levels = self._levels(store, record, complete=wanted.measures_levels)
                if not wanted.measures_levels or any(
                    wanted.accepts(self.measured.of(entry.item)) for entry in levels
                ):
                    found.append(ShelvedRun(record, [entry.item for entry in levels]))
        return found

    def recipes(self, shelf: Shelf) -> list[str]:
        """Return the names of all packs, archives or other runs."""
        with Store(self._path) as store:
            return sorted({record.name for record in store.runs() if shelf_of(record) == shelf})

    def _levels(self, store: Store, record: StoredRun, *, complete: bool) -> list[Listed]:
        """Return the levels of a run; those of an archive only where they are needed, because all
        of them are decoded for that.
        """
        if shelf_of(record) != MAPS:
            return list(listed_result(store, record))
        try:
            return list(listed_elites(store, record)) if complete else []
        except LevolveError:
            # Nothing has been stored yet.
            return []

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
    """Return the page on which levels and puzzles are played, as in a pack, with the addresses of
    its style and script.
    """
    pack = Pack(title, tuple(items), ())
    puzzles = sorted(
        {
            member.kind
            for member in pack.members
            if member.kind in PUZZLES and not isinstance(member.item, Level)
        }
    )
    address = f"{script}?puzzles={','.join(puzzles)}" if puzzles else script
    listed = [
        {"name": name, "measures": measures, "files": []}
        for name, measures in zip(pack.names, pack.measures, strict=True)
    ]
    entries = [
        member.entry(entry, look) for member, entry in zip(pack.members, listed, strict=True)
    ]
    return page(
        title, pack.digest, tilesets_of(pack.levels, look), entries, linked=(style, address)
    )

"""`Pack`: the levels and puzzles found, a report on their targets, and their files."""

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from levolve.core.display import Displayed
from levolve.core.errors import InputError, requiring
from levolve.core.registry import did_you_mean
from levolve.formats import FORMATS
from levolve.formats.format import PROGRAMS
from levolve.formats.level_files import check_size, encode_all
from levolve.formats.look import Look, look_of
from levolve.formats.originals import Original
from levolve.formats.pictures.png import sheet_picture
from levolve.formats.tables import Tabular
from levolve.formats.themes.theme import Theme
from levolve.jobs.packs.manifest import (
    FORMAT,
    MANIFEST,
    PAGE,
    PARTS,
    SHEET,
    bundles,
    encode_manifest,
)
from levolve.jobs.packs.members import Item, Member, PuzzleMember, member_of, merged
from levolve.jobs.packs.order import Order
from levolve.jobs.packs.replace_folder import write_folder
from levolve.jobs.packs.report import PackReport, report_of
from levolve.jobs.packs.section import AnyOrder, PackSection
from levolve.jobs.packs.webpage import page, tilesets_of
from levolve.levels.level import Level, Origin
from levolve.puzzles import PUZZLES
from levolve.puzzles.load_save import puzzle_of
from levolve.puzzles.position import Position
from levolve.puzzles.tile_map import MAP_FORMS
from levolve.recipes.part_tables import plugins_of
from levolve.version import ENGINE, VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEFAULT_FORMATS = ("json", "png")


def with_origins(levels: Iterable[Level], order: Order, seed: int) -> tuple[Level, ...]:
    """Add origins to levels: the order, the seed, and the position in the pack."""
    data = order.to_data()
    # Levels of one tileset and goal depend on the same plug-ins.
    plugins: dict[tuple[str, str], dict[str, str]] = {}
    made = []
    for index, level in enumerate(levels):
        kind = level.tileset.name, level.goal.name
        if kind not in plugins:
            plugins[kind] = plugins_of(data, level)
        made.append(level.with_origin(Origin.of(data, seed, index, VERSION, plugins[kind], ENGINE)))
    return tuple(made)


def formats_of(names: str | Iterable[str], positions: Iterable[Position] = ()) -> list[str]:
    """Parse a list of formats, such as "tiled,png": names of formats, or of programs that open
    them, or of forms of the puzzles in `positions`.
    """
    listed = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
    forms = {form for position in positions for form in puzzle_of(position).forms}
    known = [
        *FORMATS,
        *(program for program, name in PROGRAMS.items() if name in FORMATS),
        *sorted(forms - set(FORMATS)),
    ]
    for name in listed:
        if name not in known:
            raise InputError(f"unknown format {name!r}: {did_you_mean(name, known)}")
    return list(dict.fromkeys(PROGRAMS.get(name, name) for name in listed))


def formats_for(
    names: str | Iterable[str], orders: Sequence[AnyOrder], folder: Path, look: Look | None = None
) -> list[str]:
    """Parse a list of formats for the orders of a pack; raise an error, before any work, for
    formats that do not support their levels or a look.

    In a pack of puzzles alone, they are those of the puzzles. Levels must also be writable to this
    folder.
    """
    ordered = [order for order in orders if isinstance(order, Order)]
    if not ordered:
        listed = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
        forms = list(
            dict.fromkeys(PUZZLES[order.name].suffix(form) for order in orders for form in listed)
        )
        if (
            look is not None
            and look != Look()
            and not any(FORMATS[form].shows_tiles for form in forms if form in MAP_FORMS)
        ):
            given = ",".join(forms)
            raise InputError(
                "theme, tile: expected a map of the puzzles as well, such as tiled or godot, "
                f"because their pictures have one look; got {given}"
            )
        return forms
    formats = formats_of(names)
    for order in ordered:
        blank = Level(
            np.zeros((order.frame.height, order.frame.width), np.uint8), tileset=order.tileset
        )
        for suffix in formats:
            check_size(folder / f"level.{suffix}", order.frame.width, order.frame.height, look)
            encode_all(blank, folder / f"blank.{suffix}", look)
    return formats


@dataclass(frozen=True, repr=False)
class Pack(Displayed, Tabular):
    """Levels and puzzles that were built together. Each has a solution that an independent checker
    has replayed; levels also have their origin.

    `items` are all of them in order, `levels` and `positions` only those of one kind. `homes` are
    the numbers of the parts of all items; by default, all are of the first. `seconds` is the build
    time, which is ignored when packs are compared.
    """

    name: str
    items: tuple[Item, ...]
    parts: tuple[PackSection, ...]
    seconds: float = field(default=0.0, compare=False)
    homes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Set the default of `homes`."""
        object.__setattr__(self, "homes", self.homes or (0,) * len(self.items))

    @classmethod
    def joined(
        cls, name: str, packs: Sequence["Pack"], *, descending: bool | None = False
    ) -> "Pack":
        """Join several packs, from easy to hard, or `descending`, or, for None, one after the
        other. Each level keeps the origin of its own pack.

        Levels are sorted by difficulty. Puzzles have difficulties in other units: see
        `levolve.jobs.packs.members.merged`.
        """
        members = [member for pack in packs for member in pack.members]
        firsts = itertools.accumulate((len(pack.parts) for pack in packs), initial=0)
        homes = [
            first + home for first, pack in zip(firsts, packs, strict=False) for home in pack.homes
        ]
        order = list(range(len(members)))
        if descending is not None:
            measured = [measures for pack in packs for measures in pack.measures]
            order = merged(
                members,
                [measures.get("difficulty", 0) for measures in measured],
                descending=descending,
            )
        parts = tuple(part for pack in packs for part in pack.parts)
        return cls(
            name,
            tuple(members[index].item for index in order),
            parts,
            sum(pack.seconds for pack in packs),
            tuple(homes[index] for index in order),
        )

    @classmethod
    def load(cls, folder: str | Path) -> "Pack":
        """Read a pack from its folder. Raises `InputError` for another folder, and for a pack that
        is damaged or was edited.
        """
        from levolve.jobs.packs.files import load_pack

        return load_pack(folder)

    def __repr__(self) -> str:
        """Return the name, the number of levels and puzzles, and the digest."""
        counts = [
            f"{len(things)} {noun}"
            for noun, things in (("levels", self.levels), ("puzzles", self.positions))
            if things
        ]
        return f"<Pack {self.name}: {', '.join(counts) or 'empty'}, {self.digest[:12]}>"

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels, without puzzles."""
        return tuple(item for item in self.items if isinstance(item, Level))

    @property
    def positions(self) -> tuple[Position, ...]:
        """The puzzles, without levels."""
        return tuple(item for item in self.items if isinstance(item, Position))

    @cached_property
    def members(self) -> list[Member]:
        """All items, each with what a pack does with it."""
        return [member_of(item) for item in self.items]

    @cached_property
    def measures(self) -> list[dict[str, float]]:
        """All measures of each item that apply to it."""
        return [member.measures() for member in self.members]

    @cached_property
    def names(self) -> list[str]:
        """The file names of the items without suffix: the position in the pack, and the recipe's
        name in characters valid in file names.
        """
        digits = max(len(str(len(self.items))), 2)
        kinds = [re.sub(r"[^\w.-]+", "-", member.kind or self.name) for member in self.members]
        return [f"{number:0{digits}}-{kind}" for number, kind in enumerate(kinds, 1)]

    @property
    def digest(self) -> str:
        """The SHA-256 of the digests of all items, in order."""
        return hashlib.sha256("\n".join(item.digest for item in self.items).encode()).hexdigest()

    @cached_property
    def report(self) -> PackReport:
        """The targets, how they were met, and the nearest results for abandoned levels."""
        return report_of(self.parts, self.homes, self.items, self.measures)

    def to_data(
        self, files: Sequence[Sequence[str]] = (), parts: Sequence[Mapping[str, str]] = ()
    ) -> dict[str, Any]:
        """Return the manifest: orders, seeds, targets, and the files, measures and digest of each
        item. It does not depend on time or machine.

        `parts` are the names of each level in files that contain several.
        """
        entries = []
        for index, (item, name) in enumerate(zip(self.items, self.names, strict=True)):
            entries.append(
                {
                    "name": name,
                    "order": self.homes[index],
                    "files": [*(files[index] if files else []), *(parts[index] if parts else [])],
                    **({PARTS: dict(parts[index])} if parts and parts[index] else {}),
                    "steps": len(item.solution or ""),
                    "difficulty": self.measures[index].get("difficulty"),
                    "digest": item.digest,
                    "measures": self.measures[index],
                }
            )
        return {
            "format": FORMAT,
            "version": VERSION,
            "engine": ENGINE,
            "name": self.name,
            "digest": self.digest,
            "met": self.report.met,
            "orders": [part.order_data() for part in self.parts],
            "results": [part.to_data() for part in self.parts],
            "searches": sum(part.searches for part in self.parts),
            "evaluations": sum(part.evaluations for part in self.parts),
            "targets": self.report.targets,
            "missed": self.report.missed,
            "remarks": self.report.remarks,
            "levels": entries,
        }

    def files(
        self,
        formats: str | Iterable[str] = DEFAULT_FORMATS,
        folder: str | Path = "",
        look: Look | None = None,
        original: Original | None = None,
    ) -> dict[str, bytes]:
        """Return the names and bytes of all files of the pack, in a look: items in each format, the
        manifest, a contact sheet and the page.

        Puzzles are written in those formats that they have, and as JSON if none of them holds the
        solution. Each level has the foreign parts of the original, the file that the pack continues
        from.
        """
        suffixes = formats_of(formats, self.positions)
        files: dict[str, bytes] = {}
        names: list[list[str]] = []
        for member, name in zip(self.members, self.names, strict=True):
            member.item.check()
            written = member.files(Path(folder) / name, suffixes, look, original)
            files |= written
            names.append(list(written))
        shown = {
            name: member.level() for name, member in zip(self.names, self.members, strict=True)
        }
        levels = {name: level for name, level in shown.items() if level is not None}
        together, parts = bundles(self.name, levels, suffixes, look or Look(), original)
        files |= together
        if self.items:
            files[SHEET] = self.sheet(look)
        data = self.to_data(names, [parts.get(name, {}) for name in self.names])
        entries = [
            member.entry(entry, look)
            for member, entry in zip(self.members, data["levels"], strict=True)
        ]
        puzzles = {
            member.kind: member.puzzle
            for member in self.members
            if isinstance(member, PuzzleMember)
        }
        scripts = [puzzle.page_script() for puzzle in puzzles.values()]
        files[PAGE] = page(self.name, self.digest, tilesets_of(self.levels, look), entries, scripts)
        files[MANIFEST] = encode_manifest(data, files)
        return files

    def sheet(self, look: Look | None = None) -> bytes:
        """Return a PNG with all items, each with its name below."""
        captions = [
            f"{name}  {member.caption}"
            for name, member in zip(self.names, self.members, strict=True)
        ]
        return sheet_picture([member.drawn() for member in self.members], captions, look)

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per item: its name, recipe or puzzle, steps, digest, and all measures that
        any item has.
        """
        measures = list(dict.fromkeys(name for each in self.measures for name in each))
        heads = [
            {
                "name": name,
                "kind": member.kind or self.name,
                "steps": len(member.item.solution or ""),
                "digest": member.item.digest,
            }
            for name, member in zip(self.names, self.members, strict=True)
        ]
        return [
            {**head, **{name: each.get(name) for name in measures}}
            for head, each in zip(heads, self.measures, strict=True)
        ]

    def plot(self, measure: str = "difficulty") -> "Figure":
        """Return a measure of all items in their order as a matplotlib figure. Requires the extra
        `plot`.
        """
        with requiring("pack.plot", ("matplotlib",), "plot"):
            from levolve.jobs.charts.results import pack_figure

        return pack_figure(self, measure)

    def _picture(self) -> bytes | None:
        return self.sheet() if self.items else None

    def encoded_files(self, path: Path, look: Look | None = None) -> dict[Path, bytes]:
        """Return the bytes of a sheet of all items (.png), or of the table of their measures (.csv,
        .parquet). `save` writes the whole folder.
        """
        return (
            {path: self.sheet(look)}
            if path.suffix.lower() == ".png" and self.items
            else super().encoded_files(path, look)
        )

    def save(
        self,
        folder: str | Path,
        formats: str | Iterable[str] = DEFAULT_FORMATS,
        *,
        theme: str | Path | Theme | None = None,
        tile: int | None = None,
        original: Original | None = None,
    ) -> Path:
        """Write the pack's folder, and return the path of the page. All files are encoded before
        the first is written.

        `theme` (a name or a TOML file, see `levolve parts themes`) and `tile` (pixels per tile) are
        the look of pictures and of files for engines. Parts of `original` that a person added, such
        as layers, are in the files of all levels (see `levolve.formats.level_files.open_level`).
        """
        return write_folder(
            Path(folder), self.files(formats, folder, look_of(theme, tile), original)
        )

    def summary(self, folder: Path | None = None) -> dict[str, Any]:
        """Return the manifest with the folder it was written to, if any, its page, and the build
        time in seconds.
        """
        written = (
            {"folder": None}
            if folder is None
            else {"folder": str(folder.resolve()), "index": str(folder.resolve() / PAGE)}
        )
        return {**self.to_data(), **written, "seconds": round(self.seconds, 3)}

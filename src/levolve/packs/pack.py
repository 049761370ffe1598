"""`Pack`: the levels found, a report on their targets, and their files."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.files import encode_all
from levolve.formats.look import Look, look_of
from levolve.formats.sheet import sheet_picture
from levolve.formats.themes.theme import Theme
from levolve.formats.walks import caption_of
from levolve.levels.level import Level, Origin
from levolve.measures.measuring import measure
from levolve.packs.bundles import PARTS, bundles, single_formats
from levolve.packs.distinctness import nearest_pair
from levolve.packs.folder import write_folder
from levolve.packs.manifest import FORMAT, MANIFEST, PAGE, SHEET, encode_manifest
from levolve.packs.order import Order
from levolve.packs.targets import Range
from levolve.packs.webpage import entry_of, page, tilesets_of
from levolve.recipes.plugins import plugins_of
from levolve.registry import did_you_mean
from levolve.version import VERSION

DEFAULT_FORMATS = ("json", "png")
# Names of programs, and the formats that they open.
PROGRAMS = {"tiled": "tmx", "godot": "tscn", "sokoban": "xsb", "numpy": "npz", "text": "txt"}


@dataclass(frozen=True)
class MissedLevel:
    """An abandoned level: its index in the order, the unmet targets of the nearest result, one sentence each, and the reason, if more is known."""

    index: int
    unmet: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True)
class PackPart:
    """One order of a pack, with its seed, the number of levels found, the abandoned levels, and the number of searches and evaluations.

    `scale` contains the difficulties of the easiest and the hardest level that the searches for the ends of a curve found.
    """

    order: Order
    seed: int
    found: int
    missed: tuple[MissedLevel, ...]
    searches: int
    evaluations: int
    scale: Range | None = None


@dataclass(frozen=True)
class PackReport:
    """The targets of a pack, and how they were met. `remarks` are sentences about curves whose levels have too few different difficulties."""

    wanted: int
    found: int
    targets: list[dict[str, Any]]
    missed: list[dict[str, Any]]
    remarks: list[str]

    @property
    def met(self) -> bool:
        """Whether all requested levels were found."""
        return self.found == self.wanted

    def __str__(self) -> str:
        """Return one line with the count, one per group of abandoned levels, and one per remark."""
        return "\n".join([self.headline, *self.shortcomings, *self.remarks])

    @property
    def headline(self) -> str:
        """How many levels meet their targets."""
        return f"{self.found} of {self.wanted} levels meet their targets"

    @property
    def shortcomings(self) -> list[str]:
        """One sentence per group of abandoned levels: what the nearest result lacks, and why."""
        several = len(self.targets) > 1
        return [
            f"{miss['recipe'] + ' ' if several else ''}{miss['levels']} abandoned: {'; '.join([*miss['unmet'], *filter(None, [miss['reason']])])}"
            for miss in self.missed
        ]


def with_origins(levels: Iterable[Level], order: Order, seed: int) -> tuple[Level, ...]:
    """Add origins to levels: the order, the seed, and the position in the pack."""
    data = order.to_data()
    return tuple(level.with_origin(Origin.of(data, seed, index, VERSION, plugins_of(data, level))) for index, level in enumerate(levels))


def formats_of(names: str | Iterable[str]) -> list[str]:
    """Parse a list of formats, such as "tiled,png": names of formats, or of programs that open them."""
    listed = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
    known = [*FORMATS, *(program for program, name in PROGRAMS.items() if name in FORMATS)]
    for name in listed:
        if name not in known:
            message = f"unknown format {name!r}: {did_you_mean(name, known)}"
            raise InputError(message)
    return list(dict.fromkeys(PROGRAMS.get(name, name) for name in listed))


def check_formats(formats: Iterable[str], order: Order, folder: Path, look: Look | None = None) -> None:
    """Raise an error, before any work, for formats that do not support the levels of an order or a look, or cannot be written to this folder."""
    blank = Level(np.zeros((order.frame.height, order.frame.width), np.uint8), tileset=order.tileset)
    for suffix in formats:
        encode_all(blank, folder / f"blank.{suffix}", look)


@dataclass(frozen=True)
class Pack:
    """Levels that were built together. Each has its origin, and a solution that the independent checker has replayed.

    `seconds` is the build time, which is ignored when packs are compared.
    """

    name: str
    levels: tuple[Level, ...]
    parts: tuple[PackPart, ...]
    seconds: float = field(default=0.0, compare=False)

    @classmethod
    def joined(cls, name: str, packs: Sequence["Pack"], *, descending: bool = False) -> "Pack":
        """Join several packs, sorted from the easiest level to the hardest, or `descending`. Each level keeps the origin of its own pack."""
        levels = [level for pack in packs for level in pack.levels]
        difficulties = np.array([Pack._measured(level)["difficulty"] for level in levels])
        order = np.argsort(-difficulties if descending else difficulties, kind="stable")
        parts = tuple(part for pack in packs for part in pack.parts)
        return cls(name, tuple(levels[index] for index in order), parts, sum(pack.seconds for pack in packs))

    @staticmethod
    def _measured(level: Level) -> dict[str, float]:
        return measure(level, like=level.origin.recipe.get("like", ()) if level.origin else ()).of_level()

    @cached_property
    def measures(self) -> list[dict[str, float]]:
        """All measures of each level that apply to it."""
        return [self._measured(level) for level in self.levels]

    @cached_property
    def names(self) -> list[str]:
        """The file names of the levels without suffix: the position in the pack, and the recipe's name in characters valid in file names."""
        digits = max(len(str(len(self.levels))), 2)
        kinds = [re.sub(r"[^\w.-]+", "-", level.origin.recipe["name"] if level.origin else self.name) for level in self.levels]
        return [f"{number:0{digits}}-{kind}" for number, kind in enumerate(kinds, 1)]

    @property
    def digest(self) -> str:
        """The SHA-256 of the digests of all levels, in order."""
        return hashlib.sha256("\n".join(level.digest for level in self.levels).encode()).hexdigest()

    @cached_property
    def report(self) -> PackReport:
        """The targets, how they were met, and the nearest results for abandoned levels."""
        targets, missed, remarks = [], [], []
        for part in self.parts:
            data = part.order.to_data()
            mine = [
                index for index, level in enumerate(self.levels) if level.origin and (level.origin.seed, level.origin.recipe) == (part.seed, data)
            ]
            targets.append(self._targets(part.order, mine))
            remarks += curve_remarks(part, [self.measures[index]["difficulty"] for index in mine]) if part.scale else []
            alike: dict[tuple[tuple[str, ...], str], list[int]] = {}
            for miss in part.missed:
                alike.setdefault((miss.unmet, miss.reason), []).append(miss.index + 1)
            for (unmet, reason), numbers in alike.items():
                missed.append({"recipe": part.order.recipe.name, "levels": _numbers(numbers), "unmet": list(unmet), "reason": reason})
        return PackReport(sum(part.order.count for part in self.parts), len(self.levels), targets, missed, remarks)

    def _targets(self, order: Order, indices: list[int]) -> dict[str, Any]:
        """Return the targets of one order, each with the values of its levels."""
        data: dict[str, Any] = {"recipe": order.recipe.name, "count": {"wanted": order.count, "found": len(indices)}}
        settings = order.to_data()["pack"]
        for name in order.target:
            data[name] = {"wanted": settings["target"][name], **_extent([self.measures[index][name] for index in indices])}
        tiles = np.stack([self.levels[index].tiles for index in indices]) if indices else None
        nearest = None if tiles is None else nearest_pair(tiles)
        data["distinct"] = {"wanted": order.distinct, "found": None if nearest is None else round(nearest, 6)}
        if order.curve is not None:
            data["difficulty"] = {"curve": settings["curve"], **_extent([self.measures[index]["difficulty"] for index in indices])}
        return data

    def to_data(self, files: Sequence[Sequence[str]] = (), parts: Sequence[Mapping[str, str]] = ()) -> dict[str, Any]:
        """Return the manifest: orders, seeds, targets, and each level's files, measures and digest. It does not depend on time or machine.

        `parts` are the names of each level in files that contain several.
        """
        entries = []
        for index, (level, name) in enumerate(zip(self.levels, self.names, strict=True)):
            entries.append(
                {
                    "name": name,
                    "files": [*(files[index] if files else []), *(parts[index] if parts else [])],
                    **({PARTS: dict(parts[index])} if parts and parts[index] else {}),
                    "steps": len(level.solution or ""),
                    "difficulty": self.measures[index].get("difficulty"),
                    "digest": level.digest,
                    "measures": self.measures[index],
                }
            )
        return {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "digest": self.digest,
            "met": self.report.met,
            "orders": [{"seed": part.seed, **part.order.to_data()} for part in self.parts],
            "searches": sum(part.searches for part in self.parts),
            "evaluations": sum(part.evaluations for part in self.parts),
            "targets": self.report.targets,
            "missed": self.report.missed,
            "remarks": self.report.remarks,
            "levels": entries,
        }

    def files(self, formats: str | Iterable[str] = DEFAULT_FORMATS, folder: str | Path = "", look: Look | None = None) -> dict[str, bytes]:
        """Return the names and bytes of all files of the pack, in a look: levels in each format, the manifest, a contact sheet and the page."""
        suffixes = formats_of(formats)
        files: dict[str, bytes] = {}
        names: list[list[str]] = []
        for level, name in zip(self.levels, self.names, strict=True):
            level.check()
            encoded = [encode_all(level, Path(folder) / f"{name}.{suffix}", look) for suffix in single_formats(suffixes)]
            written = {path.name: content for contents in encoded for path, content in contents.items()}
            files |= written
            names.append(list(written))
        together, parts = bundles(self.name, dict(zip(self.names, self.levels, strict=True)), suffixes, look or Look())
        files |= together
        if self.levels:
            captions = [f"{name}  {caption_of(level)}" for name, level in zip(self.names, self.levels, strict=True)]
            files[SHEET] = sheet_picture(self.levels, captions, look)
        data = self.to_data(names, list(parts.values()))
        entries = [entry_of(level, entry, look) for level, entry in zip(self.levels, data["levels"], strict=True)]
        files[PAGE] = page(self.name, self.digest, tilesets_of(self.levels, look), entries)
        files[MANIFEST] = encode_manifest(data, files)
        return files

    def save(
        self,
        folder: str | Path,
        formats: str | Iterable[str] = DEFAULT_FORMATS,
        *,
        theme: str | Path | Theme | None = None,
        tile: int | None = None,
    ) -> Path:
        """Write the pack's folder, and return the path of the page. All files are encoded before the first is written.

        `theme` (a name or a TOML file, see `levolve parts themes`) and `tile` (pixels per tile) are the look of pictures and of files for engines.
        """
        return write_folder(Path(folder), self.files(formats, folder, look_of(theme, tile)))

    def summary(self, folder: Path | None = None) -> dict[str, Any]:
        """Return the manifest with the folder it was written to, if any, its page, and the build time in seconds."""
        written = {"folder": None} if folder is None else {"folder": str(folder.resolve()), "index": str(folder.resolve() / PAGE)}
        return {**self.to_data(), **written, "seconds": round(self.seconds, 3)}


def curve_remarks(part: PackPart, difficulties: Sequence[float]) -> list[str]:
    """Return a sentence if levels on a curve have the same difficulty, with the figures."""
    curve, values = part.order.curve, len(set(difficulties))
    if curve is None or part.scale is None or curve[0] == curve[1] or values == len(difficulties):
        return []
    different = (
        f"{values} different difficulties, {min(difficulties):g} to {max(difficulties):g}" if values > 1 else f"difficulty {difficulties[0]:g}"
    )
    advice = f"{'widen the targets, ' if part.order.target else ''}enlarge the levels or request fewer"
    figures = f"the {len(difficulties)} levels have {different}, and the search for its ends found {part.scale[0]:g} to {part.scale[1]:g}"
    return [f"{part.order.recipe.name}: some neighbours on the curve are equally difficult: {figures}; {advice}"]


def _extent(values: list[float]) -> dict[str, float | None]:
    return {"least": min(values, default=None), "most": max(values, default=None)}


def _numbers(numbers: list[int]) -> str:
    """Return `level 3`, `levels 3, 4, 7`, or, for many, `92 levels from 9 to 100`."""
    if len(numbers) == 1:
        return f"level {numbers[0]}"
    if len(numbers) <= 5:  # noqa: PLR2004 a longer list would be hard to read
        return f"levels {', '.join(map(str, numbers))}"
    return f"{len(numbers)} levels from {numbers[0]} to {numbers[-1]}"

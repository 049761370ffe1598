"""`Pack`: the levels that were found, what was wished of them, and their folder of files."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from levolve.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.files import encode_all
from levolve.formats.sheet import sheet_picture
from levolve.levels.level import Level, Origin
from levolve.measures.measuring import measure
from levolve.packs.crowd import nearest_pair
from levolve.packs.folder import FORMAT, MANIFEST, PAGE, SHEET, write_folder
from levolve.packs.order import Order
from levolve.packs.webpage import entry_of, page, tilesets_of
from levolve.registry import did_you_mean
from levolve.version import VERSION

FORMATS_UNLESS_TOLD = ("json", "png")
# Names of programs for the formats that they open.
PROGRAMS = {"tiled": "tmx", "godot": "tscn", "sokoban": "xsb", "numpy": "npz", "text": "txt"}


@dataclass(frozen=True)
class Miss:
    """A level that was given up: its number in the order, from 0, and how near the nearest search came, a sentence each."""

    index: int
    unmet: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One order of a pack, its seed, how many levels were found, and those that were not."""

    order: Order
    seed: int
    found: int
    missed: tuple[Miss, ...]


@dataclass(frozen=True)
class Report:
    """What was wished and what was met."""

    wanted: int
    found: int
    wishes: list[dict[str, Any]]
    missed: list[dict[str, Any]]

    @property
    def met(self) -> bool:
        """Whether every level that was ordered was found."""
        return self.found == self.wanted

    def __str__(self) -> str:
        """A line for the count, and one for each way in which a wish was missed."""
        lines = [f"{self.found} of {self.wanted} levels are as wished"]
        lines += [f"{miss['levels']} given up: {'; '.join(miss['unmet'])}" for miss in self.missed]
        return "\n".join(lines)


def with_origins(levels: Iterable[Level], order: Order, seed: int) -> tuple[Level, ...]:
    """The levels, each knowing from which order it was grown, and where it stands in the pack."""
    data = order.to_data()
    return tuple(level.with_origin(Origin.of(data, seed, index, VERSION)) for index, level in enumerate(levels))


def formats_of(names: str | Iterable[str]) -> list[str]:
    """Formats by name, or by the name of a program that opens them: `tiled,png`."""
    listed = [name.strip() for name in (names.split(",") if isinstance(names, str) else names)]
    known = [*FORMATS, *(program for program, name in PROGRAMS.items() if name in FORMATS)]
    for name in listed:
        if name not in known:
            message = f"unknown format {name!r}: {did_you_mean(name, known)}"
            raise InputError(message)
    return list(dict.fromkeys(PROGRAMS.get(name, name) for name in listed))


def check_formats(formats: Iterable[str], order: Order, folder: Path) -> None:
    """Refuse formats that cannot hold the levels of an order, or not in this folder, before any are made."""
    blank = Level(np.zeros((order.frame.height, order.frame.width), np.uint8), tileset=order.tileset)
    for suffix in formats:
        encode_all(blank, folder / f"blank.{suffix}")


@dataclass(frozen=True)
class Pack:
    """Levels that were made together. Every one holds its solution, replayed by the independent checker, and its origin."""

    name: str
    levels: tuple[Level, ...]
    parts: tuple[Part, ...]

    @classmethod
    def joined(cls, name: str, packs: Sequence["Pack"]) -> "Pack":
        """Several packs in one, from the easiest level to the hardest. A level's origin stays that of its own pack."""
        levels = [level for pack in packs for level in pack.levels]
        order = np.argsort([Pack._measured(level)["difficulty"] for level in levels], kind="stable")
        return cls(name, tuple(levels[index] for index in order), tuple(part for pack in packs for part in pack.parts))

    @staticmethod
    def _measured(level: Level) -> dict[str, int]:
        return {name: int(values[0]) for name, values in measure(level).items()}

    @cached_property
    def measures(self) -> list[dict[str, int]]:
        """All that can be measured on each level."""
        return [self._measured(level) for level in self.levels]

    @cached_property
    def names(self) -> list[str]:
        """A file name for each level, without its suffix: the place in the pack and the recipe's name, as far as a file can have it."""
        digits = max(len(str(len(self.levels))), 2)
        kinds = [re.sub(r"[^\w.-]+", "-", level.origin.recipe["name"] if level.origin else self.name) for level in self.levels]
        return [f"{number:0{digits}}-{kind}" for number, kind in enumerate(kinds, 1)]

    @property
    def digest(self) -> str:
        """Sha256 over the digests of the levels, in their order."""
        return hashlib.sha256("\n".join(level.digest for level in self.levels).encode()).hexdigest()

    @cached_property
    def report(self) -> Report:
        """What was wished, what was met, and how near the rest came."""
        wishes, missed = [], []
        for part in self.parts:
            data = part.order.to_data()
            mine = [
                index for index, level in enumerate(self.levels) if level.origin and (level.origin.seed, level.origin.recipe) == (part.seed, data)
            ]
            wishes.append(self._wishes(part.order, mine))
            alike: dict[tuple[str, ...], list[int]] = {}
            for miss in part.missed:
                alike.setdefault(miss.unmet, []).append(miss.index + 1)
            for unmet, numbers in alike.items():
                missed.append({"recipe": part.order.recipe.name, "levels": _numbers(numbers), "unmet": list(unmet)})
        return Report(sum(part.order.count for part in self.parts), len(self.levels), wishes, missed)

    def _wishes(self, order: Order, indices: list[int]) -> dict[str, Any]:
        """What one order wished, with what its levels are beside it."""
        data: dict[str, Any] = {"recipe": order.recipe.name, "count": {"wanted": order.count, "found": len(indices)}}
        wished = order.to_data()["pack"]
        for name in order.target:
            data[name] = {"wanted": wished["target"][name], **_extent([self.measures[index][name] for index in indices])}
        tiles = np.stack([self.levels[index].tiles for index in indices]) if indices else None
        nearest = None if tiles is None else nearest_pair(tiles)
        data["distinct"] = {"wanted": order.distinct, "found": None if nearest is None else round(nearest, 6)}
        if order.curve is not None:
            data["difficulty"] = {"curve": wished["curve"], **_extent([self.measures[index]["difficulty"] for index in indices])}
        return data

    def to_data(self, files: Sequence[Sequence[str]] = ()) -> dict[str, Any]:
        """The manifest: orders, seeds, wishes, and each level's files, measures and digest. Nothing in it depends on when or where it was made."""
        entries = []
        for index, (level, name) in enumerate(zip(self.levels, self.names, strict=True)):
            entries.append(
                {
                    "name": name,
                    "files": list(files[index]) if files else [],
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
            "wishes": self.report.wishes,
            "missed": self.report.missed,
            "levels": entries,
        }

    def files(self, formats: str | Iterable[str] = FORMATS_UNLESS_TOLD, folder: str | Path = "") -> dict[str, bytes]:
        """Every file of the pack's folder and its bytes: levels in each format, the manifest, a contact sheet and the page to play them on."""
        suffixes = formats_of(formats)
        files: dict[str, bytes] = {}
        names: list[list[str]] = []
        for level, name in zip(self.levels, self.names, strict=True):
            level.check()
            encoded = [encode_all(level, Path(folder) / f"{name}.{suffix}") for suffix in suffixes]
            written = {path.name: content for contents in encoded for path, content in contents.items()}
            files |= written
            names.append(list(written))
        if self.levels:
            captions = [f"{name}  {len(level.solution or '')} steps" for name, level in zip(self.names, self.levels, strict=True)]
            files[SHEET] = sheet_picture(self.levels, captions)
        data = self.to_data(names)
        files[MANIFEST] = (json.dumps(data, indent=2) + "\n").encode()
        entries = [entry_of(level, entry) for level, entry in zip(self.levels, data["levels"], strict=True)]
        files[PAGE] = page(self.name, self.digest, tilesets_of(self.levels), entries)
        return files

    def save(self, folder: str | Path, formats: str | Iterable[str] = FORMATS_UNLESS_TOLD) -> Path:
        """Write the pack's folder, and give the page's path. All is made before the first file is written."""
        return write_folder(Path(folder), self.files(formats, folder))


def _extent(values: list[int]) -> dict[str, int | None]:
    return {"least": min(values, default=None), "most": max(values, default=None)}


def _numbers(numbers: list[int]) -> str:
    """`level 3`, or `levels 3, 4, 7` or, where there are many, `92 levels from 9 to 100`."""
    if len(numbers) == 1:
        return f"level {numbers[0]}"
    if len(numbers) <= 5:  # noqa: PLR2004 more are no longer read
        return f"levels {', '.join(map(str, numbers))}"
    return f"{len(numbers)} levels from {numbers[0]} to {numbers[-1]}"

"""Rules by name or file: `find_design`; and the rules that come with levolve, as a list with a
thumbnail each.
"""

import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from levolve.core.errors import InputError
from levolve.core.registry import did_you_mean
from levolve.formats.reading.arrays import read_array
from levolve.formats.reading.budgets import MOST_ARRAY_BYTES
from levolve.formats.reading.files import read_bytes, read_data, read_text
from levolve.worlds.design import (
    Design,
    RuleLike,
    design_from_data,
    design_from_map,
    design_from_record,
)
from levolve.worlds.legend import find_palette
from levolve.worlds.pictures import terminal_picture
from levolve.worlds.records import holds_maps_only, read_maps, read_records
from levolve.worlds.rule import Map, Rule

THUMBNAIL_SEED = 1
# Two rows of cells are one line of half blocks.
THUMBNAIL_ROWS = 2


@dataclass(frozen=True, eq=False)
class ShippedRule:
    """A rule that comes with levolve."""

    design: Design

    @property
    def name(self) -> str:
        """The name by which `make_map` finds it."""
        return self.design.name

    @property
    def summary(self) -> str:
        """What it makes, in one line."""
        return self.design.summary

    def strip(self, columns: int = 24) -> Map:
        """Two rows of `columns` cells from the middle of a map of the rule."""
        side = max(columns, 60)
        tiles = self.design.make((side, side), THUMBNAIL_SEED)
        return tiles[side // 2 : side // 2 + THUMBNAIL_ROWS, :columns]

    def thumbnail(self, columns: int = 24, *, colour: bool = True) -> str:
        """A line of half blocks from the middle of a map of the rule, at full scale."""
        return terminal_picture(
            self.strip(columns), find_palette(self.design.palette), columns, 1, colour=colour
        )

    def to_data(self) -> dict[str, Any]:
        """The rule as plain data that JSON can hold."""
        rule = self.design.rule
        return {
            "name": self.name,
            "summary": self.summary,
            "states": rule.states,
            "neighbours": len(rule.neighbourhood),
            "updates": self.design.updates,
            "border": rule.border,
            "arithmetic": rule.arithmetic,
            "legend": list(self.design.legend.names),
            "thumbnail": ["".join(map(str, row)) for row in self.strip().tolist()],
        }


def list_rules() -> list[ShippedRule]:
    """All rules that come with levolve, by name."""
    return [ShippedRule(find_design(name)) for name in shipped_rules()]


def shipped_rules() -> dict[str, str]:
    """The rules that come with levolve: name and what it makes, in one line."""
    return {name: find_designs(name)[0].summary for name in _shipped_names()}


def _shipped_names() -> list[str]:
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in resources.files("levolve.worlds.rules").iterdir()
        if entry.name.endswith(".toml")
    )


def find_designs(rule: str | Path, *, size: tuple[int, int] | None = None) -> list[Design]:
    """The designs of a rule's name, of a `.toml` or `.json` file, or of a text file, which may hold
    several records or maps.

    A shipped rule's name stands for that rule, whatever files there are; `./NAME` is a file.
    `size`, (width, height), is needed for a file of maps alone, and is not used otherwise.
    """
    path = Path(rule)
    suffix = path.suffix.lower()
    known = _shipped_names()
    if str(rule) in known:
        text = (resources.files("levolve.worlds.rules") / f"{rule}.toml").read_text(
            encoding="utf-8"
        )
        return [design_from_data(tomllib.loads(text), f"rule {rule}")]
    if suffix in {".toml", ".json"}:
        return [design_from_data(read_data(path, "rule"), f"rule {path}")]
    if suffix or path.is_file():
        return _read_designs(path, size)
    raise InputError(
        f"unknown rule {str(rule)!r}: {did_you_mean(str(rule), known)}; or give a record file, "
        "or a .toml or .json file"
    )


def _read_designs(path: Path, size: tuple[int, int] | None) -> list[Design]:
    """The designs of a text of records, or of maps alone."""
    text = read_text(path)

    def names(count: int) -> list[str]:
        return (
            [path.stem]
            if count == 1
            else [f"{path.stem}-{number}" for number in range(1, count + 1)]
        )

    if not holds_maps_only(text):
        records = read_records(text, str(path))
        return [
            design_from_record(record, name)
            for record, name in zip(records, names(len(records)), strict=True)
        ]
    if size is None:
        raise InputError(
            f"{path}: expected a record, a line that begins with 'sMs[', got maps alone, or a "
            "file that is cut off; give the size of maps"
        )
    maps = read_maps(text, size, source=str(path))
    return [
        design_from_map(tiles, name) for tiles, name in zip(maps, names(len(maps)), strict=True)
    ]


def find_design(rule: RuleLike, *, record: int = 1, size: tuple[int, int] | None = None) -> Design:
    """The design of a rule's name, of a file, of a `Rule` or of a `Design`; `record`, from 1,
    chooses from a file with several.
    """
    if isinstance(rule, Rule):
        return Design("rule", rule)
    if isinstance(rule, Design):
        return rule
    found = find_designs(rule, size=size)
    if not 1 <= record <= len(found):
        raise InputError(
            f"record: expected from 1 to {len(found)}, as many as {rule} holds, got {record}"
        )
    return found[record - 1]


def read_start(path: str | Path, size: tuple[int, int] | None = None) -> Map:
    """A start map from a file: an array `.npy`, a record with a map, or one map alone in digits,
    whose `size`, (width, height), has to be given.
    """
    path = Path(path)
    if path.suffix.lower() == ".npy":
        try:
            return read_array(read_bytes(path, MOST_ARRAY_BYTES), str(path))
        except InputError as problem:
            raise InputError(f"start {problem}") from problem
    found = _read_designs(path, size)
    if len(found) != 1 or found[0].given is None:
        raise InputError(
            f"start {path}: expected one map, got "
            f"{sum(design.given is not None for design in found)}"
        )
    return found[0].given

"""`Design`: a rule with all that is needed to make maps of it, from a TOML or JSON file, a record of the source, or by a shipped name."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from levolve.errors import InputError
from levolve.fashion.legend import Legend, checked_legend, find_palette
from levolve.fashion.records import Record, read_records
from levolve.fashion.rule import DEFAULT_UPDATES, NEIGHBOURHOODS, Map, Rule, checked_updates
from levolve.fashion.starts import random_start, thresholds_of
from levolve.registry import did_you_mean

KEYS = ("name", "summary", "scores", "neighbourhood", "border", "updates", "weights", "legend", "palette", "smooth", "start")


@dataclass(frozen=True, eq=False)
class Design:
    """A rule, its updates, the shares of the states at the start, how often the majority filter follows, what states mean and how they look.

    `start` is a map to start from, where one came along; else start maps are drawn by seed.
    """

    name: str
    rule: Rule
    summary: str = ""
    updates: int = DEFAULT_UPDATES
    weights: tuple[float, ...] | None = None
    smooth: int = 0
    legend: Legend = field(default_factory=lambda: Legend(()))
    palette: str | tuple[tuple[int, int, int], ...] = "source"
    start: Map | None = None

    def __post_init__(self) -> None:
        """Check that everything fits the rule."""
        checked_updates(self.updates)
        thresholds_of(self.rule.states, self.weights)
        object.__setattr__(self, "legend", checked_legend(self.legend.names or None, self.rule.states))
        find_palette(self.palette)
        if not 0 <= self.smooth <= 100:  # noqa: PLR2004 more changes nothing
            message = f"smooth: expected from 0 to 100 passes of the majority filter, got {self.smooth!r}"
            raise InputError(message)
        if self.start is not None:
            object.__setattr__(self, "start", self.rule.checked_map(self.start))

    def starting(self, size: tuple[int, int], seed: int) -> Map:
        """A start map: the one that came along, or one of this size by seed."""
        return self.start if self.start is not None else random_start(self.rule.states, size, seed, weights=self.weights)

    def make(self, size: tuple[int, int], seed: int = 0) -> Map:
        """A finished map, smoothed if the design says so."""
        return self.rule.smoothed(self.rule.run(self.starting(size, seed), self.updates), self.smooth)

    def to_data(self) -> dict[str, Any]:
        """As plain data; what is as usual is left out."""
        rule = self.rule
        near: Any = next((name for name, offsets in NEIGHBOURHOODS.items() if offsets == rule.neighbourhood), None)
        data: dict[str, Any] = {
            "name": self.name,
            "summary": self.summary,
            "scores": [[_plain_number(value) for value in row] for row in rule.exact],
            "neighbourhood": near or [list(offset) for offset in rule.neighbourhood],
            "border": rule.border,
            "updates": self.updates,
            "legend": list(self.legend.names),
            "palette": self.palette if isinstance(self.palette, str) else [list(colour) for colour in self.palette],
        }
        if self.weights is not None:
            data["weights"] = list(self.weights)
        if self.smooth:
            data["smooth"] = self.smooth
        if self.start is not None:
            data["start"] = ["".join(map(str, row)) for row in self.start.tolist()] if rule.states <= 10 else self.start.tolist()  # noqa: PLR2004 a digit a cell
        return data

    def to_toml(self) -> str:
        """As TOML."""
        return tomli_w.dumps(self.to_data())

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(self.to_data(), indent=2) + "\n"

    def to_record(self, size: tuple[int, int], tiles: Map | None) -> Record:
        """As a record of the source, with this map."""
        return Record(self.rule, self.updates, size, tiles)


def _plain_number(value: Fraction) -> int | float:
    """The number as TOML and JSON write it, if it comes back exactly."""
    if value.denominator == 1:
        return value.numerator
    near = float(value)
    if Fraction(repr(near)) != value:
        message = f"scores: {value} has more digits than can be written in this form; round it"
        raise InputError(message)
    return near


def design_from_data(data: object, source: str) -> Design:
    """A design from plain data, as TOML or JSON give it."""
    if not isinstance(data, Mapping):
        message = f"{source}: expected a table with 'scores', got {type(data).__name__}"
        raise InputError(message)
    for key in data:
        if key not in KEYS:
            message = f"{source}: unknown key {key!r}: {did_you_mean(str(key), list(KEYS))}"
            raise InputError(message)
    if "scores" not in data:
        message = f"{source}: expected a key 'scores', rows of numbers, got {', '.join(map(str, data)) or 'nothing'}"
        raise InputError(message)
    try:
        rule = Rule(data["scores"], data.get("neighbourhood", "von_neumann"), data.get("border", "torus"))
        start = data.get("start")
        if isinstance(start, list) and start and all(isinstance(row, str) and row.isascii() and row.isdigit() for row in start):
            start = [[int(cell) for cell in row] for row in start]
        weights = data.get("weights")
        palette = data.get("palette", "source")
        return Design(
            name=str(data.get("name", Path(source).stem)),
            rule=rule,
            summary=str(data.get("summary", "")),
            updates=data.get("updates", DEFAULT_UPDATES),
            weights=None if weights is None else tuple(weights),
            smooth=data.get("smooth", 0),
            legend=Legend(tuple(data.get("legend", ()))),
            palette=palette if isinstance(palette, str) else tuple(tuple(colour) for colour in palette),
            start=None if start is None else np.asarray(start),
        )
    except InputError as problem:
        message = f"{source}: {problem}"
        raise InputError(message) from problem
    except (TypeError, ValueError) as problem:
        message = f"{source}: expected a rule file with scores, neighbourhood, updates, weights, legend and palette, got: {problem}"
        raise InputError(message) from problem


def design_from_record(record: Record, name: str) -> Design:
    """A design from a record of the source. Its map becomes the start map."""
    return Design(name=name, rule=record.rule, updates=record.updates, start=record.tiles)


def shipped_rules() -> dict[str, str]:
    """The rules that come with levolve: name and what it makes, in one line."""
    files = [entry for entry in resources.files("levolve.fashion.rules").iterdir() if entry.name.endswith(".toml")]
    return {
        entry.name.removesuffix(".toml"): str(tomllib.loads(entry.read_text(encoding="utf-8")).get("summary", "")) for entry in sorted(files, key=str)
    }


def read_text(path: Path) -> str:
    """The text of a rule or record file."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        message = f"rule {path}: expected a text file that can be read, got: {problem}"
        raise InputError(message) from problem


def find_designs(rule: str | Path) -> list[Design]:
    """The designs of a rule's name, of a `.toml` or `.json` file, or of a record file, which may hold several."""
    path = Path(rule)
    suffix = path.suffix.lower()
    if suffix in {".toml", ".json"}:
        content = read_text(path)
        try:
            data = json.loads(content) if suffix == ".json" else tomllib.loads(content)
        except (ValueError, RecursionError) as problem:
            message = f"rule {path}: expected {suffix[1:].upper()}, got something else: {problem}"
            raise InputError(message) from problem
        return [design_from_data(data, f"rule {path}")]
    if suffix or path.exists():
        records = read_records(read_text(path), str(path))
        several = len(records) > 1
        return [design_from_record(record, f"{path.stem}-{number}" if several else path.stem) for number, record in enumerate(records, 1)]
    known = shipped_rules()
    if str(rule) not in known:
        message = f"unknown rule {str(rule)!r}: {did_you_mean(str(rule), list(known))}; or give a record file, or a .toml or .json file"
        raise InputError(message)
    text = (resources.files("levolve.fashion.rules") / f"{rule}.toml").read_text(encoding="utf-8")
    return [design_from_data(tomllib.loads(text), f"rule {rule}")]

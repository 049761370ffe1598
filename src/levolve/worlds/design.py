"""`Design`: a rule with all that is needed to make maps of it, from a TOML or JSON file, a record
of the source, or by a shipped name.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import tomli_w

from levolve.core.errors import InputError, shown
from levolve.core.registry import did_you_mean
from levolve.formats.reading.data import parse_json, parse_toml
from levolve.worlds.legend import PALETTES, Legend, checked_legend, find_palette
from levolve.worlds.records import (
    MOST_DIGITS,
    Record,
    Role,
    read_records,
)
from levolve.worlds.rule import DEFAULT_UPDATES, Map, Rule, checked_updates
from levolve.worlds.starts import NEIGHBOURHOODS, random_start, thresholds_of

RuleLike: TypeAlias = "str | Path | Rule | Design"
KEYS = (
    "name",
    "summary",
    "scores",
    "neighbourhood",
    "border",
    "updates",
    "weights",
    "legend",
    "palette",
    "smooth",
    "arithmetic",
    "start",
    "result",
)


@dataclass(frozen=True, eq=False)
class Design:
    """A rule, its updates, the shares of the states at the start, how often the majority filter
    follows, what states mean and how they look.

    `start` is a map to start from, where the file holds one; else start maps are drawn by seed.
    `result` is a finished map, where the file holds one: it is shown as it is. `earlier` are the
    maps before it, after 0, 1, 2 … updates. `stated` is whether the file says which of the two its
    map is, `ruleless` whether it holds a map and no rule.
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
    result: Map | None = None
    earlier: tuple[Map, ...] = ()
    stated: bool = True
    ruleless: bool = False

    def __post_init__(self) -> None:
        """Check that everything fits the rule."""
        checked_updates(self.updates)
        thresholds_of(self.rule.states, self.weights)
        object.__setattr__(
            self, "legend", checked_legend(self.legend.names or None, self.rule.states)
        )
        find_palette(self.palette)
        if not 0 <= self.smooth <= 100:  # more changes nothing
            raise InputError(
                "smooth: expected from 0 to 100 passes of the majority filter, got "
                f"{shown(self.smooth)}"
            )
        for name in ("start", "result"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, self.rule.checked_map(getattr(self, name), name))
        if self.start is not None and self.result is not None:
            raise InputError("result: expected a start map or a result, got both; leave one out")

    @property
    def given(self) -> Map | None:
        """The map that came with the design, start or result."""
        return self.start if self.result is None else self.result

    def with_map(self, role: str) -> "Design":
        """The design with its map as the `start` of its updates, or as their `result`."""
        if role not in {"start", "result"}:
            raise InputError(f"map_is: expected 'start' or 'result', got {role!r}")
        if self.given is None:
            raise InputError(
                f"map_is: {self.name} holds no map that could be its {role}; leave it out"
            )
        start, result = (self.given, None) if role == "start" else (None, self.given)
        return replace(
            self,
            start=start,
            result=result,
            earlier=self.earlier if role == "result" else (),
            stated=True,
        )

    def without_map(self) -> "Design":
        """The design alone: start maps are drawn by seed."""
        return replace(self, start=None, result=None, earlier=(), stated=True)

    def adapted(
        self,
        *,
        updates: int | None = None,
        border: str | None = None,
        smooth: int | None = None,
        arithmetic: str | None = None,
        palette: str | Sequence[Sequence[int]] | None = None,
    ) -> "Design":
        """The design with some of its settings changed; what is None stays."""
        changes: dict[str, Any] = {"updates": updates, "smooth": smooth}
        rule = self.rule if border is None else self.rule.with_border(border)
        changes["rule"] = rule if arithmetic is None else rule.with_arithmetic(arithmetic)
        if palette is not None:
            changes["palette"] = palette if isinstance(palette, str) else find_palette(palette)
        return replace(self, **{key: value for key, value in changes.items() if value is not None})

    def starting(self, size: tuple[int, int], seed: int) -> Map:
        """A start map: the one in the file, or one of this (width, height) drawn by seed."""
        return (
            self.start
            if self.start is not None
            else random_start(self.rule.states, size, seed, weights=self.weights)
        )

    def make(self, size: tuple[int, int], seed: int = 0) -> Map:
        """A finished map, smoothed if the design says so; the result in the file, where there is
        one.
        """
        if self.result is not None:
            return self.result
        return self.rule.smoothed(
            self.rule.run(self.starting(size, seed), self.updates), self.smooth
        )

    def to_data(self) -> dict[str, Any]:
        """As plain data; what is as usual is left out."""
        rule = self.rule
        near: Any = next(
            (name for name, offsets in NEIGHBOURHOODS.items() if offsets == rule.neighbourhood),
            None,
        )
        data: dict[str, Any] = {
            "name": self.name,
            "summary": self.summary,
            "scores": _plain_scores(rule),
            "neighbourhood": near or [list(offset) for offset in rule.neighbourhood],
            "border": rule.border,
            "updates": self.updates,
            "legend": list(self.legend.names),
            "palette": self.palette
            if isinstance(self.palette, str)
            else [list(colour) for colour in self.palette],
        }
        if self.weights is not None:
            data["weights"] = list(self.weights)
        if self.smooth:
            data["smooth"] = self.smooth
        if rule.arithmetic != "exact":
            data["arithmetic"] = rule.arithmetic
        for name, tiles in (("start", self.start), ("result", self.result)):
            if tiles is not None:
                data[name] = (
                    ["".join(map(str, row)) for row in tiles.tolist()]
                    if rule.states <= MOST_DIGITS
                    else tiles.tolist()
                )
        return data

    def to_toml(self) -> str:
        """As TOML."""
        return tomli_w.dumps(self.to_data())

    def to_json(self) -> str:
        """As JSON."""
        return json.dumps(self.to_data(), indent=2) + "\n"

    def to_record(self, size: tuple[int, int] = (100, 100)) -> Record:
        """As a record of the source, with the map that the design holds; `size` is (width, height)
        where there is none.
        """
        tiles = self.given
        if tiles is None:
            return Record(self.rule, self.updates, size)
        role: Role = "start" if self.result is None else "result"
        return Record(
            self.rule,
            self.updates,
            (tiles.shape[1], tiles.shape[0]),
            tiles,
            self.earlier,
            role if self.stated else None,
        )


def _plain_scores(rule: Rule) -> list[list[Any]]:
    if rule.arithmetic == "text":
        return [list(row) for row in rule.written]
    return [[_plain_number(value) for value in row] for row in rule.exact]


def _plain_number(value: Fraction) -> int | float:
    """The number as TOML and JSON write it, if it comes back exactly."""
    if value.denominator == 1:
        return value.numerator
    near = float(value)
    if Fraction(repr(near)) != value:
        raise InputError(
            f"scores: {value} has more digits than can be written in this form; round it"
        )
    return near


def design_from_data(data: object, source: str) -> Design:
    """A design from plain data, as TOML or JSON give it."""
    if not isinstance(data, Mapping):
        raise InputError(f"{source}: expected a table with 'scores', got {type(data).__name__}")
    for key in data:
        if key not in KEYS:
            raise InputError(
                f"{source}: unknown key {shown(key)}: {did_you_mean(str(key), list(KEYS))}"
            )
    if "scores" not in data:
        raise InputError(
            f"{source}: expected a key 'scores', rows of numbers, got "
            f"{shown(', '.join(map(str, data))) if data else 'nothing'}"
        )
    try:
        rule = Rule(
            data["scores"],
            data.get("neighbourhood", "von_neumann"),
            data.get("border", "torus"),
            arithmetic=data.get("arithmetic", "exact"),
        )
        weights = data.get("weights")
        palette = data.get("palette", "source")
        return Design(
            name=str(data.get("name", Path(source.removeprefix("rule ")).stem)),
            rule=rule,
            summary=str(data.get("summary", "")),
            updates=data.get("updates", DEFAULT_UPDATES),
            weights=None if weights is None else tuple(weights),
            smooth=data.get("smooth", 0),
            legend=Legend(tuple(data.get("legend", ()))),
            palette=palette
            if isinstance(palette, str)
            else tuple(tuple(colour) for colour in palette),
            start=_map_from_data(data.get("start")),
            result=_map_from_data(data.get("result")),
        )
    except InputError as problem:
        raise InputError(f"{source}: {problem}") from problem
    except (TypeError, ValueError) as problem:
        raise InputError(
            f"{source}: expected a rule file with scores, neighbourhood, updates, weights, "
            f"legend and palette, got: {problem}"
        ) from problem


def design_from_text(text: str, kind: str, source: str = "rule") -> Design:
    """A design from the text of a file of a kind: `toml`, `json`, or `txt` for records, the first
    of them.

    The text may come from anywhere: it cannot name a file with a palette.
    """
    if kind == "txt":
        return design_from_record(read_records(text, source)[0], source)
    data = parse_toml(text, source) if kind == "toml" else parse_json(text, source)
    palette = data.get("palette") if isinstance(data, Mapping) else None
    if isinstance(palette, str) and palette not in PALETTES:
        raise InputError(
            f"{source}: palette: expected one of {', '.join(PALETTES)}, or a list of colours, "
            f"got {shown(palette)}"
        )
    return design_from_data(data, source)


def _map_from_data(rows: Any) -> Any:
    """Rows of whole numbers, or of digits."""
    if rows is None:
        return None
    if (
        isinstance(rows, list)
        and rows
        and all(isinstance(row, str) and row.isascii() and row.isdigit() for row in rows)
    ):
        rows = [[int(cell) for cell in row] for row in rows]
    return np.asarray(rows)


def design_from_record(record: Record, name: str) -> Design:
    """A design from a record of the source. Its map becomes the start or the result, whichever it
    is.
    """
    design = Design(
        name=name,
        rule=record.rule,
        updates=record.updates,
        start=record.tiles,
        earlier=record.earlier,
    )
    if record.role is None:
        return design
    derived = record.stated is None and record.role == "start"
    return replace(design.with_map(record.role), stated=not derived)


def design_from_map(tiles: Map, name: str) -> Design:
    """A design from a map without a rule: the map is its result. Its scores are all 0, so that no
    cell would change.
    """
    states = max(int(tiles.max()) + 1, 2)
    return Design(
        name=name, rule=Rule([[0] * states] * states), updates=0, result=tiles, ruleless=True
    )

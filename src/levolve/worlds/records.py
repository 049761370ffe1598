"""Records: the text form of the source system, read and written in full, several to a file.

A record is a line of digits, the map column by column from left to right, and a line

    sMs[0.0, 0.5, 0.2, 0.6]g6n2w100l100neighbours[(0, 1), (0, -1), (-1, 0), (1, 0)]

with the scores row by row, updates g, states n, the map's height w (its "torus width") and width l
(its "torus length"), and the offsets. Scores in quotes are read as numbers. If there are more than
n * n scores the first ones count, as in the source, whose showcase record has 288 for n6. The map
may be missing; then its line is empty or left out. Further maps may stand before it, one per line:
with as many of them as there are updates, the lines are the maps after 0, 1, 2 … updates.

The source's records do not say whether a map is the start of the updates or their result, and mean
float arithmetic. A line of ours after the record says what differs:

    # map: result, arithmetic: exact
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, cast

import numpy as np

from levolve.core.errors import InputError
from levolve.formats.reading.budgets import check_amount
from levolve.formats.reading.data import check_lines
from levolve.worlds.rule import ARITHMETICS, Arithmetic, Map, Rule, checked_updates
from levolve.worlds.scores import LONGEST_WRITTEN, MOST_STATES, is_number
from levolve.worlds.starts import MOST_NEIGHBOURS

Role = Literal["start", "result"]

MARK = "sMs"
MOST_DIGITS = 10
# Characters of a line in messages.
MOST_SHOWN = 40
# A score is an exact fraction, which takes some microseconds to read: 2600 records of ten states.
MOST_VALUES = 1 << 18
SOURCE_ARITHMETIC: Arithmetic = "float"
# Each part ends before the letter that begins the next one, so that a line is read once, whatever
# stands in it.
_FORM = re.compile(
    r"sMs\[(?P<scores>[^\]]*+)\]g(?P<g>[^n]*+)n(?P<n>[^w]*+)w(?P<w>[^l]*+)l(?P<l>[^n]*+)neighbours\[(?P<near>[^\]]*+)\]"
)
_MAP, _ARITHMETIC = ("start", "result"), ARITHMETICS
_PAIR = re.compile(r"""\(\s*['"]?(-?\d{1,9})['"]?\s*,\s*['"]?(-?\d{1,9})['"]?\s*\)""")


@dataclass(frozen=True, eq=False)
class Record:
    """A rule, its number of updates, the map's size (width, height), and the map, where there is
    one. Maps on the lines before it are `earlier`.

    `stated` is what the file says about the map: that it is the start of the updates or their
    result; None where it says nothing.
    """

    rule: Rule
    updates: int
    size: tuple[int, int]
    tiles: Map | None = None
    earlier: tuple[Map, ...] = ()
    stated: Role | None = None

    @property
    def role(self) -> Role | None:
        """What the map is: as stated; the result where all maps before it are there; else the
        start. None without a map.
        """
        if self.tiles is None:
            return None
        return self.stated or (
            "result" if self.updates and len(self.earlier) == self.updates else "start"
        )

    def __eq__(self, other: object) -> bool:
        """Whether everything is the same, cell by cell."""
        if not isinstance(other, Record):
            return NotImplemented
        return self._parts() == other._parts() and self._maps() == other._maps()

    def __hash__(self) -> int:
        """Equal records have equal hashes."""
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        return self.rule, self.updates, self.size, self.stated

    def _maps(self) -> list[bytes | None]:
        return [
            tiles if tiles is None else tiles.tobytes() for tiles in (self.tiles, *self.earlier)
        ]


def read_records(text: str, source: str = "record") -> list[Record]:
    """All records of a text. An error names the line; `source` is the name of the text in
    errors.
    """
    check_amount(text.count(","), MOST_VALUES, "scores and neighbours", source)
    records: list[Record] = []
    maps: list[tuple[int, str]] = []
    for number, line in _lines(text, source):
        where = f"{source}, line {number}"
        if line[0].isdigit():
            maps.append((number, line))
        elif line.startswith("#"):
            if not records or maps:
                raise InputError(
                    f"{where}: expected this line directly after the 'sMs' line it belongs to, "
                    f"got {_short(line)}"
                )
            records[-1] = _noted(records[-1], line, where)
        else:
            records.append(_read_rule(line, where, maps, source))
            maps = []
    if maps:
        raise InputError(
            f"{source}, line {maps[0][0]}: expected a line 'sMs[…' after this map, got the end "
            "of the text; the file is cut off"
        )
    if not records:
        raise InputError(
            f"{source}: expected at least one record, a line that begins with 'sMs[', got none"
        )
    return records


def _lines(text: str, source: str) -> Iterator[tuple[int, str]]:
    """The lines that are not empty, each with its number from 1; anything but maps, records and
    notes is refused.
    """
    check_lines(text, source)
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.strip()
        where = f"{source}, line {number}"
        if not line:
            continue
        if not (line.isascii() and line.isdigit()) and not line.startswith(("sMs", "#")):
            if MARK in line:
                message = (
                    f"{where}: expected 'sMs[' at the beginning of the line, got {_short(line)}; "
                    "put the map on a line of its own"
                )
            else:
                message = (
                    f"{where}: expected a map in digits, or a line that begins with 'sMs[', got "
                    f"{_short(line)}"
                )
            raise InputError(message)
        yield number, line


def _noted(record: Record, line: str, where: str) -> Record:
    """The record with what a note after it says."""
    found: dict[str, str] = {}
    for part in line.removeprefix("#").split(",", 2):
        key, _, value = (word.strip() for word in part.partition(":"))
        if (key, value) != ("", ""):
            found[key] = value
    if (
        not found.keys() <= {"map", "arithmetic"}
        or found.get("map", "start") not in _MAP
        or found.get("arithmetic", "exact") not in _ARITHMETIC
    ):
        raise InputError(
            f"{where}: expected a note such as '# map: result, arithmetic: exact', got "
            f"{_short(line)}"
        )
    rule = (
        record.rule
        if "arithmetic" not in found
        else record.rule.with_arithmetic(found["arithmetic"])
    )
    return replace(record, rule=rule, stated=cast("Role | None", found.get("map")) or record.stated)


def read_maps(
    text: str, size: tuple[int, int], states: int = MOST_DIGITS, source: str = "maps"
) -> list[Map]:
    """The maps of a text that holds nothing else, one per line, each `(height, width)` bytes.
    `size` is (width, height).
    """
    found: list[Map] = []
    for number, line in _lines(text, source):
        where = f"{source}, line {number}"
        if not line.isdigit():
            raise InputError(
                f"{where}: expected maps only, one per line, got a record; read it without a size"
            )
        found.append(_read_map(line, size, states, where, "the size given"))
    if not found:
        raise InputError(f"{source}: expected at least one map in digits, got none")
    return found


def holds_maps_only(text: str) -> bool:
    """Whether a text has maps in digits and nothing else."""
    check_lines(text, "maps")
    lines = [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
    return bool(lines) and all(line.isascii() and line.isdigit() for line in lines)


def _read_rule(line: str, where: str, maps: list[tuple[int, str]], source: str) -> Record:
    match = _FORM.fullmatch(line)
    if match is None:
        raise InputError(
            f"{where}: expected sMs[scores]gUPDATESnSTATESwHEIGHTlWIDTHneighbours[(dx, dy), …], "
            f"got {_short(line)}; the line is cut off or mixed up"
        )
    updates, states, height, width = (_whole(match[key], key, where) for key in "gnwl")
    parts = match["scores"].split(",") if match["scores"].strip() else []
    if len(parts) < states * states:
        raise InputError(
            f"{where}: expected {states * states} scores for n{states}, got {len(parts)}"
        )
    check_amount(states, MOST_STATES, "states", where)
    scores = [_written(part, where) for part in parts[: states * states]]
    if min(height, width) < 1:
        raise InputError(f"{where}: expected a map of at least 1x1, got w{height} and l{width}")
    check_amount(match["near"].count("("), MOST_NEIGHBOURS, "neighbours", where)
    offsets = [(int(dx), int(dy)) for dx, dy in _PAIR.findall(match["near"])]
    if not offsets or _PAIR.sub("", match["near"]).replace(",", "").strip():
        raise InputError(
            f"{where}: expected neighbours [(dx, dy), …], at least one, got "
            f"[{_short(match['near'])}]"
        )
    try:
        rows = tuple(tuple(scores[row * states : (row + 1) * states]) for row in range(states))
        rule = Rule.from_written(rows, offsets, SOURCE_ARITHMETIC)
        checked_updates(updates)
    except InputError as problem:
        raise InputError(f"{where}: {problem}") from problem
    said = f"w{height} and l{width} in the next 'sMs' line"
    grown = [
        _read_map(digits, (width, height), states, f"{source}, line {number}", said)
        for number, digits in maps
    ]
    return Record(rule, updates, (width, height), grown[-1] if grown else None, tuple(grown[:-1]))


def _read_map(digits: str, size: tuple[int, int], states: int, where: str, said: str) -> Map:
    """A map from its digits, column by column; `said` is where the size comes from."""
    width, height = size
    if len(digits) != width * height:
        raise InputError(
            f"{where}: expected {width * height} digits for a map of {width}x{height} by {said}, "
            f"got {len(digits)}; correct the size or the map"
        )
    cells = np.frombuffer(digits.encode("ascii"), np.uint8) - np.uint8(ord("0"))
    if cells.max() >= states:
        raise InputError(
            f"{where}: expected states from 0 to {states - 1}, got {cells.max()}; the rule has "
            f"{states} states"
        )
    return np.ascontiguousarray(cells.reshape(width, height).T)


def _whole(text: str, key: str, where: str) -> int:
    bare = text.strip().strip("'\"")
    if not re.fullmatch(r"[0-9]{1,9}", bare):
        raise InputError(f"{where}: expected a whole number after {key!r}, got {_short(text)}")
    return int(bare)


def _written(text: str, where: str) -> str:
    """Return a score as it is written, without quotes."""
    bare = text.strip().strip("'\"").strip()
    if is_number(bare):
        return bare
    raise InputError(
        f"{where}: expected numbers as scores, of at most {LONGEST_WRITTEN} characters each, got "
        f"{_short(text.strip())}"
    )


def _short(line: str) -> str:
    return repr(line if len(line) <= MOST_SHOWN else line[: MOST_SHOWN - 1] + "…")


def write_records(records: Iterable[Record]) -> str:
    """The text of some records, as the source writes it, with a note after a record where it says
    more than the source's form.
    """
    lines: list[str] = []
    for number, record in enumerate(records, 1):
        rule = record.rule
        if rule.border != "torus":
            raise InputError(
                f"record {number}: expected a rule on a torus, this form has no other border, "
                f"got {rule.border!r}; use .json"
            )
        width, height = record.size
        check_digits(rule.states, f"record {number}")
        lines += [_map_line(tiles) for tiles in record.earlier]
        lines.append("" if record.tiles is None else _map_line(record.tiles))
        if rule.arithmetic == "text":
            scores = ", ".join(repr(text) for row in rule.written for text in row)
        else:
            scores = ", ".join(write_number(value) for row in rule.exact for value in row)
        near = ", ".join(f"({dx}, {dy})" for dx, dy in rule.neighbourhood)
        lines.append(
            f"sMs[{scores}]g{record.updates}n{rule.states}w{height}l{width}neighbours[{near}]"
        )
        notes = [f"map: {record.stated}"] if record.stated is not None else []
        notes += [f"arithmetic: {rule.arithmetic}"] if rule.arithmetic != SOURCE_ARITHMETIC else []
        lines += [f"# {', '.join(notes)}"] if notes else []
    if not lines:
        raise InputError("records: expected at least one to write, got none")
    return "\n".join(lines) + "\n"


def write_maps(maps: Iterable[Map]) -> str:
    """The text of some maps alone, one per line."""
    lines = []
    for number, tiles in enumerate(maps, 1):
        check_digits(int(tiles.max()) + 1, f"map {number}")
        lines.append(_map_line(tiles) + "\n")
    return "".join(lines)


def check_digits(states: int, what: str) -> None:
    """Refuse more states than there are digits."""
    if states > MOST_DIGITS:
        raise InputError(
            f"{what}: expected at most {MOST_DIGITS} states, because a cell is one digit in this "
            f"form, got {states}; use .json"
        )


def appended(before: str, more: str, source: str) -> str:
    """A text of records and maps with more of them at its end. `source` is the name of the text in
    errors.

    Refused where the text is of another kind, or where a record in `more` does not fit the maps at
    the end of it.
    """
    for _ in _lines(before, source):
        pass
    joined = before if not before or before.endswith("\n") else f"{before}\n"
    joined += more
    if MARK in more:
        read_records(joined, source)
    return joined


def write_number(value: Fraction) -> str:
    """A number in decimal digits, as many as it needs; refused where there is no end of them."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        raise InputError(f"scores: {value} has no end in decimal digits; round it")
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    whole = abs(int(value * 10**places))
    digits = f"{whole:0{places + 1}d}"
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _map_line(tiles: Map) -> str:
    return (np.ascontiguousarray(tiles.T).ravel() + np.uint8(ord("0"))).tobytes().decode("ascii")

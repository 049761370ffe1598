"""Records: the text form of the source system, read and written in full, several to a file.

A record is a line of digits, the map column by column from left to right, and a line

    sMs[0.0, 0.5, 0.2, 0.6]g6n2w100l100neighbours[(0, 1), (0, -1), (-1, 0), (1, 0)]

with the scores row by row, updates g, states n, the map's height w (its "torus width") and width l (its "torus length"), and the offsets.
The map may be missing; then its line is empty, or not there. A file may hold further maps alone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction

import numpy as np

from levolve.errors import InputError
from levolve.fashion.rule import Map, Rule, checked_updates

MOST_DIGITS = 10
_NUMBER = r"""['"]?\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?\s*['"]?"""
_FORM = re.compile(r"sMs\[(?P<scores>[^\]]*)\]g(?P<g>\S+?)n(?P<n>\S+?)w(?P<w>\S+?)l(?P<l>[^n]+?)neighbours\[(?P<near>[^\]]*)\]")
_PAIR = re.compile(r"""\(\s*['"]?(-?\d{1,9})['"]?\s*,\s*['"]?(-?\d{1,9})['"]?\s*\)""")


@dataclass(frozen=True, eq=False)
class Record:
    """A rule, how many updates it shall do, the map's size, and the map, if there is one. Maps that stood alone before it are `earlier`."""

    rule: Rule
    updates: int
    size: tuple[int, int]
    tiles: Map | None = None
    earlier: tuple[Map, ...] = ()

    def __eq__(self, other: object) -> bool:
        """Whether everything is the same, cell by cell."""
        if not isinstance(other, Record):
            return NotImplemented
        return (self.rule, self.updates, self.size) == (other.rule, other.updates, other.size) and self._maps() == other._maps()

    def __hash__(self) -> int:
        """Equal records have equal hashes."""
        return hash((self.rule, self.updates, self.size))

    def _maps(self) -> list[bytes | None]:
        return [tiles if tiles is None else tiles.tobytes() for tiles in (self.tiles, *self.earlier)]


def read_records(text: str, source: str = "record") -> list[Record]:
    """All records of a text. An error names the line."""
    records: list[Record] = []
    maps: list[tuple[int, str]] = []
    for number, raw in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        line = raw.strip()
        where = f"{source}, line {number}"
        if not line:
            continue
        if line.isascii() and line.isdigit():
            maps.append((number, line))
            continue
        if "sMs" not in line:
            message = f"{where}: expected a map in digits, or a line that begins with 'sMs[', got {_short(line)}"
            raise InputError(message)
        if not line.startswith("sMs"):
            message = f"{where}: expected 'sMs[' at the beginning of the line, got {_short(line)}; put the map on a line of its own"
            raise InputError(message)
        records.append(_read_rule(line, where, maps, source))
        maps = []
    if maps:
        message = f"{source}, line {maps[0][0]}: expected a line 'sMs[…' after this map, got the end of the text; the file is cut off"
        raise InputError(message)
    if not records:
        message = f"{source}: expected at least one record, a line that begins with 'sMs[', got none"
        raise InputError(message)
    return records


def _read_rule(line: str, where: str, maps: list[tuple[int, str]], source: str) -> Record:
    match = _FORM.fullmatch(line)
    if match is None:
        message = (
            f"{where}: expected sMs[scores]gUPDATESnSTATESwHEIGHTlWIDTHneighbours[(dx, dy), …], got {_short(line)}; the line is cut off or mixed up"
        )
        raise InputError(message)
    updates, states, height, width = (_whole(match[key], key, where) for key in "gnwl")
    scores = [_number(part, where) for part in match["scores"].split(",")] if match["scores"].strip() else []
    if len(scores) != states * states:
        message = f"{where}: expected {states * states} scores for n{states}, got {len(scores)}"
        raise InputError(message)
    if min(height, width) < 1:
        message = f"{where}: expected a map of at least 1x1, got w{height} and l{width}"
        raise InputError(message)
    offsets = [(int(dx), int(dy)) for dx, dy in _PAIR.findall(match["near"])]
    if not offsets or _PAIR.sub("", match["near"]).replace(",", "").strip():
        message = f"{where}: expected neighbours [(dx, dy), …], at least one, got [{_short(match['near'])}]"
        raise InputError(message)
    try:
        rule = Rule([scores[row * states : (row + 1) * states] for row in range(states)], offsets)
        checked_updates(updates)
    except InputError as problem:
        message = f"{where}: {problem}"
        raise InputError(message) from problem
    grown = [_read_map(digits, (width, height), states, f"{source}, line {number}") for number, digits in maps]
    return Record(rule, updates, (width, height), grown[-1] if grown else None, tuple(grown[:-1]))


def _read_map(digits: str, size: tuple[int, int], states: int, where: str) -> Map:
    width, height = size
    if len(digits) != width * height:
        message = f"{where}: expected {width * height} digits for the map of {width}x{height} that the next 'sMs' line tells of, got {len(digits)}"
        raise InputError(message)
    cells = np.frombuffer(digits.encode("ascii"), np.uint8) - np.uint8(ord("0"))
    if cells.max() >= states:
        message = f"{where}: expected states from 0 to {states - 1}, got {cells.max()}; the next 'sMs' line says n{states}"
        raise InputError(message)
    return np.ascontiguousarray(cells.reshape(width, height).T)


def _whole(text: str, key: str, where: str) -> int:
    bare = text.strip().strip("'\"")
    if not re.fullmatch(r"\d{1,9}", bare):
        message = f"{where}: expected a whole number after {key!r}, got {text!r}"
        raise InputError(message)
    return int(bare)


def _number(text: str, where: str) -> Fraction:
    """A score; a number in quotes is a number."""
    if re.fullmatch(_NUMBER, text.strip()):
        try:
            return Fraction(Decimal(text.strip().strip("'\"").strip()))
        except InvalidOperation:
            pass
    message = f"{where}: expected numbers as scores, got {text.strip()!r}"
    raise InputError(message)


def _short(line: str, most: int = 40) -> str:
    return repr(line if len(line) <= most else line[: most - 1] + "…")


def write_records(records: Iterable[Record]) -> str:
    """The text of some records, as the source writes it."""
    lines: list[str] = []
    for number, record in enumerate(records, 1):
        rule = record.rule
        if rule.states > MOST_DIGITS:
            message = f"record {number}: expected at most {MOST_DIGITS} states, for a cell is one digit in this form, got {rule.states}; use .json"
            raise InputError(message)
        if rule.border != "torus":
            message = f"record {number}: expected a rule on a torus, this form knows no other, got {rule.border!r}; use .json"
            raise InputError(message)
        width, height = record.size
        lines += [_map_line(tiles) for tiles in record.earlier]
        lines.append("" if record.tiles is None else _map_line(record.tiles))
        scores = ", ".join(write_number(value) for row in rule.exact for value in row)
        near = ", ".join(f"({dx}, {dy})" for dx, dy in rule.neighbourhood)
        lines.append(f"sMs[{scores}]g{record.updates}n{rule.states}w{height}l{width}neighbours[{near}]")
    if not lines:
        message = "records: expected at least one to write, got none"
        raise InputError(message)
    return "\n".join(lines) + "\n"


def write_number(value: Fraction) -> str:
    """A number in as many digits as it needs, all of them where they come to an end."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        message = f"scores: {value} has no end in decimal digits; round it"
        raise InputError(message)
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    whole = abs(int(value * 10**places))
    digits = f"{whole:0{places + 1}d}"
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _map_line(tiles: Map) -> str:
    return (np.ascontiguousarray(tiles.T).ravel() + np.uint8(ord("0"))).tobytes().decode("ascii")

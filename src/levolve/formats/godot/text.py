"""Parser for Godot's text format of scenes and resources: sections in brackets with `key = value`
lines, and the few kinds of values needed here.
"""

import base64
import binascii
import math
import re
from dataclasses import dataclass, field

from levolve.core.errors import InputError
from levolve.formats.reading.budgets import MOST_MARKS, check_amount
from levolve.formats.reading.data import Check, decode_text

# Strings, and brackets. A single quotation mark opens a string that never ends.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\[({\])}]', re.DOTALL)
_STRING = re.compile(r'[&^]?"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_WORD = re.compile(r"[^\s\[\](){}\";,=]++")
_ATTRIBUTE = re.compile(r"\s*+([A-Za-z_][A-Za-z0-9_]*+)\s*+=[ \t]*+")
_NAME = re.compile(r"\[[ \t]*+([a-z_]++)")
_KEY = re.compile(r'("[^"\\\n]++"|[^\s=\[\];"][^\n=;"]*+)[ \t]*+=[ \t]*+')
_BLANK = re.compile(r"(?:\s++|;[^\n]*+)*+")
_LINE_END = re.compile(r"[ \t\r]*+(?:;[^\n]*+)?(?:\n|\Z)")
# What Godot skips in a key.
_SKIPPED = re.compile(r"[\x00-\x20]")
MARKS = '"\\[](){}\n;'
_PACKED = "PackedByteArray("
# The form of Godot before 4.3, with a string per byte while it is read: 350,000 cells.
MOST_LISTED = 1 << 22
_NUMBER = r"\s*([-+]?[0-9]{1,9}(?:\.[0-9]{0,20})?(?:[eE][-+]?[0-9]{1,3})?)\s*"
_RESOURCE = re.compile(r'(Ext|Sub)Resource\(\s*"([^"\\]*+)"\s*\)')


@dataclass(frozen=True)
class Section:
    """A section with unparsed values.

    `name` is the first word of its heading, such as node; `heading` is the heading as written,
    `lines` the text of each value with its key, and `text` the whole section up to the next.
    """

    name: str
    heading: str
    attributes: dict[str, str]
    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)

    def attribute(self, name: str) -> str:
        """Return a text attribute of the heading; empty if there is none."""
        value = self.attributes.get(name, "")
        return read_text(value, name) if value.startswith(('"', "&")) else value

    @property
    def text(self) -> str:
        """The section as text."""
        return "".join(line + "\n" for line in (self.heading, *self.lines.values()))


def quoted(value: str) -> str:
    """Quote a string."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def parse_sections(
    content: bytes, what: str = "tscn", opening: str = "gd_scene", check: Check = check_amount
) -> list[Section]:
    """Parse all sections, the opening one first. `check` compares amounts with budgets, such as
    `LoadBudget.take` of a load with several files.
    """
    text = decode_text(content, what)
    check(sum(map(text.count, MARKS)), MOST_MARKS, "brackets, quotation marks and lines", what)
    if not text.startswith(f"[{opening}"):
        raise InputError(
            f"{what}: expected a {'scene' if opening == 'gd_scene' else 'resource'} of Godot, "
            f"which begins with [{opening}"
        )
    sections: list[Section] = []
    position = 0
    while (position := _skip(text, position)) < len(text):
        if text[position] == "[":
            end = _group_end(text, position, what)
            sections.append(_section(text, position, end, what))
        else:
            end = _read_value(text, position, sections[-1], what)
        position = end
    return sections


def _section(text: str, begin: int, end: int, what: str) -> Section:
    name = _NAME.match(text, begin)
    position = begin + 1 if name is None else name.end()
    attributes: dict[str, str] = {}
    while (found := _ATTRIBUTE.match(text, position, end)) is not None:
        position = _value_end(text, found.end(), what)
        attributes[found[1]] = text[found.end() : position]
    if name is None or text[position : end - 1].strip():
        raise InputError(
            f'{what}, line {_line(text, begin)}: expected a section such as [node name="A"], got '
            f"{text[begin : begin + 40]!r}"
        )
    return Section(name[1], text[begin:end], attributes)


def _read_value(text: str, position: int, section: Section, what: str) -> int:
    """Add the value at a position to its section, and return the end of its line."""
    key = _KEY.match(text, position)
    if key is None:
        raise InputError(
            f"{what}, line {_line(text, position)}: expected 'key = value' or a section in brackets"
        )
    value_end = _value_end(text, key.end(), what)
    end = _LINE_END.match(text, value_end)
    if end is None:
        raise InputError(
            f"{what}, line {_line(text, position)}: expected one value per line, got more after "
            f"{key[1].strip()[:40]!r}"
        )
    name = key[1][1:-1] if key[1].startswith('"') else _SKIPPED.sub("", key[1])
    # The last value of a key counts, also for its position.
    section.values.pop(name, None)
    section.lines.pop(name, None)
    section.values[name] = text[key.end() : value_end]
    section.lines[name] = text[position:value_end]
    return end.end()


def _skip(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return position if blank is None else blank.end()


def _value_end(text: str, begin: int, what: str) -> int:
    """Return the end of a value: a string, or a word and groups in brackets."""
    string = _STRING.match(text, begin)
    if string is not None:
        return string.end()
    word = _WORD.match(text, begin)
    position = begin if word is None else word.end()
    while text[position : position + 1] in {"(", "[", "{"}:
        position = _group_end(text, position, what)
    if position == begin:
        message = (
            f"{what}, line {_line(text, begin)}: expected a value, got {text[begin : begin + 20]!r}"
        )
        message += ", with no closing quotation mark" if text[begin : begin + 1] == '"' else ""
        raise InputError(message)
    return position


def _group_end(text: str, begin: int, what: str) -> int:
    """Return the end of the group that an opening bracket begins."""
    depth = 0
    for token in _TOKEN.finditer(text, begin):
        sign = token[0]
        if sign == '"':
            break
        depth += (sign in "[({") - (sign in "])}")
        if depth == 0:
            return token.end()
    raise InputError(
        f"{what}, line {_line(text, begin)}: expected a closing bracket or quotation mark for "
        "the one that begins here"
    )


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def read_text(value: str, what: str) -> str:
    """Parse a quoted string."""
    bare = value.removeprefix("&").removeprefix("^")
    if len(bare) < 2 or bare[0] + bare[-1] != '""':  # two quotation marks
        raise InputError(f"{what}: expected a text in quotes, got {value[:40]!r}")
    inside = bare[1:-1]
    return re.sub(r"\\(.)", r"\1", inside, flags=re.DOTALL) if "\\" in inside else inside


def read_texts(value: str) -> list[str]:
    """Return the strings in an array, such as `["a", &"b"]` or `PackedStringArray("a")`."""
    return [read_text(found[0], "array") for found in _STRING.finditer(value)]


def read_numbers(value: str, count: int, what: str) -> list[float]:
    """Parse finite numbers in brackets, such as those of a vector."""
    match = re.fullmatch(r"[A-Za-z0-9]+\(" + ",".join([_NUMBER] * count) + r"\)", value)
    if match is None or not all(math.isfinite(float(number)) for number in match.groups()):
        raise InputError(f"{what}: expected {count} numbers in brackets, got {value[:40]!r}")
    return [float(number) for number in match.groups()]


def read_list(value: str, what: str) -> list[tuple[float, float]]:
    """Parse a PackedVector2Array of finite numbers."""
    match = re.fullmatch(r"PackedVector2Array\(([-+0-9eE., ]*)\)", value)
    parts = [] if match is None or not match[1].strip() else match[1].split(",")
    check_amount(len(parts), MOST_MARKS, "numbers in a list", what)
    if match is None or len(parts) % 2:
        raise InputError(f"{what}: expected a PackedVector2Array, got {value[:40]!r}")
    numbers = [read_number(part.strip(), what) for part in parts]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def read_number(value: str, what: str) -> float:
    """Parse one finite number."""
    match = re.fullmatch(_NUMBER, value)
    if match is None or not math.isfinite(float(match[1])):
        raise InputError(f"{what}: expected a number, got {value[:40]!r}")
    return float(match[1])


def read_whole(value: str, count: int, what: str) -> list[int]:
    """Parse whole numbers in brackets, such as those of a Vector2i."""
    numbers = read_numbers(value, count, what)
    if any(number % 1 for number in numbers):
        raise InputError(f"{what}: expected whole numbers, got {value[:40]!r}")
    return [int(number) for number in numbers]


def references(text: str) -> set[tuple[str, str]]:
    """Return the resources that a text refers to, as ("Ext" or "Sub", id)."""
    return set(_RESOURCE.findall(text))


def reference(value: str) -> tuple[str, str]:
    """Return the resource that a value is, as ("Ext" or "Sub", id); two empty texts for any other
    value.
    """
    match = _RESOURCE.fullmatch(value)
    return ("", "") if match is None else (match[1], match[2])


def read_packed(value: str, what: str) -> bytes:
    """Parse a PackedByteArray: base64 in quotes, or a list of bytes."""
    if not value.startswith(_PACKED) or not value.endswith(")"):
        raise InputError(f"{what}: expected a PackedByteArray, got {value[:40]!r}")
    inside = value[len(_PACKED) : -1].strip()
    try:
        if inside.startswith('"'):
            return base64.b64decode(inside.strip('"'), validate=True)
        check_amount(inside.count(","), MOST_LISTED, "bytes in a list", what)
        return bytes(int(number) for number in inside.split(",") if inside)
    except InputError:
        raise
    except (binascii.Error, ValueError) as problem:
        raise InputError(
            f"{what}: expected base64 or numbers from 0 to 255: {problem}"
        ) from problem

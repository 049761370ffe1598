"""Parser for Godot's text format of scenes: sections in brackets, each with `key = value` lines, and the few kinds of values needed here."""

import base64
import binascii
import re
from dataclasses import dataclass, field

from levolve.errors import InputError
from levolve.formats.reading.budgets import MOST_MARKS, check_amount
from levolve.formats.reading.text import decode_text

# Strings, and the characters that open, close or end a value. A single quotation mark opens a string that never ends.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["\n]|[\[({]|[\])}]', re.DOTALL)
# A name is tried where it begins only: without that, a long one would be tried again from each of its letters.
_ATTRIBUTE = re.compile(r'(?<![a-z_])([a-z_]++)="([^"\\]*+(?:\\.[^"\\]*+)*+)"', re.DOTALL)
_NODE = re.compile(r"\[node\b")
_KEY = re.compile(r"[^\s=\[\];][^\n=]*+")
_BLANK = re.compile(r"(?:\s++|;[^\n]*+)*+")
_MARKS = '"\\[](){}\n;'
_PACKED = "PackedByteArray("
# The form of Godot before 4.3, with a string per byte while it is read: 350,000 cells.
MOST_LISTED = 1 << 22
_NUMBER = r"\s*(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)\s*"


@dataclass(frozen=True)
class Node:
    """A node of a scene, with unparsed values."""

    name: str
    kind: str
    parent: str
    values: dict[str, str] = field(default_factory=dict)


def quoted(value: str) -> str:
    """Quote a string."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def parse_scene(content: bytes) -> list[Node]:
    """Parse the nodes of a scene, the root first."""
    text = decode_text(content, "tscn")
    check_amount(sum(map(text.count, _MARKS)), MOST_MARKS, "brackets, quotation marks and lines", "tscn")
    if not text.startswith("[gd_scene"):
        message = "tscn: expected a Godot scene, which begins with [gd_scene"
        raise InputError(message)
    nodes: list[Node] = []
    values: dict[str, str] = {}
    position = 0
    while (position := _skip(text, position)) < len(text):
        if text[position] == "[":
            end = _end(text, position, header=True)
            heading = text[position:end]
            values = {}
            if _NODE.match(heading):
                attributes = dict(_ATTRIBUTE.findall(heading))
                nodes.append(Node(attributes.get("name", ""), attributes.get("type", ""), attributes.get("parent", ""), values))
        else:
            key = _KEY.match(text, position)
            if key is None or text[key.end() : key.end() + 1] != "=":
                message = f"tscn, line {_line(text, position)}: expected 'key = value' or a section in brackets"
                raise InputError(message)
            end = _end(text, key.end() + 1, header=False)
            values[key[0].strip()] = text[key.end() + 1 : end].strip()
        position = end
    return nodes


def _skip(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return position if blank is None else blank.end()


def _end(text: str, begin: int, *, header: bool) -> int:
    """Return the end of a section heading or value: its last bracket, or the end of its line."""
    depth = 0
    for token in _TOKEN.finditer(text, begin):
        sign = token[0]
        if sign == '"':
            break
        depth += (sign in "[({") - (sign in "])}")
        if (header and depth == 0 and sign != "\n") or (not header and depth <= 0 and sign == "\n"):
            return token.end()
    if not header and depth == 0:
        return len(text)
    message = f"tscn, line {_line(text, begin)}: expected a closing bracket or quotation mark for the one that begins here"
    raise InputError(message)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def read_text(value: str, what: str) -> str:
    """Parse a quoted string."""
    bare = value.removeprefix("&")
    if len(bare) < 2 or bare[0] + bare[-1] != '""':  # noqa: PLR2004 two quotation marks
        message = f"{what}: expected a text in quotes, got {value[:40]!r}"
        raise InputError(message)
    return re.sub(r"\\(.)", r"\1", bare[1:-1], flags=re.DOTALL)


def read_numbers(value: str, count: int, what: str) -> list[float]:
    """Parse numbers in brackets, such as those of a vector."""
    match = re.fullmatch(r"[A-Za-z0-9]+\(" + ",".join([_NUMBER] * count) + r"\)", value)
    if match is None:
        message = f"{what}: expected {count} numbers in brackets, got {value[:40]!r}"
        raise InputError(message)
    return [float(number) for number in match.groups()]


def read_packed(value: str, what: str) -> bytes:
    """Parse a PackedByteArray: base64 in quotes, or a list of bytes."""
    if not value.startswith(_PACKED) or not value.endswith(")"):
        message = f"{what}: expected a PackedByteArray, got {value[:40]!r}"
        raise InputError(message)
    inside = value[len(_PACKED) : -1].strip()
    try:
        if inside.startswith('"'):
            return base64.b64decode(inside.strip('"'), validate=True)
        check_amount(inside.count(","), MOST_LISTED, "bytes in a list", what)
        return bytes(int(number) for number in inside.split(",") if inside)
    except InputError:
        raise
    except (binascii.Error, ValueError) as problem:
        message = f"{what}: expected base64 or numbers from 0 to 255: {problem}"
        raise InputError(message) from problem

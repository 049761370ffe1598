"""The text of an LDtk project. Lists of drawn tiles are its longest part: they stay text, and are
copied without being parsed.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from levolve.core.errors import InputError
from levolve.formats.json import compact_json
from levolve.formats.reading.budgets import MOST_BYTES, check_amount
from levolve.formats.reading.data import parse_json

TILE_LISTS = ("autoLayerTiles", "gridTiles")
_CELLS = "intGridCsv"
# Lists with one entry per line.
_ENTRIES = ("rules", "customData", "enumTags")
# A tile has keys of letters, numbers, and lists of numbers. A list with anything else is parsed
# like the rest of the file.
_TILE = r'\{\s*+(?:"[a-z]++"\s*+:\s*+(?:-?[0-9][0-9.eE+-]*+|\[[-0-9.eE+,\s]*+\])\s*+,?\s*+)*+\}'
_LIST = re.compile(
    rf'(?<!\\)("(?:{"|".join(TILE_LISTS)})"\s*+:\s*+)(\[\s*+(?:{_TILE}\s*+,?\s*+)++\])'
)
_WRITTEN = re.compile(rf'("(?:{"|".join([*TILE_LISTS, _CELLS, *_ENTRIES])})": )"@levolve (\d+)@"')


class RawList(str):
    """A list as the text of JSON."""

    __slots__ = ()


def read_project(content: bytes) -> Any:
    """Parse a project; lists of tiles become a `RawList`."""
    check_amount(len(content), MOST_BYTES, "bytes", "LDtk")
    try:
        text = content.decode(json.detect_encoding(content))
    except UnicodeDecodeError as problem:
        raise InputError(
            f"LDtk: expected text in UTF-8: {problem.reason} at byte {problem.start}"
        ) from problem
    lists: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        lists.append(found[2])
        return f'{found[1]}"@levolve {len(lists) - 1}@"'

    project = parse_json(_LIST.sub(put_aside, text), "LDtk")
    for layer in layers_in(project):
        for key in TILE_LISTS:
            marked = (
                re.fullmatch(r"@levolve (\d{1,9})@", value)
                if isinstance(value := layer.get(key), str)
                else None
            )
            if marked is not None and int(marked[1]) < len(lists):
                layer[key] = RawList(lists[int(marked[1])])
    return project


def layers_in(project: Any) -> Iterator[dict[str, Any]]:
    """Return the layers of all levels, in one world or several, as far as the project has the form
    of one.
    """
    for level in levels_in(project):
        layers = level.get("layerInstances")
        yield from (
            (layer for layer in layers if isinstance(layer, dict))
            if isinstance(layers, list)
            else ()
        )


def levels_in(project: Any) -> Iterator[dict[str, Any]]:
    """Return all levels, in one world or several, as far as the project has the form of one."""
    worlds = project.get("worlds") if isinstance(project, dict) else None
    for holder in [project, *(worlds if isinstance(worlds, list) else [])]:
        levels = holder.get("levels") if isinstance(holder, dict) else None
        yield from (
            (level for level in levels if isinstance(level, dict))
            if isinstance(levels, list)
            else ()
        )


def project_bytes(project: dict[str, Any]) -> bytes:
    """Return the text of a project: a line per tile and per rule, and cells and other lists of
    numbers on one line.
    """
    lists: list[str] = []

    def compact(part: Any) -> str:
        return json.dumps(part, separators=(",", ":"))

    def marked(part: Any, key: str = "") -> Any:
        if isinstance(part, dict):
            return {name: marked(value, name) for name, value in part.items()}
        if isinstance(part, RawList) or (key in {_CELLS, *_ENTRIES} and isinstance(part, list)):
            lists.append(
                part
                if isinstance(part, RawList)
                else compact(part)
                if key == _CELLS
                else "[" + ",\n".join(map(compact, part)) + "]"
            )
            return f"@levolve {len(lists) - 1}@"
        return [marked(value) for value in part] if isinstance(part, list) else part

    text = compact_json(marked(project)).decode()
    return _WRITTEN.sub(lambda found: f"{found[1]}{lists[int(found[2])]}", text).encode()

"""Arguments of a breeding session's methods, checked and brought into one form: picks, cells, tiles, shares and counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from levolve.errors import InputError, shown
from levolve.formats.reading.budgets import MOST_CELLS
from levolve.levels.places import Place
from levolve.levels.tileset import Tileset
from levolve.recipes.values import parse_place
from levolve.registry import did_you_mean

LOVE, LIKE, NONE, NEVER = "love", "like", "none", "never"
WORDS = (LOVE, LIKE, NONE, NEVER)
LONGEST_SIDE = 1 << 14
# How many generations automatic evolution may run before it shows a sheet.
MOST_GENERATIONS = 500


def parse_picks(picks: object) -> tuple[tuple[int, str], ...]:
    """Picks by place, from a mapping of places to words, or a list of places that are liked."""
    if not isinstance(picks, Mapping):
        if isinstance(picks, str) or not isinstance(picks, Iterable):
            message = f"picks: expected places and words such as {{0: 'love', 3: 'like'}}, got {shown(picks)}"
            raise InputError(message)
        picks = dict.fromkeys(picks, LIKE)
    for place, word in picks.items():
        if word not in WORDS:
            known = did_you_mean(word, list(WORDS)) if isinstance(word, str) else f"Known: {', '.join(WORDS)}"
            message = f"picks: expected a word for place {place}, got {shown(word)}: {known}"
            raise InputError(message)
    return tuple(picks.items())


def parse_cells(cells: object) -> tuple[Place, ...]:
    """Cells from pairs (x, y), texts "x,y", or texts "x,y..x,y" for all cells of a rectangle; one text may hold several, with spaces between."""
    listed = cells.split() if isinstance(cells, str) else cells
    if not isinstance(listed, Iterable):
        message = f"cells: expected a list of cells (x, y), got {shown(cells)}"
        raise InputError(message)
    found: dict[Place, None] = {}
    for entry in listed:
        corners = re.split(r"\.\.", entry, maxsplit=1) if isinstance(entry, str) else [entry]
        try:
            (left, top), (right, bottom) = (parse_place(corners[0]), parse_place(corners[-1]))
        except InputError as problem:
            message = f"cells: {problem}"
            raise InputError(message) from problem
        width, height = abs(right - left) + 1, abs(bottom - top) + 1
        if max(width, height) > LONGEST_SIDE or width * height + len(found) > MOST_CELLS:
            message = f"cells: expected a rectangle inside the level, got {shown(entry)}"
            raise InputError(message)
        rows = range(min(top, bottom), max(top, bottom) + 1)
        found |= dict.fromkeys((x, y) for y in rows for x in range(min(left, right), max(left, right) + 1))
    if not found:
        message = "cells: expected at least one cell (x, y), got none"
        raise InputError(message)
    return tuple(found)


def parse_share(name: str, value: object) -> float:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        message = f"{name}: expected a number from 0 to 1, got {shown(value)}"
        raise InputError(message)
    return float(value)


def parse_tiles(cells: object, tile: object, tileset: Tileset) -> tuple[tuple[str, tuple[Place, ...]], ...]:
    """Cells by the character of the tile that they get: one `tile` for all cells, or a mapping of cells to tiles and None."""
    if not isinstance(cells, Mapping):
        return ((parse_tile(tile, tileset), parse_cells(cells)),)
    if tile is not None:
        message = f"tile: expected nothing beside cells that name their tiles, got {shown(tile)}"
        raise InputError(message)
    found: dict[str, dict[Place, None]] = {}
    for cell, kind in cells.items():
        found.setdefault(parse_tile(kind, tileset), {}).update(dict.fromkeys(parse_cells([cell])))
    if not found:
        message = "cells: expected at least one cell (x, y), got none"
        raise InputError(message)
    return tuple((character, tuple(listed)) for character, listed in found.items())


def parse_tile(tile: object, tileset: Tileset) -> str:
    """The character of a tile, from its character or its name."""
    if isinstance(tile, str) and tile in tileset.names:
        return tileset.characters[tileset.names.index(tile)]
    if isinstance(tile, str) and len(tile) == 1 and tile in tileset.characters:
        return tile
    known = did_you_mean(tile, list(tileset.names)) if isinstance(tile, str) else f"Known: {', '.join(tileset.names)}"
    message = f"tile: expected the name or the character of a tile of a {tileset.name} level, got {shown(tile)}: {known}"
    raise InputError(message)


def parse_generations(value: object) -> int:
    """A number of generations."""
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_GENERATIONS:
        message = f"generations: expected a whole number from 1 to {MOST_GENERATIONS}, got {shown(value)}"
        raise InputError(message)
    return value

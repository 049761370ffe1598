"""Metadata: goal, solution, digest, areas, origin, puzzle, things and their kinds of a level as
strings by name, the same in every format that people edit.

The goal and the things are part of the level; the goal is written if it does not follow from the
places. The solution, its certificate, the areas and the origin (recipe, seed, index, version,
engine) are dropped if the digest shows that the tiles, places or things were edited. `rights` is a
sentence for people; it is not read.
"""

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from html import unescape
from typing import Any, TypeGuard

from numpy.typing import ArrayLike

from levolve.core.errors import InputError, UnknownNameError, shown
from levolve.core.plugins import require_plugins
from levolve.formats.reading.budgets import MOST_MOVES, check_amount, check_cells
from levolve.formats.reading.data import parse_json
from levolve.levels.areas import Area, read_areas, write_areas
from levolve.levels.goal import GOALS, default_goal
from levolve.levels.grid import MOVES, USE, read_tiles
from levolve.levels.level import Level, Origin
from levolve.levels.places import Place, known_place
from levolve.levels.text_form import CELL, add_kind, read_floors, read_place
from levolve.levels.things.certificate import Certificate
from levolve.levels.things.kinds import Kind
from levolve.levels.things.thing import MOST_THINGS, Thing
from levolve.levels.tileset import Tileset

ABOUT = ("solution", "digest", "recipe", "seed", "index", "version", "engine", "plugins")
GOAL = "goal"
AREAS = "areas"
PUZZLE = "puzzle"
THINGS, KINDS = "things", "kinds"
# One of them, in formats with comments.
THING, KIND = "thing", "kind"
CERTIFICATE, FLOORS = "certificate", "floors"
RIGHTS = "rights"
METADATA = (*ABOUT, CERTIFICATE, GOAL, FLOORS, AREAS, PUZZLE, THINGS, KINDS, RIGHTS)
# A longer certificate is found again when a file is loaded.
LONGEST_CERTIFICATE = 50_000
# Written to every file that has a place for it. It is about what levolve makes; levolve's own
# licence does not apply to it.
YOURS = "The levels you make with levolve are yours. levolve claims no rights to them."


def metadata_of(level: Level) -> dict[str, str]:
    """Return the solution, digest, origin (its recipe as JSON) and rights, and the goal, areas,
    puzzle, things, kinds and certificate if there are any.
    """
    found = {"digest": level.digest, RIGHTS: YOURS}
    if level.solution is not None:
        found["solution"] = level.solution
    if level.origin is not None:
        origin = level.origin
        found |= {
            "recipe": origin.recipe_text,
            "seed": str(origin.seed),
            "index": str(origin.index),
            "version": origin.version,
        }
        if origin.engine:
            found["engine"] = origin.engine
        if origin.plugins:
            found["plugins"] = json.dumps(dict(origin.plugins))
    if level.goal != default_goal(level.places):
        found[GOAL] = level.goal.name
    if level.areas:
        found[AREAS] = write_areas(level.areas)
    others = {
        PUZZLE: level.puzzle,
        THINGS: write_things(level.things),
        KINDS: write_kinds(level.kinds),
        CERTIFICATE: certificate_text(level.certificate),
        FLOORS: "" if level.floors == 1 else str(level.floors),
    }
    found |= {name: text for name, text in others.items() if text}
    return {name: found[name] for name in METADATA if name in found}


def write_things(things: Iterable[Thing]) -> str:
    """Return things as text, such as `key 3,4 color=blue; door 7,4 color=blue`."""
    return "; ".join(thing.to_text() for thing in things)


def read_things(text: str) -> tuple[Thing, ...]:
    """Parse the result of `write_things`."""
    parts = [part for part in text.split("; ") if part.strip()]
    check_amount(len(parts), MOST_THINGS, "things", THINGS)
    return tuple(Thing.from_text(part, "things") for part in parts)


def write_kinds(kinds: Mapping[str, Kind]) -> str:
    """Return kinds of things as a JSON list; empty for none."""
    return json.dumps([kind.to_data() for kind in kinds.values()]) if kinds else ""


def read_kinds(text: str) -> dict[str, Kind]:
    """Parse kinds of things from a JSON list."""
    data = parse_json(text, KINDS)
    if not isinstance(data, list):
        raise InputError(f"kinds: expected a list of kinds, got {shown(data)}")
    check_amount(len(data), MOST_THINGS, "kinds", KINDS)
    found: dict[str, Kind] = {}
    for entry in data:
        add_kind(found, json.dumps(entry), KINDS)
    return found


def certificate_text(certificate: Certificate | None) -> str:
    """Return a certificate as JSON; empty if there is none, or if it is too long for a file."""
    if certificate is None:
        return ""
    text = json.dumps(certificate.to_data(), separators=(",", ":"))
    return text if len(text) <= LONGEST_CERTIFICATE else ""


def read_certificate(text: str | None) -> Certificate | None:
    """Parse the result of `certificate_text`; None for no text."""
    return Certificate.from_data(parse_json(text, CERTIFICATE)) if text else None


def level_from_parts(
    tiles: ArrayLike,
    places: Mapping[str, Place],
    tileset: Tileset,
    metadata: Mapping[str, str],
    things: Iterable[Thing] | None = None,
    areas: Iterable[Area] | None = None,
) -> Level:
    """Create a level with its metadata, and with the things and areas that the file itself shows.
    If the digest shows that solution and origin belong to another level, they are dropped.

    Without a digest nothing shows that the origin belongs to the level, and it is dropped too.
    """
    array = read_tiles(tiles)
    check_cells(array.shape[1], array.shape[0])
    check_amount(len(metadata.get("solution", "")), MOST_MOVES, "moves", "solution")
    goal = GOALS[metadata[GOAL]] if metadata.get(GOAL) else default_goal(places)
    level = Level(
        array,
        places,
        tileset,
        goal=goal,
        puzzle=metadata.get(PUZZLE, ""),
        things=read_things(metadata.get(THINGS, "")) if things is None else tuple(things),
        kinds=read_kinds(metadata.get(KINDS, "[]")),
        areas=tuple(areas or ()),
        floors=read_floors(metadata.get(FLOORS, "1")),
    )
    if metadata.get("digest", level.digest) != level.digest:
        return level
    origin = None
    if "recipe" in metadata:
        whole = {name: _whole_number(name, metadata.get(name, "0")) for name in ("seed", "index")}
        data = {name: parse_json(metadata.get(name, "{}"), name) for name in ("recipe", "plugins")}
        origin = origin_from_data(
            {
                "version": metadata.get("version"),
                "engine": metadata.get("engine", ""),
                **data,
                **whole,
            }
        )
    solution = metadata.get("solution")
    if areas is None:
        level = replace(level, areas=read_areas(metadata.get(AREAS, "")))
    moves = set(MOVES + USE if level.things else MOVES)
    return level.with_solution(
        solution if solution is not None and set(solution) <= moves else None,
        read_certificate(metadata.get(CERTIFICATE)),
    ).with_origin(origin if "digest" in metadata else None)


def write_lines(level: Level, drawn: Container[str] = ()) -> list[str]:
    """Return the places that are not drawn, the things and kinds, and the metadata, one `key:
    value` per line, for formats with comments.
    """
    lines = [f"{name}: {x},{y}" for name, (x, y) in level.places.items() if name not in drawn]
    lines += [f"{THING}: {thing.to_text()}" for thing in level.things]
    lines += [f"{KIND}: {json.dumps(kind.to_data())}" for kind in level.kinds.values()]
    metadata = metadata_of(level)
    return lines + [f"{key}: {metadata[key]}" for key in metadata if key not in {THINGS, KINDS}]


def read_lines(lines: Iterable[tuple[str, str]]) -> tuple[dict[str, Place], dict[str, str]]:
    """Parse places and metadata from lines, each given with its position. Lines with other keys are
    ignored.
    """
    places: dict[str, Place] = {}
    metadata: dict[str, str] = {}
    things: list[Thing] = []
    kinds: dict[str, Kind] = {}
    for where, line in lines:
        name, _, value = (part.strip() for part in line.partition(":"))
        key = name if known_place(name) else name.lower()
        if key == THING:
            things.append(Thing.from_text(value, where))
            continue
        if key == KIND:
            add_kind(kinds, value, where)
            continue
        if key in metadata or key in places:
            raise InputError(f"{where}: expected one {key[:40]}, got a second")
        if key in METADATA:
            metadata[key] = value
        elif known_place(key) or re.fullmatch(CELL, value):
            places[key] = read_place(key, value, where)
    # Files of earlier versions have all things on one line.
    for key, text in ((THINGS, write_things(things)), (KINDS, write_kinds(kinds))):
        if text and key in metadata:
            raise InputError(f"{key}: expected one line for each, or one for all, got both")
        metadata |= {key: text} if text else {}
    return places, metadata


def origin_to_data(origin: Origin | None) -> dict[str, Any]:
    """Convert an origin to plain data: recipe, seed, index, version and engine; empty without an
    origin.
    """
    if origin is None:
        return {}
    plugins = {"plugins": dict(origin.plugins)} if origin.plugins else {}
    engine = {"engine": origin.engine} if origin.engine else {}
    return {
        "recipe": origin.recipe,
        "seed": origin.seed,
        "index": origin.index,
        "version": origin.version,
        **engine,
        **plugins,
    }


def origin_from_data(data: object) -> Origin | None:
    """Create an origin from the result of `origin_to_data`."""
    if not isinstance(data, dict):
        raise InputError(f"origin: expected an object, got {type(data).__name__}")
    if "recipe" not in data:
        return None
    recipe, seed, index, version = (
        data["recipe"],
        data.get("seed"),
        data.get("index", 0),
        data.get("version"),
    )
    if (
        not isinstance(recipe, dict)
        or not _is_whole(seed)
        or not _is_whole(index)
        or not isinstance(version, str)
        or not version.isprintable()
    ):
        raise InputError(
            "origin: expected a recipe (a table), a seed and an index (whole numbers from 0) and "
            "a version (a text of one line)"
        )
    engine = data.get("engine", "")
    if not isinstance(engine, str) or not engine.isprintable():
        raise InputError(f"engine: expected a text of one line, got {shown(engine)}")
    return Origin.of(recipe, seed, index, version, plugins_from_data(data), engine)


def plugins_from_data(data: object) -> dict[str, str]:
    """Return the plug-ins listed in the origin of a level, each with its version; empty for most
    levels.
    """
    plugins = data.get("plugins", {}) if isinstance(data, dict) else {}
    if not isinstance(plugins, dict) or not all(
        isinstance(text, str) and text.isprintable() for pair in plugins.items() for text in pair
    ):
        raise InputError("plugins: expected a table of names and versions (texts of one line)")
    return plugins


def _whole_number(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError as problem:
        raise InputError(f"{name}: expected a whole number, got {value[:40]!r}") from problem


def _is_whole(number: object) -> TypeGuard[int]:
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


# The table of plug-ins in a file of any format that is text, without backslashes and with plain
# quotation marks.
_PLUGINS = re.compile(r'plugins\b[^{}]{0,200}?(\{"[^{}]{1,2000}\})')


@contextmanager
def needing_plugins(content: bytes) -> Iterator[None]:
    """Let an unknown name in a file that plug-ins were used for be a `PluginError` that names those
    that are missing.
    """
    try:
        yield
    except UnknownNameError:
        text = unescape(content.decode("utf-8", "replace").replace("\\", ""))
        for table in _PLUGINS.findall(text):
            with suppress(InputError):
                require_plugins(plugins_from_data({"plugins": parse_json(table, "plugins")}))
        raise

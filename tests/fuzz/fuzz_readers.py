"""Every reader of files, with valid files of its own to start from."""

import io
import json
import warnings
import zlib
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path

import numpy as np
from PIL import Image

from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.formats.edited_things import same_but_unknown
from levolve.formats.look import Look
from levolve.formats.originals import Original
from levolve.formats.pictures.png import picture_bytes
from levolve.formats.reading.arrays import read_array
from levolve.formats.reading.data import decode_text, parse_json, parse_toml
from levolve.formats.reading.pictures import png_chunks, png_pixels
from levolve.formats.themes.picture import PictureTheme
from levolve.formats.tiled.model import checked_tileset
from levolve.formats.tiled.xml import parse_xml, tileset_data
from levolve.jobs.breeding.session import Session
from levolve.jobs.packs.manifest import FORMAT, _checksum, decode_manifest, encode_manifest
from levolve.levels.areas import Area
from levolve.levels.level import Level, Origin
from levolve.levels.solver import recertified
from levolve.levels.things.kinds import Kind
from levolve.puzzles import PUZZLES
from levolve.puzzles.flag.files import shipped_round
from levolve.puzzles.sliding.rules import Board
from levolve.recipes.recipe import Recipe, find_recipe
from levolve.worlds.design import Design, design_from_data
from levolve.worlds.legend import find_palette
from levolve.worlds.records import holds_maps_only, read_maps, read_records, write_records
from levolve.worlds.shipped import find_design, shipped_rules

NOWHERE = Path("/nonexistent")


@dataclass(frozen=True)
class Reader:
    """A function that reads the bytes of a file, and one that makes valid files. `form` says how
    files are altered: see `fuzz_mutations`.
    """

    read: Callable[[bytes], object]
    make: Callable[[], tuple[bytes, ...]]
    form: str = "text"

    @cached_property
    def samples(self) -> tuple[bytes, ...]:
        """Valid files. They are made when they are needed: some need kernels, and a list of readers
        does not.
        """
        return self.make()


@cache
def _levels() -> list[Level]:
    recipe = find_recipe("maze").changed({"size": "5x4"})
    tour = Level.from_text("A.#..\n..#.B\n....C")
    # Things that act only together with others: with the proofs A, C and G.
    locked, spent, forced = (
        Level.from_text("\n".join([drawing, *(f"thing: {thing}" for thing in things)]))
        for drawing, things in (
            ("S....\n####.\nE....", ("key 1,0 color=blue", "door 3,0 color=blue", "torch 4,1")),
            ("S....\n####.\nE....", ("small_key 1,0", "small_door 3,0", "player 0,0 health=3",
                                     "monster 4,0 id=m damage=2")),
            ("S....\n###..\nE....", ("plate 1,0 id=a", "gate 3,0 lever=a", "stairs 4,0 id=b to=c",
                                     "mud 2,2 id=c", "treasure 4,2 value=2"))
        )
    )  # fmt: skip
    own = Kind("mud", "Needs nothing.", "~", {"depth": "1"}, gives={"wet {depth}": "depth+1"})
    forced = forced.with_things(forced.things, {"mud": own})
    return [
        *map(recertified, (locked, spent, forced)),
        Level.from_text("S.#..\n..1..\n#.E..\n.....")
        .with_solution("rdrd")
        .with_origin(Origin.of(recipe.to_data(), 5, 0, "0.1.0")),
        Level.from_text("ROY\nVBG\nentrance: 0,0\nexit: 2,1").with_solution("rrd"),
        recertified(tour),
    ]


def _editor(name: str) -> Callable[[bytes], object]:
    """Read a file as the original of its level, and write the level again together with the foreign
    parts: the same level must come back.
    """
    entry = FORMATS[name]

    def read(content: bytes) -> object:
        level, original = entry.read(content, NOWHERE), Original(f"a.{name}", name, content)
        _ = original.kept
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            written, _ = original.write(level, name, Look())
        assert same_but_unknown(entry.read(written, NOWHERE), level)
        return level

    return read


def _foreign_samples(name: str) -> tuple[bytes, ...]:
    """Maps with layers, objects, properties and tilesets of a person."""
    level = Level.from_text("S.#\n..1\n#.E")
    if name == "tmx":
        text = FORMATS["tmx"].encode(level).decode()
        locked = FORMATS["tmx"].encode(_furnished()).replace(b"</map>", b'<group id="9"/></map>')
        sky = '<group id="20" name="back" offsetx="2"><imagelayer id="21" name="sky"/></group>'
        keep = (
            '<layer id="22" name="keep" width="3" height="3"><data '
            'encoding="csv">0,1,0,0,0,0,2,0,0</data></layer>'
        )
        mine = '<tileset firstgid="200" name="mine" tilecount="4"/><layer id="1"'
        turned = text.replace('name="entrance"', 'name="entrance" rotation="90"').replace(
            'y="16"', 'y="0"'
        )
        edited = tuple(
            each.replace('<layer id="1"', mine).replace("</map>", f"{sky}{keep}</map>").encode()
            for each in (text, turned)
        )
        return (*edited, locked, locked)
    data = json.loads(FORMATS["tmj"].encode(level))
    data["layers"] += [
        {"type": "imagelayer", "name": "sky", "id": 20},
        {"type": "objectgroup", "name": "keep", "objects": [{"id": 30, "x": 3, "y": 5}]},
    ]
    data["properties"].append({"name": "music", "value": "wind"})
    return (json.dumps(data).encode(),)


def _level_reader(name: str) -> Callable[[bytes], object]:
    entry = FORMATS[name]

    def read(content: bytes) -> object:
        level = entry.read(content, NOWHERE)
        if entry.edited:
            level = recertified(level)
        if level.solution is not None:
            level.check()
        assert level.origin is None or level.origin.recipe is not None
        return level.digest

    return read


def _position_reader(name: str) -> Callable[[bytes], object]:
    def read(content: bytes) -> object:
        found = PUZZLES[name].decode(content)
        if found is not None and found.solution is not None:
            found.check()
        return None if found is None else (found.to_text(), json.dumps(found.to_data()))

    return read


def _read_records(content: bytes) -> object:
    text = decode_text(content, "record")
    return read_maps(text, (5, 5)) if holds_maps_only(text) else write_records(read_records(text))


def _read_rule(parse: Callable[[str, str], object]) -> Callable[[bytes], object]:
    def read(content: bytes) -> object:
        design = design_from_data(parse(decode_text(content, "rule"), "rule"), "rule")
        return design.to_data()

    return read


def _read_recipe(form: str) -> Callable[[bytes], object]:
    def read(content: bytes) -> object:
        recipe = Recipe.from_text(decode_text(content, "recipe"), form)
        width, height = recipe.size
        return (
            (recipe.frame, recipe.limits, recipe.variables)
            if width * height <= 1 << 12
            else recipe.to_json()
        )

    return read


def _read_session(content: bytes) -> object:
    data = parse_json(content, "session")
    if not isinstance(data, dict):
        message = "session: expected data"
        raise InputError(message)
    if not _small(data):
        # Running a large recipe takes as long as it says; what is tested here is reading.
        return (
            Recipe.from_data(data.get("recipe", {}), "session")
            if isinstance(data.get("recipe"), dict)
            else None
        )
    return Session.from_data(data).digest


def _small(data: dict[str, object]) -> bool:
    actions, recipe = data.get("actions"), data.get("recipe")
    if not isinstance(recipe, dict) or not isinstance(actions, list) or not _quick(actions):
        return False
    strategy, objective = recipe.get("strategy"), recipe.get("objective")
    numbers = [
        value
        for table in (recipe, strategy, objective, data)
        if isinstance(table, dict)
        for value in table.values()
    ]
    return recipe.get("size") in ("5x4", "2x2") and all(
        not isinstance(value, int) or abs(value) <= 1000 for value in numbers
    )


def _quick(actions: list[object]) -> bool:
    """Whether the actions of a session breed only a few sheets."""
    listed = [action for action in actions if isinstance(action, dict)]
    generations = [action.get("generations") for action in listed]
    return sum(str(action).count("next") for action in actions) <= 2 and all(
        not isinstance(count, int) or count <= 3 for count in generations
    )


def _branches() -> bytes:
    """A session with a branch and with every kind of action."""
    session = Session(
        find_recipe("maze").changed({"size": "5x4", "strategy.population": 4}), 3, sheet=2
    )
    session.next()
    session.go(0)
    session.paint(0, [(2, 2)], "wall" if session.levels[0].tiles[2, 2] == 0 else "floor", lock=True)
    session.cross(0, 1)
    session.advance(2)
    session.undo()
    return json.dumps(session.to_data()).encode()


def _session(blend: float) -> bytes:
    session = Session(
        find_recipe("maze").changed({"size": "5x4", "strategy.population": 4}),
        3,
        sheet=2,
        blend=blend,
    )
    session.pick({0: "love"})
    session.next()
    session.lock([(0, 0)], 1)
    return json.dumps(session.to_data()).encode()


def _manifest() -> bytes:
    files = {"1.json": b"{}", "1.png": b"", "index.html": b""}
    levels = [{"name": "1", "files": ["1.json", "1.png"], "digest": "0", "measures": {"walls": 3}}]
    return encode_manifest({"format": FORMAT, "levels": levels}, files)


def _read_manifest(content: bytes) -> object:
    """Read a manifest with a right checksum: one that is wrong would be all that is ever found."""
    data = parse_json(content, "manifest")
    if isinstance(data, dict):
        data.pop("checksum", None)
        content = json.dumps({**data, "checksum": _checksum(data)}).encode()
    return decode_manifest(content).levels


_THEME = b"""name = "moor"
image = "tiles.png"
tile = 16
[floor]
tiles = [[0, 0], [1, 0]]
[wall]
tile = [3, 0]
"n e" = [5, 0]
[places]
exit = [1, 1]
checkpoint = [2, 1]
[kinds]
red = [5, 1]
"""


def _read_theme(content: bytes) -> object:
    return PictureTheme(
        parse_toml(decode_text(content, "theme"), "theme"),
        Image.new("RGBA", (128, 32)),
        "moor",
        Path("moor.toml"),
    ).walls


def _read_palette(content: bytes) -> object:
    data = parse_json(content, "palette")
    return find_palette(data if isinstance(data, list) else [])


def _saved(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def _array_samples() -> tuple[bytes, ...]:
    return _saved(np.ones((2, 3), np.uint8)), _saved(np.array(["wall", "floor"]))


def _mask() -> bytes:
    return picture_bytes(Image.fromarray(np.arange(48, dtype=np.uint8).reshape(6, 8)))


def _tmx_packed() -> bytes:
    """A map as Tiled writes it, with base64 and compression."""
    numbers = b64encode(zlib.compress(np.array([1, 2, 1, 1, 0, 1], "<u4").tobytes())).decode()
    layer = (
        '<layer name="tiles" width="3" height="2"><data encoding="base64" '
        f'compression="zlib">{numbers}</data></layer>'
    )
    tiles = (
        '<tileset firstgid="1" name="mine"><tile id="0" type="floor"/><tile id="1" '
        'type="wall"/></tileset>'
    )
    return f'<map width="3" height="2" tilewidth="8" tileheight="8">{tiles}{layer}</map>'.encode()


def _furnished() -> Level:
    """A level with things of several kinds, with references, and with areas."""
    level = Level.from_text(
        "S....\n.##.#\n....E\nthing: key 1,0 color=red\nthing: door 3,1 color=red id=d\n"
        "thing: lever 0,1 id=a\nthing: gate 2,2 lever=a\nthing: monster 3,0 damage=1\n"
        "thing: torch 1,2 light=7 tint=#12ab3f note=\nthing: chest 3,2 loot=2\n"
        'kind: {"name":"chest","fields":{"loot":"1"},"gives":{"treasure":"loot"},"counts":true}'
    )
    ring = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    return replace(level, areas=(Area("room", 3, 0, 2, 1, role="boss"), Area.of("hall", ring)))


def _level_samples(name: str) -> tuple[bytes, ...]:
    samples = [
        FORMATS[name].encode(level) for level in _levels() if FORMATS[name].holds(level.tileset)
    ]
    if name in {"tmx", "tmj", "ldtk"}:
        samples += [FORMATS[name].encode(_furnished())] * 3
    return (*samples, _tmx_packed()) if name == "tmx" else tuple(samples)


def _position_samples(name: str, form: str) -> tuple[bytes, ...]:
    positions = (
        [shipped_round(1), shipped_round(12)]
        if name == "flag"
        else [Board.read("1234567_8").with_solution("l")]
    )
    samples = tuple(PUZZLES[name].encode(one, form) for one in positions)
    return (
        (*samples, b"1,2,3,4,5,6,7,8,9,10,_,11\nsize: 4x3\n")
        if (name, form) == ("sliding", "txt")
        else samples
    )


def _record_samples() -> tuple[bytes, ...]:
    record = write_records([_rule().to_record((5, 5))]).encode()
    digits = (
        b"0101101010101010101010101\nsMs[0.0, 0.5, 0.2, 0.6]g6n2w5l5neighbours[(0, 1), (-1, "
        b"0)]\n# map: result, arithmetic: exact\n"
    )
    return record, digits, b"0101101010101010101010101\n"


def _rule() -> Design:
    return find_design(next(iter(shipped_rules())))


def _recipe_sample() -> Recipe:
    return find_recipe("maze").changed({"size": "5x4"})


def readers() -> dict[str, Reader]:
    """All readers by name."""
    forms = {
        "json": "json",
        "tmj": "json",
        "ldtk": "json",
        "png": "png",
        "tiles.png": "png",
        "gif": "gif",
        "npz": "npz",
    }
    found = {
        name: Reader(_level_reader(name), partial(_level_samples, name), forms.get(name, "text"))
        for name in FORMATS
    }
    tileset = (
        b'<tileset name="mine" tilewidth="8"><tile id="0" type="floor"/><tile id="1" '
        b'class="wall"><properties/></tile></tileset>'
    )
    edits = {
        f"{name}.edit": Reader(
            _editor(name), partial(_foreign_samples, name), forms.get(name, "text")
        )
        for name in ("tmx", "tmj")
    }
    return {
        **found,
        **edits,
        "tsx": Reader(
            lambda content: checked_tileset(
                tileset_data(parse_xml(content, "tileset", "tileset")), "tileset"
            ),
            lambda: (tileset,),
        ),
        "round.json": Reader(
            _position_reader("flag"), partial(_position_samples, "flag", "json"), "json"
        ),
        "round.txt": Reader(_position_reader("flag"), partial(_position_samples, "flag", "txt")),
        "board.json": Reader(
            _position_reader("sliding"), partial(_position_samples, "sliding", "json"), "json"
        ),
        "board.txt": Reader(
            _position_reader("sliding"), partial(_position_samples, "sliding", "txt")
        ),
        "record": Reader(_read_records, _record_samples),
        "rule.toml": Reader(_read_rule(parse_toml), lambda: (_rule().to_toml().encode(),)),
        "rule.json": Reader(_read_rule(parse_json), lambda: (_rule().to_json().encode(),), "json"),
        "recipe.toml": Reader(_read_recipe("toml"), lambda: (_recipe_sample().to_toml().encode(),)),
        "recipe.json": Reader(
            _read_recipe("json"), lambda: (_recipe_sample().to_json().encode(),), "json"
        ),
        "session": Reader(
            _read_session, lambda: (_session(0.0), _session(0.5), _branches()), "json"
        ),
        "manifest": Reader(_read_manifest, lambda: (_manifest(),), "json"),
        "theme.toml": Reader(_read_theme, lambda: (_THEME,)),
        "palette": Reader(_read_palette, lambda: (b'["#ff0000", [0, 1, 2], "00ff00"]',), "json"),
        "npy": Reader(lambda content: read_array(content, "npy"), _array_samples, "npy"),
        "mask.png": Reader(
            lambda content: png_pixels(png_chunks(content), "L").tobytes(),
            lambda: (_mask(),),
            "png",
        ),
    }

"""Golden digests: what levolve computes and writes, one line per case, compared with `golden.json`.

`python tests/golden/golden.py` computes all cases and prints those that differ, `--write` writes the file anew, `--quick` is a part
for the suite, and words choose the cases whose names contain one of them. Cases of parts are made from the registries: a new part
without a line in the file is reported.

Left out of what is hashed: times, paths, versions, the digest of levolve itself, and how PNG and ZIP files are compressed.
"""

import argparse
import contextlib
import functools
import hashlib
import io
import json
import os
import re
import struct
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import levolve

# All that is not reached through public names of levolve.
from levolve.cli.app import run as call_command
from levolve.cli.commands import COMMANDS
from levolve.errors import LevolveError
from levolve.resuming import JOBS

Case = Callable[[], object]
Cases = Iterator[tuple[str, Case]]

FILE = Path(__file__).with_name("golden.json")
REFUSED = "refused"
SEEDS = (1, 2, 3)
# Keys of JSON data, and of the metadata of files, that are not compared.
OMITTED = ("version", "levolve", "engine", "written_by", "made_by", "seconds", "path", "folder", "meaning", "updated", "started")
# Commands whose output is about this machine. `studio` is a server.
OF_THE_MACHINE = ("bench", "prepare", "studio")


# ---------------------------------------------------------------- what is hashed


def plain(value: Any) -> Any:  # noqa: ANN401 any result
    """Return data without times, paths and versions, as JSON takes it."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items() if key not in OMITTED or isinstance(part, int)}
    if isinstance(value, levolve.Level):
        return [value.to_text(), value.solution, value.digest, plain(value.origin and value.origin.recipe)]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), list(value.shape), hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, bytes):
        return hashlib.sha256(scrubbed(value)).hexdigest()
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, str):
        return [plain(part) for part in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return scrubbed(value.encode()).decode() if isinstance(value, str) else facts_of(value)


def scrubbed(content: bytes) -> bytes:
    """Return the content of a file, or a text, without versions; packed content is unpacked."""
    if content.startswith(b"\x89PNG"):
        return b"".join(_chunks(content))
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return b"".join(name.encode() + b"\n" + scrubbed(archive.read(name)) for name in archive.namelist())
    if content.startswith((b"\x93NUMPY", b"GIF")):
        return content.replace(levolve.__version__.encode(), b"")
    text = content.decode(errors="surrogateescape")
    text = re.sub(rf"(?<![\w.]){re.escape(levolve.__version__)}(?![\w.])", "", text)
    text = re.sub(r'(\\*"|&quot;)(version|levolve|engine)\1\s*:\s*\1[^"&\\]*\1,?\s*', "", text)
    text = re.sub(r'\\*"seconds\\*"\s*:\s*[0-9.e+-]+,?\s*', "", text)
    text = re.sub(r"(?m)^\W*(version|engine): .*\n?", "", text)
    text = re.sub(r'\s*<property name="(version|engine)"[^>]*/>', "", text)
    return text.encode(errors="surrogateescape")


def _chunks(content: bytes) -> Iterator[bytes]:
    place, pixels = 8, b""
    while place < len(content):
        length, kind = struct.unpack(">I4s", content[place : place + 8])
        data = content[place + 8 : place + 8 + length]
        if kind == b"IDAT":
            pixels += data
        elif kind == b"zTXt":
            name, packed = data.split(b"\0", 1)
            yield name + scrubbed(zlib.decompress(packed[1:]))
        elif kind == b"iTXt":
            name, packed = data.split(b"\0", 1)
            rest = packed[2:].split(b"\0", 2)[2]
            yield name + scrubbed(zlib.decompress(rest) if packed[0] else rest)
        else:
            yield kind + scrubbed(data) if kind == b"tEXt" else kind + data
        place += length + 12
    yield zlib.decompress(pixels)


def facts_of(thing: Any) -> object:  # noqa: ANN401 a position, a solution, any record
    """Return the data of an object, or else its fields."""
    return plain(thing.to_data() if hasattr(thing, "to_data") else vars(thing))


def digest_of(value: object) -> str:
    """Return the digest of any result."""
    return hashlib.sha256(json.dumps(plain(value), sort_keys=True).encode()).hexdigest()[:20]


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """Work in an empty folder: names of files in messages and results are then relative."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def saved(thing: Any, name: str, **look: Any) -> dict[str, bytes]:  # noqa: ANN401 whatever can be saved
    """Return the files that saving writes."""
    with workplace() as folder:
        levolve.save(thing, name, **look)
        return files_in(folder)


def called(*words: str) -> object:
    """Return the exit code of a command and what it prints on standard output, as data if it is JSON."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        code = call_command(list(words))
    text = printed.getvalue().replace(str(Path.cwd()), "")
    try:
        return [code, json.loads(text)]
    except ValueError:
        return [code, text]


def commanded(*commands: str, words: str = "") -> object:
    """Return what the last of several commands prints, and all files that they wrote, except for stores."""
    with workplace() as folder:
        before, sys.stdin = sys.stdin, io.StringIO(words)
        try:
            printed = [called(*command.split()) for command in commands]
        finally:
            sys.stdin = before
        return printed[-1], {name: content for name, content in files_in(folder).items() if ".sqlite" not in name}


# ---------------------------------------------------------------- inputs


@functools.cache
def parts() -> dict[str, dict[str, Any]]:
    """Return the names in all registries."""
    found = called("parts", "--json")
    assert isinstance(found, list)
    named: dict[str, dict[str, Any]] = found[1]
    return named


PLAIN = "S.#..\n.#...\n...#.\n.##..\n....E"
FORMER = levolve.Level.from_text("S.#...\n.#..#.\n...#..\n.##..#\n.....E")
CHROMATIC = "ROYGG\nVBGYO\nVVBGG\nRVVBB\nROOBV\nentrance: 0,0\nexit: 4,4"
TOUR = "A..#..\n.#.B..\n.#....\n.####.\n.....C"
FIFTEEN = "5,1,2,4,9,6,3,8,13,10,7,11,_,14,15,12"
CHECKPOINTS = "S..#..\n.#.1..\n.#....\n.####.\n..2..E"


@functools.cache
def level(name: str) -> levolve.Level:
    """Return a level: `dungeon` and `maze` with their origin, the others without."""
    if name == "maze":
        return levolve.evolve("maze", size=(9, 7), seed=4, generations=30).best
    if name == "dungeon":
        return levolve.evolve("dungeon", seed=4, generations=3).best
    return levolve.Level.from_text({"plain": PLAIN, "chromatic": CHROMATIC, "checkpoints": CHECKPOINTS, "tour": TOUR}[name])


@functools.cache
def puzzle(name: str) -> Any:  # noqa: ANN401 a position of any puzzle
    """Return one position of a puzzle."""
    return next(levolve.make(name, seed=1))


def outcome(run: Any) -> object:  # noqa: ANN401 a run of levels or of contents
    """Return all that a run gives."""
    found = [run.to_data(), run.best, run.best_score, run.evaluations, list(run.history.best), list(run.history.mean)]
    return [*found, run.levels[:10]] if hasattr(run, "levels") else found


def evolved(recipe: str, seed: int = 1, **changes: Any) -> object:  # noqa: ANN401 options of `evolve`
    """Return the result of a run; with `like` for those that need it."""
    given = {"like": [FORMER], **changes} if recipe == "sketch" else changes
    return outcome(levolve.evolve(recipe, seed=seed, **given))


def changed(settings: Mapping[str, Any], recipe: str = "maze", **changes: Any) -> Case:  # noqa: ANN401 options of `evolve`
    """Return the case of a short run with other settings."""
    small = {"size": (10, 10), "generations": 12, **changes}
    return lambda: evolved(recipe, seed=5, settings=settings, **small)


def like_if(name: str) -> dict[str, Any]:
    """Return the examples that an objective or a genotype needs."""
    return {"like": [FORMER]} if name in {"likeness", "tiles", "patchwork"} else {}


def home_of(genotype: str) -> str:
    """Return the recipe from which a genotype is reached with the fewest changes."""
    return {"dungeon": "dungeon", "fashion": "cavern", "tiles": "sketch"}.get(genotype, "maze")


SMALL: dict[str, dict[str, Any]] = {
    "cavern": {"generations": 2, "settings": {"strategy.population": 8}},
    "warren": {"generations": 3},
    "dungeon-meta": {"generations": 4},
    "dungeon-race": {"generations": 4},
    "dungeon-best": {"settings": {"evaluations": 600}},
    "maze-long": {"settings": {"evaluations": 2000}},
    "ashlock-negative": {"generations": 6},
}


# ---------------------------------------------------------------- cases


def recipe_cases() -> Cases:
    """Every recipe with three seeds."""
    for name in parts()["recipes"]:
        for seed in SEEDS:
            yield f"recipe/{name}/{seed}", functools.partial(evolved, name, seed, **SMALL.get(name, {"generations": 15 if seed == 1 else 60}))


def part_cases() -> Cases:
    """Every part of a recipe in a short run."""
    for name in parts()["strategies"]:
        yield f"strategy/{name}", changed({"strategy.kind": name})
        yield f"strategy/{name}/dungeon", changed({"strategy.kind": name}, "dungeon", size=None, generations=4)
    for name in parts()["crossovers"]:
        for strategy in ("steady_state", "generational"):
            yield f"crossover/{name}/{strategy}", changed({"strategy.kind": strategy, "strategy.crossover.kind": name})
        yield f"crossover/{name}/chromatic", changed({"strategy.crossover.kind": name}, "maze-chromatic")
    for name in parts()["mutations"]:
        for strategy in ("steady_state", "generational", "annealing"):
            yield f"mutation/{name}/{strategy}", changed({"strategy.kind": strategy, "strategy.mutation.kind": name})
        yield f"mutation/{name}/chromatic", changed({"strategy.mutation.kind": name}, "maze-chromatic")
        yield f"mutation/{name}/barriers", changed({"strategy.mutation.kind": name}, "maze-barriers")
    for name in parts()["selections"]:
        yield f"selection/{name}", changed({"strategy.kind": "generational", "strategy.selection.kind": name})
    for name in parts()["finishes"]:
        for recipe in ("maze", "maze-tunnels", "dungeon"):
            small = {"size": None, "generations": 3} if recipe == "dungeon" else {}
            yield f"finish/{name}/{recipe}", changed({"finish": [name]}, recipe, **small)
    for genotype in parts()["genotypes"]:
        for objective in parts()["objectives"]:
            given = {"genotype.kind": genotype, "objective.kind": objective}
            small: dict[str, Any] = {"generations": 4, **like_if(objective), **like_if(genotype)}
            if genotype in {"dungeon", "fashion"}:
                small |= {"size": None, "generations": 2}
            if genotype == "fashion":
                small["generations"] = 1
                given["strategy.population"] = 4
            yield f"objective/{objective}/{genotype}", changed(given, home_of(genotype), **small)
    targets = {"exit_path": "20..24", "walls": (0.2, 0.3), "regions": 1}
    yield "objective/target/ranges", changed({}, target=targets)
    yield "objective/function/batch", changed({}, objective=lambda tiles: (tiles == tiles[:, :, ::-1]).sum(axis=(1, 2)))
    yield "objective/function/level", changed({}, objective=levolve.one_level(lambda one: float(one.tiles[:3].sum())))
    yield "start/keep", changed({}, start=FORMER, size=None, keep="wall")
    yield "start/frame", changed({}, frame=True)
    yield "ancestry", lambda: outcome(levolve.evolve("maze", size=(8, 8), seed=3, generations=9, ancestry=True))
    yield "front", changed({"strategy.kind": "nsga2", "strategy.objectives": {"walls": "min", "exit_path": "max"}})


def measure_cases() -> Cases:
    """Every measure of several levels."""
    names = ("plain", "maze", "chromatic", "checkpoints", "tour", "dungeon")

    def values(measure: str) -> object:
        found = []
        for name in names:
            with contextlib.suppress(LevolveError, KeyError):
                found.append([name, levolve.measure([level(name)], like=[level(name) if name != "maze" else FORMER])[measure]])
        return found

    for measure in parts()["measures"]:
        yield f"measure/{measure}", functools.partial(values, measure)
    for name in names:
        yield f"measured/{name}", lambda name=name: levolve.measure(level(name)).of_level()
        yield f"field/{name}", lambda name=name: levolve.field(level(name))


def format_cases() -> Cases:
    """Every format's files for several levels and positions, read again, and pictures in every theme."""

    def written(thing: Any, suffix: str) -> object:  # noqa: ANN401 a level or a position
        with workplace() as folder:
            path = levolve.save(thing, f"one.{suffix}")
            content = files_in(folder)
            again: object = None
            with contextlib.suppress(LevolveError):
                again = levolve.load(path)
            return content, again

    for suffix in parts()["formats"]:
        for name in ("plain", "maze", "chromatic", "checkpoints", "tour", "dungeon"):
            yield f"format/{suffix}/{name}", lambda suffix=suffix, name=name: written(level(name), suffix)
        for name in parts()["puzzles"]:
            yield f"format/{suffix}/{name}", lambda suffix=suffix, name=name: written(puzzle(name), suffix)
    for theme in parts()["themes"]:
        for name in ("maze", "chromatic", "dungeon"):
            yield f"theme/{theme}/{name}", lambda theme=theme, name=name: saved(level(name), "one.png", theme=theme, tile=16)
        yield f"theme/{theme}/tmx", lambda theme=theme: saved(level("maze"), "one.tmx", theme=theme, tile=16)
    for name in parts()["tilesets"]:
        if name in parts()["puzzles"]:
            yield f"tileset/{name}", lambda name=name: saved(puzzle(name), "one.tmx")
        else:
            yield f"tileset/{name}", lambda name=name: level("chromatic" if name == "rainbow" else "plain").to_text()
    for goal in parts()["goals"]:
        text = f"{PLAIN.replace('S', '.').replace('E', '.') if goal == 'none' else TOUR if goal == 'tour' else PLAIN}\ngoal: {goal}"
        yield f"goal/{goal}", lambda text=text: saved(levolve.Level.from_text(text), "one.json")


PACKS: dict[str, dict[str, Any]] = {
    "plain": {"recipe": "maze", "count": 3},
    "target": {"recipe": "maze", "count": 3, "target": {"exit_path": "20..40", "regions": 1}, "distinct": 0.3},
    "curve": {"recipe": "labyrinth", "count": 4, "curve": "easy..hard", "distinct": 0.1},
    "mixed": {"recipe": ["maze", "maze-tunnels"], "count": 4, "curve": "hard..easy"},
    "like": {"recipe": "maze", "count": 2, "like": [FORMER]},
    "puzzles": {"recipe": ["maze", "flag", "sliding"], "count": 6, "curve": "easy..hard"},
    "flag": {"recipe": "flag", "count": 2, "size": (5, 5)},
    "sliding": {"recipe": "sliding", "count": 3, "size": (3, 3)},
    "unmet": {"recipe": "maze", "count": 2, "target": {"exit_path": (57, 58)}, "budget": 1},
}


def packed(name: str, **options: Any) -> levolve.Pack:  # noqa: ANN401 options of `pack`
    """Build one of the packs."""
    given = {"size": (9, 9), "seed": 1, **PACKS[name], **options}
    if name not in {"flag", "sliding"}:
        given["settings"] = {"generations": 20}
    return levolve.pack(**given)


def pack_cases() -> Cases:
    """Packs: the files of the folder, and the report."""
    kinds = {"plain": "json,png,tiled,ldtk,godot,txt,csv,npz,xsb", "flag": "json,txt,png,gif"}
    for name in PACKS:

        def whole(name: str = name) -> object:
            made = packed(name)
            with workplace() as folder:
                made.save(folder, kinds.get(name, "json,png"))
                read = levolve.Pack.load(folder)
                return files_in(folder), made.rows(), made.digest, repr(made.report), read.digest, made.summary()

        yield f"pack/{name}", whole
    yield "pack/joined", lambda: levolve.Pack.joined("all", [packed("plain"), packed("flag")]).files("json,png")


@functools.cache
def archive() -> levolve.Archive:
    """Return a small archive."""
    return levolve.illuminate("maze", axes="walls,exit_path", grid=(6, 6), evaluations=3000, size=(8, 8), seed=2)


def archive_cases() -> Cases:
    """Archives and their files."""

    def files(one: levolve.Archive) -> object:
        with workplace() as folder:
            levolve.save_archive(one, folder)
            again = levolve.load_archive(folder)
            return files_in(folder), again.digest, one.digest, one.coverage, one.qd_score, one.score_map, one.to_data()

    yield "archive/maze", lambda: files(archive())
    three = {"axes": "walls,exit_path,regions", "grid": (4, 4, 3), "evaluations": 1500, "size": (8, 8), "seed": 2}
    yield "archive/three axes", lambda: files(levolve.illuminate("maze-tunnels", **three))
    yield "archive/dungeon", lambda: files(levolve.illuminate("dungeon", grid=(5, 5), evaluations=300, seed=2))


def breeding_cases() -> Cases:
    """Breeding sessions."""

    def session(recipe: str, **options: Any) -> object:  # noqa: ANN401 options of `breed`
        one = levolve.breed(recipe, sheet=6, seed=3, **options)
        sheets = [one.digest]
        one.pick({0: "love", 3: "like", 4: "never"})
        sheets.append([each.digest for each in one.next()])
        one.cross(1, 2)
        sheets.append(one.digest)
        one.undo()
        one.pick([2])
        one.more_like(1)
        one.advance(3)
        if recipe == "maze":
            one.paint(1, "2,2 3,2", "floor", lock=True)
        else:
            one.lock("2,2 3,2", 1)
        one.wildness, one.blend = 0.6, 0.5
        one.next()
        data = one.to_data()
        again = type(one).from_data(data)
        return sheets, one.levels, one.digest, again.digest, data, [sheet.digest for sheet in one.tree]

    yield "breeding/maze", lambda: session("maze", size=(9, 9))
    yield "breeding/chromatic", lambda: session("maze-chromatic", size=(8, 8))
    yield "breeding/tunnels", lambda: session("maze-tunnels", size=(9, 9), objective="culs_de_sac")


def puzzle_cases() -> Cases:
    """Solvers and makers."""
    boards = {"sliding": "8672543_1", "flag": None}

    def solved(name: str, **options: Any) -> object:  # noqa: ANN401 options of `solve`
        board = boards.get(name) or puzzle(name)
        found = levolve.solve(name, board, seed=1, **options)
        return found.solved, found.moves, facts_of(found)

    for name, part in parts()["puzzles"].items():
        settings = part["settings"]
        meaning = settings.get("scheme", {}).get("meaning", "")
        for scheme in re.findall(r"(?:^|[.] )([a-z0-9-]+): ", meaning):
            yield f"solve/{name}/{scheme}", functools.partial(solved, name, scheme=scheme, generations=300)
        yield f"solve/{name}/exact", functools.partial(solved, name, method="exact")
        for seed in SEEDS[:2]:
            yield f"make/{name}/{seed}", lambda name=name, seed=seed: list(levolve.make(name, 2, seed=seed))
    yield "solve/sliding/15", lambda: facts_of(levolve.solve("sliding", FIFTEEN, seed=1))
    yield "make/sliding/length", lambda: list(levolve.make("sliding", 3, seed=4, size=(3, 3), length="10..20"))
    yield "make/flag/unique", lambda: list(levolve.make("flag", 1, seed=4, size=(4, 4), unique=True))


def fashion_cases() -> Cases:
    """Fashion maps, worlds and fingerprints."""
    fashion = levolve.fashion
    near = [(0, 1), (0, -1), (-1, 0), (1, 0)]
    rule = fashion.Rule(scores=[[0, 0.5], [0.2, 0.6]], neighbourhood=near)
    other = fashion.Rule(scores=[[0.7, 0.5], [0.4, 0.1]], neighbourhood=near)
    for name in parts()["rules"]:
        options: dict[str, dict[str, Any]] = {
            "map": {"size": (40, 30)},
            "window": {"window": (-70, 1000, 50, 40)},
            "float": {"size": (30, 30), "arithmetic": "float"},
        }
        for kind, given in options.items():
            yield f"{kind}/{name}", functools.partial(mapped, name, seed=2, **given)
        yield f"fingerprint/{name}", functools.partial(fashion.fingerprint_rules, [name])
    for palette in parts()["palettes"]:
        yield f"palette/{palette}", lambda palette=palette: saved(fashion.make_map("coral", size=(20, 20), seed=1, palette=palette), "one.png")
    for suffix in ("png", "npy", "txt", "gif"):
        yield f"map file/{suffix}", lambda suffix=suffix: saved(fashion.make_map("coral", size=(20, 20), seed=1, updates=5), f"one.{suffix}")
    for field in ("linear", "vertical", "radial", "noise"):
        yield f"morph/{field}", functools.partial(mapped, rule, size=(40, 30), morph=[other], field=field, seed=1)
    yield "world/scale", functools.partial(mapped, "coral", window=(5, 6, 30, 20), scale=3, seed=9)
    yield "world/rule", lambda: fashion.World(rule, seed=3).window(-9, 4, 60, 50)
    yield "portrait", lambda: saved_portrait(fashion.portrait(rule, side=16))
    yield "survey", lambda: sorted((repr(one), count) for one, count in fashion.survey(samples=2000).items())


def mapped(rule: Any, **options: Any) -> object:  # noqa: ANN401 what `make_map` takes
    """Return a fashion map."""
    made = levolve.fashion.make_map(rule, **options)
    return made.to_data(), made.digest


def saved_portrait(portrait: Any) -> object:  # noqa: ANN401 a portrait
    """Return the file of a portrait."""
    with workplace() as folder:
        portrait.save("one.png")
        return files_in(folder)


def _strength(one: Mapping[str, Any]) -> tuple[float, dict[str, float]]:
    return float(np.asarray(one["armour"]).sum() + one["speed"] - 10 * one["weight"]), {"dragon": float(one["kind"] == "dragon")}


def _space() -> dict[str, Any]:
    contents = levolve.contents
    armour = contents.Array((2, 3), range(6))
    return {"kind": contents.OneOf("orc", "dragon"), "speed": range(1, 10), "weight": contents.Number(0, 1), "armour": armour}


CONTENT_SETTINGS: dict[str, dict[str, Any]] = {
    "truncation": {"crossover": "uniform", "mutation": "uniform"},
    "nsga2": {"objectives": {"dragon": "min", "score": "max"}},
    "novelty": {"behaviour": ["dragon"]},
    "map_elites": {"axes": ["dragon"], "grid": [2], "ranges": [[0, 1]]},
}


def content_cases() -> Cases:
    """Runs of contents that are no levels."""
    for name in parts()["strategies"]:
        strategy = {"kind": name, **CONTENT_SETTINGS.get(name, {})}
        given = {"settings": {"strategy": strategy}, "generations": 10, "seed": 2}
        yield f"content/{name}", functools.partial(lambda given: outcome(levolve.evolve(space=_space(), objective=_strength, **given)), given)


class StoppedError(BaseException):
    """Stops a job in the middle."""


def _stop_after(count: int) -> Callable[[object], None]:
    seen = iter(range(count))

    def watch(_: object) -> None:
        if next(seen, None) is None:
            raise StoppedError

    return watch


BOTH = ["maze", "labyrinth"]
SHORT = {"runs": 3, "evaluations": 400, "size": (8, 8), "seed": 1}
TUNED = {"population": 3, "generations": 2, "seeds": 2, "seed": 1}
JOB_CASES: dict[str, tuple[int, Callable[..., Any]]] = {
    "evolve": (7, lambda **o: levolve.evolve("maze", size=(9, 9), seed=6, generations=25, **o)),
    "pack": (3, lambda **o: packed("target", **o)),
    "mixed-pack": (3, lambda **o: packed("mixed", **o)),
    "puzzle-pack": (2, lambda **o: packed("sliding", **o)),
    "illuminate": (3, lambda **o: levolve.illuminate("maze", grid=(5, 5), evaluations=3000, size=(8, 8), seed=2, **o)),
    "compare": (2, lambda **o: levolve.compare(BOTH, **SHORT, **o)),
    "compare-sizes": (3, lambda **o: levolve.compare_sizes(BOTH, sizes=["7x7", "9x9"], runs=2, evaluations=300, seed=1, **o)),
    "compare-illuminations": (2, lambda **o: levolve.compare_illuminations(BOTH, grid=(5, 5), axes="walls,exit_path", **SHORT, **o)),
    "range": (3, lambda **o: levolve.expressive_range(BOTH, samples=4, evaluations=300, size=(8, 8), grid=(5, 5), **o)),
    "meta": (2, lambda **o: levolve.tune("dungeon-meta", settings={"generations": 3}, **TUNED, **o)),
}


def _result(found: Any) -> object:  # noqa: ANN401 the result of any job
    rows = list(found.rows()) if hasattr(found, "rows") else []
    return [found.to_data(), rows, getattr(found, "digest", ""), list(getattr(found, "levels", ()))[:5]]


def job_cases() -> Cases:
    """Jobs stopped in the middle and continued, beside the same jobs not stopped."""

    def resumed(stop: int, job: Callable[..., Any]) -> object:
        with workplace():
            try:
                job(store="runs.sqlite", threads=1, watch=_stop_after(stop))
            except StoppedError:
                pass
            else:
                message = "expected the job to be stopped before its end"
                raise AssertionError(message)
            return _result(levolve.resume("last", store="runs.sqlite"))

    for name, (stop, job) in JOB_CASES.items():
        yield f"job/{name}", lambda job=job: _result(job())
        yield f"job/{name}/resumed", functools.partial(resumed, stop, job)
    solve = "solve sliding 8672543_1 --seed 1 --store runs.sqlite --quiet --json"
    yield "job/solve", lambda: commanded(solve, "resume last --store runs.sqlite --json --quiet")
    mapped = "map coral --size 30x30 --seed 1 --store runs.sqlite --quiet --json -o one.png"
    yield "job/map", lambda: commanded(mapped, "resume last --store runs.sqlite --json --quiet")


EVOLVE = "evolve maze --size 9x9 --seed 3 --generations 20 --quiet --json"
PACK = "pack maze --count 3 --size 9x9 --seed 3 --set generations=15 --no-store --quiet --json -o made"
STORED = "--store runs.sqlite"
COMMAND_CASES: dict[str, tuple[str, ...]] = {
    "evolve": (f"{EVOLVE} --no-store -o best.tmx -o best.json -o best.gif",),
    "evolve dungeon": ("evolve dungeon --seed 3 --generations 3 --quiet --json --no-store --ancestry",),
    "evolve target": ("evolve labyrinth --seed 3 --generations 9 --target exit_path=60..80 --frame --quiet --json --no-store",),
    "pack": (PACK,),
    "pack flag": ("pack flag --count 2 --size 5x5 --seed 1 --to json,txt,png --no-store --quiet --json -o made",),
    "join": (PACK, PACK.replace("made", "more").replace("--seed 3", "--seed 4"), "join made more -o all --json --quiet"),
    "compare": ("compare maze maze-tunnels --runs 3 --evaluations 300 --size 8x8 --json --quiet --no-store -o all.csv",),
    "compare sizes": ("compare maze maze-tunnels --runs 3 --evaluations 300 --size 8x8,9x9 --json --quiet --no-store",),
    "compare axes": ("compare maze maze-tunnels --runs 3 --evaluations 600 --size 8x8 --axes walls,exit_path --json --quiet --no-store",),
    "range": ("range maze maze-tunnels --samples 4 --evaluations 300 --size 8x8 --json --quiet --no-store",),
    "illuminate": ("illuminate maze --evaluations 2000 --grid 5x5 --size 8x8 --seed 2 --json --quiet --no-store -o made",),
    "meta": ("meta dungeon-meta --population 3 --generations 2 --seeds 2 --seed 1 --json --quiet --no-store -o best.toml",),
    "solve": ("solve sliding 8672543_1 --seed 1 --json --quiet --no-store",),
    "solve exact": ("solve sliding 8672543_1 --method exact --boards --json --quiet --no-store -o way.gif",),
    "make": ("make flag --count 2 --size 5x5 --seed 2 --json --quiet -o made --to json,txt,png",),
    "make sliding": ("make sliding --count 2 --length 12..16 --seed 2 --json --quiet",),
    "map": ("map coral --size 40x30 --seed 3 --json --quiet --no-store -o one.png -o one.txt",),
    "map level": ("map caverns --size 40x30 --seed 3 --json --quiet --no-store --level one.tmx",),
    "rules": ("rules --json",),
    "recipes": ("recipes --json",),
    "recipes maze": ("recipes maze --json",),
    "parts": ("parts --json",),
    "fingerprint": ("fingerprint coral cracks --json --quiet",),
    "show": (f"{EVOLVE} --no-store -o best.json", "show best.json --json --quiet -o best.png"),
    "check": (f"{EVOLVE} --no-store -o best.json", "check best.json --json --quiet"),
    "check puzzle": ("make flag --size 4x4 --seed 2 --quiet --json -o made", "check made/01-flag.json --json --quiet"),
    "convert": (f"{EVOLVE} --no-store -o best.json", "convert best.json best.ldtk --json --quiet"),
    "replay": (f"{EVOLVE} --no-store -o best.json", "replay best.json --json --quiet"),
    "replay pack": (PACK, "replay made/01-maze.json --json --quiet"),
    "resume": (f"{EVOLVE} {STORED}", f"resume last {STORED} --json --quiet"),
    "runs": (f"{EVOLVE} {STORED}", f"runs show 1 {STORED} --json"),
    "demo": ("demo --seed 1 -o made --json --quiet",),
    "breed": ("breed maze --size 9x9 --seed 2 --sheet 4 --json --quiet --no-store",),
}
WORDS = "love 1\nlike 3\nnext\nauto 2\nundo\nwild 0.5\ncross 1 2\nquit\n"


def command_cases() -> Cases:
    """Every command's JSON, and the files that it writes."""
    for name, commands in COMMAND_CASES.items():
        yield f"command/{name}", functools.partial(commanded, *commands, words=WORDS if name == "breed" else "")
    for name in COMMANDS:
        if name not in OF_THE_MACHINE and name not in COMMAND_CASES:
            yield f"command/{name}", functools.partial(commanded, f"{name} --json")


GROUPS: tuple[Callable[[], Cases], ...] = (
    recipe_cases,
    part_cases,
    measure_cases,
    format_cases,
    pack_cases,
    archive_cases,
    breeding_cases,
    puzzle_cases,
    fashion_cases,
    content_cases,
    job_cases,
    command_cases,
)


def all_cases() -> dict[str, Case]:
    """Return all cases by name."""
    missing = set(JOBS) - set(JOB_CASES) - {"solve", "map", "evolve-content", "pcg-pack"}
    assert not missing, f"expected a case for each kind of job, got none for {sorted(missing)}"
    return {name: case for group in GROUPS for name, case in group()}


def is_quick(name: str) -> bool:
    """Whether a case belongs to the part that the suite computes: one or more of each group that take little time."""
    first, *rest = name.split("/")
    slow = ("demo", "meta", "compare", "range", "illuminate", "pack", "join", "evolve dungeon")
    return (
        (first == "recipe" and rest[-1] == "1" and rest[0] not in SMALL)
        or first in {"strategy", "crossover", "mutation", "selection", "measure", "measured", "content", "archive", "breeding", "goal", "window"}
        or (first == "format" and rest[-1] in {"maze", "chromatic"})
        or (first == "objective" and rest[-1] in {"direct", "chromatic"})
        or name in {"pack/plain", "pack/puzzles", "job/evolve/resumed", "job/pack/resumed", "solve/sliding/exact", "theme/stone/maze"}
        or (first == "command" and not rest[0].startswith(slow))
    )


def result_of(case: Case) -> str:
    """Compute the digest of a case; calls that levolve refuses have a word instead."""
    try:
        return digest_of(case())
    except LevolveError:
        return REFUSED
    except Exception as problem:  # noqa: BLE001 any error is a difference
        return f"error: {problem!r}"


def main(words: Iterable[str] | None = None) -> int:
    """Compare, or write; the exit code is 1 if any case differs."""
    parser = argparse.ArgumentParser(description="Compare what levolve computes with golden digests.")
    parser.add_argument("--write", action="store_true", help="write the file anew, or only the chosen cases")
    parser.add_argument("--quick", action="store_true", help="only a part of all cases, as in the suite")
    parser.add_argument("--times", action="store_true", help="print the processor time of each group")
    parser.add_argument("words", nargs="*", help="only cases whose names contain one of these")
    given = parser.parse_args(None if words is None else list(words))
    os.environ["LEVOLVE_STORE"] = str(Path(tempfile.mkdtemp()) / "runs.sqlite")
    cases = all_cases()
    expected: dict[str, str] = json.loads(FILE.read_text()) if FILE.exists() else {}
    chosen = [name for name in cases if not given.words or any(word in name for word in given.words)]
    if given.quick:
        chosen = [name for name in chosen if is_quick(name)]
    found, spent = {}, {}
    for name in chosen:
        began = time.process_time()
        found[name] = result_of(cases[name])
        spent[name] = time.process_time() - began
    if given.times:
        groups = {name.split("/")[0] for name in spent}
        for group in sorted(groups):
            print(f"{sum(value for name, value in spent.items() if name.split('/')[0] == group):7.2f} s {group}")
        for name, value in sorted(spent.items(), key=lambda pair: -pair[1])[:25]:
            print(f"{value:7.2f} s {name}")
        print(f"{sum(spent.values()):7.2f} s in all")
    if given.write:
        kept = {name: value for name, value in expected.items() if name in cases and name not in found}
        lines = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in sorted({**kept, **found}.items()))
        FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        failed = [f"{name}: {value}" for name, value in found.items() if value.startswith("error")]
        print("\n".join([*failed, f"{len(found)} cases written"]))
        return 1 if failed else 0
    without = [f"{name}: not in {FILE.name}" for name in cases if name not in expected]
    gone = [f"{name}: in {FILE.name}, but there is no such case" for name in expected if name not in cases]
    differing = [f"{name}: expected {expected[name]}, got {value}" for name, value in found.items() if expected.get(name, value) != value]
    print("\n".join([*without, *gone, *differing, f"{len(found)} cases compared, {len(differing)} differ"]))
    return 1 if without or gone or differing else 0


if __name__ == "__main__":
    sys.exit(main())

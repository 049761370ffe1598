# mypy: disable-error-code="misc, arg-type, no-redef, assignment, call-overload"
# Cases bind names as defaults of lambdas and pass options from tables: mypy infers neither.
"""Golden cases of all else: archives, breeding, puzzles, fashion maps, contents, resumed jobs and
commands.
"""

import functools
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import levolve
from golden.level_cases import packed
from golden.tools import (
    COMMANDS,
    JOBS,
    SEEDS,
    Cases,
    commanded,
    facts_of,
    files_in,
    outcome,
    parts,
    puzzle,
    saved,
    workplace,
)

FIFTEEN = "5,1,2,4,9,6,3,8,13,10,7,11,_,14,15,12"
# Commands whose output is about this machine. `studio` is a server.
OF_THE_MACHINE = ("bench", "prepare", "studio")
# Kinds of jobs that have cases of other groups, or need a library that is not always installed.
IN_OTHER_CASES = {"solve", "map", "evolve-content", "pcg-pack"}


@functools.cache
def archive() -> levolve.Archive:
    """Return a small archive."""
    return levolve.illuminate(
        "maze", axes="walls,exit_path", grid=(6, 6), evaluations=3000, size=(8, 8), seed=2
    )


def archive_cases() -> Cases:
    """Archives and their files."""

    def files(one: levolve.Archive) -> object:
        with workplace() as folder:
            levolve.save_archive(one, folder)
            again = levolve.load_archive(folder)
            return (
                files_in(folder),
                again.digest,
                one.digest,
                one.coverage,
                one.qd_score,
                one.score_map,
                one.to_data(),
            )

    yield "archive/maze", lambda: files(archive())
    three = {
        "axes": "walls,exit_path,regions",
        "grid": (4, 4, 3),
        "evaluations": 1500,
        "size": (8, 8),
        "seed": 2,
    }
    yield "archive/three axes", lambda: files(levolve.illuminate("maze-tunnels", **three))
    yield (
        "archive/dungeon",
        lambda: files(levolve.illuminate("dungeon", grid=(5, 5), evaluations=300, seed=2)),
    )


def breeding_cases() -> Cases:
    """Breeding sessions."""

    def session(recipe: str, seed: int = 3, **options: Any) -> object:
        one = levolve.breed(recipe, sheet=6, seed=seed, **options)
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
            one.paint(1, {(2, 2): "wall", (3, 2): "floor", (2, 3): "floor"}, lock=True)
        else:
            one.lock("2,2 3,2", 1)
        one.wildness, one.blend = 0.6, 0.5
        one.next()
        data = one.to_data()
        again = type(one).from_data(data)
        return (
            sheets,
            one.levels,
            one.digest,
            again.digest,
            data,
            [sheet.digest for sheet in one.tree],
        )

    # With this seed the painted level can be won; any other is refused.
    yield "breeding/maze", lambda: session("maze", 2, size=(9, 9))
    yield "breeding/chromatic", lambda: session("maze-chromatic", size=(8, 8))
    yield "breeding/tunnels", lambda: session("maze-tunnels", size=(9, 9), objective="culs_de_sac")


def puzzle_cases() -> Cases:
    """Solvers and makers."""
    boards = {"sliding": "8672543_1", "flag": None}

    def solved(name: str, **options: Any) -> object:
        board = boards.get(name) or puzzle(name)
        found = levolve.solve(name, board, seed=1, **options)
        return found.solved, found.moves, facts_of(found)

    for name, part in parts()["puzzles"].items():
        settings = part["settings"]
        meaning = settings.get("scheme", {}).get("meaning", "")
        for scheme in re.findall(r"(?:^|[.] )([a-z0-9-]+): ", meaning):
            yield (
                f"solve/{name}/{scheme}",
                functools.partial(solved, name, scheme=scheme, generations=300),
            )
        yield f"solve/{name}/exact", functools.partial(solved, name, method="exact")
        for seed in SEEDS[:2]:
            yield (
                f"make/{name}/{seed}",
                lambda name=name, seed=seed: list(levolve.make(name, 2, seed=seed)),
            )
    yield "solve/sliding/15", lambda: facts_of(levolve.solve("sliding", FIFTEEN, seed=1))
    yield (
        "make/sliding/length",
        lambda: list(levolve.make("sliding", 3, seed=4, size=(3, 3), length="10..20")),
    )
    yield (
        "make/flag/unique",
        lambda: list(levolve.make("flag", 1, seed=4, size=(4, 4), unique=True)),
    )


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
        yield (
            f"palette/{palette}",
            lambda palette=palette: saved(
                fashion.make_map("coral", size=(20, 20), seed=1, palette=palette), "one.png"
            ),
        )
    for suffix in ("png", "npy", "txt", "gif"):
        yield (
            f"map file/{suffix}",
            lambda suffix=suffix: saved(
                fashion.make_map("coral", size=(20, 20), seed=1, updates=5), f"one.{suffix}"
            ),
        )
    for field in ("linear", "vertical", "radial", "noise"):
        yield (
            f"morph/{field}",
            functools.partial(mapped, rule, size=(40, 30), morph=[other], field=field, seed=1),
        )
    yield "world/scale", functools.partial(mapped, "coral", window=(5, 6, 30, 20), scale=3, seed=9)
    yield "world/rule", lambda: fashion.World(rule, seed=3).window(-9, 4, 60, 50)
    yield "portrait", lambda: saved_portrait(fashion.portrait(rule, side=16))
    yield (
        "survey",
        lambda: sorted((repr(one), count) for one, count in fashion.survey(samples=2000).items()),
    )


def mapped(rule: Any, **options: Any) -> object:
    """Return a fashion map."""
    made = levolve.fashion.make_map(rule, **options)
    return made.to_data(), made.digest


def saved_portrait(portrait: Any) -> object:
    """Return the file of a portrait."""
    with workplace() as folder:
        portrait.save("one.png")
        return files_in(folder)


def _strength(one: Mapping[str, Any]) -> tuple[float, dict[str, float]]:
    return float(np.asarray(one["armour"]).sum() + one["speed"] - 10 * one["weight"]), {
        "dragon": float(one["kind"] == "dragon")
    }


def _space() -> dict[str, Any]:
    contents = levolve.contents
    armour = contents.Array((2, 3), range(6))
    return {
        "kind": contents.OneOf("orc", "dragon"),
        "speed": range(1, 10),
        "weight": contents.Number(0, 1),
        "armour": armour,
    }


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
        yield (
            f"content/{name}",
            functools.partial(
                lambda given: outcome(levolve.evolve(space=_space(), objective=_strength, **given)),
                given,
            ),
        )


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
    "illuminate": (
        3,
        lambda **o: levolve.illuminate(
            "maze", grid=(5, 5), evaluations=3000, size=(8, 8), seed=2, **o
        ),
    ),
    "compare": (2, lambda **o: levolve.compare(BOTH, **SHORT, **o)),
    "compare-sizes": (
        3,
        lambda **o: levolve.compare_sizes(
            BOTH, sizes=["7x7", "9x9"], runs=2, evaluations=300, seed=1, **o
        ),
    ),
    "compare-illuminations": (
        2,
        lambda **o: levolve.compare_illuminations(
            BOTH, grid=(5, 5), axes="walls,exit_path", **SHORT, **o
        ),
    ),
    "range": (
        3,
        lambda **o: levolve.expressive_range(
            BOTH, samples=4, evaluations=300, size=(8, 8), grid=(5, 5), **o
        ),
    ),
    "meta": (
        2,
        lambda **o: levolve.tune("dungeon-meta", settings={"generations": 3}, **TUNED, **o),
    ),
}


def _result(found: Any) -> object:
    rows = list(found.rows()) if hasattr(found, "rows") else []
    return [
        found.to_data(),
        rows,
        getattr(found, "digest", ""),
        list(getattr(found, "levels", ()))[:5],
    ]


def job_cases() -> Cases:
    """Jobs stopped in the middle and continued, beside the same jobs not stopped."""

    def resumed(stop: int, job: Callable[..., Any]) -> object:
        with workplace():
            try:
                job(store="runs.sqlite", executor=1, watch=_stop_after(stop))
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


EVOLVE = "evolve maze --size 9x9 --seed 3 --generations 20 --quiet --json"
PACK = (
    "pack maze --count 3 --size 9x9 --seed 3 --set generations=15 --no-store --quiet --json -o made"
)
STORED = "--store runs.sqlite"
COMMAND_CASES: dict[str, tuple[str, ...]] = {
    "evolve": (f"{EVOLVE} --no-store -o best.tmx -o best.json -o best.gif",),
    "evolve dungeon": (
        "evolve dungeon --seed 3 --generations 3 --quiet --json --no-store --ancestry",
    ),
    "evolve target": (
        (
            "evolve labyrinth --seed 3 --generations 9 --target exit_path=60..80 --frame --quiet "
            "--json --no-store"
        ),
    ),
    "pack": (PACK,),
    "pack flag": (
        (
            "pack flag --count 2 --size 5x5 --seed 1 --to json,txt,png --no-store --quiet --json "
            "-o made"
        ),
    ),
    "join": (
        PACK,
        PACK.replace("made", "more").replace("--seed 3", "--seed 4"),
        "join made more -o all --json --quiet",
    ),
    "compare": (
        (
            "compare maze labyrinth --runs 3 --evaluations 300 --size 8x8 --json --quiet "
            "--no-store -o all.csv"
        ),
    ),
    "compare sizes": (
        (
            "compare maze labyrinth --runs 3 --evaluations 300 --size 8x8,9x9 --json --quiet "
            "--no-store"
        ),
    ),
    "compare axes": (
        (
            "compare maze labyrinth --runs 3 --evaluations 600 --size 8x8 --axes walls,exit_path "
            "--json --quiet --no-store"
        ),
    ),
    "range": (
        "range maze labyrinth --samples 4 --evaluations 300 --size 8x8 --json --quiet --no-store",
    ),
    "illuminate": (
        (
            "illuminate maze --evaluations 2000 --grid 5x5 --size 8x8 --seed 2 --json --quiet "
            "--no-store -o made"
        ),
    ),
    "meta": (
        (
            "meta dungeon-meta --population 3 --generations 2 --seeds 2 --seed 1 --json --quiet "
            "--no-store -o best.toml"
        ),
    ),
    "solve": ("solve sliding 8672543_1 --seed 1 --json --quiet --no-store",),
    "solve exact": (
        "solve sliding 8672543_1 --method exact --boards --json --quiet --no-store -o way.gif",
    ),
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
    "check puzzle": (
        "make flag --size 5x5 --seed 2 --quiet --json -o made",
        "check made/flag-001.json --json --quiet",
    ),
    "convert": (f"{EVOLVE} --no-store -o best.json", "convert best.json best.ldtk --json --quiet"),
    "replay": (f"{EVOLVE} --no-store -o best.json", "replay best.json --json --quiet"),
    "replay pack": (PACK, "replay made/01-maze.json --json --quiet"),
    "resume": (f"{EVOLVE} {STORED}", f"resume last {STORED} --json --quiet"),
    "runs": (f"{EVOLVE} {STORED}", f"runs show 1 {STORED} --json"),
    "furnish": (
        f"{EVOLVE} --no-store -o best.json",
        "furnish best.json --things treasure=2,keys=1,doors=1 --seed 1 --json --quiet --allow-loss",
    ),
    "play": (
        "evolve maze --size 2x2 --seed 3 --set genotype.fill=0 --quiet --json --no-store -o a.txt",
        "play a.txt --moves rd --json --quiet",
    ),
    "demo": ("demo --seed 1 -o made --json --quiet",),
    "breed": ("breed maze --size 9x9 --seed 2 --sheet 4 --json --quiet --no-store",),
}
WORDS = "love 1\nlike 3\nnext\nauto 2\nundo\nwild 0.5\ncross 1 2\nquit\n"


def command_cases() -> Cases:
    """Every command's JSON, and the files that it writes."""
    for name, commands in COMMAND_CASES.items():
        yield (
            f"command/{name}",
            functools.partial(commanded, *commands, words=WORDS if name == "breed" else ""),
        )
    missing = set(JOBS) - set(JOB_CASES) - IN_OTHER_CASES
    assert not missing, f"expected a case for each kind of job, got none for {sorted(missing)}"
    for name in COMMANDS:
        if name not in OF_THE_MACHINE and name not in COMMAND_CASES:
            yield f"command/{name}", functools.partial(commanded, f"{name} --json")


GROUPS = (
    archive_cases,
    breeding_cases,
    puzzle_cases,
    fashion_cases,
    content_cases,
    job_cases,
    command_cases,
)

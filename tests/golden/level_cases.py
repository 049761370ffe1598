# mypy: disable-error-code="misc, arg-type, no-redef, assignment"
# Cases bind names as defaults of lambdas and pass options from tables: mypy infers neither.
"""Golden cases of levels: recipes, parts, measures, formats and packs."""

import contextlib
import functools
from collections.abc import Mapping
from typing import Any

import levolve
from golden.tools import (
    FORMER,
    SEEDS,
    Case,
    Cases,
    LevolveError,
    files_in,
    outcome,
    parts,
    puzzle,
    saved,
    workplace,
)

PLAIN = "S.#..\n.#...\n...#.\n.##..\n....E"
CHROMATIC = "ROYGG\nVBGYO\nVVBGG\nRVVBB\nROOBV\nentrance: 0,0\nexit: 4,4"
TOUR = "A..#..\n.#.B..\n.#....\n.####.\n.....C"
CHECKPOINTS = "S..#..\n.#.1..\n.#....\n.####.\n..2..E"


@functools.cache
def level(name: str) -> levolve.Level:
    """Return a level: `dungeon` and `maze` with their origin, the others without."""
    if name == "maze":
        return levolve.evolve("maze", size=(9, 7), seed=4, generations=30).best
    if name == "dungeon":
        return levolve.evolve("dungeon", seed=4, generations=3).best
    return levolve.Level.from_text(
        {"plain": PLAIN, "chromatic": CHROMATIC, "checkpoints": CHECKPOINTS, "tour": TOUR}[name]
    )


def evolved(recipe: str, seed: int = 1, **changes: Any) -> object:
    """Return the result of a run; with `like` for those that need it."""
    given = {"like": [FORMER], **changes} if recipe == "sketch" else changes
    return outcome(levolve.evolve(recipe, seed=seed, **given))


def changed(settings: Mapping[str, Any], recipe: str = "maze", **changes: Any) -> Case:
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


def recipe_cases() -> Cases:
    """Every recipe with three seeds."""
    for name in parts()["recipes"]:
        for seed in SEEDS:
            yield (
                f"recipe/{name}/{seed}",
                functools.partial(
                    evolved, name, seed, **SMALL.get(name, {"generations": 15 if seed == 1 else 60})
                ),
            )


def part_cases() -> Cases:  # noqa: C901 a loop per registry
    """Every part of a recipe in a short run."""
    for name in parts()["strategies"]:
        yield f"strategy/{name}", changed({"strategy.kind": name})
        yield (
            f"strategy/{name}/dungeon",
            changed({"strategy.kind": name}, "dungeon", size=None, generations=4),
        )
    for name in parts()["crossovers"]:
        for strategy in ("steady_state", "generational"):
            yield (
                f"crossover/{name}/{strategy}",
                changed({"strategy.kind": strategy, "strategy.crossover.kind": name}),
            )
        yield (
            f"crossover/{name}/chromatic",
            changed({"strategy.crossover.kind": name}, "maze-chromatic"),
        )
    for name in parts()["mutations"]:
        for strategy in ("steady_state", "generational", "annealing"):
            yield (
                f"mutation/{name}/{strategy}",
                changed({"strategy.kind": strategy, "strategy.mutation.kind": name}),
            )
        yield (
            f"mutation/{name}/chromatic",
            changed({"strategy.mutation.kind": name}, "maze-chromatic"),
        )
        yield (
            f"mutation/{name}/barriers",
            changed({"strategy.mutation.kind": name}, "maze-barriers"),
        )
    for name in parts()["selections"]:
        yield (
            f"selection/{name}",
            changed({"strategy.kind": "generational", "strategy.selection.kind": name}),
        )
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
    yield (
        "objective/function/batch",
        changed({}, objective=lambda tiles: (tiles == tiles[:, :, ::-1]).sum(axis=(1, 2))),
    )
    yield (
        "objective/function/level",
        changed({}, objective=levolve.one_level(lambda one: float(one.tiles[:3].sum()))),
    )
    yield "start/keep", changed({}, start=FORMER, size=None, keep="wall")
    yield "start/frame", changed({}, frame=True)
    yield (
        "ancestry",
        lambda: outcome(levolve.evolve("maze", size=(8, 8), seed=3, generations=9, ancestry=True)),
    )
    yield (
        "front",
        changed(
            {"strategy.kind": "nsga2", "strategy.objectives": {"walls": "min", "exit_path": "max"}}
        ),
    )


def measure_cases() -> Cases:
    """Every measure of several levels."""
    names = ("plain", "maze", "chromatic", "checkpoints", "tour", "dungeon")

    def values(measure: str) -> object:
        found = []
        for name in names:
            with contextlib.suppress(LevolveError, KeyError):
                found.append(
                    [
                        name,
                        levolve.measure(
                            [level(name)], like=[level(name) if name != "maze" else FORMER]
                        )[measure],
                    ]
                )
        return found

    for measure in parts()["measures"]:
        yield f"measure/{measure}", functools.partial(values, measure)
    for name in names:
        yield f"measured/{name}", lambda name=name: levolve.measure(level(name)).of_level()
        yield f"field/{name}", lambda name=name: levolve.field(level(name))


def format_cases() -> Cases:
    """Every format's files for several levels and positions, read again, and pictures in every
    theme.
    """

    def written(thing: Any, suffix: str) -> object:
        with workplace() as folder:
            path = levolve.save(thing, f"one.{suffix}")
            content = files_in(folder)
            again: object = None
            with contextlib.suppress(LevolveError):
                again = levolve.load(path)
            return content, again

    for suffix in parts()["formats"]:
        for name in ("plain", "maze", "chromatic", "checkpoints", "tour", "dungeon"):
            yield (
                f"format/{suffix}/{name}",
                lambda suffix=suffix, name=name: written(level(name), suffix),
            )
        for name in parts()["puzzles"]:
            yield (
                f"format/{suffix}/{name}",
                lambda suffix=suffix, name=name: written(puzzle(name), suffix),
            )
    for theme in parts()["themes"]:
        for name in ("maze", "chromatic", "dungeon"):
            yield (
                f"theme/{theme}/{name}",
                lambda theme=theme, name=name: saved(level(name), "one.png", theme=theme, tile=16),
            )
        yield (
            f"theme/{theme}/tmx",
            lambda theme=theme: saved(level("maze"), "one.tmx", theme=theme, tile=16),
        )
    for name in parts()["tilesets"]:
        if name in parts()["puzzles"]:
            yield f"tileset/{name}", lambda name=name: saved(puzzle(name), "one.tmx")
        else:
            yield (
                f"tileset/{name}",
                lambda name=name: level("chromatic" if name == "rainbow" else "plain").to_text(),
            )
    for goal in parts()["goals"]:
        text = (
            f"{PLAIN.replace('S', '.').replace('E', '.') if goal == 'none' else TOUR if goal == 'tour' else PLAIN}\ngoal: "
            f"{goal}"
        )
        yield f"goal/{goal}", lambda text=text: saved(levolve.Level.from_text(text), "one.json")


PACKS: dict[str, dict[str, Any]] = {
    "plain": {"recipe": "maze", "count": 3},
    "target": {
        "recipe": "maze",
        "count": 3,
        "target": {"exit_path": "20..40", "regions": 1},
        "distinct": 0.3,
    },
    "curve": {"recipe": "labyrinth", "count": 4, "curve": "easy..hard", "distinct": 0.1},
    "mixed": {"recipe": ["maze", "maze-tunnels"], "count": 4, "curve": "hard..easy"},
    "like": {"recipe": "maze", "count": 2, "like": [FORMER]},
    "puzzles": {"recipe": ["maze", "flag", "sliding"], "count": 6, "curve": "easy..hard"},
    "flag": {"recipe": "flag", "count": 2, "size": (5, 5)},
    "sliding": {"recipe": "sliding", "count": 3, "size": (3, 3)},
    "unmet": {"recipe": "maze", "count": 2, "target": {"exit_path": (57, 58)}, "attempts": 1},
}


def packed(name: str, **options: Any) -> levolve.Pack:
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
                return (
                    files_in(folder),
                    made.rows(),
                    made.digest,
                    repr(made.report),
                    read.digest,
                    made.summary(),
                )

        yield f"pack/{name}", whole
    yield (
        "pack/joined",
        lambda: levolve.Pack.joined("all", [packed("plain"), packed("flag")]).files("json,png"),
    )


GROUPS = (recipe_cases, part_cases, measure_cases, format_cases, pack_cases)

"""What is said about a level besides its tiles and places, as texts by name: the same in every format that people edit."""

from collections.abc import Mapping

from levolve.errors import InputError
from levolve.formats.json import parse_json
from levolve.formats.origin import origin_from_data
from levolve.levels.grid import MOVES
from levolve.levels.level import Level

FACTS = ("solution", "digest", "recipe", "seed", "index", "version")


def facts_of(level: Level) -> dict[str, str]:
    """The solution, the digest, and the origin: the recipe as JSON, the seed, the index and the version."""
    facts = {"digest": level.digest}
    if level.solution is not None:
        facts["solution"] = level.solution
    if level.origin is not None:
        origin = level.origin
        facts |= {"recipe": origin.recipe_text, "seed": str(origin.seed), "index": str(origin.index), "version": origin.version}
    return {name: facts[name] for name in FACTS if name in facts}


def with_facts(level: Level, facts: Mapping[str, str]) -> Level:
    """The level with what is said about it. Where the digest says that this was said of another level, it goes without."""
    if facts.get("digest", level.digest) != level.digest:
        return level
    origin = None
    if "recipe" in facts:
        whole = {name: _whole(name, facts.get(name, "0")) for name in ("seed", "index")}
        origin = origin_from_data({"recipe": parse_json(facts["recipe"], "recipe"), "version": facts.get("version"), **whole})
    solution = facts.get("solution")
    return level.with_solution(solution if solution is not None and set(solution) <= set(MOVES) else None).with_origin(origin)


def _whole(name: str, value: str) -> int:
    try:
        return int(value)
    except ValueError as problem:
        message = f"{name}: expected a whole number, got {value[:40]!r}"
        raise InputError(message) from problem

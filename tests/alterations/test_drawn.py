"""No altered map is certified whose solution leads through a wall that Tiled draws. The long form
is `make alterations`: 2,000 maps.
"""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from alterations.alteration import random_level
from alterations.drawn import WAYS, alter
from alterations.test_alterations import FILES
from levolve.core.errors import InputError, ProofError
from levolve.formats.level_files import load_level, save_level
from oracles.rasterized import RASTERIZER, SIDE, drawn, origin, shows_wall, walls_on_solution


@pytest.mark.skipif(RASTERIZER is None, reason="requires tmxrasterizer, which comes with Tiled")
def test_tiled_draws_no_wall_on_the_solution_of_a_certified_map(tmp_path: Path) -> None:
    outcomes: Counter[str] = Counter()
    for number in range(FILES):
        random = Random(f"drawn {number}")
        level, other = random_level(random), random_level(random)
        folder = tmp_path / str(number)
        folder.mkdir()
        path = save_level(level, folder / "a.tmx")
        done = alter(path, level, other, random)
        try:
            certified = load_level(path)
        except (InputError, ProofError):
            outcomes["refused"] += 1
            continue
        if certified.solution is None:
            outcomes["cannot be won"] += 1
            continue
        certified.check()
        outcomes["certified"] += 1
        assert not walls_on_solution(path, certified), f"{number}: {done}"
    print("drawn", dict(outcomes))  # noqa: T201 shown by make alterations
    assert min(outcomes[name] for name in ("refused", "certified")) > FILES // 20


@pytest.mark.skipif(RASTERIZER is None, reason="requires tmxrasterizer, which comes with Tiled")
def test_the_judge_sees_every_wall_of_a_map_and_no_other(tmp_path: Path) -> None:
    for number in range(5):
        level = random_level(Random(number))
        path = save_level(level, tmp_path / f"{number}.tmx")
        pixels, (left, top) = drawn(path, "solution", "places"), origin(path)
        assert pixels is not None
        seen = [
            [shows_wall(pixels, left + SIDE * x, top + SIDE * y) for x in range(level.width)]
            for y in range(level.height)
        ]
        assert (level.tiles == seen).all()
        assert not walls_on_solution(path, level)


@pytest.mark.skipif(RASTERIZER is None, reason="requires tmxrasterizer, which comes with Tiled")
def test_every_way_of_altering_can_be_judged(tmp_path: Path) -> None:
    """Each way draws a wall on the solution of some level, whatever the reader says.

    `_infinite` changes the form of a map, not what it shows. `_syntax` writes what programs read
    differently; Tiled 1.8.2 draws no wall for it.
    """
    walled: Counter[str] = Counter()
    for way in dict.fromkeys(WAYS):
        for number in range(12):
            random = Random(f"{way.__name__} {number}")
            level = random_level(random)
            folder = tmp_path / f"{way.__name__}{number}"
            folder.mkdir()
            path = save_level(level, folder / "a.tmx")
            way(path, level, random)
            walled[way.__name__] += bool(walls_on_solution(path, level))
            if walled[way.__name__]:
                break
    expected = {way.__name__ for way in WAYS} - {"_syntax", "_infinite"}
    assert expected - {name for name, count in walled.items() if count} == set()

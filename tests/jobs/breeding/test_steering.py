"""Painted levels, two chosen parents, automatic evolution, and levels in the style of another
one.
"""

import json

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.jobs.breeding.session import Session
from levolve.jobs.replay import replay
from levolve.levels.level import Level
from levolve.levels.measures.measuring import batch_of
from levolve.levels.measures.structure import likeness
from levolve.levels.style import rows_of


def session_of(recipe: str = "maze", seed: int = 4, **options: object) -> Session:
    return levolve.breed(recipe, size=(12, 12), seed=seed, **options)  # type: ignore[arg-type]


def walls(level: Level, count: int) -> list[tuple[int, int]]:
    """The first walls of a level, which can be opened without closing a path."""
    return [(int(x), int(y)) for y, x in np.argwhere(level.tiles == 1)[:count]]


@pytest.mark.parametrize("recipe", ["maze", "dungeon", "maze-long"])
def test_a_painted_level_is_proven_loved_and_the_parent_of_the_next_sheet(recipe: str) -> None:
    session = session_of(recipe, wildness=0.0)
    before, cells = session.levels[5], walls(session.levels[5], 9)
    session.paint(5, cells, "floor")
    painted = session.levels[5]
    painted.check()
    assert painted != before
    assert all(painted.tiles[y, x] == 0 for x, y in cells)
    assert dict(session.picks) == {5: "love"}
    assert replay(painted).same
    levels = session.next()
    assert levels[0] == painted, "what is loved returns"
    for level in levels:
        assert (level.tiles != painted.tiles).sum() < (level.tiles != before.tiles).sum()
    again = levolve.breed(json.loads(json.dumps(session.to_data())))
    assert again.digest == session.digest
    assert replay(again.levels[3]).same


def test_painting_is_undone_and_keeps_the_pick_that_a_level_has() -> None:
    session = session_of()
    first, (one, other) = session.levels, walls(session.levels[2], 2)
    session.pick({2: "like"})
    session.paint(2, [one], "floor")
    session.paint(2, {other: "."})
    assert dict(session.picks) == {2: "like"}
    assert not session.levels[2].tiles[one[1], one[0]]
    assert not session.levels[2].tiles[other[1], other[0]]
    session.undo()
    session.undo()
    assert session.levels == first


def test_painted_cells_that_are_locked_stay_on_all_later_sheets() -> None:
    session = session_of(wildness=0.8)
    cells = walls(session.levels[0], 4)
    session.paint(0, cells, "floor", lock=True)
    assert session.locked == dict.fromkeys(cells, ".")
    for _ in range(5):
        assert all(level.tiles[y, x] == 0 for level in session.next() for x, y in cells)
    with pytest.raises(InputError, match=r"which is locked as '\.'; unlock it first"):
        session.paint(0, cells, "wall")


def test_a_painted_level_counts_for_the_objective() -> None:
    session = session_of(blend=1.0)
    session.pick({3: "like"})
    session.paint(3, walls(session.levels[3], 3), "floor")
    session.next()
    assert levolve.breed(session.to_data()).digest == session.digest


@pytest.mark.parametrize("recipe", ["maze-tunnels", "cavern", "castle"])
def test_a_recipe_that_cannot_write_a_painted_level_says_so_and_names_one_that_can(
    recipe: str,
) -> None:
    session = session_of(recipe)
    level = next(
        level
        for level in session.levels
        if not level.tiles[1:-1, 1:-1].all() and level.tiles[1:-1, 1:-1].any()
    )
    place, cells = (
        session.levels.index(level),
        [(x + 1, y + 1) for x, y in walls(Level(level.tiles[1:-1, 1:-1]), 1)],
    )
    with pytest.raises(
        InputError,
        match=(
            rf"paint: recipe '{recipe}' cannot continue from this level: .*with the "
            r"recipe 'maze'"
        ),
    ):
        session.paint(place, cells, "floor")
    assert session.levels[place] == level
    assert level in levolve.breed("maze", start=level, seed=1).levels


def test_a_painted_level_that_equals_another_one_of_the_sheet_is_refused() -> None:
    session = session_of()
    first, second = session.levels[:2]
    cells = {
        (int(x), int(y)): "#" if second.tiles[y, x] else "."
        for y, x in np.argwhere(first.tiles != second.tiles)
    }
    with pytest.raises(
        InputError, match="differs from all others of the sheet, got one equal to that at place 1"
    ):
        session.paint(0, cells)


@pytest.mark.parametrize("recipe", ["maze", "maze-chromatic", "dungeon"])
def test_children_of_two_levels_have_most_cells_from_both(recipe: str) -> None:
    session = session_of(recipe, wildness=0.0, blend=0.3)
    first, second = session.levels[3].tiles, session.levels[7].tiles
    session.pick({0: "love"})
    levels = session.cross(3, 7)
    assert len(levels) == 12
    for level in levels:
        strange = (level.tiles != first) & (level.tiles != second)
        assert strange.sum() <= 3, "at most mutations are of neither"
    both = sum(
        bool((level.tiles != first).sum() > 3 and (level.tiles != second).sum() > 3)
        for level in levels
    )
    assert both >= 8
    assert replay(session.levels[2]).same


def test_only_the_strategy_of_picks_breeds_two_chosen_levels() -> None:
    session = session_of(strategy="generational")
    with pytest.raises(
        InputError, match=r"cross: expected a session with the strategy 'picks'.*got 'generational'"
    ):
        session.cross(0, 1)


def alikeness(example: Level, levels: list[Level]) -> float:
    """The mean likeness of levels to an example."""
    found = []
    for level in levels:
        batch = batch_of(level)
        object.__setattr__(batch.frame, "like", (rows_of(example),))
        found.append(float(likeness(batch)[0]))
    return float(np.mean(found))


@pytest.mark.parametrize("recipe", ["maze", "maze-tunnels", "castle"])
def test_more_like_this_gives_levels_with_its_patterns_that_are_no_copies(recipe: str) -> None:
    session = session_of(recipe)
    example, others = session.levels[4], [*session.levels[:4], *session.levels[5:]]
    session.pick({9: "never"})
    levels = session.more_like(4)
    assert example in levels, "it returns for comparison"
    new = [level for level in levels if level != example]
    assert alikeness(example, new) > 1.2 * alikeness(example, others)
    assert np.median([(level.tiles != example.tiles).mean() for level in new]) > 0.08
    assert session.generation == 8
    assert replay(levels[-1]).same
    session.next()
    assert levolve.breed(session.to_data()).digest == session.digest


def test_a_level_too_small_for_patterns_has_no_style() -> None:
    session = levolve.breed("maze", size=(3, 3), seed=1, sheet=3)
    with pytest.raises(InputError, match="expected at least 4x4 cells"):
        session.more_like(0)
    session.pick([0])
    session.advance(2)


def mean_path(session: Session) -> float:
    return float(np.mean(levolve.measure(session.levels)["exit_path"]))


def test_automatic_evolution_without_picks_follows_the_objective() -> None:
    session = session_of()
    began = mean_path(session)
    session.advance(40)
    assert mean_path(session) > began + 10
    assert session.generation == 40


def test_automatic_evolution_blends_the_objective_with_the_likeness_to_picks() -> None:
    def advanced(blend: float) -> Session:
        session = session_of(seed=6)
        session.blend = blend
        session.pick({2: "like", 5: "love", 7: "never"})
        session.advance(25)
        return session

    first = session_of(seed=6).levels
    liked, wanted = advanced(0.0), advanced(1.0)
    assert first[5] in liked.levels
    assert first[5] in wanted.levels
    assert mean_path(wanted) > mean_path(liked)
    assert alikeness(first[5], liked.levels) > alikeness(first[5], wanted.levels)


@pytest.mark.parametrize(
    "strategy", ["picks", "generational", "steady_state", "truncation", "annealing"]
)
def test_any_strategy_advances_paints_and_replays(strategy: str) -> None:
    session = levolve.breed("maze", size=(10, 10), seed=1, strategy=strategy)
    session.pick([1])
    session.advance(3)
    session.paint(0, walls(session.levels[0], 2), "floor")
    session.lock("4,4..5,5", 0)
    session.advance(2)
    session.more_like(0)
    assert levolve.breed(json.loads(json.dumps(session.to_data()))).digest == session.digest

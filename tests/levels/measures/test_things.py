"""Measures of levels with things, against plain searches over all states and values counted by
hand.
"""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levels.things.inputs import CLASSES, levels_with_things, random_level
from levolve.core.errors import InputError
from levolve.kernels.proofs.proving import ENTERED_IN, SEEN_IN
from levolve.levels.level import Level
from levolve.levels.measures.measuring import batch_of
from levolve.levels.measures.thing_features import marked_proofs, order, proofs, roles
from levolve.levels.things.batch_proofs import BatchProof
from oracles import thing_measures as plain

SMALL = 6
# Two wings: a red key and a red door, a small key and a small door; both doors bar the exit.
WINGS = """\
S........
.#######.
.#.#.....
...#.####
.#.#....E
thing: key 2,2
thing: door 5,2
thing: small_key 0,4
thing: small_door 6,4
thing: key 8,0 color=blue
"""


def numbers(level: Level) -> dict[str, int | float]:
    return levolve.measure(level).of_level()


@given(levels_with_things(side=SMALL, most=SMALL))
def test_what_comes_before_what_is_as_a_search_without_the_thing_says(level: Level) -> None:
    if plain.ends_late(level):
        return
    things = plain.Things(level)
    found, parts = order(batch_of(level)), roles(batch_of(level))
    row_of = {int(cell): row for row, cell in enumerate(parts.cells[0])}
    rows = {n: row_of[x + y * level.width] for n in things.all for x, y in [level.things[n].cell]}
    assert {n for n in things.all if found.reached[0, rows[n]]} == things.reached
    assert {n for n in things.all if found.needed[0, rows[n]]} == things.needed()
    before = {(a, b) for a in things.all for b in things.all if found.before[0, rows[a], rows[b]]}
    assert before == things.before()
    assert {n for n in things.all if parts.doors[rows[n]]} == things.doors
    measured = numbers(level)
    if not level.has_mechanics:
        assert "spheres" not in measured
        return
    assert measured["required_doors"] == len(things.needed() & things.doors)
    assert measured["optional_doors"] == len((things.reached - things.needed()) & things.doors)
    assert measured["order_freedom"] == pytest.approx(things.order_freedom())
    assert measured["useless_keys"] == things.useless()
    assert measured["guarded_treasure"] == pytest.approx(things.guarded())
    assert measured["least_damage"] == things.least_damage()


@given(levels_with_things(("A", "T"), side=SMALL, most=SMALL))
def test_spheres_are_the_rounds_of_a_plain_sweep(level: Level) -> None:
    things = plain.Things(level)
    if any(things.rules.spends[n] for n in things.all) or not level.goal.stops:
        return
    if len({level.places[name] for name in level.goal.stops_in(level.places)}) == 1:
        # Won before the first move.
        return
    entered, seen = things.rounds()
    parts, marks = roles(batch_of(level)), marked_proofs(batch_of(level)).marks
    for n in things.all:
        x, y = level.things[n].cell
        row = parts.cells[0].tolist().index(x + y * level.width)
        table_row = parts.rows[0, row]
        assert marks[table_row, ENTERED_IN] == entered.get(n, 0), (n, level.to_text())
        assert marks[table_row, SEEN_IN] == seen.get(n, 0), (n, level.to_text())


@given(levels_with_things(side=7, most=7))
def test_the_walk_and_the_contents_are_as_counted_one_by_one(level: Level) -> None:
    measured = numbers(level)
    found = measured["exploration"], measured["exploration_balance"]
    assert found == pytest.approx(plain.explored(level))
    if not level.has_mechanics:
        return
    proof = level.prove()
    steps = -1 if proof.steps is None else proof.steps
    assert measured["solution_steps"] == steps
    if proof.solution:
        cells, errand = plain.walk(level, proof.solution)
        assert measured["backtracking"] == pytest.approx((steps + 1 - cells) / steps)
        assert measured["coverage"] == pytest.approx(cells / len(plain.walkable(level)))
        assert measured["longest_errand"] == errand
    things = plain.Things(level)
    areas = plain.controlled(level)
    open_cells = len(plain.walkable(level))
    assert measured["enemy_density"] == pytest.approx(len(things.enemies) / open_cells)
    assert measured["enemy_spread"] == pytest.approx(plain.enemy_spread(level))
    assert measured["key_door_distance"] == pytest.approx(plain.key_door_distance(level))
    assert measured["area_control"] == pytest.approx(sum(areas) / open_cells)
    assert measured["area_balance"] == pytest.approx(plain.area_balance(level))
    assert measured["leniency"] == pytest.approx(plain.leniency(level))


@given(levels_with_things())
def test_a_level_can_be_lost_if_and_only_if_moves_lose_it(level: Level) -> None:
    measured, proof = numbers(level), level.prove()
    if not level.has_mechanics:
        return
    assert (measured["losing_moves"] > 0) == (proof.winnable and not proof.safe)
    assert (measured["lost_share"] == 0) == proof.safe
    assert (measured["forgiveness"] == 1) == proof.safe


def test_a_level_is_measured_as_by_hand() -> None:
    measured = numbers(Level.from_text(WINGS))
    expected = {
        "spheres": 2,
        "required_doors": 2,
        "optional_doors": 0,
        "useless_keys": 1,
        "losing_moves": 0,
        "lost_share": 0,
        "forgiveness": 1,
        "enemy_density": 0,
        "least_damage": 0,
        "exit_path": 20,
        # Down to both keys and back are 14 moves, and the way to the exit is 20.
        "solution_steps": 34,
    }
    assert {name: measured[name] for name in expected} == expected


def test_a_key_too_few_is_counted_as_a_move_that_loses() -> None:
    # Of three small doors, the one at 4,1 leads to the exit, and there is one key.
    text = (
        "S...#E\n.#.#..\n.#....\nthing: small_key 0,2\nthing: small_door 3,0\nthing: small_door 3,2"
    )
    measured = numbers(Level.from_text(text))
    assert (measured["losing_moves"], measured["lost_share"]) == (1, 1 / 3)
    assert measured["forgiveness"] == 1 / 2


def test_levels_without_things_are_refused() -> None:
    with pytest.raises(InputError, match="expected levels with things that act, such as keys"):
        levolve.measure(Level.from_text("S.\n.E"))["spheres"]


@given(st.integers(0, 2**32 - 1))
def test_many_levels_are_measured_as_each_alone(seed: int) -> None:
    chance = random.Random(seed)
    levels = [random_level(chance, name, 6, 5, odd_tiles=False) for name in CLASSES]
    levels = [level for level in levels if level.has_mechanics]
    if not levels:
        return
    together = levolve.measure(levels * 2)
    for name in together:
        alone = [levolve.measure(level)[name][0] for level in levels] if name in MOST else []
        assert not alone or np.array_equal(together[name], alone * 2)


MOST = ("spheres", "useless_keys", "least_damage", "area_balance", "backtracking", "losing_moves")


def test_marks_are_only_there_if_they_are_wanted() -> None:
    level = Level.from_text(WINGS)
    found: BatchProof = proofs(batch_of(level))
    marked = marked_proofs(batch_of(level))
    assert (len(found.marks), len(marked.marks)) == (0, 5)
    assert (found.winnable, found.states, found.spheres) == (
        marked.winnable,
        marked.states,
        marked.spheres,
    )

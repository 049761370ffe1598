"""The independent checker of levels with things: replays, and certificates."""

import copy
import itertools
import os
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from levels.things.certificates import ranked, solution_of, tabled
from levels.things.inputs import SLOPES, levels_with_things, random_level
from levolve.core.errors import InputError, ProofError
from levolve.levels.level import Level
from levolve.levels.things import certificate_checks, checker_rules
from levolve.levels.things.certificate import Certificate
from levolve.levels.things.thing import Thing
from oracles.things import Rules, Verdict, decide

# A key, then its door.
LOCKED = "S....E\n######\nthing: key 1,0 color=red\nthing: door 3,0 color=red"
HALL = """S......
.#####.
......E
"""
EXAMPLES = int(os.environ.get("LEVOLVE_EXAMPLES", "25"))
# Altered solutions and certificates that have to be refused; 10,000 of each with 200 examples.
ALTERED = EXAMPLES * 50


def level_of(text: str, *things: str) -> Level:
    return Level.from_text("\n".join([text, *(f"thing: {thing}" for thing in things)]))


def refused(level: Level, solution: str | None, certificate: Certificate | None = None) -> str:
    with pytest.raises(ProofError) as caught:
        level.with_solution(solution, certificate).check(loss=certificate is None)
    return str(caught.value).removeprefix("proof: ")


def test_a_solution_that_wins_is_accepted() -> None:
    Level.from_text(LOCKED).with_solution("rrrrr", Certificate("A")).check()
    Level.from_text(LOCKED).with_solution("rlrrrrr", Certificate("A")).check()


@pytest.mark.parametrize(
    ("things", "solution", "message"),
    [
        (["door 1,0"], "r", "move 1 (r) from 0,0 to 1,0 enters a door that needs 1 red key; the player has none"),
        (["door 1,0", "key 0,1"], "dr", "move 2 (r) from 0,1 to 1,1 is not a legal step"),
        (["key 1,0", "small_door 2,0"], "rr", "move 2 (r) from 1,0 to 2,0 enters a small door that needs 1 small key; the player has none"),
        (["player 0,0 health=2", "monster 1,0 damage=2"], "r", "move 1 (r) from 0,0 to 1,0 enters a monster that needs 3 health; the player has 2"),
        (["player 0,0 health=3", "monster 1,0", "trap 2,0", "boss 3,0 damage=1"], "rrr", "move 3 (r) from 2,0 to 3,0 enters a boss that needs 2 health; the player has 1"),
        (["treasure 1,0 value=2", "treasure_gate 2,0 amount=3"], "rr", "move 2 (r) from 1,0 to 2,0 enters a treasure gate that needs 3 treasure; the player has 2"),
        (["lever 1,0 id=a", "gate 2,0 lever=a"], "rr", "move 2 (r) from 1,0 to 2,0 enters a gate that is shut, because the lever a at 1,0 is off"),
        (["lever 1,0 id=a", "gate 2,0 lever=a open=true"], "rxr", "move 3 (r) from 1,0 to 2,0 enters a gate that is shut, because the lever a at 1,0 is on"),
        (["one_way 1,0 direction=r"], "rl", "move 2 (l) from 1,0 to 0,0 leaves the one way at 1,0, which can be left only by r"),
        (["stairs 1,0 id=a to=b", "door 4,0 id=b"], "rx", "move 2 (x) from 1,0 to 4,0 enters a door that needs 1 red key; the player has none"),
        (["plate 1,0 id=a", "gate 2,0 lever=a"], "rx", "move 2 (x) at 1,0 uses nothing: the plate a at 1,0 is not used"),
        (["key 1,0"], "x", "move 1 (x) at 0,0 uses nothing"),
        (["key 1,0"], "u", "move 1 (u) leaves the level from 0,0"),
        (["key 1,0"], "rrrrrrddd", "move 9 (d) is made after the level was won"),
        (["key 1,0"], "rr", "the solution ends after 2 moves at 2,0 without reaching the exit at 6,2"),
        (["key 1,0"], None, "the level has no solution"),
    ],
)  # fmt: skip
def test_a_wrong_move_is_named_with_its_cell_and_what_is_missing(
    things: list[str], solution: str | None, message: str
) -> None:
    assert refused(level_of(HALL, *things), solution) == message


def test_everything_that_counts_is_collected_for_the_goal_all() -> None:
    level = level_of(HALL + "goal: all", "treasure 1,0", "treasure 1,2", "treasure 0,1", "key 2,0")
    assert refused(level, "rrrrrrdd") == (
        "the solution ends after 8 moves at 6,2 without collecting the treasure at 0,1 and 1 more"
    )
    assert refused(level, "rrrrrrddl").endswith(
        "after 9 moves at 5,2 without collecting the treasure at 0,1 and 1 more"
    )
    level.with_solution("rldd" + "r" * 6, Certificate("A")).check()
    assert "after the level was won" in refused(level, "rldd" + "r" * 6 + "l")


def test_a_small_key_opens_one_door_which_stays_open() -> None:
    level = level_of("S...E\n#####", "small_key 1,0", "small_door 2,0", "monster 3,0 damage=0")
    assert "needs 1 health" in refused(level, "rrlrlrr")
    level = level_of("S....E\n######", "small_key 1,0", "small_door 2,0", "small_door 3,0")
    assert refused(level, "rrlrr").startswith("move 5 (r) from 2,0 to 3,0 enters a small door")


def test_a_plate_acts_on_each_entering_and_a_button_once() -> None:
    things = ("plate 2,0 id=a", "gate 4,0 lever=a")
    assert "because the plate a at 2,0 is off" in refused(level_of(HALL, *things), "rrlrrr")
    level_of(HALL, *things).with_solution("rrrrrrdd").check(loss=True)
    button = level_of(HALL, "button 2,0 id=a", "gate 4,0 lever=a")
    button.with_solution("rrxxxrrrrdd").check(loss=True)


def test_stairs_enter_the_cell_that_they_lead_to() -> None:
    level = level_of(HALL, "stairs 1,0 id=a to=b", "lever 5,0 id=c", "torch 6,2 id=b")
    level.with_solution("rx").check(loss=True)


def test_checkpoints_are_visited_in_order_before_the_exit_ends_the_level() -> None:
    level = Level.from_text("A.C.B\n#####\nthing: treasure 1,0\nthing: key 3,0")
    level.with_solution("rrrrll").check(loss=True)
    assert refused(level, "rr").endswith("after 2 moves at 2,0 without reaching the B at 4,0")


def test_a_level_without_a_certificate_may_be_lost() -> None:
    level = Level.from_text(LOCKED).with_solution("rrrrr")
    level.check(loss=True)
    with pytest.raises(ProofError, match=r"no certificate that it cannot be lost; use level.prove"):
        level.check()


def test_things_that_change_nothing_need_no_certificate() -> None:
    level = level_of(HALL, "treasure 1,0", "lever 2,0", "torch 3,0", "potion 4,0", "spawn 5,0")
    level.with_solution("rrxrrrrdd").check()


# Levels of each class, and why they are not of another one.
TRAP = ("small_key 1,0", "small_door 2,0", "small_door 0,1")


@pytest.mark.parametrize(
    ("things", "kind", "message"),
    [
        (["key 1,0", "door 2,0"], "A", ""),
        (["lever 1,0 id=a", "gate 2,0 lever=a"], "T", ""),
        (["lever 1,0 id=a", "gate 2,0 lever=a"], "A", "the lever a at 1,0 is no switch of the class A"),
        (["button 1,0 id=a", "gate 2,0 lever=a"], "T", "the button a at 1,0 is no switch of the class T"),
        (["plate 1,0 id=a", "gate 2,0 lever=a"], "T", "the plate a at 1,0 is no switch of the class T"),
        (["small_key 1,0", "small_door 2,0"], "A", "the small door at 2,0 spends something, which the class A excludes"),
        (["one_way 2,0 direction=r"], "A", "the one way at 2,0 does not lead back to where it is entered from"),
        (["stairs 1,0 id=a to=b", "stairs 5,0 id=b to=a"], "A", ""),
        (["stairs 1,0 id=a to=b", "torch 5,0 id=b"], "A", "the stairs a at 1,0 leads to a thing that does not lead back"),
    ],
)  # fmt: skip
def test_the_conditions_of_a_class_are_tested(things: list[str], kind: str, message: str) -> None:
    level = level_of("S......\n.......\n......E", *things)
    solution = solution_of(level)
    if "one_way" in things[0]:
        level = level_of("S....E\n.#####\n......", *things)
        solution = solution_of(level)
    if message:
        assert refused(level, solution, Certificate(kind)) == (
            f"the certificate does not hold: {message}"
        )
    else:
        level.with_solution(solution, Certificate(kind)).check()
        assert "expected no data" in refused(level, solution, Certificate(kind, {"next": {}}))


def test_a_one_way_in_an_open_room_is_harmless() -> None:
    level = level_of("S......\n.......\n......E", "one_way 3,1 direction=r", "key 0,1", "door 5,0")
    level.with_solution(solution_of(level), Certificate("A")).check()
    beside_a_door = level_of("S......\n.......\n......E", "one_way 3,1 direction=r", "door 4,1")
    assert "does not lead back" in refused(
        beside_a_door, solution_of(beside_a_door), Certificate("A")
    )


def test_tiles_with_steps_in_one_direction_are_of_the_class_g() -> None:
    tiles = np.array([[1, 0, 0], [1, 2, 2]], np.uint8)
    things = (Thing("key", (0, 1)), Thing("door", (1, 0)))
    level = Level(tiles, {"entrance": (0, 0), "exit": (2, 0)}, SLOPES, things=things)
    assert refused(level, "durr", Certificate("A")).endswith(
        "a step from 0,0 to 1,0 has no way back"
    )
    verdict = decide(level)
    assert verdict is not None
    level.with_solution("durr", ranked(level, verdict)).check()


def test_a_key_that_opens_one_of_two_doors_is_no_class_c_proof() -> None:
    text = "S....E\n.#####\n......"
    level = level_of(text, "small_key 1,0", "small_door 3,0", "small_door 0,2")
    number = {thing.kind: index for index, thing in enumerate(level.things) if thing.cell[1] == 0}
    door = number["small_door"]
    other = next(index for index, thing in enumerate(level.things) if thing.cell == (0, 2))
    solution = solution_of(level)
    lost = f"{1 << other:x}"
    table = {"0": door, f"{1 << door:x}": -1, lost: -1}
    assert refused(level, solution, Certificate("C", {"next": table})) == (
        f"the certificate does not hold: the goal is not reached when the things {lost} are opened"
    )
    for broken in ({"0": door, f"{1 << door:x}": -1}, {**table, lost: door}):
        assert "does not hold" in refused(level, solution, Certificate("C", {"next": broken}))
    two = level.with_things([*level.things, Thing("small_key", (2, 0))])
    verdict = decide(two)
    assert verdict is not None
    assert verdict.safe
    two.with_solution(solution_of(two), tabled(two, verdict, "C")).check()


def test_what_needs_health_that_others_spend_is_not_of_the_class_c() -> None:
    kinds = 'kind: {"name": "gaze", "needs": {"health": 2}}'
    text = f"S.....\n.####.\n.....E\n{kinds}"
    level = level_of(text, "player 0,0 health=3", "gaze 2,0", "monster 0,1")
    message = refused(level, "rrrrrdd", Certificate("C", {"next": {"0": -1}}))
    assert "the gaze at 2,0 needs what is spent elsewhere" in message


def test_what_the_player_owns_does_not_depend_on_what_was_asked_before() -> None:
    things = ("potion 1,0 health=3", "monster 2,0 damage=2", "treasure 3,0 value=2", "player 0,0")
    rules = checker_rules.Rules(level_of(HALL, *things))
    for touched in (0, 0b1110, 0b0100, 0b1000, 0b0010, 0b1010, 0):
        expected = {"health": 0, "treasure": 0}
        for number in (1, 2, 3):
            if touched >> number & 1:
                expected["health"] += (3, -2, 0)[number - 1]
                expected["treasure"] += (0, 0, 2)[number - 1]
        owned = rules.owned(touched)
        assert {name: owned.get(name, 0) for name in expected} == expected


def test_a_certificate_that_is_too_large_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of(
        HALL, "plate 2,0 id=a", "gate 4,0 lever=a", "plate 1,2 id=b", "gate 4,2 lever=b"
    )
    verdict = decide(level)
    assert verdict is not None
    certificate = ranked(level, verdict)
    solved = level.with_solution(solution_of(level), certificate)
    solved.check()
    monkeypatch.setattr(certificate_checks, "MOST_MOVES", 100)
    assert "too large to verify: over 100 moves" in refused(solved, solved.solution, certificate)


BAD_DATA: list[tuple[str, Any]] = [
    ("C", {}),
    ("C", {"next": []}),
    ("C", {"next": {"0": True}}),
    ("C", {"next": {"0": "1"}}),
    ("C", {"next": {"0": 10**40}}),
    ("C", {"next": {"0": -2}}),
    ("C", {"next": {"0": None}, "more": 1}),
    ("C+T", {"next": {"00": -1}}),
    ("G", {}),
    ("G", {"ignored": [], "grouped": True, "ranks": {}}),
    ("G", {"ignored": [], "grouped": 1, "ranks": {}}),
    ("G", {"ignored": [], "grouped": False, "ranks": 3}),
    ("G", {"ignored": {}, "grouped": False, "ranks": {}}),
    ("G", {"ignored": [0, 0], "grouped": False, "ranks": {}}),
    ("G", {"ignored": [99], "grouped": False, "ranks": {}}),
    ("G", {"ignored": [-1], "grouped": False, "ranks": {}}),
    ("G", {"ignored": ["0"], "grouped": False, "ranks": {}}),
    ("G", {"ignored": [], "grouped": False, "ranks": {"0,0/0/0/0": True}}),
    ("G", {"ignored": [], "grouped": False, "ranks": {"0,0/0/0/0": 0.5}}),
    ("G", {"ignored": [], "grouped": False, "ranks": {"0,0/0/0/0": float("nan")}}),
    ("G", {"ignored": [], "grouped": False, "ranks": {"0,0/0/0/0": 0}}),
]


@pytest.mark.parametrize(("kind", "data"), BAD_DATA)
def test_damaged_certificates_are_refused(kind: str, data: Any) -> None:
    level = level_of(HALL, "small_key 1,0", "small_door 2,0", "torch 3,0")
    message = refused(level, "rrrrrrdd", Certificate(kind, data))
    assert message.startswith("the certificate does not hold: expected") or "cannot be" in message


@given(levels_with_things())
def test_no_certificate_proves_a_level_that_can_be_lost(level: Level) -> None:
    verdict, solution = decide(level, 5000), solution_of(level)
    if verdict is None or solution is None:
        return
    level.with_solution(solution).check(loss=True)
    assert len(solution) == verdict.steps
    certificates = [tabled(level, verdict, kind) for kind in ("C", "C+T")]
    for certificate in (Certificate("A"), Certificate("T"), *certificates):
        if accepted(level, solution, certificate):
            assert verdict.safe
    assert accepted(level, solution, ranked(level, verdict)) == verdict.safe


def accepted(level: Level, solution: str | None, certificate: Certificate | None) -> bool:
    try:
        level.with_solution(solution, certificate).check()
    except ProofError:
        return False
    return True


def safe_levels() -> Iterator[tuple[random.Random, Level, Verdict]]:
    """Levels that need a certificate and have one, without end."""
    for seed in itertools.count():
        chance = random.Random(seed)
        level = random_level(chance, chance.choice(["C", "C+T", "G"]), chance.choice((4, 5)), 6)
        verdict = decide(level, 400)
        solution = solution_of(level) if verdict is not None and verdict.safe else None
        if verdict is None or not solution:
            continue
        for certificate in (tabled(level, verdict, "C+T"), ranked(level, verdict)):
            if not accepted(level, solution, None) and accepted(level, solution, certificate):
                yield chance, level.with_solution(solution, certificate), verdict


def wins(level: Level, solution: str) -> bool:
    """Whether a solution wins by the rules of the oracle."""
    rules = Rules(level)
    state = rules.start()
    for move in solution:
        after = None if rules.won(state) else dict(rules.moves(state)).get(move)
        if after is None:
            return False
        state = after
    return rules.won(state)


def test_altered_solutions_are_refused() -> None:
    refusals = 0
    for chance, level, _ in safe_levels():
        for _ in range(20):
            moves = list(level.solution or "")
            at = chance.randrange(len(moves))
            change = chance.choice(("delete", "insert", "replace", "exchange", "cut"))
            if change == "delete":
                del moves[at]
            elif change == "insert":
                moves.insert(at, chance.choice("udlrx"))
            elif change == "replace":
                moves[at] = chance.choice("udlrx")
            elif change == "exchange":
                moves[at], moves[at - 1] = moves[at - 1], moves[at]
            else:
                moves = moves[:at]
            altered = "".join(moves)
            assert accepted(level, altered, level.certificate) == wins(level, altered)
            refusals += not wins(level, altered)
        if refusals >= ALTERED:
            return


def alter_table(chance: random.Random, level: Level, table: dict[str, int]) -> None:
    """Alter a certificate of the class C or C+T so that it proves nothing."""
    spends = Rules(level).spends
    opened = chance.choice(list(table))
    others = [n for n in spends if not spends[n] or int(opened, 16) >> n & 1]
    change = chance.randrange(4)
    if change == 0:
        del table[opened]
    elif change == 1:
        table[f"{int(opened, 16) | 1 << len(level.things):x}"] = -1
    elif change == 2:
        table[opened] = chance.choice([*others, -2, len(level.things)])
    else:
        table[opened + "0"] = table.pop(opened)


def alter_ranks(chance: random.Random, level: Level, data: dict[str, Any]) -> None:
    """Alter a certificate of the class G so that it proves nothing."""
    ranks = data["ranks"]
    state = chance.choice(list(ranks))
    change = chance.randrange(5)
    if change == 0:
        del ranks[state]
    elif change == 1:
        ranks[state] -= chance.randint(1, ranks[state])
    elif change == 2:
        place, stage, touched, on = state.split("/")
        ranks[f"{place}/{int(stage) + 70}/{touched}/{on}"] = ranks[state]
    elif change == 3:
        ranks[chance.choice((" ", "0")) + state] = ranks.pop(state)
    else:
        acting = [n for n, needs in Rules(level).needs.items() if needs]
        data["ignored"] = [chance.choice([*acting, len(level.things)])]


def test_altered_certificates_are_refused() -> None:
    refusals = 0
    for chance, level, _ in safe_levels():
        certificate = level.certificate
        assert certificate is not None
        for _ in range(10):
            data = copy.deepcopy(dict(certificate.data))
            if certificate.kind == "G":
                alter_ranks(chance, level, data)
            else:
                alter_table(chance, level, data["next"])
            assert not accepted(level, level.solution, Certificate(certificate.kind, data)), data
            refusals += 1
        if refusals >= ALTERED:
            return


def test_certificates_of_altered_levels_are_refused_if_those_can_be_lost() -> None:
    refusals = 0
    for chance, level, _ in safe_levels():
        for _ in range(6):
            things = list(level.things)
            at = chance.randrange(len(things))
            if chance.random() < 0.3 and things[at].kind not in {"lever", "button", "plate"}:
                del things[at]
            else:
                other = chance.randrange(len(things))
                one, two = things[at], things[other]
                things[at] = Thing(one.kind, two.cell, one.id, one.fields)
                things[other] = Thing(two.kind, one.cell, two.id, two.fields)
            try:
                altered = level.with_things(things)
            except InputError:
                continue
            verdict = decide(altered, 2000)
            if verdict is None or (verdict.safe and wins(altered, level.solution or "")):
                continue
            assert not accepted(altered, level.solution, level.certificate)
            refusals += 1
        if refusals >= ALTERED // 20:
            return

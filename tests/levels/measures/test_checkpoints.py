"""Checkpoints, culs-de-sac and junctions on small levels, with every number worked out on paper."""

import numpy as np
import pytest

from levolve.levels.batch import Batch
from levolve.levels.level import Level
from levolve.levels.measures.measuring import measure
from levolve.levels.measures.structure_features import exit_members, members
from levolve.search.objectives.paths import ExitPath, IsolatedReconvergence, Reconvergence

# In the sketches X is a wall and a digit is |x|.

# Two ways around a wall, a checkpoint on each. |x|:  1 2 3   Both ways meet at the exit after 4 steps,
#                                                     0 X 4   and nothing else is a member there.
#                                                     1 2 3
TWO_WAYS = ".1.\nS#E\n.2."

# The second checkpoint lies in a dead end.  |x|:  0 1 2 3 4   No cell has both checkpoints: a way to the exit leads over 1 alone.
#                                                  X 2 X X X   Ends: the exit at 4 and checkpoint 2 at 3. The fork is the cell at 1.
#                                                  X 3 X X X
DEAD_END = "S.1.E\n#.###\n#2###"

# Both checkpoints in one dead end.  |x|:  0 1 2 3 4   They first meet at checkpoint 2 itself, 4 steps away, and with nobody else.
#                                          X X 3 X X   Ends: the exit at 4 and checkpoint 2 at 4.
#                                          X X 4 X X
ONE_DEAD_END = "S...E\n##1##\n##2##"

# One corridor; the checkpoints lie at 1, 3 and 5. 1 and 2 meet at 3, with nobody else: 3. 1 and 3
# meet at 5, where 2 has a part too; so do 2 and 3.
IN_A_ROW = "S1.2.3E\n#######"

# Up or down from the middle, then left or right around.   4 3 2 3 4   1 and 2 meet at 6, left and right. On the right 3 has a part, on the left
# Checkpoint 3 lies on the right, at 5.                    5 X 1 X 5   nobody: prc and iprc are 6. 1 and 3 meet at 3 itself: 5, alone. 2 and 3 meet
#                                                          6 X 0 X 6   on the right at 6, where 1 has a part: prc 6, iprc 0.
#                                                          5 X 1 X 5
#                                                          4 3 2 3 4
TWO_WITNESSES = ".....\n.#1#3\nE#S#.\n.#2#.\n....."
MIRRORED = ".....\n3#1#.\nE#S#.\n.#2#.\n....."

# The same with a checkpoint 4 on the left, at 5: now 1 and 2 meet nowhere alone. 1 and 4 meet at 4
# itself: 5, alone. 2 and 4 meet on the left at 6, where 1 has a part. 3 and 4 never meet.
NO_WITNESS_ALONE = ".....\n4#1#3\nE#S#.\n.#2#.\n....."

# An open room: every cell lies on some shortest walk to the exit.  |x|:  0 1 2   M:  -   1   13    1 2: 2, alone     1 3: 2, alone
#                                                                         1 2 3       2   12  123   2 4: 2, alone     1 4: 3, with 2
#                                                                         2 3 4       24  124 1234  2 3: 3, with 1    3 4: 4, with all
OPEN = "S13\n2..\n4.E"


def batch_of(text: str) -> Batch:
    level = Level.from_text(text)
    return Batch(level.frame, tiles=level.tiles[np.newaxis], tileset=level.tileset)


def members_of(text: str) -> list[list[set[int]]]:
    """The numbers of the checkpoints that are members of each cell."""
    return [
        [{bit + 1 for bit in range(64) if word >> bit & 1} for word in row]
        for row in members(batch_of(text))[0].tolist()
    ]


@pytest.mark.parametrize(
    ("text", "prc", "iprc"),
    [
        pytest.param(TWO_WAYS, 4, 4, id="two ways that meet again"),
        pytest.param(DEAD_END, 0, 0, id="one in a dead end"),
        pytest.param(ONE_DEAD_END, 4, 4, id="both in a dead end"),
        pytest.param(IN_A_ROW, 3 + 5 + 5, 3, id="in a row"),
        pytest.param(TWO_WITNESSES, 6 + 5 + 6, 6 + 5, id="one witness of two alone"),
        pytest.param(MIRRORED, 6 + 5 + 6, 6 + 5, id="the other witness alone"),
        pytest.param(NO_WITNESS_ALONE, 6 + 5 + 5 + 6 + 6 + 0, 5 + 5, id="no witness alone"),
        pytest.param(OPEN, 2 + 2 + 2 + 3 + 3 + 4, 2 + 2 + 2, id="an open room"),
    ],
)
def test_reconvergences_are_those_worked_out_on_paper(text: str, prc: int, iprc: int) -> None:
    measured = measure(Level.from_text(text))
    assert measured["reconvergence"].tolist() == [prc]
    assert measured["isolated_reconvergence"].tolist() == [iprc]


def test_members_are_the_checkpoints_on_any_shortest_path() -> None:
    # No walk to the exit leads over both 1 and 2, or over both 3 and 4: only all the walks together
    # do.
    assert members_of(OPEN) == [
        [set(), {1}, {1, 3}],
        [{2}, {1, 2}, {1, 2, 3}],
        [{2, 4}, {1, 2, 4}, {1, 2, 3, 4}],
    ]


def test_a_checkpoint_beside_the_shortest_walk_is_no_member() -> None:
    # The exit is 2 steps away and checkpoint 1 as well; below the exit, at 3, walks over either
    # come together.
    assert members_of("S.E\n.1.") == [[set(), set(), set()], [set(), {1}, {1}]]


def test_a_checkpoint_in_a_wall_or_out_of_reach_is_no_member_of_anything() -> None:
    # Checkpoint 1 is a wall, checkpoint 2 lies behind walls.
    assert members_of("S.#2\n.E##\ncheckpoint 1: 2,0") == [[set()] * 4, [set()] * 4]


def test_two_checkpoints_at_the_entrance_meet_after_no_steps() -> None:
    # prc is 0 steps, as for two that never meet. With a third on the corridor at 1 each of them
    # meets it there, but never alone.
    both = "S.E\n###\ncheckpoint 1: 0,0\ncheckpoint 2: 0,0"
    assert measure(Level.from_text(both))["reconvergence"].tolist() == [0]
    third = measure(Level.from_text(f"{both}\ncheckpoint 3: 1,0"))
    assert third["reconvergence"].tolist() == [0 + 1 + 1]
    assert third["isolated_reconvergence"].tolist() == [0]


@pytest.mark.parametrize(
    ("text", "count"), [(TWO_WAYS, 2), (DEAD_END, 1), (ONE_DEAD_END, 0), (IN_A_ROW, 3), (OPEN, 4)]
)
def test_an_exit_with_too_few_members_scores_0(text: str, count: int) -> None:
    batch = batch_of(text)
    steps = measure(Level.from_text(text))["exit_path"].tolist()
    assert exit_members(batch).tolist() == [count]
    for asked in range(count + 1):
        assert ExitPath(exit_members=asked).score(batch).tolist() == steps
    for asked in range(count + 1, 6):
        assert ExitPath(exit_members=asked).score(batch).tolist() == [0]


def test_with_feasible_first_an_exit_with_too_few_members_scores_below_every_feasible_level() -> (
    None
):
    # One member of the exit is asked for. DEAD_END has it, and its value is 0: its checkpoints
    # never meet. ONE_DEAD_END has none.
    for kind in (Reconvergence, IsolatedReconvergence):
        objective = kind(exit_members=1, feasible_first=True)
        assert objective.score(batch_of(DEAD_END)).tolist() == [0]
        assert objective.score(batch_of(ONE_DEAD_END))[0] < 0
    # Two are asked for: one is nearer to that than none.
    two = ExitPath(exit_members=2, feasible_first=True)
    scores = [two.score(batch_of(text))[0] for text in (ONE_DEAD_END, DEAD_END, TWO_WAYS)]
    assert scores[0] < scores[1] < 0 < scores[2] == 4


@pytest.mark.parametrize(
    ("text", "ends", "length", "forks"),
    [
        # Only the exit: all other cells have a cell farther out beside them.
        pytest.param(TWO_WAYS, 1, 4, 0, id="two ways"),
        pytest.param(DEAD_END, 2, 4 + 3, 1, id="one dead end"),
        # The fork is the cell above checkpoint 1.
        pytest.param(ONE_DEAD_END, 2, 4 + 4, 1, id="a deep dead end"),
        pytest.param(IN_A_ROW, 1, 6, 0, id="a corridor"),
        # The left and the right end at 6. The fork is above checkpoint 1 and below checkpoint 2.
        pytest.param(TWO_WITNESSES, 2, 6 + 6, 2, id="around"),
        # Only the far corner. Forks: the middle, with four ways, and the four cells beside it, with
        # three.
        pytest.param(OPEN, 1, 4, 5, id="an open room"),
        # Four corners, each two steps from the middle.
        pytest.param("E..\n.S.\n...", 4, 2 + 2 + 2 + 2, 5, id="from the middle"),
        # Four arms of one cell; the fork is the entrance itself.
        pytest.param("#.#\n.S.\n#E#", 4, 1 + 1 + 1 + 1, 1, id="a cross"),
        # Nothing can be reached but the entrance, which is as far as any cell beside it; the fork
        # on the right does not count.
        pytest.param("S#.E.\n##.#.\n##...", 1, 0, 0, id="locked in"),
        # The exit at 1, and a fork that cannot be reached.
        pytest.param("SE##.#\n###...", 1, 1, 0, id="a fork out of reach"),
    ],
)
def test_culs_de_sac_and_forks_are_those_worked_out_on_paper(
    text: str, ends: int, length: int, forks: int
) -> None:
    measured = measure(Level.from_text(text))
    assert measured["culs_de_sac"].tolist() == [ends]
    assert measured["cul_de_sac_length"].tolist() == [length]
    assert measured["branching"].tolist() == [forks]


def test_two_culs_de_sac_may_lie_side_by_side_where_no_step_leads_between_them() -> None:
    # R O Y   |x|  0 1 2   From red over orange to yellow and green. The lower red, at 1, may not step to the blue beside it,
    # R B G        1 4 3   which lies at 4: both are culs-de-sac. Nobody has three ways.
    measured = measure(Level.from_text("ROY\nRBG\nentrance: 0,0\nexit: 1,1"))
    assert measured["exit_path"].tolist() == [4]
    assert measured["culs_de_sac"].tolist() == [2]
    assert measured["cul_de_sac_length"].tolist() == [1 + 4]
    # By squares only the blue is one: the red has a farther cell beside it.
    assert measured["culs_de_sac_by_squares"].tolist() == [1]
    assert measured["cul_de_sac_length_by_squares"].tolist() == [4]
    assert measured["branching"].tolist() == [0]


def test_a_chromatic_level_measures_as_worked_out_on_paper() -> None:
    # R O Y   |x|  0 1 2   A ring around a violet that nobody can step to: not the red on its left either, for the line does not close.
    # R V G        1 - 3   Checkpoint 1 is the orange at 1, 2 the red at 1, 3 the yellow at 3.
    # O Y G        2 3 4   1 and 2 meet at the exit, 1 and 3 too, all three members; 2 and 3 at checkpoint 3, alone.
    ring = Level.from_text(
        "ROY\nRVG\nOYG\nentrance: 0,0\nexit: 2,2\ncheckpoint 1: 1,0\ncheckpoint 2: "
        "0,1\ncheckpoint 3: 1,2"
    )
    expected = {
        "exit_path": 4,
        "longest_path": 4,
        "regions": 2,
        "largest_region": 8,
        "walls": 0,
        "reachable": 8,
        "culs_de_sac": 1,
        "cul_de_sac_length": 4,
        "branching": 0,
        "reconvergence": 4 + 4 + 3,
        "isolated_reconvergence": 3,
    }
    measured = measure(ring)
    assert {name: measured[name].tolist()[0] for name in expected} == expected

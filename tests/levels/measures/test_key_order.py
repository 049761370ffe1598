"""The order of keys: a graph and spheres; and difficulty with things."""

import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from PIL import Image

import levolve
from levels.things.inputs import levels_with_things
from levolve.core.errors import InputError
from levolve.formats.pictures.order_graph import encode_order
from levolve.formats.themes import THEMES
from levolve.levels.level import Level
from levolve.levels.things.thing import Thing
from oracles import thing_measures as plain

LOCKED = "S..E\n.###\nthing: key 0,1\nthing: door 2,0\n"


@given(levels_with_things(side=6, most=6))
def test_the_graph_says_what_comes_before_what_and_nothing_twice(level: Level) -> None:
    if plain.ends_late(level):
        return
    things = plain.Things(level)
    found = levolve.key_order(level)
    number = {thing.cell: n for n, thing in enumerate(level.things) if n in things.all}
    named = [number[thing.cell] for thing in found.things]
    assert sorted(named) == things.all
    pairs = {(named[one], named[other]) for one, other in found.edges}
    closed = set(pairs)
    while more := {(a, d) for a, b in closed for c, d in closed if b == c} - closed:
        closed |= more
    assert closed == things.before()
    for pair in pairs:
        rest = pairs - {pair}
        reached, stack = {pair[0]}, [pair[0]]
        while stack:
            at = stack.pop()
            new = {b for a, b in rest if a == at} - reached
            reached |= new
            stack += sorted(new)
        assert pair[1] not in reached
    required = {n for n, needed in zip(named, found.required, strict=True) if needed}
    assert required == things.needed()


def test_the_end_comes_after_the_last_things_that_are_required() -> None:
    found = levolve.key_order(Level.from_text(LOCKED))
    assert found.labels == ("red door 2,0", "red key 0,1")
    assert (found.spheres, found.edges, found.last) == ((2, 1), ((1, 0),), (0,))
    assert found.to_data()["precedes"] == [[1, 0]]
    assert found.by_sphere == {1: [1], 2: [0]}


def test_things_out_of_reach_are_in_no_sphere() -> None:
    found = levolve.key_order(Level.from_text("S..E\n####\nk...".replace("k", ".")).with_things(
        [Thing("key", (0, 2)), Thing("door", (1, 0))]
    ))  # fmt: skip
    assert found.spheres == (0, 0)
    assert list(found.by_sphere) == [0]


def test_levels_without_an_end_have_no_order() -> None:
    with pytest.raises(InputError, match="the stops of its goal"):
        levolve.key_order(Level.from_text("S..\n..."))
    with pytest.raises(InputError, match="expected a Level"):
        levolve.key_order("maze")  # type: ignore[arg-type]


def test_the_picture_grows_with_the_longest_chain() -> None:
    theme = THEMES["stone"]
    short = Level.from_text(LOCKED)
    long = Level.from_text(
        "S....E\n.#####\nthing: key 0,1\nthing: door 2,0\nthing: key 3,0 color=blue"
    )
    sizes = [Image.open(io.BytesIO(encode_order(level, theme))).size for level in (short, long)]
    assert sizes[0][0] < sizes[1][0]
    with pytest.raises(InputError, match="things that act"):
        encode_order(Level.from_text("S.\n.E"), theme)


def test_show_lists_spheres_and_writes_the_picture(tmp_path: Path) -> None:
    (tmp_path / "locked.txt").write_text(LOCKED)

    def show(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "levolve", "show", "locked.txt", *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip

    shown = show("--order", "order.png")
    assert shown.returncode == 0, shown.stderr
    assert (
        "  sphere 1               red key 0,1*\n  sphere 2               red door 2,0*"
        in shown.stdout
    )
    assert "written: order.png" in shown.stdout
    lines = [line for line in shown.stdout.splitlines() if "digest" not in line]
    assert max(map(len, lines)) <= 80
    assert (tmp_path / "order.png").read_bytes().startswith(b"\x89PNG")
    wrong = show("--order", "order.gif")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "--order: expected a file name that ends in .png" in wrong.stderr


def test_locks_damage_and_lost_states_make_a_level_more_difficult() -> None:
    hall = "S....E\n.#####\n"
    texts = {
        "plain": hall,
        "key on the way": hall + "thing: key 1,0\nthing: door 2,0",
        "key aside": hall + "thing: key 0,1\nthing: door 2,0",
        "monster too": hall
        + "thing: player 0,0 health=3\nthing: key 0,1\nthing: door 2,0\nthing: monster 3,0 damage=2",
    }
    found = {
        name: levolve.measure(Level.from_text(text))["difficulty"][0]
        for name, text in texts.items()
    }
    assert list(found.values()) == sorted(found.values())
    # A sphere; two moves to the key and back; two points of damage.
    assert found["key on the way"] - found["plain"] == 4
    assert found["key aside"] - found["key on the way"] == 2
    assert found["monster too"] - found["key aside"] == 8
    lost = (
        "S...#E\n.#.#..\n.#....\nthing: small_key 0,2\nthing: small_door 3,0\nthing: small_door 3,2"
    )
    without = lost.replace("thing: small_door 3,0\n", "")
    one, other = (
        levolve.measure(Level.from_text(text))["difficulty"][0] for text in (lost, without)
    )
    assert one > other

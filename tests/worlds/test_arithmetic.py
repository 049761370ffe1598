"""Exact and float arithmetic: which ties they decide alike, and that float gives the source's
published frames.
"""

import hashlib
import json
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from levolve.core.errors import InputError
from levolve.worlds.fingerprints import fingerprint
from levolve.worlds.legend import PALETTES
from levolve.worlds.maps import make_map
from levolve.worlds.morph import Morph, linear
from levolve.worlds.records import read_records
from levolve.worlds.rule import Rule
from levolve.worlds.shipped import find_designs
from levolve.worlds.starts import MOORE, VON_NEUMANN, random_start
from levolve.worlds.world import World
from oracles import fashion as twin

SOURCE = [[0, 0.5], [0.2, 0.6]]
# Published with the source and not part of this project: beside the checkout, or where the variable
# says.
FRAMES = Path(
    os.environ.get(
        "LEVOLVE_FASHION_FRAMES",
        Path(__file__).parents[3] / "shared" / "data" / "fashion_frames.json",
    )
)
# SHA-256 of the cells after six updates of the start map of seed 1 by the source's rule; the second
# size goes 64 cells per word.
GOLDEN = {
    ("exact", (100, 100)): "13987843cfcc6e958e4fad40767fb47508badc218bfc408a6e350c52d6f5981a",
    ("exact", (128, 96)): "53eafb363a61d74ba0c7883e8ee34c4364d42d505459b22281209fcf6e173647",
    ("float", (100, 100)): "786d403c74532c59181f117eb1623a0ccb69751156097350a0783faff4374cc5",
    ("float", (128, 96)): "a12a9be230bfed9677ec4a69c6c6983545e68c4577d43650478702b573bf2dc2",
}


@pytest.mark.skipif(
    not FRAMES.exists(),
    reason=(
        "the published frames are not part of this project; LEVOLVE_FASHION_FRAMES says where "
        "they are"
    ),
)
def test_float_arithmetic_gives_the_published_frames_cell_by_cell() -> None:
    data = json.loads(FRAMES.read_text())
    rule = Rule(data["scores"], data["neighbourhood"], arithmetic="float")
    wrong = []
    for frames in data["series"].values():
        maps = [
            np.array([[int(cell) for cell in row] for row in frame], np.uint8) for frame in frames
        ]
        wrong += [int((rule.run(before, 1) != after).sum()) for before, after in pairwise(maps)]
        assert np.array_equal(rule.run(maps[0], len(maps) - 1), maps[-1])
    assert len(wrong) >= 9
    assert wrong == [0] * len(wrong)


@pytest.mark.parametrize(("arithmetic", "size"), GOLDEN)
def test_the_golden_maps_of_the_sources_rule_stay_what_they_are(
    arithmetic: str, size: tuple[int, int]
) -> None:
    made = make_map(Rule(SOURCE), size=size, seed=1, updates=6, arithmetic=arithmetic)
    assert hashlib.sha256(made.tiles.tobytes()).hexdigest() == GOLDEN[arithmetic, size]
    assert made.to_data()["arithmetic"] == arithmetic


@pytest.mark.parametrize(
    "near", [VON_NEUMANN, MOORE, [(x, y) for x in range(-2, 3) for y in range(-2, 3)]]
)
@pytest.mark.parametrize("border", ["torus", "bounded"])
def test_floats_are_added_in_the_order_of_the_neighbourhood(
    near: list[tuple[int, int]], border: str
) -> None:
    scores = [[0.1, 0.7, 0.3], [0.2, 0.3, 0.6], [0.4, 0.1, 0.5]]
    start = random_start(3, (20, 18), 3)
    rule = Rule(scores, near, arithmetic="float").with_border(border)
    assert rule.run(start, 3).tolist() == twin.run(
        start.tolist(), rule.scores, near, 3, torus=border == "torus"
    )
    assert not np.array_equal(rule.run(start, 3), rule.with_arithmetic("exact").run(start, 3)), (
        "rounding decides some ties"
    )


@pytest.mark.parametrize("near", [VON_NEUMANN, [(1, 0), (-3, 1), (0, 0)]])
@pytest.mark.parametrize("border", ["torus", "bounded"])
def test_texts_are_joined_in_the_order_of_the_neighbourhood(
    near: list[tuple[int, int]], border: str
) -> None:
    scores = [["0.1", "0.70", "0.3"], ["0.25", "3", "0.6"], ["4e-1", "0.1", "0.55"]]
    start = random_start(3, (20, 18), 3)
    rule = Rule(scores, near, arithmetic="text").with_border(border)
    expected = start.tolist()
    for _ in range(3):
        expected = joined_update(expected, scores, near, torus=border == "torus")
    assert rule.run(start, 3).tolist() == expected
    assert not np.array_equal(rule.run(start, 3), rule.with_arithmetic("float").run(start, 3))
    assert rule.with_arithmetic("float").with_arithmetic("text") == rule, "the texts are kept"


def joined_update(
    level: twin.Map, scores: list[list[str]], near: list[tuple[int, int]], *, torus: bool
) -> list[list[int]]:
    cells = [(x, y) for y in range(len(level)) for x in range(len(level[0]))]
    around = {cell: twin.neighbours(level, cell, near, torus=torus) for cell in cells}
    score = {
        (x, y): "".join(scores[level[y][x]][level[v][u]] for u, v in around[x, y]) for x, y in cells
    }
    best = {cell: max([cell, *around[cell]], key=score.__getitem__) for cell in cells}
    return [
        [level[best[x, y][1]][best[x, y][0]] for x in range(len(level[0]))]
        for y in range(len(level))
    ]


@pytest.mark.skipif(
    "LEVOLVE_SHOWCASE" not in os.environ,
    reason=(
        "LEVOLVE_SHOWCASE is a folder with the source's niceImage.txt and pictures 0.png to 6.png"
    ),
)
def test_text_arithmetic_gives_the_published_showcase_cell_by_cell() -> None:
    folder = Path(os.environ["LEVOLVE_SHOWCASE"])
    record = read_records(
        "\n".join(
            line
            for line in (folder / "niceImage.txt").read_text().splitlines()
            if line.startswith("sMs")
        )
    )[-1]
    colours = np.array(PALETTES["source"])
    maps = []
    for number in range(7):
        picture = np.array(Image.open(folder / f"{number}.png").convert("RGB"))
        maps.append(
            (picture[:, :, np.newaxis] == colours).all(axis=3).argmax(axis=2).astype(np.uint8)
        )
    rule = record.rule.with_arithmetic("text")
    assert [int((rule.run(before, 1) != after).sum()) for before, after in pairwise(maps)] == [
        0
    ] * 6


def test_text_arithmetic_has_limits() -> None:
    with pytest.raises(InputError, match="'text' needs a table of all cases"):
        Rule([[0, 1], [1, 0]], [(x, 0) for x in range(1, 20)], arithmetic="text")
    with pytest.raises(InputError, match="cannot be mixed"):
        Morph([Rule(SOURCE, arithmetic="text")] * 2)
    with pytest.raises(InputError, match="row 0, column 1: expected a number, got str 'x'"):
        Rule([["0", "x"], ["1", "2"]], arithmetic="text")
    with pytest.raises(InputError, match="take the quotes away"):
        Rule([["0", "1"], ["1", "2"]])


@given(
    st.lists(st.integers(-50, 50), min_size=4, max_size=4),
    st.sampled_from([1, 2, 8]),
    st.integers(0, 99),
)
def test_scores_that_floats_hold_exactly_give_the_same_map(
    scores: list[int], part: int, seed: int
) -> None:
    exact = Rule([score / part for score in scores])
    start = random_start(2, (64, 12), seed)
    assert np.array_equal(exact.with_arithmetic("float").run(start, 3), exact.run(start, 3))
    assert fingerprint(exact.with_arithmetic("float")) == fingerprint(exact)


def test_windows_of_a_world_are_cut_from_the_same_map() -> None:
    rule = Rule(SOURCE, arithmetic="float")
    world = World(rule, seed=5, updates=3)
    big = world.window(-60, 100, 160, 120)
    assert np.array_equal(world.window(-20, 130, 33, 21), big[30:51, 40:73])
    assert not np.array_equal(
        big, World(Rule(SOURCE), seed=5, updates=3).window(-60, 100, 160, 120)
    )


def test_a_morph_of_floats_has_its_rules_at_its_ends_and_the_twins_mixture_between() -> None:
    rules = [Rule(scores, arithmetic="float") for scores in (SOURCE, [[0.3, 0.1], [0.7, 0.2]])]
    start = random_start(2, (24, 12), 3)
    morph = Morph(rules)
    for number, rule in enumerate(rules):
        assert np.array_equal(
            morph.run(start, np.full(start.shape, 256 * number), 4), rule.run(start, 4)
        )
    field = linear((24, 12))
    shares = [[[256 - value for value in row] for row in field.tolist()], field.tolist()]
    expected = twin.update(
        start.tolist(), [rule.scores for rule in rules], shares, VON_NEUMANN, torus=True
    )
    assert morph.run(start, field, 1).tolist() == expected
    with pytest.raises(InputError, match="arithmetic of the first rule"):
        Morph([rules[0], Rule(SOURCE)])


def test_a_fingerprint_has_a_case_for_every_order_where_the_order_matters() -> None:
    kind = fingerprint(Rule(SOURCE, arithmetic="float"))
    assert kind.ordered
    assert len(kind.ranks) == 32
    assert kind.digest != fingerprint(Rule(SOURCE)).digest
    same = fingerprint(Rule([[0, 1], [0.4, 1.2]], arithmetic="float"))
    assert same == kind, "twice the scores round alike"
    assert "1:0001 < 1:" not in fingerprint(Rule(SOURCE)).order
    sums = {
        (state, around): sum((SOURCE[state][other] for other in around), 0.0)
        for state in (0, 1)
        for around in np.ndindex(2, 2, 2, 2)
    }
    cases = [(state, around) for around in np.ndindex(2, 2, 2, 2) for state in (0, 1)]
    order = sorted(set(sums.values()))
    assert kind.ranks == tuple(order.index(sums[case]) for case in cases)


def test_rule_files_and_records_carry_the_arithmetic(tmp_path: Path) -> None:
    for arithmetic in ("exact", "float", "text"):
        made = make_map(Rule(SOURCE), size=(9, 7), seed=1, updates=2, arithmetic=arithmetic)
        for suffix in ("toml", "json", "txt"):
            (design,) = find_designs(made.save(tmp_path / f"a.{suffix}"))
            assert design.rule.arithmetic == arithmetic
            assert design.rule == made.design.rule
    (record,) = read_records(
        "sMs[0.0, 0.5, 0.2, 0.6]g6n2w2l3neighbours[(0, 1), (0, -1), (-1, 0), (1, 0)]"
    )
    assert record.rule.arithmetic == "float", "the source's own files say nothing and mean floats"


def test_of_more_scores_than_states_need_the_first_count_and_quotes_are_dropped() -> None:
    more = (
        "sMs['0.50', '0.5', '0.2', '0.6', '9', '9']g6n2w2l3neighbours[(0, 1), (0, -1), (-1, 0), "
        "(1, 0)]"
    )
    (record,) = read_records(more)
    assert record.rule == Rule([[0.5, 0.5], [0.2, 0.6]], arithmetic="float")
    assert record.rule.with_arithmetic("text").written == (("0.50", "0.5"), ("0.2", "0.6"))
    with pytest.raises(InputError, match="expected 9 scores for n3, got 6"):
        read_records(more.replace("n2", "n3"))


@pytest.mark.parametrize("scores", ["nan, 0, 0, 0", "1e999, 0, 0, 0", "inf, 0, 0, 0"])
def test_scores_that_are_not_finite_are_refused(scores: str) -> None:
    with pytest.raises(InputError, match=r"line 1: .*(numbers as scores|finite 64-bit float)"):
        read_records(f"sMs[{scores}]g6n2w2l3neighbours[(0, 1)]")


def test_other_arithmetic_is_refused() -> None:
    with pytest.raises(
        InputError, match="arithmetic: expected 'exact', 'float' or 'text', got 'decimal'"
    ):
        Rule(SOURCE, arithmetic="decimal")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="arithmetic"):
        make_map("caverns", arithmetic="decimal")

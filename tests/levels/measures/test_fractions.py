"""Measures that are fractions, and the bounds that measures own."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import levolve
from levolve import testing
from levolve.cli.app import run
from levolve.core.errors import InputError, LevolveError
from levolve.formats.text_file import TEXT
from levolve.jobs.packs.targets import check_wanted
from levolve.levels.batch import Batch
from levolve.levels.frame import Frame
from levolve.levels.level import Level
from levolve.levels.measures import MEASURES
from levolve.levels.measures.measure import Measure, Range, number_text, plain_number
from levolve.levels.measures.structure import walls
from levolve.levels.tileset import WALLS, Tileset
from levolve.search.objectives.combined import Target

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
FRAME = LEVEL.frame


def share(batch: Batch) -> np.ndarray:
    return np.asarray(walls(batch) / (batch.frame.width * batch.frame.height), np.float64)


def at_most_one(frame: Frame, tileset: Tileset) -> Range:
    return 0, 1


SHARE = Measure("share of walls", share, whole=False, bounds=at_most_one)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    """The measure, for one test."""
    MEASURES.add("test_share", SHARE)
    yield
    del MEASURES._entries["test_share"]


def test_a_fraction_stays_a_fraction() -> None:
    measured = levolve.measure([LEVEL, Level.from_text("S.\n.E")])
    assert measured["test_share"].tolist() == [2 / 9, 0.0]
    assert [str(measured[name].dtype) for name in ("test_share", "walls")] == ["float64", "int64"]
    assert measured.of_level(0)["test_share"] == 2 / 9
    assert isinstance(measured.of_level(0)["walls"], int)
    testing.check_measure(SHARE)


def test_fractions_are_printed_and_written_as_fractions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "level.txt"
    path.write_bytes(TEXT.encode(LEVEL))
    assert run(["check", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["measures"]["test_share"] == 2 / 9
    assert run(["show", str(path), "--all"]) == 0
    assert "test share             0.2222\n" in capsys.readouterr().out
    assert [number_text(value) for value in (3, np.int64(-1), 0.307, np.float64(1234.5678))] == [
        "3",
        "-1",
        "0.307",
        "1235",
    ]
    assert [type(plain_number(value)) for value in (np.int32(3), np.float64(0.5), 2, 2.0)] == [
        int,
        float,
        int,
        float,
    ]


def test_targets_of_fractions_need_no_whole_number_and_are_hit_by_fractions() -> None:
    check_wanted("test_share", (0.2, 0.25), FRAME, WALLS)
    with pytest.raises(InputError, match=r"0 to 1, got 1\.5"):
        check_wanted("test_share", (1.5, 1.5), FRAME, WALLS)
    with pytest.raises(InputError, match=r"a whole number, got 1\.2\.\.1\.8"):
        check_wanted("walls", (1.2, 1.8), FRAME, WALLS)
    batch = Batch(FRAME, tiles=LEVEL.tiles[np.newaxis])
    assert Target(targets={"test_share": (0.2, 0.25)}).score(batch).tolist() == [1.0]
    assert Target(targets={"test_share": (0.3, 0.4)}).unmet(batch) == [
        "test_share: wanted 0.3 to 0.4, the nearest found is 0.2222"
    ]


@pytest.mark.parametrize(
    ("name", "target", "words"),
    [
        ("exit_path", (5, 5), "expected an even number"),
        ("exit_path", (3, 3), "4 to"),
        ("walls", (5, 9), "0 to 4, got 5..9"),
        ("exit_members", (2, 2), "0 to 1"),
        ("tour_steps", (7, 7), "expected an even number"),
        ("tour_tiles", (8, 8), "expected an odd number"),
    ],
)
def test_targets_that_no_level_can_meet_are_refused_by_the_measures_own_bounds(
    name: str, target: Range, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        check_wanted(name, target, FRAME, WALLS)


def test_a_range_of_two_numbers_always_holds_one_of_the_right_parity() -> None:
    check_wanted("exit_path", (5, 6), FRAME, WALLS)
    check_wanted("exit_path", (4, 4), FRAME, WALLS)


def test_fractions_from_a_measure_of_whole_numbers_are_an_error_and_never_cut_off() -> None:
    with pytest.raises(
        LevolveError,
        match="expected whole numbers, got float64; set whole=False for a measure of fractions",
    ):
        Measure("wrong", share).values(Batch(FRAME, tiles=LEVEL.tiles[np.newaxis]))


BROKEN = {
    "there is one number per level": Measure("m", lambda batch: walls(batch)[:-1]),
    "whole numbers are integers": Measure("m", share),
    "fractions are 64-bit floats": Measure("m", walls, whole=False),
    "numbers are finite": Measure("m", lambda batch: share(batch) / 0, whole=False),
    "a level's number does not depend on the other levels of its batch": Measure(
        "m", lambda batch: walls(batch) + len(batch)
    ),
    "levels that can be won stay within the bounds": Measure(
        "m", lambda batch: walls(batch) * 5, bounds=at_most_one
    ),
    "a multiple of the stride": Measure("m", walls, stride=2),
    "the same levels give the same numbers": Measure(
        "m", lambda batch: walls(batch) + np.random.default_rng().integers(0, 9**9, len(batch))
    ),
    "packed levels give the same numbers as unpacked ones": Measure(
        "m", lambda batch: walls(batch) + int(batch._rows is None)
    ),
    "a measure has a meaning": Measure("", walls),
}


@pytest.mark.parametrize("law", BROKEN)
@pytest.mark.filterwarnings("ignore:divide", "ignore:invalid")
def test_the_contract_of_measures_finds_each_law_that_is_broken(law: str) -> None:
    with pytest.raises(AssertionError, match=law):
        testing.check_measure(BROKEN[law])

"""Numbers that no level has, in place of each number of a file: refused by an error of ours."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError
from levolve.levels.level import Level

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("rdrd")
NUMBER = re.compile(r"(?<![\w#.-])-?[0-9]+(?:\.[0-9]+)?(?![\w.-])")
EXTREMES = ("-1", "4294967296", "9223372036854775808", "9" * 400, "1e999", "nan")
# Of formats with many numbers, as many are changed.
MOST = 24


@pytest.mark.parametrize("suffix", ["csv", "xsb", "txt", "json", "tscn", "tmx", "tmj", "ldtk"])
def test_an_extreme_number_is_read_or_refused(suffix: str, tmp_path: Path) -> None:
    path = levolve.save(LEVEL, tmp_path / f"a.{suffix}")
    text = path.read_text()
    found = list(NUMBER.finditer(text))
    refused = 0
    for number in found[:: -(-len(found) // MOST) or 1]:
        for extreme in EXTREMES:
            path.write_text(text[: number.start()] + extreme + text[number.end() :])
            try:
                levolve.load(path)
            except InputError:
                refused += 1
    assert refused or not found


def npz(**changes: Any) -> bytes:
    """The arrays of the level, some of them changed."""
    buffer = BytesIO()
    names = np.array(list(LEVEL.places))
    places = np.array(list(LEVEL.places.values()), np.int64)
    given = {"tiles": LEVEL.tiles, "tileset": np.array("walls"), "place_names": names}
    np.savez(buffer, **({**given, "places": places} | changes))
    return buffer.getvalue()


def arrays() -> dict[str, np.ndarray]:
    """Arrays with one number that no level has, by their kind and the number."""
    found = {}
    for kind, number in (
        ("i1", -1), ("i8", -(1 << 63)), ("i8", 1 << 32), ("u8", (1 << 64) - 1), ("u2", 257),
        ("f8", float("nan")), ("f8", float("inf")), ("f4", 0.5), ("f8", 1e308), ("f2", 60000),
    ):  # fmt: skip
        array = LEVEL.tiles.astype(kind)
        array[0, 1] = number
        found[f"{kind} {number}"] = array
    for shape in ((0, 0), (0, 3), (9,), (1, 9), (3, 3, 1), ()):
        found[f"shape {shape}"] = np.zeros(shape, np.uint8)
    return found


@pytest.mark.parametrize("name", arrays())
def test_an_array_with_an_extreme_number_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_bytes(npz())
    assert levolve.load(path) == LEVEL
    path.write_bytes(npz(tiles=arrays()[name]))
    with pytest.raises(InputError):
        levolve.load(path)


@pytest.mark.parametrize("number", [-1, 3, 1 << 31, 1 << 63, (1 << 64) - 1])
def test_an_array_with_an_extreme_place_is_refused(number: int, tmp_path: Path) -> None:
    places = np.array(list(LEVEL.places.values()), np.uint64 if number >= 0 else np.int64)
    places[0, 0] = number
    path = tmp_path / "a.npz"
    path.write_bytes(npz(places=places))
    with pytest.raises(InputError):
        levolve.load(path)

"""Every file says that the level belongs to the person who made it."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import levolve
from levolve.formats import FORMATS
from levolve.formats.metadata import YOURS
from levolve.jobs.packs.manifest import encode_manifest
from levolve.levels.level import Level
from levolve.puzzles import PUZZLES

LEVEL = Level.from_text("S.#\n..1\n#.E").with_solution("drdr")
# Compressed: the sentence is in an array.
PACKED = {"npz"}


@pytest.mark.parametrize("suffix", list(FORMATS))
def test_every_format_says_that_the_level_is_yours(suffix: str, tmp_path: Path) -> None:
    path = levolve.save(LEVEL, tmp_path / f"level.{suffix}")
    content = path.read_bytes()
    if suffix == "gif":
        # A comment is stored in blocks of 255 bytes.
        with Image.open(path) as picture:
            assert YOURS.encode() in picture.info["comment"]
    elif suffix in PACKED:
        assert str(np.load(path)["rights"]) == YOURS
    else:
        assert YOURS.encode() in content
    assert levolve.load(path) == LEVEL


def test_the_sentence_is_no_part_of_a_level() -> None:
    without = FORMATS["json"].encode(LEVEL).replace(YOURS.encode(), b"anything else")
    assert FORMATS["json"].decode(without).digest == LEVEL.digest
    assert FORMATS["txt"].decode(LEVEL.to_text().encode()) == FORMATS["txt"].decode(
        FORMATS["txt"].encode(LEVEL)
    )


@pytest.mark.parametrize("form", ["json", "png"])
@pytest.mark.parametrize("puzzle", ["flag", "sliding"])
def test_puzzles_are_yours_too(puzzle: str, form: str) -> None:
    position = PUZZLES[puzzle].read("1" if puzzle == "flag" else "1234567_8")
    assert YOURS.encode() in PUZZLES[puzzle].encode(position, form)


def test_the_manifest_of_a_pack_says_it_too() -> None:
    assert YOURS.encode() in encode_manifest({}, {})

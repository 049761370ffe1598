"""A damaged file is an `InputError` or still a level, whatever happened to its bytes; never
anything else.
"""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from levolve.core.errors import InputError
from levolve.formats import FORMATS
from levolve.levels.level import Level, Origin
from levolve.recipes.recipe import find_recipe

LEVELS = [
    Level.from_text("S.#\n..1\n#.E")
    .with_solution("rdrd")
    .with_origin(Origin.of(find_recipe("maze").to_data(), 5, 0, "0.1.0")),
    Level.from_text("ROY\nVBG\nentrance: 0,0\nexit: 2,1").with_solution("rrd"),
]
WRITTEN = {
    (name, number): FORMATS[name].encode(level)
    for name in FORMATS
    for number, level in enumerate(LEVELS)
    if FORMATS[name].holds(level.tileset)
}
# Pieces that formats are made of, where a random byte would hardly ever hit anything.
PIECES = [
    b'"',
    b"0",
    b"-1",
    b"99999999999",
    b"null",
    b"[]",
    b"{}",
    b"<",
    b"/>",
    b"&amp;",
    b"\x00",
    b"\xff",
    b"\n",
    b",",
    b":",
    b"# ",
    b"1e999",
    b"NaN",
    b"true",
]


@st.composite
def damage(draw: st.DrawFn, content: bytes) -> bytes:
    """A file with up to four pieces taken out, put in or put twice."""
    for _ in range(draw(st.integers(1, 4))):
        begin = draw(st.integers(0, len(content)))
        end = min(len(content), begin + draw(st.sampled_from([0, 1, 2, 4, 30])))
        piece = draw(
            st.one_of(
                st.sampled_from(PIECES), st.binary(max_size=3), st.just(content[begin:end] * 2)
            )
        )
        content = content[:begin] + piece + content[end:]
    return content


@pytest.mark.parametrize("key", WRITTEN, ids=lambda key: f"{key[0]}-{key[1]}")
@settings(max_examples=60)
@example(data=None)
@given(data=st.data())
def test_a_damaged_file_is_rejected_with_a_message(
    key: tuple[str, int], data: st.DataObject | None
) -> None:
    content = b"" if data is None else data.draw(damage(WRITTEN[key]))
    try:
        level = FORMATS[key[0]].decode(content)
    except InputError as problem:
        assert str(problem)  # noqa: PT017 either way is right
    else:
        assert isinstance(level, Level)


@pytest.mark.parametrize("key", WRITTEN, ids=lambda key: f"{key[0]}-{key[1]}")
def test_a_truncated_file_is_rejected_with_a_message_or_is_still_a_level(
    key: tuple[str, int],
) -> None:
    content = WRITTEN[key]
    for length in range(0, len(content), max(1, len(content) // 200)):
        try:
            FORMATS[key[0]].decode(content[:length])
        except InputError as problem:
            assert str(problem)  # noqa: PT017 either way is right

"""Reading within budgets: which files are opened, and what is refused before memory is taken."""

import json
import os
import re
import socket
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import levolve
from levolve.core.errors import InputError
from levolve.formats.reading import budgets
from levolve.formats.reading.arrays import read_array
from levolve.formats.reading.data import parse_json, parse_toml
from levolve.formats.reading.files import inflate, read_bytes, read_data, read_text
from levolve.levels.level import Level

DOCUMENT = Path(__file__).parents[2] / "docs" / "files.md"


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(str(tmp_path / "socket.txt"))
        for path, kind in (
            (tmp_path / "pipe.txt", "a pipe"),
            (tmp_path / "socket.txt", "a socket"),
            (Path("/dev/zero"), "a device"),
            (tmp_path, "a folder"),
        ):
            with pytest.raises(InputError, match=f"got {kind}"):
                read_bytes(path)
    finally:
        listener.close()


def test_a_link_to_a_file_is_followed_and_a_link_to_a_device_is_not(tmp_path: Path) -> None:
    (tmp_path / "level.txt").write_text("S.\n.E\n")
    (tmp_path / "link.txt").symlink_to("level.txt")
    (tmp_path / "zero.txt").symlink_to("/dev/zero")
    assert levolve.load(tmp_path / "link.txt") == Level.from_text("S.\n.E")
    with pytest.raises(InputError, match="got a device"):
        levolve.load(tmp_path / "zero.txt")


@pytest.mark.parametrize("name", ["a\0b.txt", "a\0b.json", "a\0b.png", "a\ud800\0.npz"])
def test_a_path_that_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="no file name can have"):
        levolve.load(name)


def test_a_file_with_too_many_bytes_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(
        InputError, match=r"large\.png: expected a file of at most 67,108,864 bytes, got more"
    ):
        levolve.load(path)
    (tmp_path / "small").write_bytes(b"12345")
    assert read_bytes(tmp_path / "small", 5) == b"12345"
    with pytest.raises(InputError, match="at most 4 bytes, got 5"):
        read_bytes(tmp_path / "small", 4)


def test_a_file_whose_size_is_not_known_is_read_up_to_its_budget() -> None:
    # Files of /proc have the size 0.
    assert read_bytes("/proc/self/status").startswith(b"Name:")
    with pytest.raises(InputError, match="at most 10 bytes"):
        read_bytes("/proc/self/status", 10)


def test_text_that_is_not_utf8_is_refused_and_a_byte_order_mark_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfhello")
    assert read_text(path) == "hello"
    path.write_bytes(b"\xff")
    with pytest.raises(InputError, match="expected text in UTF-8: invalid start byte at byte 0"):
        read_text(path)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(-(10**200), 10**200)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_json_is_parsed_as_by_the_standard_library(data: object) -> None:
    for text in (json.dumps(data), json.dumps(data, ensure_ascii=False, indent=1)):
        assert parse_json(text, "x") == json.loads(text)
        assert parse_json(
            text.encode("utf-8", "surrogatepass") if text.isascii() else text.encode(), "x"
        ) == json.loads(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 65 + "]" * 65, "at most 64 nested"),
        ('{"a":' * 65 + "1" + "}" * 65, "at most 64 nested"),
        ("[NaN]", "finite numbers, got NaN"),
        ("[-Infinity]", "finite numbers, got -Infinity"),
        ("[1e9999]", "finite numbers, got 1e9999"),
        ("1" * 301, "at most 300 digits"),
        ('{"\\ud800": 1}', "half of a surrogate pair"),
        ('["\\\\ud800", "\\udc00"]', "half of a surrogate pair"),
        ('["' + '\\"' * 9, "expected valid JSON"),
    ],
)
def test_json_that_other_code_cannot_handle_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_json(text, "x")


def test_brackets_and_digits_in_strings_do_not_count() -> None:
    texts = ["[" * 500, "1" * 500, '"' * 500, "\\" * 501, "\\ud800"]
    assert parse_json(json.dumps(texts), "x") == texts
    assert parse_json("[" * 64 + "]" * 64, "x")
    written = "\n".join(
        [
            'a = "' + "[" * 100 + "\" # it's [",
            "b = '" + "1" * 400 + "'",
            'c = """' + '["' * 99 + '"""',
            "d.e.f = 1",
        ]
    )
    assert parse_toml(written, "x")["d"] == {"e": {"f": 1}}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a = " + "[" * 65 + "]" * 65, "at most 64 nested"),
        ("a = inf", "finite numbers"),
        ("a = 1e9999", "finite numbers"),
        ("a = " + "1" * 301, "at most 300 digits"),
        ("a." * 32 + "a = 1", "at most 32 parts"),
        ('"a".' * 32 + "a = 1", "at most 32 parts"),
        ("[a" + " . b" * 33 + "]", "at most 32 parts"),
        ("a = [" + "1," * (1 << 17) + "]", "values in TOML"),
        ("a = 1 = 2", "expected valid TOML"),
    ],
)
def test_toml_that_takes_long_or_is_wrong_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        parse_toml(text, "x")


def test_data_is_parsed_by_suffix(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"a": 1}')
    (tmp_path / "a.toml").write_text("a = 1")
    assert (
        read_data(tmp_path / "a.json", "rule") == read_data(tmp_path / "a.toml", "rule") == {"a": 1}
    )
    with pytest.raises(
        InputError, match=r"^rule .*b\.toml: expected a file that can be read: No such file"
    ):
        read_data(tmp_path / "b.toml", "rule")


def test_compressed_data_is_unpacked_up_to_its_budget() -> None:
    packed = zlib.compress(bytes(1000))
    assert inflate(packed, 1000, "x") == bytes(1000)
    for content, most, words in (
        (packed, 999, "at most 999 bytes"),
        (packed[:-1], 1000, "cut off"),
        (b"abc", 9, "compressed data"),
    ):
        with pytest.raises(InputError, match=words):
            inflate(content, most, "x")


@given(
    st.sampled_from(["u1", "<i2", ">i4", "<f8", "?", "<U3"]),
    st.lists(st.integers(0, 3), max_size=3),
    st.booleans(),
)
def test_arrays_are_read_as_by_numpy(kind: str, shape: list[int], columns: bool) -> None:
    import io

    array = (
        np.arange(int(np.prod(shape))).reshape(shape).astype(kind, order="F" if columns else "C")
    )
    buffer = io.BytesIO()
    np.save(buffer, array)
    found = read_array(buffer.getvalue(), "x")
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert np.array_equal(found, array)
    assert found.flags.writeable


def test_the_table_in_the_documentation_has_every_budget() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| ([\d,]+) \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE
    )
    written = {name: int(number.replace(",", "")) for name, number in rows}
    assert written == {
        name: value for name, value in vars(budgets).items() if name.startswith("MOST_")
    }


def test_a_level_of_1024x1024_is_read() -> None:
    level = Level(np.zeros((1024, 1024), np.uint8), {"entrance": (0, 0), "exit": (1023, 1023)})
    for name in ("txt", "csv", "npz", "xsb"):
        entry = levolve.formats.FORMATS[name]
        assert entry.decode(entry.encode(level)) == level

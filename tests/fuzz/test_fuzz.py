"""Altered files are refused with a message or read: a short form of `make fuzz`, and data that
hypothesis makes up.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz import fuzz_mutations, fuzz_run
from fuzz.fuzz_readers import Reader, readers
from fuzz.fuzz_run import try_input

HERE = Path(__file__).parent
READERS = readers()
JSON_READERS = [name for name, reader in READERS.items() if reader.form == "json"]

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


def test_altered_files_raise_nothing_but_our_own_errors() -> None:
    done = subprocess.run(
        [sys.executable, HERE / "fuzz_run.py", "--inputs", "250", "--seed", "7"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
    assert done.stdout.count(" 250 inputs") == len(READERS)


@pytest.mark.parametrize("name", READERS)
def test_valid_files_are_read(name: str) -> None:
    for sample in READERS[name].samples:
        assert READERS[name].read(sample) is not None


def test_a_reader_that_fails_is_found() -> None:
    def broken(content: bytes) -> object:
        return content[5]

    assert try_input(broken, b"")[1].startswith("IndexError")
    assert try_input(Reader(lambda _: bytes(3), tuple).read, b"")[1] == ""


@pytest.mark.parametrize("limit", ["PATIENCE", "CLOCK_PATIENCE"])
def test_a_reader_that_hangs_is_ended(
    limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def hang(_: bytes) -> object:
        while limit == "PATIENCE":
            pass
        time.sleep(100)
        return None

    monkeypatch.setattr(fuzz_run, "FOUND", tmp_path)
    monkeypatch.setattr(fuzz_run, limit, 0.2)
    assert not fuzz_run.run_reader("loop", Reader(hang, lambda: (b"abc",)), 1, seed=1)
    assert "loop: the process hung at input 0" in capsys.readouterr().out
    assert len(list(tmp_path.iterdir())) == 1


def test_an_altered_file_has_a_longest_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz_mutations, "LONGEST", 30)
    randoms = [Random(seed) for seed in range(200)]
    files = [fuzz_mutations.alter(b"aaaaaaaaaa", random) for random in randoms]
    assert max(map(len, files)) == 30


@pytest.mark.parametrize("name", JSON_READERS)
@given(data=st.data())
def test_any_json_value_is_refused_or_read(name: str, data: st.DataObject) -> None:
    reader = READERS[name]
    valid = json.loads(data.draw(st.sampled_from(reader.samples)))
    if isinstance(valid, dict):
        valid[data.draw(st.sampled_from(sorted(valid)))] = data.draw(values)
    else:
        valid = data.draw(values)
    assert try_input(reader.read, json.dumps(valid).encode())[1] == ""


@pytest.mark.parametrize("name", READERS)
@given(
    content=st.binary(max_size=60)
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "surrogatepass"))
)
def test_any_bytes_are_refused_or_read(name: str, content: bytes) -> None:
    reader = READERS[name]
    assert try_input(reader.read, content)[1] == ""
    assert try_input(reader.read, reader.samples[0] + content)[1] == ""

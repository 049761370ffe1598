"""Public names as people and type checkers see them."""

import subprocess
import sys
from pathlib import Path

import pytest

import levolve

SNIPPET = """import levolve
from levolve import Level

levolve.nonsense  # error
levolve.worlds.nonsense  # error
levolve.contents.nonsense  # error
levolve.load("a.json").nonsense  # error
levolve.load("a.json").tiles
wrong: int = levolve.load("a.json", Level)  # error
right: Level = levolve.load("a.json", Level)
levolve.resume().nonsense  # error
resumed: int = levolve.resume("last", levolve.Pack)  # error
pack: levolve.Pack = levolve.resume("last", levolve.Pack)
levolve.evolve("maze", sizes="6x6")  # error
levolve.pack("maze", executor="local", attempts=3).nonsense  # error
"""


def test_type_checkers_know_the_public_names_and_no_others(tmp_path: Path) -> None:
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET)
    # With the settings of `make types`, so that what it stored is used.
    command = [sys.executable, "-m", "mypy", str(snippet)]
    root = Path(__file__).parent.parent
    checked = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, timeout=600
    )
    found = {
        int(line.split(":")[1])
        for line in checked.stdout.splitlines()
        if "snippet.py:" in line and "error" in line
    }
    assert found == {
        number for number, line in enumerate(SNIPPET.splitlines(), 1) if "# error" in line
    }


@pytest.mark.parametrize("module", [levolve, levolve.fashion, levolve.contents])
def test_only_public_names_are_listed_and_each_is_found(module: object) -> None:
    assert dir(module) == sorted(module.__all__)  # type: ignore[attr-defined]
    assert all(hasattr(module, name) for name in dir(module))


def test_a_mistyped_name_gets_a_hint() -> None:
    with pytest.raises(
        AttributeError, match="module 'levolve' has no attribute 'evolv'; did you mean 'evolve'"
    ):
        getattr(levolve, "evolv")  # noqa: B009 type checkers would refuse it

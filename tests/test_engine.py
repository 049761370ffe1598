"""Versions and the engine: what they are digested from, and what files and commands say."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import engine_digest
from engine_digest import ENGINE_FOLDERS, OTHER_FOLDERS, SOURCES
from levolve.version import ENGINE, VERSION, WRITTEN_BY, difference

ROOT = Path(__file__).parents[1]


def test_the_engine_is_the_digest_of_the_sources() -> None:
    expected = engine_digest.engine_digest()
    assert expected == ENGINE, "sources that determine results have changed: run 'make engine'"


def test_every_folder_either_determines_results_or_does_not() -> None:
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir()} - {"__pycache__"}
    assert not ENGINE_FOLDERS & OTHER_FOLDERS
    assert folders <= ENGINE_FOLDERS | OTHER_FOLDERS, "list new folders in tests/engine_digest.py"


SOURCE = '''"""A module."""
# A comment.
LIMIT = None
def double(number: int) -> int:
    """Return it twice."""
    return 2 * number
class Empty:
    """Nothing."""
'''


def digest_of(folder: Path, source: str = SOURCE, data: str = "a = 1\nb = 2\n") -> str:
    for name in ("kernels", "kernels/compiler", "cli", "runs/store"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / "kernels" / "one.py").write_text(source)
    (folder / "kernels" / "two.toml").write_text(data)
    return engine_digest.engine_digest(folder)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# A comment.\n", ""),
        ('"""A module."""', '"""Another\n\ntext."""'),
        ('"""Return it twice."""', "'Other.'"),
        ('    """Nothing."""', '    """Something."""'),
        ("(number: int) -> int:", "(\n    number: int\n) -> int:"),
        ("2 * number", "(2 * number)"),
    ],
)
def test_comments_and_formatting_do_not_change_the_engine(
    before: str, after: str, tmp_path: Path
) -> None:
    assert before in SOURCE
    assert digest_of(tmp_path, SOURCE.replace(before, after)) == digest_of(tmp_path)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("2 * number", "3 * number"),
        ("2 * number", "2.0 * number"),
        ("2 * number", "2 + number"),
        ("LIMIT = None", "LIMIT = ..."),
        ("LIMIT = None", "LIMIT = ''"),
        ("-> int:", "-> float:"),
        ("2 * number", "None"),
        ("double", "twice"),
    ],
)
def test_what_is_computed_changes_the_engine(before: str, after: str, tmp_path: Path) -> None:
    assert before in SOURCE
    assert digest_of(tmp_path, SOURCE.replace(before, after)) != digest_of(tmp_path)


def test_data_changes_the_engine_and_its_order_does_not(tmp_path: Path) -> None:
    first = digest_of(tmp_path)
    assert digest_of(tmp_path, data="# Ordered.\nb = 2\na = 1") == first
    assert digest_of(tmp_path, data="a = 1\nb = 3\n") != first


def test_only_folders_that_determine_results_count(tmp_path: Path) -> None:
    first = digest_of(tmp_path)
    for name in ("kernels/compiler", "cli", "runs/store"):
        (tmp_path / name / "more.py").write_text("x = 1")
    assert digest_of(tmp_path) == first
    for name in ("runs/more.py", "kernels/more.py"):
        (tmp_path / name).write_text("x = 1")
        assert digest_of(tmp_path) != first
        (tmp_path / name).unlink()


def test_make_engine_writes_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = engine_digest.engine_digest()
    file = tmp_path / "version.py"
    file.write_text(engine_digest.VERSION_FILE.read_text().replace(ENGINE, "0" * 12))
    monkeypatch.setattr(engine_digest, "VERSION_FILE", file)
    engine_digest.main()
    assert f'\nENGINE = "{expected}"\n' in file.read_text()


OLD = "it was made by levolve 0.1.0, which recorded no engine; this is "


@pytest.mark.parametrize(
    ("maker", "expected"),
    [
        ((VERSION, ENGINE), None),
        (("0.1.0", ""), f"{OLD}{WRITTEN_BY}: the engine may differ"),
        (("0.3.0", ENGINE), "only the version differs, the engine is the same"),
        ((VERSION, "abc"), f"made by levolve {VERSION}, engine abc; .*only the engine differs"),
        (("0.3.0", "abc"), "version and engine differ"),
    ],
)
def test_what_differs_is_said_and_what_it_means(
    maker: tuple[str, str], expected: str | None
) -> None:
    text = difference(*maker)
    assert re.search(expected, text) if expected else not text


def levolve(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "levolve", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)


def test_replay_says_whether_version_or_engine_differ(tmp_path: Path) -> None:
    path = tmp_path / "level.txt"
    arguments = ("--size", "8x8", "--seed", "1", "--generations", "3", "--no-store", "--quiet")
    assert levolve("evolve", "maze", *arguments, "-o", str(path)).returncode == 0
    text = path.read_text()
    assert f'"version": "{VERSION}"' in text
    assert f'"engine": "{ENGINE}", ' in text
    done = levolve("replay", str(path))
    assert done.returncode == 0
    assert "it was made by" not in done.stdout
    path.write_text(text.replace(ENGINE, "0123"))
    done = levolve("replay", str(path))
    assert done.returncode == 0
    assert f"made by levolve {VERSION}, engine 0123; this is {WRITTEN_BY}: only the" in done.stdout
    # Another seed gives other bytes, as another engine could.
    old = text.replace(f'"engine": "{ENGINE}", ', "").replace(VERSION, "0.1.0")
    path.write_text(old.replace('"seed": 1,', '"seed": 2,'))
    done = levolve("replay", str(path))
    assert done.returncode == 1
    assert "the bytes differ" in done.stderr
    assert "levolve 0.1.0, which recorded no engine" in done.stderr


def test_the_version_is_the_last_release_of_the_changelog() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert re.findall(r"(?m)^## (.+)$", changes)[:2] == ["Unreleased", VERSION]

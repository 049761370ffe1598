"""`levolve.save` and `levolve.load` are inverse for every kind of object; the file says what it
holds.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import levolve
from levolve.core.errors import InputError, LevolveError
from levolve.formats.file_kinds import FILE_KINDS, kind_of
from levolve.jobs.runs.run import Run
from levolve.recipes.recipe import Recipe, find_recipe

SMALL: dict[str, Any] = {"size": "6x6", "seed": 1, "settings": {"generations": 3}, "executor": 1}
RULE = levolve.fashion.Rule([[0, 0.5], [0.2, 0.6]], [(0, 1), (0, -1), (-1, 0), (1, 0)])


def a_run() -> Run:
    return levolve.evolve("maze", **SMALL)


def a_session() -> Any:
    session = levolve.breed("maze", size=(6, 6), sheet=4, seed=3)
    session.pick({0: "love"})
    session.next()
    return session


def data_of(thing: Any) -> Any:
    """Return all that two objects of a kind must have in common."""
    if isinstance(thing, levolve.fashion.FashionMap):
        return thing.digest, thing.design.rule, thing.tiles.tolist()
    if isinstance(thing, Run):
        state = thing.state()
        return (
            thing.digest,
            thing.history,
            thing.recipe.to_data(),
            thing.seed,
            state["search"]["genes"].tolist(),
            thing.measures,
        )
    if isinstance(thing, levolve.Archive):
        return thing.digest, thing.to_data(), thing.genes.tolist()
    return thing.to_data() if hasattr(thing, "to_data") else thing


# What is made, and the names of files or folders that it is saved to.
CASES: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "level": (lambda: a_run().best, ["a.json", "a.tmx", "a.txt", "a.npz", "a.png"]),
    "sliding": (lambda: next(levolve.make("sliding", seed=1)), ["a.json", "a.txt", "a.tmx"]),
    "flag": (lambda: next(levolve.make("flag", seed=1)), ["a.json", "a.txt", "a.tmx"]),
    "pack": (lambda: levolve.pack("maze", count=2, **SMALL), ["folder"]),
    "mixed pack": (lambda: levolve.pack(["maze", "sliding"], count=2, **SMALL), ["folder"]),
    "archive": (
        lambda: levolve.illuminate(
            "maze",
            axes="walls,exit_path",
            size="6x6",
            grid="4x4",
            evaluations=200,
            seed=1,
            executor=1,
        ),
        ["folder", "mine.npz", "mine.json"],
    ),
    "run": (a_run, ["a.json"]),
    "session": (a_session, ["a.json"]),
    "recipe": (lambda: find_recipe("cavern"), ["a.toml", "a.json"]),
    "design": (lambda: levolve.fashion.find_design("source"), ["a.toml", "a.json"]),
    "map": (
        lambda: levolve.fashion.make_map(RULE, size=(9, 7), updates=3, seed=2),
        ["a.toml", "a.json", "a.txt"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_saved_is_loaded_as_the_same_and_saved_as_the_same_bytes(
    case: str, tmp_path: Path
) -> None:
    make, names = CASES[case]
    made = make()
    for name in names:
        path = levolve.save(made, tmp_path / name)
        assert path == tmp_path / name
        again: Any = levolve.load(path, type(made))
        assert data_of(again) == data_of(made)
        other = tmp_path / "again"
        other.mkdir(exist_ok=True)
        second = levolve.save(again, other / name)
        for file in path.rglob("*") if path.is_dir() else [path]:
            if file.suffix != ".png":
                assert (second / file.relative_to(path)).read_bytes() == file.read_bytes()


def test_every_kind_of_file_has_a_case() -> None:
    assert set(FILE_KINDS) <= {*CASES, "position"}


def test_a_rule_is_loaded_as_its_design(tmp_path: Path) -> None:
    for suffix in ("toml", "json", "txt"):
        assert (
            levolve.load(
                levolve.save(RULE, tmp_path / f"rule.{suffix}"), levolve.fashion.Design
            ).rule.exact
            == RULE.exact
        )


def test_the_run_of_a_file_can_be_continued(tmp_path: Path) -> None:
    whole = Run(find_recipe("maze").changed({"size": "6x6", "generations": 9}), 1).finish()
    run = Run(whole.recipe, 1)
    events = run.events()
    for _ in range(4):
        next(events)
    loaded = levolve.load(levolve.save(run, tmp_path / "a.json"), Run)
    assert len(loaded.history.best) == 4
    assert loaded.finish().digest == whole.digest
    assert loaded.history == whole.history


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"digest": "0" * 64}, "expected the digest"),
        ({"kind": "walk"}, "expected a run, as written by"),
        ({"state": "????"}, "damaged data|checkpoint"),
        ({"state": "bGV2b2x2ZSBzdGF0ZQ=="}, "checkpoint"),
        ({"call": {}}, "damaged data"),
        ({"call": None}, "damaged data"),
        ({"digest": "0" * 64, "engine": "another"}, "engine"),
    ],
)
def test_a_damaged_run_is_refused_with_one_message(
    change: dict[str, Any], words: str, tmp_path: Path
) -> None:
    path = levolve.save(a_run(), tmp_path / "a.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match=words) as caught:
        levolve.load(path)
    assert str(path) in str(caught.value)


def test_the_marker_decides_and_not_the_place_of_the_key_or_the_name_of_the_file(
    tmp_path: Path,
) -> None:
    path = levolve.save(a_run(), tmp_path / "archive.json")
    data = json.loads(path.read_text())
    path.write_text(json.dumps({name: data[name] for name in reversed(data)}))
    assert kind_of(path) == "run"
    pack = levolve.pack("maze", count=1, **SMALL)
    folder = levolve.save(pack, tmp_path / "pack")
    assert levolve.load(folder / "pack.json", levolve.Pack).digest == pack.digest
    # An archive beside a level of the same name would hide it; a level beside a level does not.
    best = a_run().best
    levolve.save(best, tmp_path / "b.json")
    assert levolve.load(levolve.save(best, tmp_path / "b.npz")) == best


@pytest.mark.parametrize(
    ("thing", "name", "words"),
    [
        ("recipe", "a.png", "expected a file name for a recipe, ending in .toml, .json"),
        ("session", "a.txt", "expected a file name for a breeding session, ending in .json"),
        (
            "design",
            "a.csv",
            "expected a file name for a fashion rule, ending in .toml, .json, .txt",
        ),
    ],
)
def test_a_suffix_that_a_kind_lacks_is_refused(
    thing: str, name: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=words):
        levolve.save(CASES[thing][0](), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_what_is_of_no_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^save: expected a level, .* got int"):
        levolve.save(3, tmp_path / "a.json")
    with pytest.raises(InputError, match="theme and tile: expected a picture or a level"):
        levolve.save(find_recipe("maze"), tmp_path / "a.toml", theme="ice")
    with pytest.raises(InputError, match="original: expected a level to be written, got a recipe"):
        levolve.save(find_recipe("maze"), tmp_path / "a.toml", original="b.tmx")
    with pytest.raises(
        InputError,
        match=(
            r"expected a file, or the folder of a pack or an archive with pack\.json or "
            r"archive\.json"
        ),
    ):
        levolve.load(tmp_path)
    recipe = levolve.save(find_recipe("maze"), tmp_path / "a.json")
    with pytest.raises(InputError, match="expected a file of Level, got one of Recipe"):
        levolve.load(recipe, levolve.Level)
    assert isinstance(levolve.load(recipe), Recipe)


def test_a_map_that_takes_long_is_not_made_by_reading_its_file(tmp_path: Path) -> None:
    design = levolve.fashion.find_design(RULE).adapted(updates=1_000_000)
    start = np.zeros((64, 64), np.uint8)
    data = {**design.to_data(), "start": start.tolist()}
    path = tmp_path / "long.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="cells times updates"):
        levolve.load(path)


def test_to_load_a_level_as_json_imports_no_puzzle_and_no_job(tmp_path: Path) -> None:
    path = levolve.save(a_run().best, tmp_path / "a.json")
    script = (
        f"import levolve, sys; levolve.load({str(path)!r})\n"
        "print([name for name in sys.modules if name.startswith(('levolve.puzzles', "
        "'levolve.jobs'))])"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    assert found.stdout.strip() == "[]"


def test_errors_are_public_names() -> None:
    assert levolve.LevolveError is LevolveError
    assert levolve.InputError is InputError

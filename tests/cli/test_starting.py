"""What shortens the start of commands, and that it does not last."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cli.processes import SECONDS
from levolve.core import startup


@pytest.fixture
def _own_collector() -> Iterator[None]:
    usual, callbacks = gc.get_threshold(), list(gc.callbacks)
    yield
    gc.set_threshold(*usual)
    gc.callbacks[:] = callbacks
    gc.unfreeze()


@pytest.mark.usefixtures("_own_collector")
def test_garbage_is_searched_for_as_usual_after_the_first_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("OPENBLAS_THREAD_TIMEOUT", "PYDANTIC_DISABLE_PLUGINS"):
        monkeypatch.setenv(name, "as the user wants")
    usual, callbacks = gc.get_threshold(), list(gc.callbacks)
    startup.start_quickly()
    assert gc.isenabled()
    assert gc.get_threshold() == (startup.OBJECTS_OF_MODULES, *usual[1:])
    kept = [[] for _ in range(2 * startup.OBJECTS_OF_MODULES)]  # type: ignore[var-annotated]
    assert gc.get_threshold() == usual
    assert gc.callbacks == callbacks
    assert len(kept) > startup.OBJECTS_OF_MODULES
    # What was there before is left out.
    assert gc.get_freeze_count() > startup.OBJECTS_OF_MODULES


@pytest.mark.usefixtures("_own_collector")
def test_python_ends_without_a_search_for_garbage() -> None:
    startup.end_quickly()
    assert len(gc.get_objects()) < gc.get_freeze_count()


def test_the_choice_of_the_user_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(startup, "_collect_later", lambda: None)
    monkeypatch.setenv("OPENBLAS_THREAD_TIMEOUT", "20")
    monkeypatch.setenv("PYDANTIC_DISABLE_PLUGINS", "other")
    startup.start_quickly()
    assert os.environ["OPENBLAS_THREAD_TIMEOUT"] == "20"
    assert os.environ["PYDANTIC_DISABLE_PLUGINS"] == "other"


@pytest.mark.parametrize(
    "words",
    [
        ["evolve", "maze", "--size", "20x20", "--seed", "7", "--generations", "2", "--no-store"],
        ["solve", "sliding", "1234567_8", "--seed", "1", "--no-store"],
    ],
)
def test_a_command_without_files_and_bars_loads_nothing_to_draw_with(words: list[str]) -> None:
    unneeded = "('PIL', 'rich', 'levolve.formats.themes', 'levolve.recipes.content_recipe')"
    probe = (
        f"import sys\nfrom levolve.cli.app import run\nrun({words!r})\nprint([name for name in "
        f"{unneeded} if name in sys.modules], file=sys.stderr)"
    )
    finished = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=SECONDS
    )
    assert finished.stderr.splitlines()[-1] == "[]"

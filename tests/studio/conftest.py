"""One studio for all files whose tests do not mind the runs of others, and a browser for each
file.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from jobs.packs.browser import browsing
from studio.pages import opened
from studio.server import Studio, running_studio


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A running studio. Its start takes seconds, so that most files share it; those that need an
    empty store have their own, `fresh_studio`.
    """
    store: Path = tmp_path_factory.mktemp("studio") / "runs.sqlite"
    with running_studio(store) as started:
        yield started


@pytest.fixture(scope="module")
def fresh_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A running studio of this file, with an empty store."""
    store: Path = tmp_path_factory.mktemp("studio") / "runs.sqlite"
    with running_studio(store) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window. Its event loop ends with the file, so that tests of other files
    can have their own.
    """
    with browsing() as started:
        yield started


@pytest.fixture
def page(browser: Any, studio: Studio) -> Iterator[Page]:
    """The page of the studio; it must not complain."""
    with opened(browser, studio) as found:
        yield found

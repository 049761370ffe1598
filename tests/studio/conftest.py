"""One studio for the tests of a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.server import Studio, running_studio


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A running studio with an empty store."""
    store: Path = tmp_path_factory.mktemp("studio") / "runs.sqlite"
    with running_studio(store) as started:
        yield started

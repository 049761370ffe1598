"""What all tests share.

How many examples hypothesis tries: `LEVOLVE_EXAMPLES`, 25 unless set; `make proofs` tries 200. They
are always the same ones, so that a run can be repeated. Runs are stored in a temporary file, never
in the user's own store.
"""

import atexit
import os
import signal
import tempfile
from pathlib import Path

from hypothesis import settings

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell lets what it runs in the background ignore interrupts. Some tests interrupt
    # themselves.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out modules that only tests import. There are no doctests in them, and some would begin
    to work when they are imported.
    """
    return (
        True
        if collection_path.suffix == ".py"
        and not collection_path.name.startswith(("test_", "conftest"))
        else None
    )


STORES = tempfile.TemporaryDirectory(prefix="levolve-tests-", ignore_cleanup_errors=True)
atexit.register(STORES.cleanup)
os.environ["LEVOLVE_STORE"] = str(Path(STORES.name) / "runs.sqlite")

settings.register_profile(
    "levolve",
    max_examples=int(os.environ.get("LEVOLVE_EXAMPLES", "25")),
    deadline=None,
    derandomize=True,
    print_blob=False,
    database=None,
)
settings.load_profile("levolve")

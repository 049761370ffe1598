"""What all tests share.

How many examples hypothesis tries: `LEVOLVE_EXAMPLES`, 40 unless set. Always the same ones, so that a run can be repeated. Runs are stored in a
temporary file, never in the user's own store.
"""

import atexit
import os
import tempfile
from pathlib import Path

from hypothesis import settings

STORES = tempfile.TemporaryDirectory(prefix="levolve-tests-", ignore_cleanup_errors=True)
atexit.register(STORES.cleanup)
os.environ["LEVOLVE_STORE"] = str(Path(STORES.name) / "runs.sqlite")

settings.register_profile(
    "levolve", max_examples=int(os.environ.get("LEVOLVE_EXAMPLES", "40")), deadline=None, derandomize=True, print_blob=False, database=None
)
settings.load_profile("levolve")

"""How many examples hypothesis tries: `LEVOLVE_EXAMPLES`, 60 unless set. Always the same ones, so that a run can be repeated."""

import os

from hypothesis import settings

settings.register_profile(
    "levolve", max_examples=int(os.environ.get("LEVOLVE_EXAMPLES", "60")), deadline=None, derandomize=True, print_blob=False, database=None
)
settings.load_profile("levolve")

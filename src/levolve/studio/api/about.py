"""The version and the limits of the studio."""

from typing import Any

from fastapi import APIRouter

from levolve.studio.api.parts import RESPONSES, Runs
from levolve.studio.live_runs import MOST_RUNS
from levolve.version import VERSION

router = APIRouter(tags=["about"], responses=RESPONSES)


@router.get("/about")
def about(runs: Runs) -> dict[str, Any]:
    """Return the version, the store and the limits."""
    return {"version": VERSION, "store": str(runs.path), "most_runs": MOST_RUNS}

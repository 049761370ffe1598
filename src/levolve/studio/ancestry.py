"""The ancestors of the best level of a run as the page shows them."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from levolve.errors import LevolveError
from levolve.evolution.ancestors import Ancestor
from levolve.resuming import stored_job
from levolve.runs.run import Run
from levolve.runs.store.records import StoredRun
from levolve.runs.store.store import Store
from levolve.studio.shown import shown_rows

MOST_SHOWN = 24


def shown_ancestry(run: Run) -> list[dict[str, Any]] | None:
    """Return the ancestors of the best level, from the first to itself; None for a run that does not record them.

    Of a long line the first, the last, and those that gained most are shown. `births` counts the births since the one shown before, `changed` the
    cells in which both differ.
    """
    if not run.has_ancestry:
        return None
    line = run.ancestry
    places = chosen_places([ancestor.score for ancestor in line], MOST_SHOWN)
    batch = run.problem.batch(np.stack([line[place].genes for place in places]))
    tiles, tileset = batch.tiles, batch.tileset
    steps = [line[0].births, *(sum(ancestor.births for ancestor in line[before + 1 : place + 1]) for before, place in pairwise(places))]
    changed = [0, *np.count_nonzero(tiles[1:] != tiles[:-1], axis=(1, 2)).tolist()]
    return [
        {
            "generation": line[place].generation,
            "score": line[place].score,
            "operators": line[place].operators,
            "births": steps[index],
            "changed": changed[index],
            "mate": _mate(run, line[place]),
            "tileset": tileset.name,
            "rows": shown_rows(tiles[index], tileset),
        }
        for index, place in enumerate(places)
    ]


def chosen_places(scores: Sequence[float], most: int) -> list[int]:
    """Return the places of at most `most` ancestors in their order: the first, the last, and those that gained most.

    >>> chosen_places([1.0, 1.0, 5.0, 6.0, 6.0, 6.0], 4)
    [0, 2, 3, 5]
    """
    inner = range(1, len(scores) - 1)
    # Among equal gains the later ones, which are nearer to the best.
    gaining = sorted(inner, key=lambda place: (scores[place] - scores[place - 1], place), reverse=True)
    return sorted({0, len(scores) - 1, *gaining[: most - 2]})


def _mate(run: Run, ancestor: Ancestor) -> dict[str, Any] | None:
    """Return the second parent."""
    if ancestor.mate is None:
        return None
    batch = run.problem.batch(ancestor.mate[np.newaxis])
    return {"score": ancestor.mate_score, "tileset": batch.tileset.name, "rows": shown_rows(batch.tiles[0], batch.tileset)}


def stored_ancestry(store: Store, record: StoredRun) -> list[dict[str, Any]] | None:
    """Return the ancestors of the best level of a stored run, as of its last checkpoint; None if it does not record them."""
    if record.kind != Run.kind or not (record.call or {}).get("ancestry"):
        return None
    try:
        job = stored_job(store, record)
        return shown_ancestry(job) if isinstance(job, Run) and job.score is not None else None
    except LevolveError:
        return None

"""`levolve resume`: continue a stored run."""

from pathlib import Path
from typing import Annotated

import typer

from levolve.cli.jobs import Presenter, Store, carry_out
from levolve.cli.options import Cluster, Json, Quiet, Threads
from levolve.cli.report import Report
from levolve.registry import Registry

# How the command of each kind of job presents it.
PRESENTERS: Registry[Presenter] = Registry(
    "kind of job",
    {
        "evolve": "levolve.cli.evolve:EVOLVE",
        "evolve-content": "levolve.cli.evolve_content:EVOLVE_CONTENT",
        "pack": "levolve.cli.pack:PACK",
        "mixed-pack": "levolve.cli.pack:MIXED_PACK",
        "puzzle-pack": "levolve.cli.pack:PUZZLE_PACK",
        "illuminate": "levolve.cli.illuminate:ILLUMINATE",
        "compare": "levolve.cli.compare:COMPARE",
        "compare-sizes": "levolve.cli.compare_sizes:COMPARE_SIZES",
        "compare-illuminations": "levolve.cli.compare:COMPARE_ILLUMINATIONS",
        "range": "levolve.cli.range:RANGE",
        "meta": "levolve.cli.meta:META",
        "solve": "levolve.cli.solve:SOLVE",
        "map": "levolve.cli.map:TILES",
        "pcg-pack": "levolve.cli.pcg_pack:PCG_PACK",
    },
)
RunNumber = Annotated[str, typer.Argument(metavar="RUN", help="The number of a run (see 'levolve runs'), or 'last'.")]


def resume(
    run: RunNumber = "last",
    store: Store = None,
    cluster: Cluster = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Continue a run that was interrupted, and finish as its command would have: the same result, the same files.

    A run that has ended is shown again, without searching again. A run that the studio or Python
    began is printed; no file is written.
    """
    from levolve.runs.store.store import Store as RunStore

    with RunStore(_path(store), create=False) as opened:
        record = opened.find(run)
        json, quiet = json or bool(record.options.get("json")), quiet or bool(record.options.get("quiet"))
        presenter = PRESENTERS[record.kind]
        with Report(quiet=quiet) as report, report.watching_kernels():
            from levolve.resuming import reopen
            from levolve.runs.executors import work_pool

            with work_pool(threads, cluster) as pool:
                keeper = reopen(opened, record, pool)
                keeper.options = {**presenter.defaults, **record.options}
                written = carry_out(keeper, presenter, report)
    presenter.show(keeper.job, keeper.options, written, report, json=json)


def _path(store: Path | None) -> Path:
    from levolve.runs.store.places import default_path

    return default_path() if store is None else store

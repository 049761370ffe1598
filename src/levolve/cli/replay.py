"""`levolve replay`: regenerate a level and compare it."""

import json as json_text

from levolve.cli.options import Cluster, Json, LevelFile, Quiet, Threads
from levolve.cli.report import Report
from levolve.errors import LevolveError
from levolve.printable import one_line


def replay(file: LevelFile, cluster: Cluster = None, threads: Threads = None, json: Json = False, quiet: Quiet = False) -> None:
    """Regenerate the level of a file from its recipe and seed, and compare the bytes. For a level of a pack, the whole pack is regenerated."""
    with Report(quiet=quiet) as report, report.watching_kernels():
        from levolve.packs.replay import replay as replay_level
        from levolve.packs.switching import finish_switch
        from levolve.puzzles.files import load
        from levolve.runs.executors import work_pool

        finish_switch(file.parent)
        with work_pool(threads, cluster) as executor:
            result = replay_level(load(file), executor)
    if json:
        print(json_text.dumps(result.to_data(), indent=2))
    elif result.same:
        print(f"{one_line(file)}: regenerated, the same bytes ({result.level.digest})")
        if result.changes:
            print(one_line(f"  {result.changes}"))
    if not result.same:
        message = f"{file}: {result.difference}"
        raise LevolveError(message)

"""`levolve replay`: grow a level again and compare."""

import json as json_text

from levolve.cli.options import Json, LevelFile, Quiet, Threads
from levolve.cli.report import Report
from levolve.errors import InputError, LevolveError


def replay(file: LevelFile, threads: Threads = None, json: Json = False, quiet: Quiet = False) -> None:
    """Grow the level of a file again from its recipe and seed, and compare the bytes. A level of a pack is grown again with its whole pack."""
    from levolve.formats.files import load
    from levolve.levels.level import Level

    with Report(quiet=quiet) as report, report.watching_kernels():
        level = load(file)
        if not isinstance(level, Level):
            message = (
                f"{file}: expected a level, got a round of Reach the Flag; rounds hold no recipe and cannot be grown again, "
                "but 'levolve check' replays their solutions"
            )
            raise InputError(message)
        from levolve.packs.packing import grow_again
        from levolve.runs.executors import thread_pool

        with thread_pool(threads) as executor:
            again = grow_again(level, executor)
    same = again.digest == level.digest and again.solution == level.solution
    if json:
        print(json_text.dumps({"same": same, "digest": level.digest, "digest_again": again.digest}, indent=2))
    elif same:
        print(f"{file}: grown again, the same bytes ({level.digest})")
    if not same:
        grown_by = level.origin.version if level.origin else "an unknown version"
        message = (
            f"{file}: grown again, but the bytes differ: {level.digest} in the file, {again.digest} now; the file was written by levolve {grown_by}"
        )
        raise LevolveError(message)

"""Processes that write packs into the same folder while another reads it: every reader sees one
whole pack.
"""

import subprocess
import sys
import time
from pathlib import Path

from faults.preload import THOROUGH, fast_folder
from levolve.jobs.packs.check_pack import PackCheck, check_pack
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.replace_folder import write_folder
from levolve.levels.level import Level

__all__ = ["fast_folder"]

CHECKS = 1000 if THOROUGH else 40
# Writes packs of one and of three levels in turn, until it is killed.
WRITER = """
import sys
from pathlib import Path
from faults.test_races import pack_files
from levolve.jobs.packs.replace_folder import write_folder
files = pack_files()
for number in range(10**9):
    write_folder(Path(sys.argv[1]), files[number % 2])
    if number == 0:
        print("ready", flush=True)
"""


def pack_files() -> list[dict[str, bytes]]:
    """The files of a pack of three levels and of one of one level."""
    levels = tuple(
        Level.from_text(text).with_solution("rdrd")
        for text in ("S.#\n..1\n#.E", "S..\n...\n#.E", "S..\n#..\n..E")
    )
    return [Pack("race", levels, ()).files("json"), Pack("race", levels[1:2], ()).files("json,txt")]


def test_a_reader_sees_a_whole_pack_while_two_processes_replace_it(fast_folder: Path) -> None:
    folder = fast_folder / "pack"
    (fast_folder / "writer.py").write_text(
        f"import sys\nsys.path.insert(0, {str(Path(__file__).parent.parent)!r})\n{WRITER}"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, str(fast_folder / "writer.py"), str(folder)], stdout=subprocess.PIPE
        )
        for _ in range(2)
    ]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
        found: list[PackCheck] = []
        while len(found) < CHECKS or len({result.levels for result in found}) == 1:
            found.append(check_pack(folder))
            # Give the others a chance to take the lock.
            time.sleep(0.02)
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert [result.problems for result in found if not result.winnable] == []
    assert {result.levels for result in found} == {1, 3}
    assert check_pack(folder).winnable
    files = pack_files()[0]
    write_folder(folder, files)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files

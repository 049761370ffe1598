"""Maps in tiles that were stopped, torn or damaged: the same cells as without, and only what was
lost is made again.
"""

import errno
import os
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from levolve.core.errors import InputError, OutputError
from levolve.jobs.executors import thread_pool
from levolve.jobs.runs.world_jobs import MapJob
from levolve.worlds import tiling
from levolve.worlds.rule import Map, Rule
from levolve.worlds.tile_file import Box
from levolve.worlds.tiling import Area, array_tiles, plan_tiles, write_array
from levolve.worlds.world import World

WORLD = World(Rule([[0, 0.5], [0.2, 0.6]]), seed=5, updates=3)
OTHER = World(Rule([[0, 0.5], [0.2, 0.6]]), seed=6, updates=3)
AREA: Area = (3, 4, 80, 60)
TILE = 32
TILES = 6


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Box]:
    """The tiles that are computed."""
    boxes: list[Box] = []
    usual = tiling._window

    def counted(world: World, area: Area, box: Box) -> tuple[Box, Map]:
        boxes.append(box)
        return usual(world, area, box)

    monkeypatch.setattr(tiling, "_window", counted)
    return boxes


def begun(path: Path, world: World = WORLD, tiles: int = 4) -> tuple[Path, Path]:
    """Write some tiles of a map and stop; the part and its journal."""
    events = array_tiles(world, path, AREA, tile=TILE)
    assert [event.done for event in islice(events, tiles + 1)][-1] == tiles
    events.close()  # type: ignore[attr-defined] # a generator
    return path.with_name(path.name + ".part"), path.with_name(path.name + ".part.done")


def assert_continues(path: Path, made: list[Box], again: int) -> None:
    """Check that so many tiles are made, that the map has the right cells, and that nothing is left
    beside it.
    """
    made.clear()
    write_array(WORLD, path, AREA, tile=TILE)
    assert len(made) == again
    assert np.array_equal(np.load(path), WORLD.window(*AREA))
    assert list(path.parent.iterdir()) == [path]


def test_the_file_is_the_one_that_numpy_writes(tmp_path: Path) -> None:
    write_array(WORLD, tmp_path / "a.npy", AREA, tile=TILE)
    np.save(tmp_path / "b.npy", WORLD.window(*AREA))
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()


def test_whole_tiles_are_not_made_again(tmp_path: Path, made: list[Box]) -> None:
    begun(tmp_path / "a.npy")
    assert_continues(tmp_path / "a.npy", made, TILES - 4)


def test_a_journal_torn_anywhere_loses_only_the_entries_behind(
    tmp_path: Path, made: list[Box]
) -> None:
    path = tmp_path / "a.npy"
    part, journal = begun(path)
    cells, entries = part.read_bytes(), journal.read_bytes()
    for length in (*range(0, len(entries), 23), len(entries) - 1):
        part.write_bytes(cells)
        journal.write_bytes(entries[:length])
        lines = max(entries[: length + 1].count(b"\n") - 1, 0) if length < len(entries) - 1 else 4
        assert_continues(path, made, TILES - lines)
        path.unlink()


def test_cells_that_are_not_those_that_were_written_are_made_again(
    tmp_path: Path, made: list[Box]
) -> None:
    path = tmp_path / "a.npy"
    part, _ = begun(path)
    cells = bytearray(part.read_bytes())
    cells[-AREA[2] * AREA[3] + 5] ^= 1
    part.write_bytes(cells)
    assert_continues(path, made, TILES - 4 + 1)


def test_an_entry_under_another_number_is_not_believed(tmp_path: Path, made: list[Box]) -> None:
    path = tmp_path / "a.npy"
    _, journal = begun(path)
    identity, first, *rest = journal.read_text().splitlines()
    journal.write_text(
        "\n".join([identity, first.replace("0 ", "5 ", 1), "99999 0", "-1 0", "²2 0", *rest]) + "\n"
    )
    assert_continues(path, made, TILES - 4 + 1)


@pytest.mark.parametrize(
    "damage",
    [
        "another map",
        "another part",
        "shorter",
        "longer",
        "another header",
        "no part",
        "no journal",
        "binary",
    ],
)
def test_a_part_that_does_not_belong_to_the_map_is_made_again(
    tmp_path: Path, made: list[Box], damage: str
) -> None:
    path = tmp_path / "a.npy"
    part, journal = begun(path)
    other, foreign = begun(tmp_path / "other.npy", OTHER)
    cells = part.read_bytes()
    match damage:
        case "another map":
            other.replace(part)
            foreign.replace(journal)
        case "another part":
            other.replace(part)
        case "shorter":
            part.write_bytes(cells[:-1])
        case "longer":
            part.write_bytes(cells + b"0")
        case "another header":
            part.write_bytes(cells.replace(b"|u1", b"|i1"))
        case "no part":
            part.unlink()
        case "no journal":
            journal.unlink()
        case "binary":
            journal.write_bytes(b"\xff\x00\n" * 9)
    for leftover in (other, foreign):
        leftover.unlink(missing_ok=True)
    assert_continues(path, made, TILES)


def test_without_room_on_the_disk_the_path_is_named_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (tmp_path / "a.npy").write_bytes(b"old")
    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(
        OutputError,
        match=(
            r"output .*a.npy: cannot be written: No space left on device \(4,928 bytes are "
            r"needed\)$"
        ),
    ):
        write_array(WORLD, tmp_path / "a.npy", AREA, tile=TILE)
    assert [path.name for path in tmp_path.iterdir()] == ["a.npy"]
    assert (tmp_path / "a.npy").read_bytes() == b"old"


def test_room_is_taken_where_the_system_cannot_promise_it(
    tmp_path: Path, made: list[Box], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "posix_fallocate")
    assert_continues(tmp_path / "a.npy", made, TILES)


# A folder has an event for each of its three levels before it goes on.
@pytest.mark.parametrize(("name", "most"), [("a.npy", 3), ("folder", 6)])
def test_a_map_in_tiles_is_a_job_that_continues_to_the_same_bytes(
    tmp_path: Path, name: str, most: int
) -> None:
    def files(folder: Path) -> dict[str, bytes]:
        return {
            str(path.relative_to(folder)): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }

    whole, turn = (
        MapJob(
            plan_tiles("spirals", tmp_path / "whole" / name, size="1100x1030", seed=3, updates=2)
        ),
        0,
    )
    whole.finish()
    job = MapJob(
        plan_tiles("spirals", tmp_path / "parts" / name, size="1100x1030", seed=3, updates=2)
    )
    with thread_pool(2) as executor:
        while True:
            events = job.events()
            if len(list(islice(events, most))) < most:
                break
            events.close()  # type: ignore[attr-defined] # a generator
            turn += 1
            state, job = job.state(), MapJob.from_call(job.call(), executor if turn % 2 else None)
            job.restore(state)
    assert turn > 1
    assert files(tmp_path / "parts") == files(tmp_path / "whole")
    assert (job.progress, list(job.events())) == (1.0, [])
    assert job.result.to_data()["tiles"] == str(tmp_path / "parts" / name)
    with pytest.raises(InputError, match="got that of another job"):
        whole.restore(job.state())


def test_a_picture_tile_that_is_torn_is_made_again(tmp_path: Path) -> None:
    plan = plan_tiles("spirals", tmp_path / "map", size="600x600", seed=3, updates=2)
    list(plan.events())
    tile = tiling.tile_path(tmp_path / "map", 0, 1, 0)
    content = tile.read_bytes()
    for damaged in (content[:-9], content[:60] + b"?" + content[61:], b""):
        tile.write_bytes(damaged)
        list(plan.events())
        assert tile.read_bytes() == content
    (tmp_path / "map" / "index.json").write_text("[")
    with pytest.raises(OutputError, match="holds the tiles of another map"):
        list(plan.events())

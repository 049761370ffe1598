"""A world has no edge: a window is the same whichever larger window it is cut from."""

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from levolve.core.errors import InputError, LevolveError
from levolve.core.events import Event
from levolve.worlds import tiling
from levolve.worlds.legend import PALETTES
from levolve.worlds.rule import Rule
from levolve.worlds.shipped import find_designs
from levolve.worlds.tile_file import Box
from levolve.worlds.tiling import TilesWritten, tile_path, write_array, write_pyramid, write_tiles
from levolve.worlds.world import World

WORLD = World(find_designs("spirals")[0].rule, seed=5, updates=6)
BITS = World(Rule([[0, 0.5], [0.2, 0.6]]), seed=5, updates=3)
FAR = 2**61


@pytest.mark.parametrize(
    "world",
    [
        WORLD,
        BITS,
        World(Rule([[0, 2, 1], [1, 0, 2], [2, 1, 0]], [(2, 0), (0, -1)]), 1, 2, weights=[1, 2, 3]),
    ],
)
def test_a_thousand_windows_agree_with_one_big_window(world: World) -> None:
    big = world.window(-60, 100, 160, 120)
    random = np.random.default_rng(3)
    for _ in range(1000):
        x, y = int(random.integers(0, 150)), int(random.integers(0, 110))
        width, height = (
            int(random.integers(1, 161 - x)) // 8 + 1,
            int(random.integers(1, 121 - y)) // 8 + 1,
        )
        assert np.array_equal(
            world.window(x - 60, y + 100, width, height), big[y : y + height, x : x + width]
        )


def test_windows_far_away_are_windows_like_any_other() -> None:
    big = WORLD.window(FAR, -FAR, 50, 40)
    assert np.array_equal(WORLD.window(FAR + 10, -FAR + 20, 30, 15), big[20:35, 10:40])
    assert not np.array_equal(big, WORLD.window(0, 0, 50, 40))
    for corner in (2**62, -(2**62)):
        assert WORLD.window(corner, corner, 3, 2).shape == (2, 3)
    assert not np.array_equal(
        World(WORLD.rule, 6, 6).window(0, 0, 40, 40), WORLD.window(0, 0, 40, 40)
    ), "another seed is another world"


def test_a_window_is_what_its_rule_makes_of_its_start() -> None:
    start = World(WORLD.rule, 5, 0).window(-12, -12, 60, 60)
    assert np.array_equal(WORLD.rule.run(start, 6)[12:-12, 12:-12], WORLD.window(0, 0, 36, 36))


def test_a_smaller_scale_shows_the_most_common_state_of_each_block() -> None:
    whole = WORLD.window(7, -9, 60, 40)
    small = WORLD.window(7, -9, 15, 10, scale=4)
    blocks = whole.reshape(10, 4, 15, 4).swapaxes(1, 2).reshape(10, 15, 16)
    for row in range(10):
        for column in range(15):
            assert small[row, column] == np.bincount(blocks[row, column]).argmax()


def test_large_windows_are_made_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, small = BITS.window(3, 4, 150, 130), BITS.window(3, 4, 40, 30, scale=3)
    monkeypatch.setattr("levolve.worlds.world.PIECE", 50 * 50)
    assert np.array_equal(BITS.window(3, 4, 150, 130), whole)
    assert np.array_equal(BITS.window(3, 4, 40, 30, scale=3), small)


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_an_array_written_by_tiles_is_the_window(tmp_path: Path, workers: int) -> None:
    area = (-20, 30, 100, 70)
    path = tmp_path / "world.npy"
    if workers:
        with ThreadPoolExecutor(workers) as executor:
            write_array(WORLD, path, area, tile=32, executor=executor)
    else:
        write_array(WORLD, path, area, tile=32)
    assert np.array_equal(np.load(path), WORLD.window(*area))
    assert [file.name for file in tmp_path.iterdir()] == ["world.npy"]


def test_an_array_that_was_stopped_goes_on_where_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    area, path = (0, 0, 100, 70), tmp_path / "world.npy"

    def stop(event: Event) -> None:
        assert isinstance(event, TilesWritten)
        assert event.total == 12
        if event.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_array(WORLD, path, area, tile=32, watch=stop)
    assert not path.exists()
    made: list[tuple[int, int, int, int]] = []
    usual = tiling._window

    def counted(world: World, area: tiling.Area, box: Box) -> tuple[Box, np.ndarray]:
        made.append(box)
        return usual(world, area, box)

    monkeypatch.setattr(tiling, "_window", counted)
    write_array(WORLD, path, area, tile=32)
    assert len(made) == 7
    assert np.array_equal(np.load(path), WORLD.window(*area))


def test_a_part_of_another_world_is_not_gone_on_with(tmp_path: Path) -> None:
    area, path = (0, 0, 64, 64), tmp_path / "world.npy"

    def stop(event: Event) -> None:
        if event.to_data()["done"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_array(BITS, path, area, tile=32, watch=stop)
    write_array(World(BITS.rule, 6, 3), path, area, tile=32)
    assert np.array_equal(np.load(path), World(BITS.rule, 6, 3).window(*area))


def test_tiles_are_the_same_from_a_pool_of_processes_and_each_is_reported(tmp_path: Path) -> None:
    events: list[Event] = []
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        written = write_tiles(
            "spirals",
            tmp_path / "far",
            size="700x600",
            seed=3,
            updates=2,
            executor=executor,
            watch=events.append,
        )
    write_tiles("spirals", tmp_path / "near", area=(0, 0, 700, 600), seed=3, updates=2)
    files = [
        {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}
        for folder in (tmp_path / "far", tmp_path / "near")
    ]
    assert files[0] == files[1]
    assert written.to_data() == {
        "rule": "spirals",
        "seed": 3,
        "area": [0, 0, 700, 600],
        "tiles": str(tmp_path / "far"),
    }
    assert events[-1].to_data() == {"event": "tiles_written", "done": 5, "total": 5}
    with pytest.raises(InputError, match="size: cannot be used together with area"):
        write_tiles("spirals", tmp_path / "far", size="700x600", area=(0, 0, 7, 6))


def test_a_pyramid_has_every_level_and_goes_on_where_it_was(tmp_path: Path) -> None:
    area, palette = (5, 6, 150, 100), PALETTES["source"]
    write_pyramid(WORLD, tmp_path / "a", area, palette, tile=32)
    files = {
        path.relative_to(tmp_path / "a"): path.read_bytes()
        for path in (tmp_path / "a").rglob("*.*")
    }
    assert len(files) == 1 + 5 * 4 + 3 * 2 + 2 * 1 + 1
    whole = WORLD.window(*area)
    with Image.open(tile_path(tmp_path / "a", 0, 1, 2)) as image:
        assert np.array_equal(np.array(image), whole[64:96, 32:64])
    with Image.open(tile_path(tmp_path / "a", 3, 0, 0)) as image:
        assert image.size == (19, 13)
    lost = tile_path(tmp_path / "a", 0, 4, 3)
    lost.unlink()
    with ThreadPoolExecutor(2) as executor:
        write_pyramid(WORLD, tmp_path / "a", area, palette, tile=32, executor=executor)
    assert {
        path.relative_to(tmp_path / "a"): path.read_bytes()
        for path in (tmp_path / "a").rglob("*.*")
    } == files
    with pytest.raises(LevolveError, match="another map"):
        write_pyramid(World(WORLD.rule, 6, 6), tmp_path / "a", area, palette, tile=32)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((2**63, 0, 1, 1), "x"),
        ((0, 0, 0, 1), "width"),
        ((0, 0, 1, -1), "height"),
        ((0, 0, 1, 1, 0), "scale"),
        ((0, 1.5, 1, 1), "y"),
    ],
)
def test_windows_that_are_none_are_refused(arguments: tuple[int, ...], named: str) -> None:
    with pytest.raises(InputError, match=f"^{named}: expected"):
        WORLD.window(*arguments)


def test_a_world_can_be_sent_to_another_process() -> None:
    sent = pickle.loads(pickle.dumps(BITS))
    assert np.array_equal(sent.window(3, 4, 20, 10), BITS.window(3, 4, 20, 10))


def test_worlds_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="torus"):
        World(Rule([[0, 1], [1, 0]], border="bounded"))
    with pytest.raises(InputError, match="seed"):
        World(WORLD.rule, seed=-1)
    with pytest.raises(InputError, match="rule"):
        World("spirals")  # type: ignore[arg-type]

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from levolve.jobs.packs.objective import images_of
from levolve.kernels.bits.packed_flood import pack_rows
from levolve.kernels.variation.distances import (
    digest_words,
    lacking_tiles,
    lacking_words,
    merge_rows,
)
from oracles import distinctness as twin

Levels = list[list[list[int]]]


@st.composite
def crowds(draw: st.DrawFn, kinds: int) -> tuple[Levels, Levels]:
    """Some levels and some that are taken: small, so that equal ones and images of each other come
    about.
    """
    width, height = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    level = st.lists(
        st.lists(st.integers(0, kinds - 1), min_size=width, max_size=width),
        min_size=height,
        max_size=height,
    )
    taken = draw(st.lists(level, max_size=4))
    some = draw(st.lists(level, min_size=1, max_size=3))
    return some + [image for other in taken for image in twin.images(other)][:3], taken


def as_tiles(levels: Levels, like: Levels) -> np.ndarray:
    return np.array(levels, np.uint8).reshape(len(levels), len(like[0]), len(like[0][0]))


@given(crowds(2), st.integers(1, 20))
def test_what_packed_levels_lack_is_what_the_twin_counts(
    drawn: tuple[Levels, Levels], least: int
) -> None:
    some, taken = drawn
    tiles = [as_tiles(some, some), as_tiles(taken, some)]
    tiles.append(images_of(tiles[1]))
    width = tiles[0].shape[2]
    words = []
    for part in tiles:
        rows = np.empty(part.shape[:2], np.uint64)
        pack_rows(part, rows)
        # Words that hold two rows each, as if levels were 32 wide.
        merged = np.empty((len(part), -(-part.shape[1] // 2)), np.uint64)
        merge_rows(rows, 32, merged)
        apart = [
            [(int(word) >> shift) & (2**width - 1) for word in level for shift in (0, 32)][
                : part.shape[1]
            ]
            for level in merged
        ]
        assert np.array_equal(np.array(apart, np.uint64).reshape(rows.shape), rows)
        words.append(merged)
    digests = np.empty(len(words[2]), np.uint64)
    digest_words(words[2], digests)
    digests.sort()
    lacking = np.full(len(some), -99, np.int64)
    lacking_words(words[0], np.ascontiguousarray(words[1].T), words[2], digests, least, lacking)
    assert lacking.tolist() == [twin.lacking(level, taken, least) for level in some]


@given(crowds(6), st.integers(1, 20))
def test_what_tiles_of_any_kind_lack_is_what_the_twin_counts(
    drawn: tuple[Levels, Levels], least: int
) -> None:
    some, taken = drawn
    tiles = [as_tiles(some, some), as_tiles(taken, some)]
    tiles.append(images_of(tiles[1]))
    flat = [
        np.ascontiguousarray(part.reshape(len(part), part.shape[1] * part.shape[2]))
        for part in tiles
    ]
    lacking = np.full(len(some), -99, np.int64)
    lacking_tiles(flat[0], flat[1], flat[2], least, lacking)
    assert lacking.tolist() == [twin.lacking(level, taken, least) for level in some]

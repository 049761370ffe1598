"""Packs from archives: targets, distinctness and curve hold."""

import pytest

import levolve
from levolve.jobs.archives.archive import Archive
from levolve.jobs.packs.pick import pick_pack


@pytest.fixture(scope="module")
def archive() -> Archive:
    return levolve.illuminate("maze", size=(10, 10), grid="20x20", evaluations=8000, seed=4)


def test_levels_meet_targets_and_differ(archive: Archive) -> None:
    made = pick_pack(
        archive, count=6, target={"exit_path": (22, 34)}, distinct=0.2, curve="easy..hard"
    )
    assert made.report.met
    measured = levolve.measure(made.levels)
    assert ((measured["exit_path"] >= 22) & (measured["exit_path"] <= 34)).all()
    assert measured["difficulty"].tolist() == sorted(measured["difficulty"])
    assert all(
        (one.tiles != other.tiles).mean() >= 0.2
        for i, one in enumerate(made.levels)
        for other in made.levels[:i]
    )
    assert set(made.levels) <= set(archive.levels)


def test_what_the_archive_lacks_is_reported(archive: Archive) -> None:
    made = pick_pack(
        archive, count=3, target={"exit_path": (20, 20), "walls": (58, 60)}, distinct=0.4
    )
    assert not made.report.met
    assert "the archive has no other level" in made.parts[0].missed[0].reason

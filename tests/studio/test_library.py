"""Measures of levels that the studio remembers."""

import pytest

import levolve
from levolve.jobs.packs.members import Item, Member, member_of
from levolve.studio import library


def test_the_measures_that_were_used_least_recently_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured: list[str] = []

    def counted(item: Item) -> Member:
        measured.append(item.digest)
        return member_of(item)

    monkeypatch.setattr(library, "member_of", counted)
    monkeypatch.setattr(library, "MOST_MEASURED", 2)
    known = library.KnownMeasures()
    one, two, three = (
        levolve.Level.from_text(text) for text in ("S.\n.E", "S..\n..E", "S...\n...E")
    )
    for level in (one, two, one, three, one, three):
        assert known.of(level)["exit_path"] == level.tiles.shape[1]
    assert measured == [one.digest, two.digest, three.digest], "those that are used stay"
    known.of(two)
    assert measured[3:] == [two.digest], "the one that was not used for longest was forgotten"

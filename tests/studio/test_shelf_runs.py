"""Packs, maps and other runs are on the shelf too: found, opened, and downloaded as the command
line writes them.
"""

import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import levolve
from levolve.jobs.archives.archive import Archive
from levolve.jobs.archives.files import load_archive
from levolve.jobs.packs.pack import Pack
from levolve.jobs.packs.webpage import FILES, archive_file
from levolve.jobs.replay import replay
from studio.pages import opened
from studio.server import Studio, running_studio

MAP, PACK, RUN = 1, 2, 3


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Archive, Pack]:
    """A store with a map, a pack and a run, as the library fills it."""
    store = tmp_path_factory.mktemp("work") / "runs.sqlite"
    archive = levolve.illuminate(
        "maze",
        axes="walls,exit_path",
        grid="12x12",
        evaluations=3000,
        size=(9, 9),
        seed=5,
        store=store,
    )
    pack = levolve.pack("labyrinth", count=3, size=(9, 9), seed=2, store=store)
    levolve.evolve("castle", size=(15, 11), generations=3, seed=1, store=store)
    return store, archive, pack


@pytest.fixture(scope="module")
def studio(work: tuple[Path, Archive, Pack]) -> Iterator[Studio]:
    """A studio with that store."""
    with running_studio(work[0]) as started:
        yield started


@pytest.mark.parametrize(
    ("shelf", "query", "found"),
    [
        ("packs", "", [PACK]),
        ("maps", "", [MAP]),
        ("runs", "", [RUN]),
        ("maps", "search=maze illuminate", [MAP]),
        ("maps", "search=labyrinth", []),
        ("packs", "recipe=labyrinth", [PACK]),
        ("packs", "recipe=maze", []),
        ("maps", "measure=walls&least=30&most=40", [MAP]),
        ("maps", "measure=exit_path&least=1000", []),
        ("packs", "measure=exit_path&least=1&most=100", [PACK]),
        ("runs", "measure=exit_path&least=1000", []),
    ],
)
def test_packs_maps_and_runs_are_found(
    studio: Studio, shelf: str, query: str, found: list[int]
) -> None:
    listed = studio.json("GET", f"/api/shelf/{shelf}?{query.replace(' ', '%20')}")
    assert [entry["id"] for entry in listed["entries"]] == found
    assert listed["total"] == len(found)


def test_the_levels_of_a_map_are_listed_the_best_first(
    studio: Studio, work: tuple[Path, Archive, Pack]
) -> None:
    archive = work[1]
    listed = studio.json("GET", f"/api/shelf?run={MAP}")
    assert listed["total"] == len(archive.levels)
    assert [entry["digest"] for entry in listed["levels"]] == [
        level.digest for level in archive.levels
    ][: listed["per_page"]]
    some = studio.json("GET", f"/api/shelf?run={MAP}&measure=walls&least=30&most=32")["levels"]
    assert some
    assert all(30 <= entry["measures"]["walls"] <= 32 for entry in some)
    # Elsewhere, a map does not hide the levels that were made one by one.
    assert studio.json("GET", "/api/shelf")["total"] == 4


def test_a_level_of_a_map_knows_where_it_comes_from(
    studio: Studio, work: tuple[Path, Archive, Pack], tmp_path: Path
) -> None:
    archive = work[1]
    cells = archive.cells.tolist()
    for cell in (cells[0], cells[len(cells) // 2]):
        _, content, _ = studio.request("GET", f"/api/levels/cell-{MAP}-{cell}/file?format=json")
        path = tmp_path / f"{cell}.json"
        path.write_bytes(content)
        level = levolve.load(path)
        assert level.origin is not None
        assert level.origin.seed == 5
        assert replay(level).same
    kept = studio.json(
        "POST", "/api/shelf", {"level": f"cell-{MAP}-{cells[0]}", "name": "from a map"}
    )["id"]
    path.write_bytes(studio.request("GET", f"/api/levels/kept-{kept}/file?format=json")[1])
    assert levolve.load(path).origin == archive.level(cells[0]).origin
    studio.json("DELETE", f"/api/shelf/{kept}")


def test_a_map_is_downloaded_as_the_command_line_writes_it(
    studio: Studio, work: tuple[Path, Archive, Pack], tmp_path: Path
) -> None:
    archive = work[1]
    status, content, headers = studio.request("GET", f"/api/runs/{MAP}/archive/file")
    assert (status, headers["content-disposition"]) == (
        200,
        f'attachment; filename="levolve-map-{MAP}.zip"',
    )
    with zipfile.ZipFile(BytesIO(content)) as files:
        assert set(files.namelist()) == set(FILES)
        files.extractall(tmp_path)
    assert load_archive(tmp_path).digest == archive.digest
    for suffix in ("html", "png", "npz", "json", "csv"):
        name = next(name for name in FILES if name.endswith(suffix))
        assert (
            studio.request("GET", f"/api/runs/{MAP}/archive/file?format={suffix}")[1]
            == archive_file(archive, name)
            == (tmp_path / name).read_bytes()
        )
    assert studio.request("GET", f"/api/runs/{MAP}/archive.png")[1].startswith(b"\x89PNG")
    assert studio.request("GET", f"/api/runs/{RUN}/archive/file")[0] == 400


def test_a_pack_is_downloaded_as_the_command_line_writes_it(
    studio: Studio, work: tuple[Path, Archive, Pack]
) -> None:
    status, content, _ = studio.request("GET", f"/api/runs/{PACK}/pack?formats=json,png,tmx")
    assert status == 200, content
    with zipfile.ZipFile(BytesIO(content)) as files:
        assert {name: files.read(name) for name in files.namelist()} == work[2].files(
            "json,png,tmx"
        )
    assert studio.request("GET", f"/api/runs/{MAP}/pack")[0] == 400


def test_a_map_is_opened_and_two_of_its_levels_compared(
    browser: Any, studio: Studio, tmp_path: Path
) -> None:
    with opened(browser, studio) as page:
        page.goto(f"{studio.base}/#/shelf")
        page.get_by_role("link", name="Maps", exact=True).click()
        expect(page.locator(".shelf li")).to_have_count(1)
        expect(page.locator(".shelf img")).to_have_js_property("complete", value=True)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download maze").click()
        assert download.value.suggested_filename == f"levolve-map-{MAP}.zip"
        page.get_by_role("link", name="Levels of maze").click()
        page.locator("#measure").select_option("walls")
        page.locator("#least").fill("30")
        page.locator("#most").fill("32")
        expect(page.get_by_role("status")).to_contain_text("level")
        page.locator(".shelf li").filter(has_text="walls 31").first.wait_for()
        expect(page.locator(".shelf li").filter(has_text="walls 33")).to_have_count(0)
        page.locator("#format").select_option("tmx")
        with page.expect_download() as download:
            page.locator(".shelf").get_by_role("button", name="Download").first.click()
        download.value.save_as(tmp_path / "level.zip")
        assert any(
            name.endswith(".tmx") for name in zipfile.ZipFile(tmp_path / "level.zip").namelist()
        )
        for choice in page.locator(".shelf input[type=checkbox]").all()[:2]:
            choice.check()
        page.get_by_role("link", name="Compare the two").click()
        expect(page.locator(".measures tbody tr").first).to_be_visible()
        expect(page.locator(".pair figcaption").first).to_contain_text(f"map {MAP}, cell")


def test_a_pack_is_opened_with_its_levels(browser: Any, studio: Studio) -> None:
    with opened(browser, studio) as page:
        page.goto(f"{studio.base}/#/shelf/packs")
        page.get_by_role("link", name="Open labyrinth").click()
        expect(page.locator(".shelf li")).to_have_count(3)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download the pack").click()
        assert download.value.suggested_filename == f"levolve-pack-{PACK}.zip"

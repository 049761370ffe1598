"""Browsers and the token: the cookie is useless elsewhere, --open hides the token, a restart is
explained.
"""

import os
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from levolve.studio.guard import OVERLAP_SECONDS, RENEWAL_SECONDS, Logins
from studio.server import SECONDS, Studio, running_studio


def cookie_of(studio: Studio) -> tuple[str, str]:
    name, _, value = (
        studio.raw("GET", f"/?token={studio.token}")
        .headers["set-cookie"]
        .split(";")[0]
        .partition("=")
    )
    return name, value


def asked(studio: Studio, path: str = "/api/about", **headers: str) -> int:
    return studio.request("GET", path, headers={"X-Levolve-Token": "", **headers})[0]


def test_the_cookie_is_no_token_and_the_token_no_cookie(studio: Studio) -> None:
    name, value = cookie_of(studio)
    assert studio.token not in value
    assert asked(studio, Cookie=f"{name}={value}") == 200
    assert asked(studio, Cookie=f"{name}={studio.token}") == 401
    assert studio.request("GET", "/api/about", headers={"X-Levolve-Token": value})[0] == 401
    assert asked(studio, f"/?token={value}") == 401
    assert cookie_of(studio)[1] != value


def test_the_cookie_of_one_studio_is_not_accepted_by_another(
    studio: Studio, tmp_path: Path
) -> None:
    (name, value), port = cookie_of(studio), studio.base.rpartition(":")[2]
    with running_studio(tmp_path / "runs.sqlite") as other:
        own = name.replace(port, other.base.rpartition(":")[2])
        assert own != name
        for sent in (f"{name}={value}", f"{own}={value}"):
            assert asked(other, Cookie=sent) == 401
        assert other.request("GET", "/api/about", headers={"X-Levolve-Token": value})[0] == 401
        assert asked(other, f"/?token={value}") == 401


def test_a_session_value_is_replaced_and_soon_refused() -> None:
    now = [0.0]
    logins = Logins(lambda: now[0])
    value = logins.issue()
    assert logins.renewed(value) is None
    now[0] = RENEWAL_SECONDS
    successor = logins.renewed(value)
    assert successor is not None
    assert logins.renewed(value) == successor, "requests that are under way receive the same one"
    assert logins.accepts(value)
    now[0] += OVERLAP_SECONDS
    assert not logins.accepts(value)
    assert logins.accepts(successor)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")
def test_open_hides_the_token_from_command_lines(browser: Any, tmp_path: Path) -> None:
    called = tmp_path / "called"
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\nprintf %s "$1" > {called}.part && mv {called}.part {called}\n')
    script.chmod(0o700)
    environment = {**os.environ, "BROWSER": f"{script} %s"}
    command = [
        sys.executable,
        "-m",
        "levolve",
        "studio",
        "--open",
        "--store",
        str(tmp_path / "runs.sqlite"),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            token = address.rpartition("=")[2]
            limit = time.monotonic() + SECONDS
            while not called.exists() and time.monotonic() < limit:
                time.sleep(0.05)
            given = called.read_text()
            assert given.startswith("file://")
            assert token not in given
            file = Path(given.removeprefix("file://"))
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
            assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
            context = browser.new_context()
            page = context.new_page()
            page.goto(given)
            expect(page.locator("#tabs a").first).to_be_visible()
            assert token not in page.url
            (cookie,) = context.cookies(page.url)
            assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
            assert token not in cookie["value"]
            assert not file.parent.exists(), "it is removed when it has been used"
            context.close()
        finally:
            process.terminate()
            process.wait(SECONDS)


def test_the_file_of_open_is_removed_at_the_end(tmp_path: Path) -> None:
    environment = {**os.environ, "BROWSER": "true %s", "TMPDIR": str(tmp_path)}
    command = [
        sys.executable,
        "-m",
        "levolve",
        "studio",
        "--open",
        "--store",
        str(tmp_path / "runs.sqlite"),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert list(tmp_path.glob("levolve-studio-*"))
        process.terminate()
        process.wait(SECONDS)
    assert not list(tmp_path.glob("levolve-studio-*"))


def test_after_a_restart_an_open_page_says_what_to_do_and_works_again(
    browser: Any, tmp_path: Path
) -> None:
    store = tmp_path / "runs.sqlite"
    context = browser.new_context()
    page = context.new_page()
    with running_studio(store) as first:
        port = first.base.rpartition(":")[2]
        page.goto(first.address)
        expect(page.locator("#tabs a").first).to_be_visible()
    with running_studio(store, port) as second:
        assert second.base == first.base
        page.get_by_role("link", name="Watch").first.click()
        expect(page.locator("#ended")).to_contain_text("printed")
        page.reload()
        expect(page.get_by_role("heading")).to_have_text("levolve studio")
        expect(page.locator("p")).to_contain_text("started again")
        # Also an address that was remembered with the old token.
        page.goto(first.address)
        expect(page.locator("p")).to_contain_text("started again")
        page.goto(f"{first.base}/#/watch")
        other = context.new_page()
        other.goto(second.address)
        expect(other.locator("#tabs a").first).to_be_visible()
        page.reload()
        expect(page.locator("#tabs a").first).to_be_visible()
    context.close()


def test_two_studios_are_open_in_one_browser(browser: Any, studio: Studio, tmp_path: Path) -> None:
    context = browser.new_context()
    with running_studio(tmp_path / "runs.sqlite") as other:
        pages = []
        for one in (studio, other):
            pages.append(context.new_page())
            pages[-1].goto(one.address)
        for page in pages:
            page.reload()
            expect(page.locator("#tabs a").first).to_be_visible()
        # The page of one is another origin for the other: its requests do not arrive.
        found = pages[0].request.get(
            f"{other.base}/api/about", headers={"Sec-Fetch-Site": "same-site"}
        )
        assert found.status == 403
    context.close()

"""Browsers and the token: servers on other ports receive nothing of use, --open hides the token, a
restart is explained.
"""

import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from studio.server import SECONDS, Studio, running_studio

# What a page on another port of this computer finds out about the studio at an address.
SPY = """async (base) => {
  const found = {kept: {...localStorage, ...sessionStorage}, cookie: document.cookie};
  for (const [path, method] of [["/", "GET"], ["/api/about", "GET"], ["/api/runs/1", "DELETE"]]) {
    const options = {method, credentials: "include"};
    found[method + path] = await fetch(base + path, options).then(a => a.text()).catch(() => null);
  }
  return found;
}"""
MINE = "fetch('/api/runs').then(answer => answer.status)"


class Stranger(ThreadingHTTPServer):
    """A server of somebody else on another port, which keeps the headers that browsers send."""

    def __init__(self) -> None:
        captured: list[dict[str, str]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                captured.append(dict(self.headers))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Set-Cookie", "seen=1; Path=/")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>x</title>")

            def log_message(self, *_: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.captured = captured


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    with Stranger() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def shows_rooms(page: Page) -> None:
    """Check that the page has the data of its room, not only its frame."""
    expect(page.locator("#theme option").first).to_be_attached()
    expect(page.locator("#ended")).to_be_hidden()


def test_a_server_on_another_port_can_repeat_nothing(
    browser: Any, studio: Studio, stranger: Stranger
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(studio.address)
    shows_rooms(page)
    assert context.cookies() == []
    port = stranger.server_address[1]
    for name in ("127.0.0.1", "localhost"):
        page.goto(f"http://{name}:{port}/")
        found = page.evaluate(SPY, studio.base)
        assert found.pop("kept") == {}
        assert found.pop("cookie") == "seen=1"
        assert set(found.values()) == {None}
    assert len(stranger.captured) >= 2
    for headers in stranger.captured:
        assert studio.token not in str(headers)
        repeated = {**headers, "Host": studio.base.removeprefix("http://"), "X-Levolve-Token": ""}
        for method, path in (("GET", "/api/runs"), ("DELETE", "/api/runs/1")):
            for given in (repeated, {**repeated, "Origin": studio.base}):
                own = {**given, "Sec-Fetch-Site": "same-origin"}
                assert studio.request(method, path, headers=own)[0] == 401
    # The cookie of the other server comes along, and changes nothing.
    page.goto(f"{studio.base}/#/watch")
    shows_rooms(page)
    context.close()


def test_a_page_is_reloaded_and_opened_in_a_second_tab_without_the_token(
    browser: Any, studio: Studio
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{studio.address}#/watch")
    shows_rooms(page)
    assert page.url == f"{studio.base}/#/watch"
    page.reload()
    shows_rooms(page)
    second = context.new_page()
    second.goto(f"{studio.base}/#/shelf")
    shows_rooms(second)
    # A request without the header is refused, also one of the page itself.
    assert second.evaluate(MINE) == 401
    # A link to another token does not replace the one that the browser has.
    second.goto(f"{studio.base}/?token=other")
    expect(second.get_by_role("heading")).to_have_text("levolve studio")
    second.goto(f"{studio.base}/")
    shows_rooms(second)
    context.close()
    stranger = browser.new_page()
    stranger.goto(f"{studio.base}/")
    expect(stranger.locator("#ended")).to_contain_text("printed")
    stranger.close()


def test_the_token_of_one_studio_is_not_accepted_by_another(studio: Studio, tmp_path: Path) -> None:
    with running_studio(tmp_path / "runs.sqlite") as other:
        given = {"X-Levolve-Token": studio.token}
        assert other.request("GET", "/api/about", headers=given)[0] == 401
        assert other.raw("GET", f"/?token={studio.token}").status == 401


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
            page.wait_for_url("http://**")
            shows_rooms(page)
            assert token not in page.url
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
        shows_rooms(page)
    with running_studio(store, port) as second:
        assert second.base == first.base
        page.get_by_role("link", name="Watch").first.click()
        expect(page.locator("#ended")).to_contain_text("printed")
        page.reload()
        expect(page.locator("#ended")).to_contain_text("earlier studio")
        # Also an address that was remembered with the old token.
        page.goto(first.address)
        expect(page.locator("p")).to_contain_text("started again")
        page.goto(f"{first.base}/#/watch")
        other = context.new_page()
        other.goto(second.address)
        shows_rooms(other)
        page.reload()
        shows_rooms(page)
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
            shows_rooms(page)
        # The page of one is another origin for the other: its requests do not arrive.
        found = pages[0].evaluate(SPY, other.base)
        assert [found[place] for place in found if "/" in place] == [None] * 3
    context.close()

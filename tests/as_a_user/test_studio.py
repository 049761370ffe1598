"""The studio as a user has it: a process, a browser, and another process on the same port later."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from as_a_user.user import COMMAND, SECONDS, empty_home
from jobs.packs.browser import browsing
from studio.server import Studio


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as started:
        yield started


@contextmanager
def studio(folder: Path, *words: str, **environment: str) -> Iterator[Studio]:
    """Start the studio, and stop it at the end."""
    log = folder / "studio.log"
    with (
        log.open("a") as errors,
        subprocess.Popen(
            [COMMAND, "studio", *words],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=folder,
            env={**os.environ, **empty_home(folder), **environment},
        ) as process,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), log.read_text()
            yield Studio(process, address, log)
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=SECONDS)
    assert "Traceback" not in log.read_text()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def rooms_of(context: BrowserContext, started: Studio) -> list[str]:
    """Visit the rooms of the studio in a new tab; return what is listed on the last one."""
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda problem: complaints.append(str(problem)))
    page.goto(started.address)
    tabs = page.locator("#tabs a")
    expect(tabs.first).to_be_visible()
    for place in range(tabs.count()):
        tabs.nth(place).click()
        expect(page.locator("#view > *").first).to_be_visible()
        expect(page.locator("#notice")).to_be_hidden()
    runs: list[str] = page.evaluate(
        "import('/static/api.js').then(({get}) => get('/runs')).then(runs => runs.map(run => "
        "String(run.id)))"
    )
    page.close()
    assert complaints == []
    return runs


def test_the_page_works_again_after_the_server_was_started_again(
    browser: Browser, tmp_path: Path
) -> None:
    port = str(free_port())
    store = str(tmp_path / "mine.sqlite")
    context = browser.new_context()
    context.set_default_timeout(60_000)
    with studio(tmp_path, "--port", port, "--store", store) as started:
        assert f":{port}/" in started.address
        assert rooms_of(context, started) == []
        settings = {"size": "8x8", "generations": 3}
        run = started.json("POST", "/api/runs", {"recipe": "maze", "seed": 1, "settings": settings})
        started.finished(run["id"])
        left_open = context.new_page()
        left_open.goto(started.address)
        expect(left_open.locator("#tabs a").first).to_be_visible()
    assert "Ctrl-C stops the studio" in started.log.read_text()
    with studio(tmp_path, "--port", port, "--store", store, "--quiet") as again:
        assert again.address != started.address, "a new token"
        assert rooms_of(context, again) == ["1"]
        # The tab that was left open belongs to the same browser, and is allowed in again.
        left_open.reload()
        expect(left_open.locator("#tabs a").first).to_be_visible()
    context.close()


def test_the_browser_of_the_user_is_opened(browser: Browser, tmp_path: Path) -> None:
    opened, plugin = tmp_path / "opened", tmp_path / "mine.py"
    plugin.write_text("")
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {opened}.new\nmv {opened}.new {opened}\n')
    script.chmod(0o755)
    with studio(tmp_path, "--open", "--plugin", str(plugin), BROWSER=str(script)) as started:
        for _ in range(600):
            if opened.exists():
                break
            started.process.poll()
            signal.sigtimedwait([], 0.1)
        page = browser.new_page()
        page.goto(opened.read_text().strip())
        expect(page.locator("#tabs a").first).to_be_visible()
        page.close()


def test_without_a_store_it_says_why_not(tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "studio", "--no-store"],
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"levolve: --no-store: expected a store[^\n]*\n", done.stderr)

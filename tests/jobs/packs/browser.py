"""A real browser for the pages we write."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

# The default, five seconds, is too short where the machine is busy.
expect.set_options(timeout=60_000)

NAMES = ("chromium", "chromium-browser", "google-chrome")
# No sandbox: tests may run as root. The rest keeps the browser from looking for anything on the
# network by itself.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser without a window."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.fail(
            f"expected one of {', '.join(NAMES)} to be installed; 'make browser' installs it "
            "where there is apt"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser
        browser.close()


class Watched:
    """A page, and everything it complained of or asked the network for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        page.on("request", lambda request: self.requests.append(request.url))

"""The page of the studio in a browser; it must not complain."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Page

from studio.server import Studio

# A place where nothing is: tests begin there, because a room would load what they do not need.
EMPTY = "#/nowhere"
# How long a page may take: much longer than it does, because the machine may be busy.
MILLISECONDS = 120_000


@contextmanager
def opened(browser: Any, studio: Studio, **context: Any) -> Iterator[Page]:
    """Open the studio; at the end, nothing may be on the console but refused requests, which the
    browser reports too. No request may lack the token.
    """
    opened_context = browser.new_context(**{"viewport": {"width": 1280, "height": 720}, **context})
    opened_context.set_default_timeout(MILLISECONDS)
    page = opened_context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda problem: complaints.append(str(problem)))
    page.on(
        "response",
        lambda answer: (
            complaints.append(f"without token: {answer.url}") if answer.status == 401 else None
        ),
    )
    page.goto(f"{studio.address}{EMPTY}")
    yield page
    assert [text for text in complaints if "status of 4" not in text] == []
    opened_context.close()

"""The guard of the studio: every request of the API needs the token, and pages of other sites
cannot reach the server.

The token is part of the address that is printed at the start, as in Jupyter. The script of the page
keeps it in the storage of its origin, which includes the port, and sends it in a header. There is
no cookie: browsers send cookies to every port of a host, so that another server of this computer
could repeat them. The files of the page are the same for everybody and need no token.

Requests with a foreign `Host` are refused, which protects against DNS rebinding. So are requests of
pages with another origin, also of one on another port of this computer. Bodies are limited in size
and time.

`RedirectFile`: a private file that opens the studio in a browser.

The address contains the token, and all users of a computer see the command lines of its processes.
So the browser is given the path of this file, which only its owner can read.
"""

import asyncio
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Callable
from html import escape
from pathlib import Path
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 1 << 20
# The time in which the body of a request has to arrive.
BODY_SECONDS = 15.0
TOKEN = "token"  # noqa: S105 the name of the parameter
HEADER = "x-levolve-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# The page and its files, which are the same for everybody; all else needs the token.
PAGE, FILES = "/", "/static/"
TOO_LARGE, TOO_SLOW = 413, 408
# What a browser says about the page that a request comes from; a user's own action comes from none.
OWN_SITES = frozenset({None, "same-origin", "none"})
READING = frozenset({"GET", "HEAD"})
WHERE_TO_GO = (
    "open the address that 'levolve studio' printed when it started, then reload this page"
)
REFUSED_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>levolve studio</title></head>
<body><h1>levolve studio</h1>
<p>This page needs the token of the studio that runs now. A studio that was started again has another
one. Open the address that <code>levolve studio</code> printed when it started; this page works again
afterwards, when it is reloaded. <code>levolve studio --open</code> opens it by itself.</p>
</body></html>
"""  # noqa: E501 text in another language


class Guard:
    """ASGI middleware that refuses requests without the token, from other sites, or with a large
    body.

    Parameters
    ----------
    app
        The application to protect.
    token
        The secret that requests of the API must have in the header `X-Levolve-Token`. In an address
        it is for the script of the page.
    hosts
        The accepted values of the header `Host`, such as "127.0.0.1:8000".
    opened
        Called whenever a page was opened with the token.
    """

    def __init__(
        self,
        app: ASGIApp,
        token: str,
        hosts: frozenset[str],
        opened: Callable[[], None] = lambda: None,
    ) -> None:
        """Wrap an application."""
        self._app = app
        self._token = token
        self._hosts = hosts
        self._opened = opened

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refused = self._refusal(scope, headers)
        if refused is not None:
            await refused(scope, receive, _with_headers(send))
            return
        await self._app(scope, _limited(receive), _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that is refused; None for one to pass on."""
        if not self._is_ours(scope, headers):
            sentence = "requests from other sites and for other host names are refused"
            return _error(403, f"{sentence}; use the address that the studio printed")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY:
            return _error(
                TOO_LARGE, f"expected a request of at most {MOST_BODY} bytes, got {length[:20]}"
            )
        path = scope["path"]
        if path != PAGE and not path.startswith(FILES):
            return (
                None
                if self._is_token(headers.get(HEADER, ""))
                else _error(
                    401, f"the token is missing, or is that of an earlier studio; {WHERE_TO_GO}"
                )
            )
        query = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if TOKEN in query:
            # The page forgets the token that it has for that of its address.
            if not all(map(self._is_token, query[TOKEN])):
                return HTMLResponse(REFUSED_PAGE, 401)
            self._opened()
        return None

    def _is_ours(self, scope: Scope, headers: Headers) -> bool:
        """Whether a request is for this server, and comes from its own page or from a program."""
        host, origin = headers.get("host"), headers.get("origin")
        if host not in self._hosts or origin not in {None, f"http://{host}"}:
            return False
        if headers.get("sec-fetch-site") in OWN_SITES:
            return True
        # A link elsewhere may lead to the page; nothing of the studio is part of another page.
        is_link = (
            headers.get("sec-fetch-mode") == "navigate"
            and headers.get("sec-fetch-dest") == "document"
        )
        return scope["path"] == PAGE and scope["method"] in READING and is_link

    def _is_token(self, given: str) -> bool:
        return secrets.compare_digest(given.encode(), self._token.encode())


def _error(code: int, sentence: str) -> Response:
    return JSONResponse({"error": sentence}, code)


def _limited(receive: Receive) -> Receive:
    """Count the bytes of a body, also of one whose length was not declared, and the time that it
    takes.
    """
    seen, complete = 0, False
    ends = time.monotonic() + BODY_SECONDS

    async def limited() -> Message:
        nonlocal seen, complete
        try:
            left = None if complete else max(ends - time.monotonic(), 0.0)
            # `asyncio.wait_for` would start a task, in which a message that is there is not
            # received at once.
            async with asyncio.timeout(left):
                message = await receive()
        except TimeoutError as problem:
            sentence = f"expected a request within {BODY_SECONDS:.0f} s; send it again"
            raise HTTPException(TOO_SLOW, sentence) from problem
        complete = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > MOST_BODY:
            raise HTTPException(
                TOO_LARGE, f"expected a request of at most {MOST_BODY} bytes, got a larger one"
            )
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return with_headers


REDIRECT = (
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>levolve studio</title>'
    '<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; '
    'url={address}">'
    '</head><body><a href="{address}">Open the studio</a></body></html>\n'
)


class RedirectFile:
    """A file in a private folder; it is removed when it has been used, or at the end.

    Parameters
    ----------
    address
        Where it leads.
    """

    def __init__(self, address: str) -> None:
        """Write the file."""
        self.path = Path(tempfile.mkdtemp(prefix="levolve-studio-")) / "open.html"
        with os.fdopen(
            os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w"
        ) as file:
            file.write(REDIRECT.format(address=escape(address)))

    def remove(self) -> None:
        """Remove the file and its folder, if they are still there."""
        shutil.rmtree(self.path.parent, ignore_errors=True)

"""The guard of the studio: every request needs the token, and pages of other sites cannot reach the
server.

The token is part of the address that is printed at the start, as in Jupyter. The first request with
it sets a cookie, whose value is not the token (see `logins`), and redirects to the plain address.
Requests with a foreign `Host` are refused, which protects against DNS rebinding. So are requests of
pages with another origin, also of one on another port of this computer. Bodies are limited in size
and time.

Browsers that have opened the studio with its token: each has a session value as its cookie.

Browsers send cookies to every port of a host. So the cookie is never the token, but a random value
that only this process knows. It is not accepted as a token, nor by another studio, and not after
the end of this one. A value that has been used for a while is replaced, and soon afterwards
refused.

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
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# More browsers have to use the address again.
MOST_LOGINS = 64
# The age at which a value is replaced, and how long the old one is accepted afterwards, because
# requests that are under way have it.
RENEWAL_SECONDS = 1800.0
OVERLAP_SECONDS = 300.0


@dataclass
class Login:
    """A session value: when it was issued, and the one that replaces it."""

    issued: float
    successor: str | None = None
    ends: float | None = None


class Logins:
    """Issues and checks session values.

    Parameters
    ----------
    clock
        Gives the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Start without any."""
        self._clock = clock
        # By digest, so that the time of a comparison says nothing about a value.
        self._logins: OrderedDict[bytes, Login] = OrderedDict()

    def issue(self) -> str:
        """Return a new session value."""
        value = secrets.token_urlsafe(24)
        self._logins[_digest(value)] = Login(self._clock())
        while len(self._logins) > MOST_LOGINS:
            self._logins.popitem(last=False)
        return value

    def accepts(self, value: str) -> bool:
        """Whether a value was issued, and was not replaced some time ago."""
        login = self._logins.get(_digest(value))
        if login is not None and login.ends is not None and self._clock() >= login.ends:
            del self._logins[_digest(value)]
            return False
        return login is not None

    def renewed(self, value: str) -> str | None:
        """Return the value that replaces an accepted one; None as long as it is new enough."""
        login = self._logins[_digest(value)]
        if login.successor is None and self._clock() - login.issued >= RENEWAL_SECONDS:
            login.ends = self._clock() + OVERLAP_SECONDS
            login.successor = self.issue()
        return login.successor


def _digest(value: str) -> bytes:
    return sha256(value.encode("utf-8", "surrogatepass")).digest()


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


TOO_LARGE, TOO_SLOW = 413, 408
# What a browser says about the page that a request comes from; a user's own action comes from none.
OWN_SITES = frozenset({None, "same-origin", "none"})
SAFE_METHODS = frozenset({"GET", "HEAD"})
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
# Where a page of another origin, such as the file of --open, leads with the token. Its cookie is
# sent only if the next step comes from a page of the studio.
WELCOME_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>levolve studio</title>
<meta http-equiv="refresh" content="0; url={address}"></head>
<body><a href="{address}">Open the studio</a></body></html>
"""


class Guard:
    """ASGI middleware that refuses requests without the token, from other sites, or with a large
    body.

    Parameters
    ----------
    app
        The application to protect.
    token
        The secret that requests must have: in the header `X-Levolve-Token`, or once in the address
        of a page, which gives the browser a session value as cookie.
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
        self._logins = Logins()
        port = next(iter(hosts)).rpartition(":")[2]
        # Cookies are shared by all ports of a host.
        self._cookie = f"levolve-{port}"

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
        await self._app(scope, _limited(receive), _with_headers(send, self._renewal(headers)))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that is refused or redirected; None for one to pass on."""
        if not self._is_ours(scope, headers):
            sentence = "requests from other sites and for other host names are refused"
            return _error(403, f"{sentence}; use the address that the studio printed")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY:
            return _error(
                TOO_LARGE, f"expected a request of at most {MOST_BODY} bytes, got {length[:20]}"
            )
        given = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET" and TOKEN in given and self._is_token(given[TOKEN][-1]):
            return self._welcome(scope["path"], given, headers)
        return (
            None
            if self._is_token(headers.get(HEADER, ""))
            else self._refused_browser(scope, headers)
        )

    def _refused_browser(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request without the token, unless its cookie is accepted."""
        if not self._logins.accepts(self._cookie_of(headers)):
            if scope["path"].startswith("/api"):
                return _error(
                    401, f"the token is missing, or is that of an earlier studio; {WHERE_TO_GO}"
                )
            return HTMLResponse(REFUSED_PAGE, 401)
        named = headers.get("origin") is not None or headers.get("sec-fetch-site") == "same-origin"
        if scope["method"] not in SAFE_METHODS and not named:
            # A browser says where a change comes from; a program has the token.
            return _error(403, f"changes need an Origin or the token in the header {HEADER}")
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
        return scope["path"] == "/" and scope["method"] in SAFE_METHODS and is_link

    def _welcome(self, path: str, given: dict[str, list[str]], headers: Headers) -> Response:
        """Set the cookie, and lead to the address without the token, which then is not in the
        history of the browser.
        """
        rest = urlencode(
            [(name, value) for name, values in given.items() if name != TOKEN for value in values]
        )
        address = f"/{path.lstrip('/')}" + (f"?{rest}" if rest else "")
        if headers.get("sec-fetch-site") in OWN_SITES:
            answer: Response = RedirectResponse(address, 303)
        else:
            answer = HTMLResponse(WELCOME_PAGE.format(address=escape(address)))
        answer.headers.append("set-cookie", self._set_cookie(self._logins.issue()))
        self._opened()
        return answer

    def _renewal(self, headers: Headers) -> str | None:
        """Return the header that replaces the cookie of an accepted request, if it is old."""
        value = self._cookie_of(headers)
        successor = self._logins.renewed(value) if self._logins.accepts(value) else None
        return None if successor is None else self._set_cookie(successor)

    def _set_cookie(self, value: str) -> str:
        return f"{self._cookie}={value}; HttpOnly; Path=/; SameSite=strict"

    def _cookie_of(self, headers: Headers) -> str:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return ""
        return cookies[self._cookie].value if self._cookie in cookies else ""

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


def _with_headers(send: Send, set_cookie: str | None = None) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            if set_cookie is not None:
                headers.append("set-cookie", set_cookie)
        await send(message)

    return with_headers


PAGE = (
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
            file.write(PAGE.format(address=escape(address)))

    def remove(self) -> None:
        """Remove the file and its folder, if they are still there."""
        shutil.rmtree(self.path.parent, ignore_errors=True)

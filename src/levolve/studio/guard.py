"""The guard of the studio: every request needs the token, and pages of other sites cannot reach the server.

The token is part of the address that is printed at the start, as in Jupyter. The first request with it sets a cookie and redirects to the plain
address. Requests with a foreign `Host` or `Origin` are refused, which also protects against DNS rebinding. Bodies are limited.
"""

import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 1 << 20
TOKEN = "token"  # noqa: S105 the name of the parameter
HEADER = "x-levolve-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


TOO_LARGE = 413


class Guard:
    """ASGI middleware that refuses requests without the token, from other sites, or with a large body.

    Parameters
    ----------
    app
        The application to protect.
    token
        The secret that requests must have: as cookie, header `X-Levolve-Token`, or in the address of a page.
    hosts
        The accepted values of the header `Host`, such as "127.0.0.1:8000".
    """

    def __init__(self, app: ASGIApp, token: str, hosts: frozenset[str]) -> None:
        """Wrap an application."""
        self._app = app
        self._token = token
        self._hosts = hosts
        port = next(iter(hosts)).rpartition(":")[2]
        # Cookies are shared by all ports of a host.
        self._cookie = f"levolve-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        refused = self._refusal(scope, Headers(scope=scope))
        if refused is not None:
            await refused(scope, receive, _with_headers(send))
            return
        await self._app(scope, _limited(receive), _with_headers(send))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that is refused or redirected; None for one to pass on."""
        if not self._is_ours(scope["path"], headers):
            return _error(403, "requests from other sites and for other host names are refused; use the address that the studio printed")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BODY:
            return _error(TOO_LARGE, f"expected a request of at most {MOST_BODY} bytes, got {length[:20]}")
        given = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET" and TOKEN in given and self._is_token(given[TOKEN][-1]):
            return self._welcome(scope["path"], given)
        if not self._is_token(headers.get(HEADER, "")) and not self._is_token(self._cookie_of(headers)):
            if scope["path"].startswith("/api"):
                return _error(401, "the token is missing or wrong; open the address that the studio printed when it started")
            return PlainTextResponse("Open the address that 'levolve studio' printed when it started: it contains the token.\n", 401)
        return None

    def _is_ours(self, path: str, headers: Headers) -> bool:
        """Whether a request is for this server, and comes from its own page or from a program."""
        origin = headers.get("origin")
        crossed = headers.get("sec-fetch-site") == "cross-site" and path.startswith("/api")
        return headers.get("host") in self._hosts and (origin is None or origin.removeprefix("http://") in self._hosts) and not crossed

    def _welcome(self, path: str, given: dict[str, list[str]]) -> Response:
        """Set the cookie, and redirect to the address without the token, which then is not in the history of the browser."""
        rest = urlencode([(name, value) for name, values in given.items() if name != TOKEN for value in values])
        answer = RedirectResponse(f"/{path.lstrip('/')}" + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict")
        return answer

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
    """Count the bytes of a body, also of one whose length was not declared."""
    seen = 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BODY:
            raise HTTPException(TOO_LARGE, f"expected a request of at most {MOST_BODY} bytes, got a larger one")
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

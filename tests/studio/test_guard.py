"""The studio answers only its own page and programs that know the token."""

import asyncio
import json
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from levolve.studio.app import listen
from levolve.studio.guard import HEADERS, MOST_BODY
from studio.server import Studio

ROUTES = ["/api/about", "/api/openapi.json", "/api/runs", "/api", "/%61pi/about", "/favicon.ico"]


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("token", ["", "wrong"])
def test_a_request_without_the_token_is_refused(studio: Studio, path: str, token: str) -> None:
    status, content, _ = studio.request("GET", path, headers={"X-Levolve-Token": token})
    assert status == 401
    assert b"printed" in content


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Host": "127.0.0.1"},
    ],
)
@pytest.mark.parametrize("path", ["/", "/api/about"])
def test_a_request_of_another_site_is_refused(
    studio: Studio, path: str, headers: dict[str, str]
) -> None:
    status, content, _ = studio.request("GET", path, headers=headers)
    assert status == 403
    assert "other sites" in json.loads(content)["error"]


def test_a_cross_site_request_with_the_cookie_is_refused(studio: Studio) -> None:
    assert studio.request("GET", "/api/about", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403


@pytest.mark.parametrize("query", ["wrong", "", "{token}&token=wrong", "wrong&token={token}"])
def test_an_address_with_a_wrong_token_is_refused(studio: Studio, query: str) -> None:
    """The page would forget its token for it."""
    answer = studio.raw("GET", f"/?token={query.format(token=studio.token)}")
    assert answer.status == 401
    assert studio.raw("GET", f"/?token={studio.token}").status == 200


@pytest.mark.parametrize("path", ["/", "/static/main.js", "/static/play/script.js"])
def test_no_cookie_is_set_and_the_token_is_in_no_file_of_the_page(
    studio: Studio, path: str
) -> None:
    """Browsers send cookies to every port of a host."""
    for query in ("", f"?token={studio.token}"):
        status, content, headers = studio.request("GET", path + query)
        assert status == 200
        assert "set-cookie" not in headers
        assert studio.token.encode() not in content


@pytest.mark.parametrize("path", ["/", "/api/about", "/static/main.js"])
def test_every_answer_has_the_security_headers(studio: Studio, path: str) -> None:
    _, _, headers = studio.request("GET", path)
    assert {name: headers[name] for name in HEADERS} == HEADERS
    assert "unsafe-inline" not in headers["content-security-policy"]


def test_a_large_body_is_refused(studio: Studio) -> None:
    assert (
        studio.raw(
            "POST",
            "/api/runs",
            headers={"X-Levolve-Token": studio.token, "Content-Length": str(MOST_BODY + 1)},
        ).status
        == 413
    )


def test_a_large_body_of_unknown_length_is_refused(studio: Studio) -> None:
    chunks = (b'{"recipe": "' + b"x" * 4096 for _ in range(MOST_BODY // 4096 + 2))
    headers = {"X-Levolve-Token": studio.token, "Content-Type": "application/json"}
    assert (
        studio.raw("POST", "/api/runs", chunks, {**headers, "Transfer-Encoding": "chunked"}).status
        == 413
    )


@pytest.mark.parametrize(
    "path",
    ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/guard.py", "/static//etc/passwd"],
)
def test_no_file_outside_the_folder_of_the_page_is_served(studio: Studio, path: str) -> None:
    assert studio.raw("GET", path, headers={"X-Levolve-Token": studio.token}).status == 404


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_a_closed_connection_does_not_end_the_studio(studio: Studio) -> None:
    status = Path(f"/proc/{studio.process.pid}/status").read_text()
    ignored = int(
        next(line for line in status.splitlines() if line.startswith("SigIgn:")).split()[1], 16
    )
    assert ignored >> (signal.SIGPIPE - 1) & 1


def test_small_answers_are_sent_at_once() -> None:
    async def accepted_without_delay() -> bool:
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            found.set_result(
                bool(
                    writer.get_extra_info("socket").getsockopt(
                        socket.IPPROTO_TCP, socket.TCP_NODELAY
                    )
                )
            )
            writer.close()

        listener = listen(0)
        async with await asyncio.start_server(accept, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.close()
            return await found

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(asyncio.run, accepted_without_delay()).result()

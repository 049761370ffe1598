"""The studio under load, and attacked: real connections to a real server, bounded in number and
time.
"""

import http.client
import json
import socket
import time
import urllib.parse
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from levolve.core.errors import LevolveError
from levolve.studio.api.levels import MOST_WAITING
from levolve.studio.api.runs import NewRun
from levolve.studio.connections import HEADER_SECONDS, MOST_CONNECTIONS
from levolve.studio.guard import BODY_SECONDS, MOST_BODY
from levolve.studio.live_jobs import MOST_RUNS, MOST_STREAMS
from studio.server import Studio, running_studio

# How long a test waits for what must happen: much longer than it takes.
SECONDS = 60.0
ENDLESS = {"recipe": "maze", "settings": {"size": "12x12", "generations": 10**6}}


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """A studio of this file, because other tests would wait for it."""
    with running_studio(tmp_path_factory.mktemp("load") / "runs.sqlite") as started:
        yield started


def connected(studio: Studio) -> socket.socket:
    host, port = studio.base.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=SECONDS)


def request(studio: Studio, path: str, *headers: str, method: str = "GET") -> bytes:
    host = studio.base.removeprefix("http://")
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {host}",
        f"X-Levolve-Token: {studio.token}",
        *headers,
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def closed_after(connection: socket.socket) -> float:
    """Return after how many seconds the server closes a connection."""
    began = time.monotonic()
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    return time.monotonic() - began


def status(connection: socket.socket) -> int:
    answer = http.client.HTTPResponse(connection)
    answer.begin()
    answer.read()
    return answer.status


def answers(studio: Studio) -> bool:
    return studio.request("GET", "/api/about")[0] == 200


def half_open(studio: Studio, sent: bytes) -> float:
    """Return after how many seconds a connection with a part of a request is closed."""
    with closing(connected(studio)) as connection:
        connection.sendall(sent)
        return closed_after(connection)


def bit_by_bit(studio: Studio) -> float:
    """Return after how many seconds a connection whose headers arrive one by one is closed."""
    with closing(connected(studio)) as connection:
        connection.settimeout(0.5)
        connection.sendall(b"GET / HTTP/1.1\r\n")
        began = time.monotonic()
        while time.monotonic() - began < 3 * HEADER_SECONDS:
            try:
                connection.sendall(b"X-Slow: 1\r\n")
                if not connection.recv(4096):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        return time.monotonic() - began


def half_a_body(studio: Studio) -> tuple[int, float]:
    """Return the answer to a request whose body never arrives, and the seconds until then."""
    headers = ("Content-Type: application/json", "Content-Length: 90")
    with closing(connected(studio)) as connection:
        connection.sendall(request(studio, "/api/runs", *headers, method="POST"))
        connection.sendall(b'{"recipe": ')
        began = time.monotonic()
        return status(connection), time.monotonic() - began


def test_slow_clients_are_closed_or_refused_in_time(studio: Studio) -> None:
    """All at once, because each takes until its limit."""
    with ThreadPoolExecutor(4) as pool:
        nothing = pool.submit(half_open, studio, b"")
        half = pool.submit(half_open, studio, b"GET / HTTP/1.1\r\nHost: 127")
        slow = pool.submit(bit_by_bit, studio)
        body = pool.submit(half_a_body, studio)
    assert nothing.result() == pytest.approx(HEADER_SECONDS, abs=5)
    assert half.result() == pytest.approx(HEADER_SECONDS, abs=5)
    assert slow.result() < 2 * HEADER_SECONDS
    code, seconds = body.result()
    assert code == 408
    assert seconds == pytest.approx(BODY_SECONDS, abs=10)


def test_half_open_connections_never_keep_a_page_from_the_studio(studio: Studio) -> None:
    with ExitStack() as stack:
        half = [
            stack.enter_context(closing(connected(studio))) for _ in range(MOST_CONNECTIONS + 40)
        ]
        began = time.monotonic()
        assert answers(studio)
        assert time.monotonic() - began < HEADER_SECONDS / 2
        # The first ones made room.
        assert closed_after(half[0]) < HEADER_SECONDS / 2


def is_refused(studio: Studio) -> bool:
    """Whether there is no room for a connection. Its answer is lost if the client still sends."""
    with closing(connected(studio)) as connection:
        try:
            connection.sendall(request(studio, "/api/about", "Connection: close"))
            return connection.makefile("rb").read().startswith(b"HTTP/1.1 503")
        except ConnectionError:
            return True


def test_more_requests_than_connections_are_refused_until_one_ends(studio: Studio) -> None:
    """Requests whose body is awaited keep their connections."""
    headers = ("Content-Type: application/json", "Content-Length: 90")
    limit = time.monotonic() + BODY_SECONDS / 2
    with ExitStack() as stack:
        for count in range(2 * MOST_CONNECTIONS):
            held = stack.enter_context(closing(connected(studio)))
            held.sendall(request(studio, "/api/runs", *headers, method="POST"))
            # One that had not arrived yet may have made room: then another takes its place.
            if count >= MOST_CONNECTIONS and is_refused(studio):
                break
            assert time.monotonic() < limit
        else:
            pytest.fail("there is no limit")
    assert answers(studio)


def paused_run(studio: Studio) -> int:
    """Begin a run without an end; one that pauses takes no time from the studio."""
    run: int = studio.json("POST", "/api/runs", ENDLESS)["id"]
    studio.json("POST", f"/api/runs/{run}/pause")
    return run


@pytest.mark.parametrize(
    "path", ["/api/runs", "/api/sessions", "/api/packs", "/api/maps/run", "/api/worlds/read"]
)
def test_a_body_that_is_too_large_gets_413(studio: Studio, path: str) -> None:
    for declared in (True, False):
        size = f"Content-Length: {2 * MOST_BODY}" if declared else "Transfer-Encoding: chunked"
        with closing(connected(studio)) as connection:
            connection.sendall(
                request(studio, path, "Content-Type: application/json", size, method="POST")
            )
            part = b'{"x": "' + b"a" * 65529
            for _ in range(2 * MOST_BODY // len(part)):
                connection.sendall(part if declared else b"%x\r\n%s\r\n" % (len(part), part))
            assert status(connection) == 413, (path, declared)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        # A page on another port of this computer is of the same site, but of another origin.
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://{host}"},
        {"Origin": "http://localhost:{port}"},
    ],
    ids=str,
)
def test_pages_of_other_origins_reach_nothing(studio: Studio, headers: dict[str, str]) -> None:
    host = studio.base.removeprefix("http://")
    given = {
        name: value.format(host=host, port=host.split(":")[1]) for name, value in headers.items()
    }
    for method, path in (
        ("GET", "/api/about"),
        ("GET", "/static/main.js"),
        ("POST", "/api/runs"),
        ("DELETE", "/api/runs/1"),
    ):
        assert (
            studio.request(method, path, None if method != "POST" else ENDLESS, given)[0] == 403
        ), (method, path)
    assert studio.json("GET", "/api/runs") == []


def test_the_limit_of_event_streams_holds(studio: Studio) -> None:
    run = paused_run(studio)
    try:
        with ExitStack() as stack:
            streams = [
                stack.enter_context(closing(connected(studio))) for _ in range(MOST_STREAMS + 30)
            ]
            for stream in streams:
                stream.sendall(request(studio, f"/api/runs/{run}/events"))
            lines = [stream.makefile("rb").readline() for stream in streams]
            assert sum(b" 200 " in line for line in lines) == MOST_STREAMS
            assert sum(b" 429 " in line for line in lines) == 30
        # Once they are closed, there is room again.
        limit = time.monotonic() + SECONDS
        while time.monotonic() < limit:
            with closing(connected(studio)) as stream:
                stream.sendall(request(studio, f"/api/runs/{run}/events"))
                if b" 200 " in stream.makefile("rb").readline():
                    break
            time.sleep(0.5)
        else:
            pytest.fail("no stream can be opened any more")
    finally:
        studio.json("POST", f"/api/runs/{run}/stop")
        studio.finished(run)


def test_games_that_nobody_waits_for_are_given_up(studio: Studio) -> None:
    for _ in ("cold", "warm"):
        began = time.monotonic()
        assert studio.request("GET", "/api/play/new/castle?seed=1")[0] == 200
        alone = time.monotonic() - began
    with ExitStack() as stack:
        for seed in range(90):
            path = f"/api/play/new/castle?seed={seed}"
            stack.enter_context(closing(connected(studio))).sendall(request(studio, path))
        began = time.monotonic()
        assert answers(studio)
        assert time.monotonic() - began < 2 + 10 * alone
    # All clients have left: a new request is carried out at once, not after what they asked for.
    began = time.monotonic()
    while studio.request("GET", "/api/play/new/castle?seed=1")[0] == 429:
        time.sleep(0.1)
    assert time.monotonic() - began < 2 + 10 * alone


def test_more_games_than_can_wait_are_refused(studio: Studio) -> None:
    count = MOST_WAITING + 30
    with ThreadPoolExecutor(count) as pool:
        found = list(
            pool.map(
                lambda seed: studio.request("GET", f"/api/play/new/sliding?seed={seed}")[0],
                range(count),
            )
        )
    assert set(found) == {200, 429}
    assert found.count(200) >= MOST_WAITING


def test_a_game_counts_as_a_run(studio: Studio) -> None:
    runs = [paused_run(studio) for _ in range(MOST_RUNS)]
    try:
        code, content, _ = studio.request("GET", "/api/play/new/maze")
        assert (code, b"at the same time" in content) == (429, True)
    finally:
        for run in runs:
            studio.json("POST", f"/api/runs/{run}/stop")
            studio.finished(run)
    assert studio.request("GET", "/api/play/new/maze")[0] == 200


@pytest.mark.parametrize("kind", [{}, {"illuminate": {}}], ids=["evolve", "illuminate"])
def test_a_run_that_needs_too_much_memory_is_refused(
    studio: Studio, kind: dict[str, object]
) -> None:
    before = len(studio.json("GET", "/api/runs"))
    body = {"recipe": "castle", "settings": {"size": "2000x2000"}, **kind}
    began = time.monotonic()
    code, content, _ = studio.request("POST", "/api/runs", body)
    assert (code, time.monotonic() - began < 10) == (409, True)
    assert "GB are available (the limit for one run here)" in json.loads(content)["error"]
    assert len(studio.json("GET", "/api/runs")) == before


@pytest.mark.parametrize("kind", [{}, {"illuminate": {"grid": 100}}], ids=["evolve", "illuminate"])
def test_the_size_that_a_refusal_names_is_accepted(kind: dict[str, object]) -> None:
    wanted = {"recipe": "maze", **kind}
    with pytest.raises(LevolveError, match="GB of memory") as refused:
        NewRun.model_validate({**wanted, "settings": {"size": "9000x9000"}}).job()
    size = str(refused.value).split("choose a size of at most ")[1].split(",")[0]
    job = NewRun.model_validate({**wanted, "settings": {"size": size}}).job()
    assert job.size == size


def test_the_studio_ends_within_seconds_during_a_long_generation(tmp_path: Path) -> None:
    with running_studio(tmp_path / "runs.sqlite") as studio:
        studio.json("POST", "/api/runs", {"recipe": "castle", "settings": {"size": "600x600"}})
        time.sleep(1)
        began = time.monotonic()
        studio.process.terminate()
        studio.process.wait(SECONDS)
        assert time.monotonic() - began < 20
        assert "Traceback" not in studio.log.read_text()


def test_names_outside_of_latin_1_are_downloaded(studio: Studio) -> None:
    run = studio.json(
        "POST", "/api/runs", {"recipe": "maze", "settings": {"size": "8x8", "generations": 2}}
    )["id"]
    studio.finished(run)
    code, content, headers = studio.request(
        "POST", "/api/packs", {"name": "日本", "levels": [f"run-{run}-0"]}
    )
    assert code == 200, content
    assert headers["content-disposition"].isascii()
    assert headers["content-disposition"].endswith(
        f"filename*=UTF-8''{urllib.parse.quote('日本.zip')}"
    )

"""A studio in a process of its own, and requests to it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 120


@dataclass
class Studio:
    """A running studio."""

    process: subprocess.Popen[str]
    address: str
    log: Path

    @property
    def base(self) -> str:
        """The address without path and token."""
        return self.address.split("/?", maxsplit=1)[0]

    @property
    def token(self) -> str:
        """The token."""
        return self.address.rsplit("=", maxsplit=1)[1]

    def request(
        self, method: str, path: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes, dict[str, str]]:
        """Send a request with the token, and return the status, the body and the headers of the
        answer.
        """
        content = (
            None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        )
        given = {
            "X-Levolve-Token": self.token,
            "Content-Type": "application/json",
            **(headers or {}),
        }
        asked = urllib.request.Request(
            self.base + path,
            content,
            {name: value for name, value in given.items() if value},
            method=method,
        )
        try:
            with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
                return answer.status, answer.read(), dict(answer.headers)
        except urllib.error.HTTPError as problem:
            return problem.code, problem.read(), dict(problem.headers)

    def json(self, method: str, path: str, body: object = None) -> Any:
        """Send a request that must succeed, and return its data."""
        status, content, _ = self.request(method, path, body)
        assert status < 300, content
        return json.loads(content)

    def events(self, path: str) -> Iterator[tuple[str, Any]]:
        """Yield the messages of an event stream."""
        asked = urllib.request.Request(self.base + path, headers={"X-Levolve-Token": self.token})
        with urllib.request.urlopen(asked, timeout=SECONDS) as answer:
            name = ""
            for line in answer:
                text = line.decode().rstrip("\n")
                if text.startswith("event: "):
                    name = text.removeprefix("event: ")
                elif text.startswith("data: "):
                    yield name, json.loads(text.removeprefix("data: "))

    def raw(
        self,
        method: str,
        path: str,
        body: Iterable[bytes] | None = None,
        headers: dict[str, str] | None = None,
    ) -> http.client.HTTPResponse:
        """Send a request as it is, without redirects; a body is sent in chunks of unknown
        length.
        """
        connection = http.client.HTTPConnection(self.base.removeprefix("http://"), timeout=SECONDS)
        try:
            connection.request(method, path, body, headers or {}, encode_chunked=body is not None)
            answer = connection.getresponse()
            answer.read()
            return answer
        finally:
            connection.close()

    def finished(self, run: int) -> dict[str, Any]:
        """Wait until a run is over, and return it."""
        for name, _ in self.events(f"/api/runs/{run}/events"):
            if name == "end":
                break
        found: dict[str, Any] = self.json("GET", f"/api/runs/{run}")
        return found

    def kill(self) -> None:
        """End the process at once, as a crash would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(SECONDS)


@contextmanager
def running_studio(store: Path, port: str = "0") -> Iterator[Studio]:
    """Start a studio, by default on a free port, and stop it at the end."""
    environment = {**os.environ, "LEVOLVE_STORE": str(store), "LEVOLVE_CHECKPOINT_SECONDS": "0.2"}
    command = [sys.executable, "-m", "levolve", "studio", "--port", port]
    log = store.with_suffix(".log")
    with (
        log.open("w") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
        ) as process,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            assert address.startswith("http://127.0.0.1:"), log.read_text()
            yield Studio(process, address, log)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=SECONDS)

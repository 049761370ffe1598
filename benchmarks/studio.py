"""The studio under load: 50 clients with event streams while two runs go on. How long requests
take, and how much the runs are slowed down.

Phases with and without clients alternate, so that other work on the machine affects both alike; the
figures are medians over the rounds. The clients are one process that only reads its sockets. Where
it shares the cores with the studio, what it takes from the runs is measured, too; its processor
time is printed, so that it can be told apart from that of the server.
"""

import http.client
import json
import os
import resource
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

CLIENTS = 50
ROUNDS = 5
SECONDS = 6.0
# Streams send a little more at first: what a new watcher has missed.
SETTLING_SECONDS = 2.0
RUN = {"recipe": "maze", "settings": {"size": "20x20", "generations": 10_000_000}}
TICKS = os.sysconf("SC_CLK_TCK")


class Client:
    """Requests to a studio."""

    def __init__(self, address: str) -> None:
        """Take the address that the studio printed."""
        self.base, _, self.token = address.partition("/?token=")

    def open(self, method: str, path: str, body: object = None) -> http.client.HTTPResponse:
        """Send a request."""
        content = None if body is None else json.dumps(body).encode()
        headers = {"X-Levolve-Token": self.token, "Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, content, headers, method=method)
        answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=60)
        return answer

    def json(self, method: str, path: str, body: object = None) -> dict[str, object]:
        """Send a request, and return its data."""
        with self.open(method, path, body) as answer:
            data: dict[str, object] = json.load(answer)
            return data


class Phase:
    """The figures of one phase: generations per second, times of requests, and shares of one
    core.
    """

    def __init__(self, client: Client, server: int, runs: list[object]) -> None:
        """Measure for some seconds."""
        before = generations(client, runs), thread_seconds(server, server), time.perf_counter()
        self.times = []
        while time.perf_counter() - before[2] < SECONDS:
            start = time.perf_counter()
            client.json("GET", "/api/runs")
            self.times.append(time.perf_counter() - start)
            time.sleep(0.1)
        made, spent, now = (
            generations(client, runs),
            thread_seconds(server, server),
            time.perf_counter(),
        )
        self.rate = (made - before[0]) / (now - before[2])
        self.server = (spent - before[1]) / (now - before[2])


def generations(client: Client, runs: list[object]) -> int:
    """Return the generations of runs so far."""
    total = 0
    for run in runs:
        history = client.json("GET", f"/api/runs/{run}")["history"]
        assert isinstance(history, list)
        total += history[-1][0]
    return total


def thread_seconds(process: int, thread: int) -> float:
    """Return the processor time of a thread. The main thread of the studio is the one that serves
    requests and streams.
    """
    fields = (
        Path(f"/proc/{process}/task/{thread}/stat")
        .read_text(encoding="ascii")
        .rpartition(")")[2]
        .split()
    )
    return (int(fields[11]) + int(fields[12])) / TICKS


@contextmanager
def listening(client: Client, runs: list[object]) -> Iterator[list[float]]:
    """Open the streams in a process of their own. The list has its share of one core, and messages
    per second and stream, in the end.
    """
    addresses = [
        f"{client.base}/api/runs/{runs[number % len(runs)]}/events?wall=true&ancestry=true"
        for number in range(CLIENTS)
    ]
    command = [sys.executable, __file__, client.token, *addresses]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.readline()
        figures: list[float] = []
        yield figures
        process.stdin.close()
        figures += map(float, process.stdout.readline().split())


def listen(token: str, addresses: list[str]) -> None:
    """Read event streams until the standard input is closed; print the processor time per second,
    and the messages per second and stream.
    """
    chosen = selectors.DefaultSelector()
    for address in addresses:
        parts = urlsplit(address)
        connection = socket.create_connection((parts.hostname or "", parts.port or 80))
        connection.sendall(
            (
                f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: "
                f"{parts.netloc}\r\nX-Levolve-Token: {token}\r\n\r\n"
            ).encode()
        )
        connection.setblocking(False)
        chosen.register(connection, selectors.EVENT_READ)
    chosen.register(sys.stdin, selectors.EVENT_READ)
    print("ready", flush=True)
    messages, began = 0, time.perf_counter()
    spent = (
        resource.getrusage(resource.RUSAGE_SELF).ru_utime
        + resource.getrusage(resource.RUSAGE_SELF).ru_stime
    )
    while True:
        for key, _ in chosen.select():
            if key.fileobj is sys.stdin:
                usage, seconds = (
                    resource.getrusage(resource.RUSAGE_SELF),
                    time.perf_counter() - began,
                )
                print(
                    (usage.ru_utime + usage.ru_stime - spent) / seconds,
                    messages / seconds / len(addresses),
                    flush=True,
                )
                return
            assert isinstance(key.fileobj, socket.socket)
            messages += key.fileobj.recv(1 << 20).count(b"event: state")


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LEVOLVE_STORE": str(Path(folder) / "runs.sqlite")}
        with subprocess.Popen(
            [sys.executable, "-m", "levolve", "studio"],
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        ) as process:
            try:
                assert process.stdout is not None
                measure(Client(process.stdout.readline().strip()), process.pid)
            finally:
                process.terminate()


def measure(client: Client, server: int) -> None:
    """Run the rounds."""
    print(f"load of the machine: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}", flush=True)
    runs = [client.json("POST", "/api/runs", {**RUN, "seed": seed})["id"] for seed in (1, 2)]
    # Kernels may have to be compiled first.
    while any(not client.json("GET", f"/api/runs/{run}")["history"] for run in runs):
        time.sleep(0.1)
    time.sleep(SETTLING_SECONDS)
    ratios, alone, watched, listeners = [], [], [], []
    for _ in range(ROUNDS):
        alone.append(Phase(client, server, runs))
        with listening(client, runs) as figures:
            time.sleep(SETTLING_SECONDS)
            watched.append(Phase(client, server, runs))
        listeners.append(figures)
        ratios.append(watched[-1].rate / alone[-1].rate)
    for name, phases in (("no client", alone), (f"{CLIENTS} clients", watched)):
        times = [seconds for phase in phases for seconds in phase.times]
        print(
            f"{name}: {median(phase.rate for phase in phases):.0f} generations/s, requests "
            f"median {median(times) * 1000:.0f} ms, "
            f"longest {max(times) * 1000:.0f} ms, server "
            f"{median(phase.server for phase in phases):.1%} of a core"
        )
    shares, messages = (median(values) for values in zip(*listeners, strict=True))
    print(f"clients: {shares:.1%} of a core, {messages:.1f} messages/s each")
    print(
        f"runs go on with {median(ratios):.2f} of their speed "
        f"({', '.join(f'{ratio:.2f}' for ratio in ratios)})"
    )


if __name__ == "__main__":
    if len(sys.argv) > 1:
        listen(sys.argv[1], sys.argv[2:])
    else:
        main()

"""The studio under load: 50 clients with event streams while two runs go on. How long requests take, and how much the runs are slowed down."""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from statistics import median

CLIENTS = 50
SECONDS = 12.0
RUN = {"recipe": "maze", "settings": {"size": "20x20", "generations": 10_000_000}}


class Client:
    """Requests to a studio."""

    def __init__(self, address: str) -> None:
        """Take the address that the studio printed."""
        self.base, _, self.token = address.partition("/?token=")

    def open(self, method: str, path: str, body: object = None) -> http.client.HTTPResponse:
        """Send a request."""
        content = None if body is None else json.dumps(body).encode()
        headers = {"X-Levolve-Token": self.token, "Content-Type": "application/json"}
        request = urllib.request.Request(self.base + path, content, headers, method=method)  # noqa: S310 the studio's own address
        answer: http.client.HTTPResponse = urllib.request.urlopen(request, timeout=60)  # noqa: S310 same
        return answer

    def json(self, method: str, path: str, body: object = None) -> dict[str, object]:
        """Send a request, and return its data."""
        with self.open(method, path, body) as answer:
            data: dict[str, object] = json.load(answer)
            return data


def speed(client: Client, clients: int) -> tuple[float, list[float], int]:
    """Return the evaluations per second of two runs, the times of requests, and the number of messages, with so many open streams."""
    runs = [client.json("POST", "/api/runs", {**RUN, "seed": seed})["id"] for seed in (1, 2)]
    while any(not client.json("GET", f"/api/runs/{run}")["history"] for run in runs):
        time.sleep(0.1)
    over = threading.Event()
    counts = [0] * clients

    def listen(number: int) -> None:
        with client.open("GET", f"/api/runs/{runs[number % 2]}/events?wall=true") as answer:
            for line in answer:
                counts[number] += line.startswith(b"event:")
                if over.is_set():
                    return

    listeners = [threading.Thread(target=listen, args=(number,), daemon=True) for number in range(clients)]
    for listener in listeners:
        listener.start()
    time.sleep(1.0)
    before, began = evaluations(client, runs), time.perf_counter()
    times = []
    while time.perf_counter() - began < SECONDS:
        start = time.perf_counter()
        client.json("GET", "/api/runs")
        times.append(time.perf_counter() - start)
        time.sleep(0.1)
    rate = (evaluations(client, runs) - before) / (time.perf_counter() - began)
    over.set()
    for run in runs:
        client.json("DELETE", f"/api/runs/{run}")
    return rate, times, sum(counts)


def evaluations(client: Client, runs: list[object]) -> int:
    """Return the generations of runs so far."""
    total = 0
    for run in runs:
        history = client.json("GET", f"/api/runs/{run}")["history"]
        assert isinstance(history, list)
        total += history[-1][0]
    return total


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LEVOLVE_STORE": str(Path(folder) / "runs.sqlite")}
        with subprocess.Popen([sys.executable, "-m", "levolve", "studio"], stdout=subprocess.PIPE, text=True, env=environment) as process:
            try:
                assert process.stdout is not None
                client = Client(process.stdout.readline().strip())
                print(f"load of the machine: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}")
                alone, times, _ = speed(client, 0)
                print(f"no client:   {alone:8.0f} generations/s, requests median {median(times) * 1000:.0f} ms, longest {max(times) * 1000:.0f} ms")
                watched, times, messages = speed(client, CLIENTS)
                print(
                    f"{CLIENTS} clients:  {watched:8.0f} generations/s ({watched / alone:.2f} of alone), median {median(times) * 1000:.0f} ms, "
                    f"longest {max(times) * 1000:.0f} ms, {messages / SECONDS:.0f} messages/s"
                )
            finally:
                process.terminate()


if __name__ == "__main__":
    main()

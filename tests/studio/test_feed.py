"""News for watchers: every watcher receives every point once, messages are encoded once, and
streaming keeps to its budget.
"""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from levolve.studio.feed import (
    BUDGET,
    LONGEST_SECONDS,
    PER_SECOND,
    Feed,
    Point,
    StreamPace,
    adapted,
)


def points_of(first: int, last: int) -> list[Point]:
    return [(generation, float(generation), None, None) for generation in range(first, last)]


def read(chunk: bytes) -> dict[str, Any]:
    events = [event.split("\n") for event in chunk.decode().removesuffix("\n\n").split("\n\n")]
    return {
        name.removeprefix("event: "): json.loads(data.removeprefix("data: "))
        for name, data in events
    }


def test_watchers_receive_every_point_once_also_those_who_miss_news() -> None:
    async def watch() -> tuple[list[bytes], list[bytes], list[bytes]]:
        feed = Feed()
        curve: list[Point] = []

        def publish(
            first: int, last: int, parts: dict[str, object], *, is_last: bool = False
        ) -> None:
            curve.extend(points_of(first, last))
            feed.publish({"id": 1}, points_of(first, last), parts, is_last=is_last)

        def since(generation: int) -> list[Point]:
            return [point for point in curve if point[0] > generation]

        async def next_of(stream: Any) -> bytes:
            chunk: bytes = await asyncio.wait_for(anext(stream), 5)
            return chunk

        publish(0, 3, {"level": "a", "wall": "w"})
        quick, same, slow = (feed.watch(-1, frozenset({"level"}), since) for _ in range(3))
        chunks = [[await next_of(stream)] for stream in (quick, same, slow)]
        for number in (1, 2, 3):
            publish(
                3 * number,
                3 * number + 3,
                {"level": "b"} if number == 2 else {},
                is_last=number == 3,
            )
            for stream, received in ((quick, chunks[0]), (same, chunks[1])):
                received.append(await next_of(stream))
        chunks[2].append(await next_of(slow))
        for stream in (quick, same, slow):
            with pytest.raises(StopAsyncIteration):
                await next_of(stream)
        assert not feed.wanted["level"]
        return chunks[0], chunks[1], chunks[2]

    with ThreadPoolExecutor(1) as thread:
        quick, same, slow = thread.submit(asyncio.run, watch()).result()
    for received in (quick, slow):
        assert [point[0] for chunk in received for point in read(chunk)["state"]["points"]] == list(
            range(12)
        )
        assert [read(chunk)["level"] for chunk in received if "level" in read(chunk)] == ["a", "b"]
        assert not any("wall" in read(chunk) for chunk in received)
    assert all(one is other for one, other in zip(quick[1:], same[1:], strict=True)), "encoded once"


def test_news_are_sent_less_often_while_they_cost_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    wall = processor = 100.0
    monkeypatch.setattr("levolve.studio.feed.time.perf_counter", lambda: wall)
    monkeypatch.setattr("levolve.studio.feed.time.thread_time", lambda: processor)
    measured = StreamPace()
    measured.measure()
    cost, found = 0.02, []
    for _ in range(60):
        wall += 1.0
        processor += cost / measured.seconds
        measured.measure()
        found.append(measured.seconds)
    assert found[-1] == pytest.approx(cost / BUDGET)
    assert found[0] > 1 / PER_SECOND
    for _ in range(20):
        wall += 1.0
        measured.measure()
    assert measured.seconds == 1 / PER_SECOND
    assert adapted(LONGEST_SECONDS, 1.0) == LONGEST_SECONDS

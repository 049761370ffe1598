"""Whatever is sent to the API, the answer is documented and no server error."""

import os
from collections.abc import Iterable
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from studio.server import Studio

EXAMPLES = int(os.environ.get("LEVOLVE_EXAMPLES", "4"))


@pytest.fixture(scope="module")
def studio(fresh_studio: Studio) -> Studio:
    """A studio whose store is empty at first: requests at random start and delete things."""
    return fresh_studio


def test_no_request_is_a_server_error(studio: Studio) -> None:
    headers = {"X-Levolve-Token": studio.token}
    studio.finished(
        studio.json(
            "POST",
            "/api/runs",
            {"recipe": "maze", "seed": 1, "settings": {"size": "8x8", "generations": 2}},
        )["id"]
    )
    schema = schemathesis.openapi.from_url(f"{studio.base}/api/openapi.json", headers=headers)
    operations: list[Any] = [
        found.ok() for found in cast("Iterable[Any]", schema.get_all_operations())
    ]
    assert len(operations) > 10
    for operation in operations:

        @given(operation.as_strategy())
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            database=None,
        )
        def check(case: Any) -> None:
            answer = case.call(headers=headers, timeout=120)
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                assert set(answer.json()) == {"error"}, answer.text

        check()


def test_no_request_about_a_session_is_a_server_error(studio: Studio) -> None:
    headers = {"X-Levolve-Token": studio.token}
    number = studio.json(
        "POST",
        "/api/sessions",
        {"recipe": "maze", "seed": 1, "sheet": 4, "settings": {"size": "8x8"}},
    )["id"]
    schema = schemathesis.openapi.from_url(f"{studio.base}/api/openapi.json", headers=headers)
    for found in cast("Iterable[Any]", schema.get_all_operations()):
        operation: Any = found.ok()
        if "{number}" not in operation.path or operation.method == "delete":
            continue

        @given(operation.as_strategy())
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            database=None,
        )
        def check(case: Any) -> None:
            case.path_parameters |= {
                name: value
                for name, value in (("number", number), ("place", 1), ("sheet", 0))
                if name in case.path_parameters
            }
            answer = case.call(headers=headers, timeout=120)
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                assert set(answer.json()) == {"error"}, answer.text

        check()
    levels = studio.json("GET", f"/api/sessions/{number}")["levels"]
    assert all(level["solution"] for level in levels)

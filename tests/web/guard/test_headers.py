"""Headers that every response has."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tacita.web.guard.headers import HEADERS


@pytest.mark.parametrize("path", ["/", "/health", "/datasets", "/nope", "/tabulate", "/openapi.json", "/metrics"])
def test_headers_are_everywhere(path: str, client: TestClient) -> None:
    said = client.get(path)
    assert {name: said.headers.get(name) for name in HEADERS} == HEADERS
    assert "strict-transport-security" not in said.headers
    assert "unsafe" not in said.headers["content-security-policy"]


def test_https_stays_https(client: TestClient) -> None:
    assert "max-age" in client.get("https://127.0.0.1/health").headers["strict-transport-security"]

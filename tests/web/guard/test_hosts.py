"""Requests that are meant for another server."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from tacita.web.guard.hosts import is_loopback
from tests.web.api.test_routes import is_refused
from tests.web.conftest import Serve


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost@evil.example",
        "localhost:80@evil.example",
        "localhost:evil.example",
        "localhost/evil.example",
        "localhost, evil.example",
        "localhost evil.example",
        "127.0.0.1:",
        "",
        "[::2]:80",
        "[::1]evil.example",
        "testserver",
    ],
)
def test_other_names_are_refused(host: str, client: TestClient) -> None:
    is_refused(client.get("/health", headers={"Host": host}), 400, "host")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000"])
def test_this_machine(host: str, client: TestClient) -> None:
    assert client.get("/health", headers={"Host": host}).status_code == 200


def test_a_named_server(serve: Serve) -> None:
    client, _ = serve(hosts=("Data.Example",))
    assert client.get("/health", headers={"Host": "data.example:443"}).status_code == 200
    is_refused(client.get("/health", headers={"Host": "other.example"}), 400, "host")


def test_two_hosts(client: TestClient) -> None:
    is_refused(client.get("/health", headers=[("Host", "localhost"), ("Host", "evil.example")]), 400, "host")


def test_loopback() -> None:
    assert not is_loopback("")
    assert not is_loopback("testserver")


def test_the_operator_sees_how_many_were_meant_for_others(client: TestClient) -> None:
    client.get("/health", headers={"Host": "evil.example"})
    assert 'tacita_turned_away_total{rule="host"' in client.get("/metrics").text

"""Addresses: which can be used, and where secrets must not travel."""

from __future__ import annotations

from typing import Any

import pytest

from tacita.core.errors import ParameterError
from tacita.query.remote.address import ServerAddress, checked_token


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://stat.example", "https://stat.example"),
        ("https://stat.example/", "https://stat.example"),
        ("https://stat.example:8443/api/v1/", "https://stat.example:8443/api/v1"),
        ("HTTPS://Stat.Example:443", "https://stat.example"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("http://127.9.9.9", "http://127.9.9.9"),
        ("http://localhost:80", "http://localhost"),
        ("http://[::1]:8000/x", "http://[::1]:8000/x"),
    ],
)
def test_addresses_of_servers(url: str, text: str) -> None:
    assert str(ServerAddress.of(url)) == text


@pytest.mark.parametrize(
    "url",
    ["http://stat.example", "http://10.0.0.1", "http://localhost.stat.example", "http://127.0.0.1.stat.example", "http://0.0.0.0",
     "http://[fe80::1]"],
)  # fmt: skip
def test_secrets_do_not_travel_in_the_open(url: str) -> None:
    with pytest.raises(ParameterError, match="must begin with https"):
        ServerAddress.of(url)
    assert not ServerAddress.of(url, allow_plain=True).is_secure


@pytest.mark.parametrize(
    "url",
    ["", "stat.example", "ftp://stat.example", "file:///etc/passwd", "https://", "https://:443", "https://a:b", "https://a:99999",
     "https://a b", "https://a/b?c=1", "https://a/b#c", "https://a/../b", "https://a/b\r\nX: 1", "https://a/é", "https://a//b",
     "https://[zz]", "javascript:alert(1)", None, 7, b"https://a"],
)  # fmt: skip
def test_what_is_no_address(url: Any) -> None:
    with pytest.raises(ParameterError, match="'url' must be an address"):
        ServerAddress.of(url)


def test_a_password_in_an_address_is_not_repeated() -> None:
    with pytest.raises(ParameterError, match="without a user or a password") as found:
        ServerAddress.of("https://ann:s3cret@stat.example")
    assert "s3cret" not in str(found.value)


@pytest.mark.parametrize("token", ["", "a b", "a\r\nX: 1", "é", "x" * 5000, 7, b"abc"])
def test_tokens_that_no_header_can_have(token: Any) -> None:
    with pytest.raises(ParameterError, match="'token'") as found:
        checked_token(token)
    assert "abc" not in str(found.value)


def test_tokens() -> None:
    assert checked_token(None) is None
    assert checked_token("tacita_1_Zz-9+/=") == "tacita_1_Zz-9+/="

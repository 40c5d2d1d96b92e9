"""Where a server may listen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.web.serving import Binding


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::", "data.example"])
def test_no_plain_http_where_others_can_read(host: str) -> None:
    with pytest.raises(ParameterError, match="'host' must be of this machine only"):
        Binding(host=host)
    assert not Binding(host=host, allow_plain=True).is_https


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"port": 65536}, "'port' must be in"),
        ({"port": -1}, "'port' must be in"),
        ({"certificate": Path("none.pem")}, "must be given together"),
        ({"trusts_proxy": ("*",)}, "'trusts_proxy' must have the addresses"),
        ({"trusts_proxy": ("0.0.0.0/0",)}, "'trusts_proxy' must have the addresses"),
        ({"trusts_proxy": ("127.0.0.1", "proxy.example")}, "'trusts_proxy' must have the addresses"),
    ],
)
def test_bad_addresses(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        Binding(**given)


def test_a_certificate_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"There is no file 'none\.pem'"):
        Binding(certificate=tmp_path / "none.pem", certificate_key=tmp_path / "none.key")


def test_an_address_is_taken_once() -> None:
    with Binding(port=0).listen() as first:
        port = first.getsockname()[1]
        assert Binding(port=port).url(port) == f"http://127.0.0.1:{port}"
        with pytest.raises(FileError, match="cannot be listened on"):
            Binding(port=port).listen()
    assert Binding(host="::1").url(8000) == "http://[::1]:8000"

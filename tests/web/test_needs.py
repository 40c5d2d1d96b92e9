"""The parts of the server, where they are missing."""

from __future__ import annotations

import sys

import pytest

from tacita.core.errors import FileError
from tacita.web.needs import check_server_parts


def test_with_its_parts_the_server_may_start() -> None:
    assert check_server_parts() is None  # type: ignore[func-returns-value]


def test_a_part_that_is_missing_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(FileError, match=r"'jinja2'.*pip install 'tacita\[server\]'"):
        check_server_parts()

"""What an attack can be pointed at."""

from __future__ import annotations

import pytest

from tacita.cli.attacks.pointed_at import is_address


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("http://127.0.0.1:8000", True),
        ("https://stat.example", True),
        ("survey.csv", False),
        ("httpfiles/a.csv", False),
    ],
)
def test_addresses_are_told_from_paths(text: str, is_one: bool) -> None:
    assert is_address(text) is is_one

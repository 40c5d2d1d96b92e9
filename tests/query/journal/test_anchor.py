"""Anchors as people copy them."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.query.journal.anchor import Anchor

HASH = "0123456789abcdef" * 4


@pytest.mark.parametrize("text", [f"7:{HASH}", f"  7:{HASH}\n", f"7:{HASH.upper()}"])
def test_an_anchor_is_read(text: str) -> None:
    assert Anchor.parse(text) == Anchor.of(text) == Anchor(7, HASH)
    assert str(Anchor.parse(text)) == f"7:{HASH}"
    assert Anchor.of(Anchor(7, HASH)) == Anchor(7, HASH)


@pytest.mark.parametrize(
    "text", ["", "7", f"7:{HASH[:-1]}", f"-7:{HASH}", f"7:{HASH}0", f"{'9' * 30}:{HASH}", "x" * 10**6], ids=range(7)
)
def test_what_is_no_anchor_is_refused(text: str) -> None:
    with pytest.raises(ParameterError, match="An anchor must be"):
        Anchor.parse(text)

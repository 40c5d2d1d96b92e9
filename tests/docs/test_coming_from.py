"""The page for users of other tools: every name on it exists, and every whole call can be made."""

from __future__ import annotations

import re

import pytest
from docs_examples import ROOT

import tacita as tc

PAGE = (ROOT / "docs" / "explanation" / "coming-from.md").read_text(encoding="utf-8")
QUOTED = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", PAGE, flags=re.DOTALL))
CALLS = sorted(
    {
        text
        for text in QUOTED
        if re.fullmatch(r"tc\.(mask|risk|loss|tables)\.[A-Z]\w*\([^)]*\)", text) and "..." not in text
    }
)


def test_every_name_exists() -> None:
    names = {name for text in QUOTED for name in re.findall(r"\btc(?:\.\w+)+", text)}
    assert len(names) > 40
    for name in names:
        found: object = tc
        for word in name.split(".")[1:]:
            assert hasattr(found, word), name
            found = getattr(found, word)


@pytest.mark.parametrize("call", CALLS)
def test_every_call_can_be_made(call: str) -> None:
    assert eval(call, {"tc": tc}) is not None


def test_the_page_promises_nothing() -> None:
    assert "not yet" not in PAGE.lower()
    assert len(CALLS) > 40

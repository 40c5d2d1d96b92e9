"""What the server sees of its engine."""

from __future__ import annotations

import json

from tacita.web.engine import DatasetFacts, Keeper, Reply
from tacita.web.engine.port import refused


def test_facts_travel(keeper: Keeper) -> None:
    (facts,) = keeper.facts()
    assert DatasetFacts.from_plain(json.loads(json.dumps(facts.to_plain()))) == facts


def test_one_shape() -> None:
    said = json.loads(refused("busy", "Wait."))
    assert said == {"status": "refused", "id": "", "request": {}, "reasons": ["busy"], "hint": "Wait."}


def test_a_reply_does_not_show_its_body() -> None:
    assert "4711" not in repr(Reply(status="answered", body=b"4711"))

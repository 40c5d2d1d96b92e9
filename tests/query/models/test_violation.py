"""The shape of a refusal: the rule is public, the detail is not."""

from __future__ import annotations

from tacita.query.models.violation import ModelViolation


def test_the_detail_is_not_shown() -> None:
    violation = ModelViolation("leverage", "CANARY-73")
    assert "CANARY" not in repr(violation)
    assert "leverage" in repr(violation)
    assert violation.detail == "CANARY-73"

"""Decisions of the rules of restriction."""

from __future__ import annotations

import dataclasses

import pytest

from tacita.query.audit.decision import Decision


def test_only_a_denial_is_no_answer() -> None:
    assert Decision("allow", "rule").is_allowed
    assert Decision("free", "rule").is_allowed
    assert not Decision("deny", "rule", "Too few.").is_allowed


def test_a_decision_stays() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Decision("deny", "rule").outcome = "allow"  # type: ignore[misc]

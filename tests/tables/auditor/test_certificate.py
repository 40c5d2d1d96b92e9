"""The certificate: safe without leaks, cells at risk once each, plain for JSON also where bounds have no end."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tacita.tables.auditor.certificate import Certificate, Leak


def certificate(*leaks: Leak) -> Certificate:
    return Certificate(
        np.array([2, 5]), np.array([0.0, 1.0]), np.array([np.inf, 9.0]), np.array([True, False]), leaks, 3, 7, 0.12345
    )


def test_a_certificate_is_safe_when_nothing_leaks() -> None:
    assert certificate().is_safe
    assert certificate().at_risk.tolist() == []


def test_cells_at_risk_count_once() -> None:
    found = certificate(Leak(5, None, "above", 0.5), Leak(2, 1, "below", 0.0), Leak(5, 4, "sliding", 0.9))
    assert not found.is_safe
    assert found.at_risk.tolist() == [2, 5]


@pytest.mark.parametrize("leaks", [(), (Leak(5, 1, "above", 0.5, (3, 4), (2,), (7,)),)])
def test_the_plain_form_has_everything(leaks: tuple[Leak, ...]) -> None:
    plain = json.loads(json.dumps(certificate(*leaks).to_plain(), allow_nan=False))
    assert plain["safe"] == (not leaks)
    assert (plain["hidden"], plain["seats"], plain["solves"], plain["seconds"]) == (2, 3, 7, 0.123)
    assert plain["intervals"][0] == {"cell": 2, "low": 0.0, "high": None, "exact": True}
    assert [leak["relations"] for leak in plain["leaks"]] == [list(leak.relations) for leak in leaks]
    assert [leak["floors"] for leak in plain["leaks"]] == [list(leak.floors) for leak in leaks]


def test_values_are_not_in_the_repr() -> None:
    assert "9.0" not in repr(certificate())

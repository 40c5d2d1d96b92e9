"""Measures: titles that people read, and a unit for every part."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.core import registry
from tacita.data.measure import FewValues, Measure, Measured, find_measure

COUNTS = ("records", "combinations", "groups", "tables", "households", "persons", "minimal uniques", "variables")


def _measures() -> list[type[Measure]]:
    return [method for method in registry.methods() if issubclass(method, Measure)]


def test_every_measure_has_a_title_of_its_own() -> None:
    titles = [measure.title for measure in _measures()]
    assert len(set(titles)) == len(titles)
    for measure in _measures():
        assert "title" in vars(measure), f"{measure.name} has no title"
        assert "_" not in measure.title, measure.title
        assert measure.title != measure.name
        assert measure.titled().endswith(f" ({measure.name})")


def test_every_measure_has_a_unit() -> None:
    without = [measure.name for measure in _measures() if not measure.traits.unit]
    assert without == []


@pytest.mark.parametrize(
    ("measure", "part", "unit"),
    [
        ("k_anonymity", "below 3", "records"),
        ("individual_risk", "largest", "of 1"),
        ("individual_risk", "above 5 %", "records"),
        ("household_risk", "expected households", "households"),
        ("household_risk", "households", "%"),
        ("entropy", "region", "%"),
        ("entropy", "region.bits", "bits"),
        ("rid", "savings", "%"),
        ("il_table", "X.mean_variation", "ratio"),
    ],
)
def test_a_part_has_its_own_unit(measure: str, part: str, unit: str) -> None:
    assert find_measure(measure).unit_of_part(part) == unit


def test_no_part_in_percent_is_above_a_hundred_where_the_measure_is_bounded() -> None:
    data = tc.samples.household_survey(300, seed=1)
    steps = [tc.mask.GlobalRecode(levels={"region": 1}), tc.mask.RankSwap(columns=["savings", "tax"], p=10)]
    card = tc.evaluate(data, tc.Recipe(steps).apply(data, seed=1), measures=[m.name for m in _measures()])
    for name, (measure, result) in card.results.items():
        for part, value in result.parts.items():
            unit = measure.unit_of_part(part)
            assert unit, (name, part)
            if unit == "%" and measure.traits.upper == 100:
                assert -1e-9 <= value <= 100 + 1e-9, (name, part, value)
            if unit == "of 1":
                assert -1e-9 <= value <= 1 + 1e-9, (name, part, value)
            if unit in COUNTS:
                assert value >= 0, (name, part, value)


def test_few_values_come_back_bit_by_bit() -> None:
    given = np.tile(np.array([0.1, np.nan, -0.0, 0.0, np.inf]), 50_000)
    given[-1] = 7.0  # one that a glance does not see
    kept = FewValues.of(given)
    assert kept is not None
    assert kept.places.nbytes == len(given)
    assert kept().tobytes() == given.tobytes()


def test_many_values_are_not_few() -> None:
    assert FewValues.of(np.arange(257.0)) is None
    assert FewValues.of(np.arange(256.0)) is not None
    late = np.zeros(100_000)
    late[-300:] = np.arange(300)
    assert FewValues.of(late) is None


def test_records_that_are_made_when_asked_for() -> None:
    whole = Measured(1.0, per_record=np.array([1.0, 2.0]), note="n")
    kept = FewValues.of(np.array([1.0, 2.0]))
    assert kept is not None
    lean = whole.with_records(kept)
    assert whole.holds_records
    for made in (lean, copy.copy(lean), pickle.loads(pickle.dumps(lean))):
        assert not made.holds_records
        assert made.per_record.tolist() == [1.0, 2.0]
        assert (made.value, made.note) == (1.0, "n")
    assert replace(lean, note="m").per_record.tolist() == [1.0, 2.0]
    assert Measured(1.0).per_record is None
    with pytest.raises(AttributeError, match="no attribute 'unknown'"):
        _ = lean.unknown

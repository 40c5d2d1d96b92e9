"""Bounded contributions: at most m records of a unit, values within public bounds, sensitivities that nobody exceeds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.dp.contribution import ContributionLimit, PublicRange, require_public
from tests.effort import examples

KEY = Key(b"a key that is only for tests")
units_of_records = st.lists(st.integers(0, 5), min_size=1, max_size=30)


@settings(max_examples=examples(25), deadline=None)
@given(units_of_records, st.integers(1, 4))
def test_each_unit_keeps_at_most_m(units: list[int], most: int) -> None:
    given_units, ids = np.array(units, dtype=np.uint64), np.arange(len(units), dtype=np.uint64)
    kept = ContributionLimit(most=most, unit="household").keep(given_units, ids, key=KEY)
    for unit in set(units):
        inside = given_units == unit
        assert kept[inside].sum() == min(most, inside.sum())
    order = np.random.default_rng(0).permutation(len(units))
    again = ContributionLimit(most=most, unit="household").keep(given_units[order], ids[order], key=KEY)
    assert (again == kept[order]).all()


@settings(max_examples=examples(25), deadline=None)
@given(units_of_records, st.integers(1, 3), st.data())
def test_no_unit_changes_more_than_the_sensitivity(units: list[int], most: int, data: st.DataObject) -> None:
    """Take each unit away: tables of counts, sums and centred sums change by no more than was said."""
    limit, bounds = ContributionLimit(most=most, unit="household"), PublicRange(low=-20, high=70, step=2)
    n = len(units)
    given_units, ids = np.array(units, dtype=np.uint64), np.arange(n, dtype=np.uint64)
    values = np.array(data.draw(st.lists(st.floats(-1e6, 1e6), min_size=n, max_size=n)))
    cells = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))

    def tables(here: np.ndarray) -> list[np.ndarray]:
        kept = np.flatnonzero(here)[limit.keep(given_units[here], ids[here], key=KEY)]
        made = [np.bincount(cells[kept], minlength=3)]
        for centred in (False, True):
            steps = bounds.steps(values[kept], centred=centred)
            made.append(np.array([steps[cells[kept] == c].sum() for c in range(3)]))
        return made

    said = [limit.count_sensitivity(), bounds.sum_sensitivity(limit), bounds.sum_sensitivity(limit, centred=True)]
    everybody = tables(np.ones(n, dtype=bool))
    for unit in set(units):
        for before, after, most_change in zip(everybody, tables(given_units != unit), said, strict=True):
            assert np.abs(before - after).sum() <= most_change
            assert ((before - after) ** 2).sum() <= most_change**2


def test_sensitivities_by_hand() -> None:
    limit, bounds = ContributionLimit(most=3, unit="household"), PublicRange(low=0, high=100, step=10)
    assert limit.count_sensitivity() == 3
    assert bounds.sum_sensitivity(limit) == 30
    assert bounds.sum_sensitivity(limit, centred=True) == 15
    assert bounds.middle == 50


def test_means_from_sums_and_counts() -> None:
    bounds = PublicRange(low=0, high=100, step=1)
    values = np.array([10.0, 30.0, 500.0, np.nan])
    steps = bounds.steps(values, centred=True)
    assert steps.tolist() == [-40, -20, 50, 0]
    assert bounds.mean(np.array([steps.sum(), 7, 900]), np.array([3, 0, 2])).tolist() == pytest.approx(
        [140 / 3, 50, 100]
    )


def test_only_public_choices() -> None:
    require_public({"cutpoints of age": "public", "categories of region": "public"})
    with pytest.raises(ParameterError, match=r"cutpoints of age, threshold must be public, but were made"):
        require_public({"threshold": "data", "cutpoints of age": "data", "categories": "public"})


@pytest.mark.parametrize("bad", [{"low": 5}, {"high": float("inf")}, {"step": 0}, {"step": 1e-12}])
def test_impossible_ranges_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(ParameterError, match="PublicRange"):
        PublicRange(**({"low": 0.0, "high": 5.0} | bad))  # type: ignore[arg-type]


def test_bad_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="'most'"):
        ContributionLimit(most=0)
    with pytest.raises(ParameterError, match="a unit for each of 2 records"):
        ContributionLimit().keep(np.zeros(3, dtype=np.uint64), np.zeros(2, dtype=np.uint64), key=KEY)

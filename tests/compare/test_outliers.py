"""Every measure of the outliers beside the whole file."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.compare.outliers import OutlierCards, evaluate_outliers, outlier_records
from tacita.core.errors import ColumnError, DataError, ParameterError

COLUMNS = ["turnover", "wages", "profit"]


@pytest.fixture(scope="module")
def firms() -> tc.Microdata:
    return tc.samples.business_survey(400, seed=1)


@pytest.fixture(scope="module")
def noisy(firms: tc.Microdata) -> tc.Microdata:
    return tc.mask.AdditiveNoise(columns=COLUMNS, sd_ratio=0.1).apply(firms, seed=7)


@pytest.fixture(scope="module")
def cards(firms: tc.Microdata, noisy: tc.Microdata) -> OutlierCards:
    return evaluate_outliers(firms, noisy, columns=COLUMNS)


def test_outliers_are_the_farthest_records(firms: tc.Microdata) -> None:
    far = outlier_records(firms, columns=COLUMNS)
    x = firms.floats(COLUMNS)
    z = (x - x.mean(axis=0)) / x.std(axis=0, ddof=1)
    expected = np.argsort((z**2).sum(axis=1))[-20:]
    assert set(np.flatnonzero(far)) == set(expected)


def test_cards_are_those_of_evaluate(firms: tc.Microdata, noisy: tc.Microdata, cards: OutlierCards) -> None:
    far = outlier_records(firms, columns=COLUMNS)
    assert cards.records == far.sum() == 20
    assert dict(cards.whole) == dict(tc.evaluate(firms, noisy, columns=COLUMNS))
    assert dict(cards.outliers) == dict(tc.evaluate(firms, noisy, columns=COLUMNS, among=far))


def test_measures_of_records_are_means_over_the_outliers(firms: tc.Microdata, cards: OutlierCards) -> None:
    far = outlier_records(firms, columns=COLUMNS)
    for name, factor in (("il1", 1), ("il1s", 1), ("dld", 100), ("rid", 100), ("sdid", 100)):
        assert cards.outliers[name] == pytest.approx(factor * cards.whole.per_record(name)[far].mean()), name


def test_noise_leaves_outliers_easy_to_find(cards: OutlierCards) -> None:
    """Mateo-Sanz et al., section 5: with noise more outliers are linked, and they change less relative to themselves."""
    assert cards.outliers["dld"] > cards.whole["dld"]
    assert cards.outliers["il1"] < cards.whole["il1"]


def test_rows_and_plain_form(cards: OutlierCards) -> None:
    rows = {row["measure"]: row for row in cards.rows()}
    assert rows["dld"]["whole"] == cards.whole["dld"]
    assert rows["dld"]["outliers"] == cards.outliers["dld"]
    plain = cards.as_plain()
    assert plain["outliers"]["count"] == 20
    assert plain["outliers"]["share"] == 0.05
    assert {m["measure"] for m in plain["measures"]} == set(cards.whole)
    assert "20 outliers" in repr(cards)


def test_a_measure_that_only_one_card_has_stays_in_the_table() -> None:
    """Outliers that are all alike have no spread of their own, so some measures may fail for them alone."""
    whole = tc.samples.business_survey(60, seed=2)
    masked = tc.mask.AdditiveNoise(columns=COLUMNS, sd_ratio=0.1).apply(whole, seed=1)
    found = evaluate_outliers(whole, masked, columns=COLUMNS, share=0.02)
    assert {row["measure"] for row in found.rows()} == set(found.whole) | set(found.outliers)
    assert found.records == 1


@pytest.mark.parametrize("share", [0, 1, -0.1, 5, float("nan"), "0.05", True, None])
def test_senseless_shares_are_refused(firms: tc.Microdata, share: object) -> None:
    with pytest.raises(ParameterError, match="'share' must be in \\(0, 1\\), got"):
        outlier_records(firms, columns=COLUMNS, share=share)  # type: ignore[arg-type]


def test_bad_columns_and_no_records(firms: tc.Microdata) -> None:
    with pytest.raises(ColumnError, match="works on numeric columns"):
        outlier_records(firms, columns=["activity"])
    with pytest.raises(ColumnError):
        outlier_records(firms, columns=["turnovr"])
    with pytest.raises(DataError, match="no records"):
        outlier_records(tc.samples.business_survey(0, seed=1), columns=COLUMNS)

"""Checks of the options that all masks of numeric columns share: by, unit, keep_zeros, decimals, identities."""

from __future__ import annotations

from typing import Any
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import numeric_mask
from tacita.numeric.compiled import threads
from tests.conformance.examples import changed, numbers, survey
from tests.conformance.mask_checks import check, claims, columnwise, like_numeric_mask, only, run, sound
from tests.conformance.property_checks import PROPERTY_CHECKS

NAMES = ("age", "income", "turnover", "rent")


@check(like_numeric_mask)
def present_values_stay_present(mask: Any) -> None:
    """Where every pattern of gaps is frequent, no value is lost."""
    data = survey()
    masked = run(mask, data)
    for name in data.names:
        assert np.array_equal(data.is_missing(name), masked.is_missing(name))


@check(like_numeric_mask)
def missing_codes_come_back(mask: Any) -> None:
    data = survey()
    mask = only(mask, "income")
    masked = run(mask, data)
    # Of k records that must not differ, the reasons why a value is missing must not differ either.
    code = None if "k-anonymity" in mask.traits.preserves else -9
    for row in (0, 10, 590):
        assert masked.to_arrow().column("income")[row].as_py() == code
    assert masked.to_arrow().column("income")[5].as_py() is None


@check(like_numeric_mask)
def claims_hold_in_every_stratum(mask: Any) -> None:
    data = survey()
    masked = run(changed(only(mask, *NAMES), by=("region",)), data)
    sound(mask, data, masked)
    strata = data.groups(["region"])
    for label in np.unique(strata):
        rows = np.flatnonzero(strata == label)
        for claim in mask.traits.preserves:
            PROPERTY_CHECKS[claim](mask, data.take(rows), masked.take(rows), NAMES)


@check(like_numeric_mask)
def strata_do_not_see_each_other(mask: Any) -> None:
    """Other values in the last stratum change nothing in the ones before."""
    data = survey(missing=False)
    last = data.groups(["region"]) == 2
    other = data.with_numbers({"income": np.where(last, data.float("income") * 3 + 1, data.float("income"))})
    stratified = changed(only(mask, "income"), by=("region",))
    a, b = (run(stratified, d).float("income") for d in (data, other))
    assert np.array_equal(a[~last], b[~last])
    assert not np.array_equal(a[last], b[last])


@check(like_numeric_mask)
def by_is_a_list_a_name_or_a_rule(mask: Any) -> None:
    data = survey()
    results = [run(changed(mask, by=by), data) for by in (("region",), "region", "strata")]
    assert results[0].same_content(results[1])
    assert results[0].same_content(results[2])


@check(like_numeric_mask)
def unknown_stratum_is_refused(mask: Any) -> None:
    with pytest.raises(ColumnError, match="Did you mean 'region'"):
        run(changed(mask, by=("regio",)), survey())


@check(like_numeric_mask)
def members_of_a_unit_stay_equal(mask: Any) -> None:
    data = survey()
    masked = run(changed(only(mask, "rent"), unit="house"), data)
    sound(mask, data, masked)
    rent = masked.float("rent").reshape(-1, 3)
    assert (rent == rent[:, :1]).all()
    assert not np.array_equal(rent.ravel(), data.float("rent"))


@check(lambda mask: like_numeric_mask(mask) and claims(mask))
def claims_hold_over_units(mask: Any) -> None:
    data = survey()
    masked = run(changed(only(mask, "rent"), unit="house"), data)
    heads = np.arange(0, len(data), 3)
    for claim in mask.traits.preserves:
        PROPERTY_CHECKS[claim](mask, data.take(heads), masked.take(heads), ("rent",))


@check(like_numeric_mask)
def different_values_in_a_unit_are_refused(mask: Any) -> None:
    with pytest.raises(DataError, match="column 'age' differs between the members of"):
        run(changed(only(mask, "age"), unit="house"), survey())


@check(like_numeric_mask)
def units_across_strata_are_refused(mask: Any) -> None:
    with pytest.raises(DataError, match="members of one unit are in different strata"):
        run(changed(only(mask, "rent"), unit="house", by=("sex",)), survey())


@check(like_numeric_mask)
def missing_unit_is_refused(mask: Any) -> None:
    data = survey()
    house = data.to_arrow().column("house").to_pylist()
    lonely = data.with_column("house", pa.array([None, None, *house[2:]], pa.int64()))
    with pytest.raises(DataError, match="the unit 'house' is missing in 2 records"):
        run(changed(only(mask, "rent"), unit="house"), lonely)


@check(like_numeric_mask)
def zeros_stay_where_they_are(mask: Any) -> None:
    data = survey()
    masked = run(changed(only(mask, "turnover", "income"), keep_zeros=True), data)
    sound(mask, data, masked)
    PROPERTY_CHECKS["zeros"](mask, data, masked, ("turnover", "income"))


@check(like_numeric_mask)
def whole_numbers_stay_whole(mask: Any) -> None:
    data = survey()
    masked = run(only(mask, *NAMES), data)
    for name in ("age", "turnover"):
        assert masked.to_arrow().schema.field(name).type == pa.int64()
    assert masked.to_arrow().schema.field("income").type == pa.float64()


@check(like_numeric_mask)
def decimals_stay_as_many(mask: Any) -> None:
    data = survey()
    for decimals, places in (("keep", 2), (1, 1)):
        rent = run(changed(only(mask, "rent"), decimals=decimals), data).float("rent")
        if not hasattr(mask, "base"):  # multiples of a base have the decimals of the base
            assert np.array_equal(rent, np.round(rent, places))


@check(like_numeric_mask)
def declared_bounds_are_kept(mask: Any) -> None:
    data = survey()
    data = data.with_schema(data.schema.change("age", bounds=(18, 89)))
    age = run(only(mask, "age", "rent"), data).float("age")
    assert age.min() >= 18
    assert age.max() <= 89


@check(like_numeric_mask)
def totals_are_recomputed(mask: Any) -> None:
    data = _accounts()
    masked = run(
        changed(mask, columns=("a", "b", "total"), identities=("total = a + b", "net = total - `tax paid`")), data
    )
    sound(mask, data, masked)
    a, b, total, tax, net = (masked.float(n) for n in ("a", "b", "total", "tax paid", "net"))
    assert np.allclose(a + b, total, rtol=1e-12, atol=0)
    assert np.allclose(total - tax, net, rtol=1e-12, atol=1e-9)
    assert not np.array_equal(a, data.float("a"))
    assert np.array_equal(tax, data.float("tax paid")), "a part that was not named must stay"


@check(like_numeric_mask)
def missing_total_stays_missing(mask: Any) -> None:
    data = _accounts()
    total = data.float("total").copy()
    total[:10] = np.nan
    gaps = data.with_numbers({"total": total})
    masked = run(changed(mask, columns=("a", "b"), identities=("total = a + b",)), gaps)
    assert np.array_equal(masked.is_missing("total"), gaps.is_missing("total"))


@check(like_numeric_mask)
def broken_identity_is_refused(mask: Any) -> None:
    data = _accounts()
    total = data.float("total").copy()
    total[3] += 1
    with pytest.raises(DataError, match="the identity for 'total' does not hold in 1 records of the original data"):
        run(
            changed(mask, columns=("a", "b"), identities=("total = a + b",)),
            data.with_numbers({"total": total}),
        )


@check(like_numeric_mask)
def senseless_identities_are_refused(mask: Any) -> None:
    data = _accounts()
    for texts, error, words in (
        (("total a b",), ParameterError, "must read"),
        (("total = a + b", "total = a + net"), ParameterError, "twice"),
        (("total = a + net", "net = total + b"), ParameterError, "circle"),
        (("total = a + bb",), ColumnError, "'bb' is not in the data"),
    ):
        with pytest.raises(error, match=words):
            run(changed(mask, columns=("a", "b"), identities=texts), data)
    with pytest.raises(ColumnError, match="only totals"):
        run(changed(mask, columns=("total",), identities=("total = a + b",)), data)


@check(columnwise)
def further_columns_change_nothing(mask: Any) -> None:
    """The noise of a column does not depend on which other columns are masked."""
    data = survey()
    alone = run(only(mask, "income"), data).float("income")
    for names in (("income", "age"), ("rent", "turnover", "income", "age")):
        assert np.array_equal(run(only(mask, *names), data).float("income"), alone, equal_nan=True)


@check(columnwise)
def threads_change_nothing(mask: Any) -> None:
    """Long files are masked in threads; which thread comes first must not matter."""
    data = survey()
    alone = run(only(mask, *NAMES), data)
    with mock.patch.object(numeric_mask, "LONG", 1), mock.patch.object(threads, "LONG", 1):
        for options in ({}, {"by": ("region",)}):
            threaded = run(changed(only(mask, *NAMES), **options), data)
            assert threaded.same_content(run(changed(only(mask, *NAMES), **options), data))
        assert run(only(mask, *NAMES), data).same_content(alone)


def _accounts() -> Microdata:
    rng = np.random.default_rng(3)
    a, b = rng.integers(1, 1000, 60), rng.integers(1, 500, 60)
    tax = rng.integers(0, 100, 60)
    return numbers(**{"a": a, "b": b, "total": a + b, "tax paid": tax, "net": a + b - tax})

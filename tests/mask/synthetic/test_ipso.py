"""IPSO: exact coefficients and covariances, values that have nothing to do with the old ones."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ColumnError, DataError
from tacita.data.microdata import Microdata
from tacita.mask import Ipso
from tests.conformance.property_checks import PROPERTY_CHECKS


def file(n: int = 200, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    y = x @ np.array([[2.0, -1.0, 0.5], [0.3, 1.0, 4.0]]) + rng.normal(size=(n, 3)) @ np.array(
        [[1.0, 0.5, 0], [0, 1, 0.2], [0, 0, 2]]
    )
    group = np.where(rng.random(n) < 0.5, "a", "b")
    columns = {"g": group, "x0": x[:, 0], "x1": x[:, 1], **{f"y{j}": 1000 * y[:, j] for j in range(3)}}
    return Microdata.from_frame(pa.table(columns), keys=["y0", "y1", "y2"])


NAMES = ("y0", "y1", "y2")


def fits(data: Microdata, given: tuple[str, ...] = ("x0", "x1")) -> tuple[np.ndarray, np.ndarray]:
    x = np.hstack([np.ones((len(data), 1)), *(data.numbers(n)[:, None] for n in given)])
    y = data.floats(NAMES)
    b = np.linalg.lstsq(x, y, rcond=None)[0]
    return b, (y - x @ b).T @ (y - x @ b)


@pytest.mark.parametrize("by", [(), ("g",)])
@pytest.mark.parametrize(("kind", "exact_b", "exact_e"), [("A", False, False), ("B", True, False), ("C", True, True)])
def test_what_is_exact_is_exact(kind: str, exact_b: bool, exact_e: bool, by: tuple[str, ...]) -> None:
    data = file()
    masked = Ipso(columns=NAMES, given=["x0", "x1"], kind_of=kind, by=by, decimals="any").apply(data, seed=7)
    (b, e), (new_b, new_e) = fits(data), fits(masked)
    assert (np.abs(new_b - b).max() <= 1e-9 * np.abs(b).max()) == exact_b
    assert (np.abs(new_e - e).max() <= 1e-9 * np.abs(e).max()) == exact_e
    assert np.abs(new_b - b).max() < 0.5 * np.abs(b).max()
    assert (masked.floats(NAMES) != data.floats(NAMES)).all()


def test_claims_are_those_of_the_kind() -> None:
    assert Ipso(decimals="any").traits.preserves == ("coefficients", "covariances")
    assert Ipso(decimals="any", kind_of="B").traits.preserves == ("coefficients",)
    assert Ipso(decimals="any", kind_of="A").traits.preserves == ()
    assert Ipso().traits.preserves == ()


@pytest.mark.parametrize("claim", ["coefficients", "covariances"])
def test_claims_are_checked(claim: str) -> None:
    mask = Ipso(columns=NAMES, given=["x0", "x1"], decimals="any")
    PROPERTY_CHECKS[claim](mask, file(), mask.apply(file(), seed=3), NAMES)
    loose = Ipso(columns=NAMES, given=["x0", "x1"], kind_of="A", decimals="any")
    with pytest.raises(AssertionError):
        PROPERTY_CHECKS[claim](loose, file(), loose.apply(file(), seed=3), NAMES)


def test_new_residuals_have_nothing_to_do_with_old_ones() -> None:
    data = file(5000)
    masked = Ipso(columns=NAMES, given=["x0", "x1"], decimals="any").apply(data, seed=7)
    x = np.hstack([np.ones((5000, 1)), data.floats(("x0", "x1"))])
    old, new = (y - x @ np.linalg.lstsq(x, y, rcond=None)[0] for y in (data.floats(NAMES), masked.floats(NAMES)))
    assert np.abs(np.corrcoef(old.T, new.T)[:3, 3:]).max() < 0.06  # four standard errors of 5000 records


def test_nominal_and_missing_given_columns() -> None:
    data = file()
    gaps = np.where(np.arange(200) % 7 == 0, np.nan, data.numbers("x0"))
    data = data.with_column("x0", pa.array(gaps, from_pandas=True))
    masked = Ipso(columns=NAMES, given=["g", "x0"], decimals="any").apply(data, seed=7)
    for group in ("a", "b"):
        rows = np.array([v == group for v in data.to_arrow().column("g").to_pylist()])
        np.testing.assert_allclose(masked.floats(NAMES)[rows].mean(0), data.floats(NAMES)[rows].mean(0), rtol=1e-9)


def test_missing_values_stay_and_few_records_borrow_the_fit() -> None:
    data = file()
    y = data.numbers("y0").copy()
    y[[3, 8]] = np.nan
    data = data.with_column("y0", pa.array(y, from_pandas=True))
    masked = Ipso(columns=NAMES, given=["x0", "x1"], decimals="any").apply(data, seed=7)
    assert np.flatnonzero(np.isnan(masked.numbers("y0"))).tolist() == [3, 8]
    assert np.isfinite(masked.numbers("y1")).all()
    assert (masked.numbers("y1") != data.numbers("y1")).all()


def test_too_few_records_are_refused_and_columns_are_on_one_side() -> None:
    with pytest.raises(DataError, match="5 records are too few for 3 columns given 2 others"):
        Ipso(columns=NAMES, given=["x0", "x1"], decimals="any").apply(file(5), seed=1)
    with pytest.raises(ColumnError, match="cannot be masked and given at once"):
        Ipso(columns=NAMES, given=["y0"]).apply(file(), seed=1)


def test_columns_that_follow_from_others_keep_following() -> None:
    data = file()
    total = data.numbers("y0") + data.numbers("y1")
    data = data.with_column("y2", pa.array(total))
    masked = Ipso(columns=NAMES, given=["x0"], decimals="any").apply(data, seed=7)
    np.testing.assert_allclose(masked.numbers("y2"), masked.numbers("y0") + masked.numbers("y1"), rtol=1e-6)


def test_linkage_finds_hardly_anybody() -> None:
    data = tc.samples.household_survey(400, seed=1)
    money = ["earnings", "savings"]
    masked = Ipso(columns=money, given=["age"]).apply(data, seed=7)
    assert tc.risk.DistanceLinkage(columns=money)(data, masked).value < 3

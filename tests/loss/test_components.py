"""The table of discrepancies: by hand, against the slow version, and beside IL on census."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.errors import MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.loss import IlMoments, IlTable
from tacita.loss.components import discrepancies
from tacita.mask import RankSwap
from tests.oracles.loss import loss_table as oracle


def microdata(x: np.ndarray) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": x[:, j] for j in range(x.shape[1])}))


def with_correlation(r: float, n: int = 400) -> np.ndarray:
    """Two standardised columns whose correlation is exactly r."""
    rng = np.random.default_rng(5)
    z = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, 2))]))[0][:, 1:] * np.sqrt(n)
    return np.column_stack([z[:, 0], r * z[:, 0] + np.sqrt(1 - r**2) * z[:, 1]])


def test_values_and_means_by_hand() -> None:
    x = np.array([[1.0, 3.0], [3.0, 1.0]])
    parts = IlTable()(microdata(x), microdata(x + np.array([1.0, 0.0])), pairing="order").parts
    assert parts["X.mean_square_error"] == parts["X.mean_absolute_error"] == 0.5
    assert parts["X.mean_variation"] == pytest.approx((1 + 1 / 3) / 4)
    assert parts["means.mean_variation"] == pytest.approx(0.25)
    assert [parts[f"{row}.mean_variation"] for row in ("V", "S", "R", "RF", "C", "F")] == pytest.approx(
        [0] * 6, abs=1e-12
    )


def test_components_by_hand() -> None:
    """r = 0.6 has eigenvalues 1.6 and 0.4, r' = 0.2 has 1.2 and 0.8; loadings are sqrt(lambda / 2)."""
    found = discrepancies(with_correlation(0.6), with_correlation(0.2))
    load = np.sqrt([0.8, 0.2]), np.sqrt([0.6, 0.4])
    score = np.sqrt(0.5 / np.array([1.6, 0.4])), np.sqrt(0.5 / np.array([1.2, 0.8]))
    assert found["R"]["mean_absolute_error"] == pytest.approx(0.4)
    assert found["RF"]["mean_absolute_error"] == pytest.approx(np.abs(load[0] - load[1]).mean())
    assert found["C"] == pytest.approx({"mean_square_error": 0.04, "mean_absolute_error": 0.2, "mean_variation": 0.25})
    assert found["F"]["mean_variation"] == pytest.approx((np.abs(score[0] - score[1]) / score[0]).mean())
    weighted = discrepancies(with_correlation(0.6), with_correlation(0.2), weights="eigenvalues")
    # p lambda_j / sum lambda = 1.6 and 0.4; each component has two loadings; divided by p^2 = 4.
    assert weighted["RF"]["mean_absolute_error"] == pytest.approx(
        (np.abs(load[0] - load[1]) * [1.6, 0.4] * 2).sum() / 4
    )


def test_order_of_components_is_aligned() -> None:
    """With r' = -0.6 the sum is the second component; compared in file order the loadings would differ by their signs."""
    found = discrepancies(with_correlation(0.6), with_correlation(-0.6))
    assert found["RF"]["mean_absolute_error"] == pytest.approx(np.sqrt(0.8) - np.sqrt(0.2))


@st.composite
def two_files(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """Columns that vary, with eigenvalues well apart: equal ones have no components of their own."""
    n, d = draw(st.integers(5, 9)), draw(st.integers(1, 4))
    values = arrays(np.float64, (n, d), elements=st.integers(-9, 9).map(float))
    x, y = draw(values), draw(values)
    for file in (x, y):
        assume((file.std(axis=0) > 0).all())
        eigenvalues = np.linalg.eigvalsh(np.corrcoef(file.T).reshape(d, d))
        assume(eigenvalues[0] > 1e-3 and (d == 1 or np.diff(eigenvalues).min() > 1e-2))
    return x, y


@given(two_files(), st.booleans())
def test_against_the_slow_version(files: tuple[np.ndarray, np.ndarray], by_eigenvalues: bool) -> None:
    x, y = files
    expected = oracle.table(x, y, by_eigenvalues=by_eigenvalues)
    weights = "eigenvalues" if by_eigenvalues else "equal"
    measured = IlTable(component_weights=weights)(microdata(x), microdata(y), pairing="order")
    sizes = ("X", "means", "V", "S", "R", "RF", "C", "F")
    for row in sizes:
        for error in ("mean_square_error", "mean_absolute_error"):
            if row in expected:
                assert measured.parts[f"{row}.{error}"] == pytest.approx(expected[row][error], rel=1e-7, abs=1e-9)
    for row in ("X", "S", "C"):  # rows whose zeros are exact in both versions
        assert measured.parts[f"{row}.mean_variation"] == pytest.approx(expected[row]["mean_variation"], rel=1e-6)


def test_mean_variation_of_all_rows_against_the_slow_version() -> None:
    rng = np.random.default_rng(8)
    x = rng.normal(2, 1, (40, 4)) @ rng.normal(size=(4, 4))
    y = x + rng.normal(0, 0.4, x.shape)
    measured = IlTable()(microdata(x), microdata(y), pairing="order")
    expected = oracle.table(x, y, by_eigenvalues=False)
    for row, errors in expected.items():
        assert measured.parts[f"{row}.mean_variation"] == pytest.approx(errors["mean_variation"], rel=1e-7), row
    assert measured.value == pytest.approx(np.mean([errors["mean_variation"] for errors in expected.values()]))


def test_value_is_the_mean_of_the_chosen_cells() -> None:
    x = np.random.default_rng(1).normal(5, 1, (30, 3))
    data, masked = microdata(x), microdata(x + 0.1 * x**2)
    found = IlTable(of=("V", "R"), error="mean_absolute_error")(data, masked, pairing="order")
    assert found.value == pytest.approx(
        (found.parts["V.mean_absolute_error"] + found.parts["R.mean_absolute_error"]) / 2
    )
    assert len(found.parts) == 24


def test_a_component_that_is_lost_is_compared_with_zeros() -> None:
    x = with_correlation(0.0)
    found = discrepancies(x, np.column_stack([x[:, 0], x[:, 0]]))
    # The masked file has one component, (1, 1); of the original two, one stays without a partner.
    assert found["RF"]["mean_absolute_error"] > 0.4


def test_columns_without_spread_are_left_out_of_components() -> None:
    x = np.column_stack([np.full(20, 7.0), np.arange(20.0), np.arange(20.0) ** 2])
    measured = IlTable()(microdata(x), microdata(x[:, [0, 1, 2]] + np.array([0, 1, 0])), pairing="order")
    assert measured.parts["RF.mean_absolute_error"] == pytest.approx(0, abs=1e-12)
    alone = IlTable()(microdata(x[:, :1]), microdata(x[:, :1]), pairing="order")
    assert alone.value == 0
    assert alone.note == "nothing to compare for R, RF, C, F"


def test_an_order_of_records_is_no_loss_to_the_moments() -> None:
    """Rounding of covariances that are zero would be a large relative change."""
    x = np.array([[i, j] for i in range(-3, 4) for j in range(-3, 4)], dtype=float) / 3
    y = x[np.random.default_rng(1).permutation(len(x))]
    found = IlTable(of=("means", "V", "S", "R", "C"))(microdata(x), microdata(y), pairing="order")
    assert found.value == pytest.approx(0, abs=1e-12)


def test_files_of_different_records() -> None:
    x = np.random.default_rng(1).normal(5, 1, (60, 3))
    measured = IlTable()(microdata(x), microdata(x[:40] * 1.01))
    assert measured.parts["means.mean_variation"] == pytest.approx(0.01, abs=0.03)
    assert "nearest original" in measured.note


def test_bad_input() -> None:
    data = Microdata.from_frame(pa.table({"a": [1.0, 2.0], "b": pa.nulls(2, pa.float64())}))
    with pytest.raises(MeasureError, match="column 'b' has no value in one of the files"):
        IlTable(columns=("a", "b"))(data, data)
    with pytest.raises(MeasureError, match="none of the rows R can be computed"):
        IlTable(columns=("a",), of=("R",))(data, data)
    with pytest.raises(ParameterError, match="'of' must be"):
        IlTable(of=("Q",))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'of' must be"):
        IlTable(of=())


def test_census_is_singular_and_agrees_with_il(reference: Callable[[str], Path]) -> None:
    from pyarrow import csv

    table = csv.read_csv(reference("census.csv"))
    census = Microdata.from_frame(table, keys=table.column_names)
    masked = RankSwap(p=14).apply(census, seed=1)
    parts, il = IlTable()(census, masked).parts, IlMoments()(census, masked).parts
    same = {
        "values": "X.mean_variation",
        "means": "means.mean_variation",
        "covariances": "V.mean_variation",
        "variances": "S.mean_variation",
        "correlations": "R.mean_absolute_error",
    }
    assert {name: 100 * parts[cell] for name, cell in same.items()} == pytest.approx(dict(il), abs=1e-7)
    # One of 13 components has no variance; divided by its root, the coefficients would be of the order 1e7.
    assert parts["F.mean_absolute_error"] < 10
    identity = IlTable()(census, census)
    assert identity.value == pytest.approx(0, abs=1e-12)

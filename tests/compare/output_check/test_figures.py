"""What outputs are based on, and their figures, against pandas."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.compare.output_check.basis import Owners, basis_of
from tacita.compare.output_check.figures import figures, largest_shares, shared_by
from tacita.compare.output_check.output import Output
from tacita.core.errors import ColumnError, DataError


@pytest.fixture(scope="module")
def survey() -> tc.Microdata:
    return tc.samples.household_survey(600, seed=4)


@pytest.fixture(scope="module")
def frame(survey: tc.Microdata) -> pd.DataFrame:
    return survey.to_arrow(codes=False).to_pandas()


@pytest.mark.parametrize("margins", [False, True])
def test_counts_are_those_of_a_crosstab(survey: tc.Microdata, frame: pd.DataFrame, margins: bool) -> None:
    basis = basis_of(Output(rows=["sex"], columns=["education"], margins=margins), survey)
    assert basis is not None
    education = frame.education.astype(str).where(frame.education.notna())
    table = pd.crosstab(frame.sex, education, margins=margins, margins_name="all")
    assert {basis.label(cell): int(count) for cell, count in enumerate(basis.records)} == {
        (row, column): int(table.loc[row, column]) for row in table.index for column in table.columns
    }
    assert len(basis) == table.size


@pytest.mark.parametrize("statistic", ["sum", "mean", "median", "std", "min", "max"])
def test_statistics_are_those_of_a_pivot(survey: tc.Microdata, frame: pd.DataFrame, statistic: str) -> None:
    basis = basis_of(Output(rows=["marital"], columns=["sex"], values="income", statistic=statistic), survey)
    assert basis is not None
    known = frame.dropna(subset=["income"])
    table = known.groupby([known.marital.astype(str), known.sex.astype(str)])["income"].agg(statistic)
    found = figures(basis, statistic, survey)
    for cell in range(len(basis)):
        expected = table.get(basis.label(cell), np.nan)
        assert found[cell] == pytest.approx(expected, nan_ok=True)


def test_shares_add_up(survey: tc.Microdata) -> None:
    output = Output(rows=["sex"], columns=["urban"], statistic=["percent", "percent_rows", "percent_columns"])
    basis = basis_of(output, survey)
    assert basis is not None
    assert figures(basis, "percent", survey).sum() == pytest.approx(100)
    for statistic, dimension in (("percent_rows", 0), ("percent_columns", 1)):
        shares = np.bincount(basis.codes[:, dimension], figures(basis, statistic, survey))
        assert shares == pytest.approx(np.full(len(shares), 100.0))


def test_weights_ratios_and_concentration(survey: tc.Microdata, frame: pd.DataFrame) -> None:
    def one(statistic: str, **more: str) -> float:
        basis = basis_of(Output(values="income", statistic=statistic, **more), survey)  # type: ignore[arg-type]
        assert basis is not None
        return float(figures(basis, statistic, survey)[0])

    known = frame.dropna(subset=["income"])
    income, weight = known.income.to_numpy(float), known.weight.to_numpy(float)
    assert one("mean", weight="weight") == pytest.approx(np.average(income, weights=weight))
    both = frame.dropna(subset=["income", "tax"])
    assert one("ratio", denominator="tax") == pytest.approx(both.income.sum() / both.tax.sum())
    gaps = np.abs(income[:, None] - income[None, :]).sum() / (2 * len(income) * income.sum())
    assert one("gini") == pytest.approx(gaps)
    assert one("hhi") == pytest.approx(((income / income.sum()) ** 2).sum())
    assert np.isnan(one("median", weight="weight"))


def test_the_largest_contributions_are_those_of_a_loop() -> None:
    rng = np.random.default_rng(1)
    cells, owners, amounts = rng.integers(0, 4, 60), rng.integers(0, 12, 60), rng.normal(size=60)
    counts, most, whose = largest_shares(cells, owners, amounts, 5, 3)
    for cell in range(5):
        sums: dict[int, float] = {}
        for place in np.flatnonzero(cells == cell):
            sums[int(owners[place])] = sums.get(int(owners[place]), 0.0) + amounts[place]
        ranked = sorted(sums, key=lambda owner: -abs(sums[owner]))[:3]
        assert counts[cell] == len(sums)
        assert [owner for owner in whose[cell].tolist() if owner >= 0] == ranked
        assert most[cell][: len(ranked)] == pytest.approx([sums[owner] for owner in ranked])


def test_who_shares_a_value() -> None:
    cells, values = np.array([0, 0, 0, 1]), np.array([5.0, 5.0, 2.0, 5.0])
    assert shared_by(cells, values, np.array([3, 3, 4, 5]), np.array([5.0, 2.0])).tolist() == [1, 0]


def test_who_has_no_number_is_alone() -> None:
    data = tc.Microdata.from_frame(pd.DataFrame({"firm": ["a", "a", None, None]}))
    owners = Owners.of(data, "firm", None)
    assert len(np.unique(owners.units)) == 3
    assert owners.holdings is None


def test_survival_and_histogram_cells() -> None:
    frame = pd.DataFrame({"time": [1.0, 2, 2, 3, 9], "event": [1, 1, 0, 1, 0]})
    data = tc.Microdata.from_frame(frame)
    curve = basis_of(Output(kind="survival", time="time", event="event", times=[2, 4]), data)
    assert curve is not None
    assert {curve.title(c): int(n) for c, n in enumerate(curve.records) if n} == {
        "time=up to 2, leaves by=event": 2,
        "time=up to 2, leaves by=withdrawal": 1,
        "time=up to 4, leaves by=event": 1,
        "time=after 4, leaves by=still at risk": 1,
    }
    bars = basis_of(Output(kind="histogram", values="time", bins=[1, 2, 3]), data)
    assert bars is not None
    assert bars.records.tolist() == [1, 3]


def test_what_cannot_be_based_on_the_data(survey: tc.Microdata) -> None:
    with pytest.raises(ColumnError, match="Did you mean 'sex'"):
        basis_of(Output(rows=["sexx"]), survey)
    with pytest.raises(DataError, match="more than 200000 figures"):
        basis_of(Output(rows=["income"], columns=["earnings", "savings"]), survey)
    with pytest.raises(DataError, match="needs an event"):
        basis_of(Output(kind="survival", time="age", event="income", universe={"age": {"below": -1}}), survey)

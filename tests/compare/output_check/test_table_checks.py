"""Rules of the tables room on the figures of an output, and points of distributions, against loops over records."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.compare.output_check.basis import OutputBasis, Owners, basis_of
from tacita.compare.output_check.model_checks import check_model, is_model, output_of_model
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.compare.output_check.point_checks import check_quantiles, whiskers
from tacita.compare.output_check.table_checks import check_basis, check_counts, rule_table


def _firms(seed: int) -> tuple[tc.Microdata, pd.DataFrame]:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "region": rng.choice(list("abcd"), 200),
            "size": rng.choice(list("xyz"), 200, p=[0.8, 0.15, 0.05]),
            "firm": rng.integers(0, 90, 200),
            "group": rng.integers(0, 30, 200),
            "turnover": rng.lognormal(3, 2, 200),
        }
    )
    return tc.Microdata.from_frame(frame), frame


def _based(output: tc.Output, data: tc.Microdata) -> OutputBasis:
    basis = basis_of(output, data)
    assert basis is not None
    return basis


@pytest.mark.parametrize("seed", range(3))
def test_rules_agree_with_a_loop(seed: int) -> None:
    data, frame = _firms(seed)
    limits = OutputLimits(at_least=4, holdings_at_least=3, dominance_share=50, p=20)
    output = tc.Output(rows=["region"], columns=["size"], values="turnover", statistic="sum")
    basis = _based(output, data)
    found = check_basis(basis, data, Owners.of(data, "firm", "group"), limits)
    cells = {reason.check: set(reason.cells) for reason in found.reasons}
    wanted: dict[str, set[str]] = {
        "minimum_frequency": set(),
        "holdings": set(),
        "dominance": set(),
        "p_percent": set(),
    }
    for (region, size), part in frame.groupby(["region", "size"]):
        title = f"region={region}, size={size}"
        if part.firm.nunique() < 4:
            wanted["minimum_frequency"].add(title)
            continue
        if part.group.nunique() < 3:
            wanted["holdings"].add(title)
        for owner in ("firm", "group"):
            sums = np.sort(part.groupby(owner).turnover.sum())[::-1]
            if sums[0] > 0.5 * sums.sum():
                wanted["dominance"].add(title)
            if sums[2:].sum() < 0.2 * sums[0]:
                wanted["p_percent"].add(title)
    assert cells == {check: titles for check, titles in wanted.items() if titles}
    assert int(found.unsafe.sum()) == len(set().union(*wanted.values()))


def test_a_table_for_rules_has_the_sums_of_a_table() -> None:
    data, _ = _firms(1)
    basis = _based(tc.Output(rows=["region"], columns=["size"], margins=True), data)
    made = rule_table(basis, data.float("turnover"), Owners.of(data, "firm", None), depth=2)
    other = tc.tabulate(data, ["region", "size"], "turnover", contributor="firm")
    known = {tuple(word.replace("Total", "all") for word in other.labels(cell)): cell for cell in range(len(other))}
    places = [known[basis.label(cell)] for cell in range(len(basis))]
    assert made.values == pytest.approx(other.values[places])
    assert made.units is not None
    assert other.units is not None
    assert made.units.counts.tolist() == other.units.counts[places].tolist()
    assert made.units.amounts == pytest.approx(other.units.amounts[places][:, :2])


def test_hidden_cells_are_not_judged() -> None:
    data = tc.Microdata.from_frame(pd.DataFrame({"a": ["x"] * 20 + ["y"]}))
    shown = pd.DataFrame({"a": ["x", "y"], "count": ["20", "x"]})
    found = tc.check_output(shown, data, rows=["a"])
    assert found.state == "pass"
    assert found.verdicts[0].figures == 1
    basis = _based(tc.Output(rows=["a"]), data)
    assert check_counts(basis, Owners.of(data, None, None), OutputLimits()).unsafe.tolist() == [False, True]


@pytest.mark.parametrize(("count", "is_safe"), [(99, False), (100, True)])
def test_steps_between_percentiles(count: int, is_safe: bool) -> None:
    data = tc.Microdata.from_frame(pd.DataFrame({"x": np.arange(float(count))}))
    basis = _based(tc.Output(kind="quantiles", values="x", probabilities=[0.1, 0.5, 0.9]), data)
    found = check_quantiles(basis, data, Owners.of(data, None, None), OutputLimits())
    assert (not found.reasons) == is_safe


def test_whiskers_are_tukeys() -> None:
    values = np.array([1.0, 2, 3, 4, 5, 6, 7, 100])
    data = tc.Microdata.from_frame(pd.DataFrame({"x": values}))
    basis = _based(tc.Output(kind="boxplot", values="x"), data)
    low, high, beyond = whiskers(basis, values[basis.pairs[1]])
    assert (low[0], high[0], beyond[0]) == (1, 7, 1)


# --- models ------------------------------------------------------------------------------------------------------------------


class _Model:
    """What a fitted model has, without a library."""

    def __init__(self, endog: np.ndarray, labels: np.ndarray | None, name: str = "y") -> None:
        self.model = self
        self.endog, self.endog_names, self.exog_names = endog, name, ["Intercept", "x"]
        self.data = type("Data", (), {"row_labels": labels})()
        self.params, self.nobs, self.df_resid, self.rsquared = np.zeros(2), len(endog), len(endog) - 2.0, 0.5


def test_records_of_a_model_are_believed_only_where_they_fit() -> None:
    frame = pd.DataFrame({"y": np.arange(30.0), "x": np.arange(30.0) ** 2})
    data = tc.Microdata.from_frame(frame)
    rows = np.arange(5, 30)
    good = output_of_model(_Model(frame.y.to_numpy()[rows], rows), data)
    assert is_model(_Model(frame.y.to_numpy(), None))
    assert good.universe is not None
    assert int(np.sum(good.universe)) == 25
    assert good.variables == ("x",)
    for model in (
        _Model(frame.y.to_numpy()[rows], rows - 1),
        _Model(frame.y.to_numpy()[rows], rows + 10),
        _Model(frame.y.to_numpy()[rows], rows.astype(str)),
        _Model(frame.y.to_numpy()[rows], rows, name="z"),
    ):
        assert output_of_model(model, data).universe is None


def test_degrees_of_freedom_count_categories() -> None:
    frame = pd.DataFrame({"y": np.arange(40.0), "kind": [str(k % 20) for k in range(40)]})
    data = tc.Microdata.from_frame(frame)
    output = tc.Output(kind="regression", dependent="y", variables=["kind"])
    owners = Owners.of(data, None, None)
    limits = OutputLimits(at_least=2, degrees_of_freedom=20)
    assert check_model(output, basis_of(output, data), data, owners, limits) == ()
    strict = check_model(output, basis_of(output, data), data, owners, OutputLimits(at_least=2, degrees_of_freedom=21))
    assert [reason.check for reason in strict] == ["degrees_of_freedom"]
    assert "20 residual degrees of freedom" in strict[0].words

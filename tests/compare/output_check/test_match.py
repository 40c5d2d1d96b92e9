"""Shown figures against those of the data."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.compare.output_check.basis import basis_of
from tacita.compare.output_check.match import match_shown

FRAME = pd.DataFrame(
    {
        "sex": ["f"] * 30 + ["m"] * 30,
        "code": [1, 2, 3] * 20,
        "income": np.linspace(100, 200, 60),
        "weight": np.linspace(1, 3, 60),
    }
)
DATA = tc.Microdata.from_frame(FRAME, scales={"code": "nominal"})


def _match(shown: pd.DataFrame | pd.Series, **described: object) -> tuple[int, list[str]]:
    output = tc.Output(shown=shown, margins=True, **described)  # type: ignore[arg-type]
    basis = basis_of(output, DATA)
    assert basis is not None
    made = match_shown(basis, DATA)
    return int(made.basis.shown.sum()), [reason.words for reason in made.reasons]


def test_counts_percentages_and_means() -> None:
    by = {"rows": ["sex"], "columns": ["code"]}
    assert _match(pd.crosstab(FRAME.sex, FRAME.code, margins=True), **by) == (12, [])
    assert _match(pd.crosstab(FRAME.sex, FRAME.code, normalize="index"), **by, statistic="percent_rows") == (6, [])
    assert _match(100 * pd.crosstab(FRAME.sex, FRAME.code, normalize="all"), **by, statistic="percent") == (6, [])
    mean = FRAME.pivot_table(index="sex", columns="code", values="income", aggfunc="mean").round(1)
    assert _match(mean, **by, values="income", statistic="mean") == (6, [])


def test_several_statistics() -> None:
    wide = FRAME.pivot_table(index="sex", columns="code", values="income", aggfunc=["count", "mean"])
    assert _match(wide, rows=["sex"], columns=["code"], values="income", statistic=["count", "mean"]) == (6, [])
    flat = FRAME.groupby("sex")["income"].agg(["median", "std"])
    assert _match(flat, rows=["sex"], values="income", statistic=["median", "std"]) == (2, [])
    points = FRAME.groupby("sex")["income"].quantile([0.25, 0.75]).unstack()
    assert _match(points, kind="quantiles", rows=["sex"], values="income", probabilities=[0.25, 0.75]) == (2, [])


def test_weights_and_rounding() -> None:
    weighted = pd.crosstab(FRAME.sex, FRAME.code, values=FRAME.weight, aggfunc="sum")
    assert _match(weighted, rows=["sex"], columns=["code"], weight="weight") == (6, [])
    assert _match(weighted, rows=["sex"], columns=["code"])[1][0].startswith("6 of 6 shown figures")
    rounded = 5 * (pd.crosstab(FRAME.sex, FRAME.code) / 5).round()
    assert _match(rounded + 3, rows=["sex"], columns=["code"])[1] != []
    assert _match(rounded + 3, rows=["sex"], columns=["code"], rounding=5) == (6, [])


def test_hidden_and_unknown_cells() -> None:
    table = pd.crosstab(FRAME.sex, FRAME.code).astype(float)
    table.loc["f", 1] = np.nan
    assert _match(table, rows=["sex"], columns=["code"]) == (5, [])
    table.loc["stranger"] = 1.0
    count, words = _match(table, rows=["sex"], columns=["code"])
    assert count == 5
    assert words == ["3 shown figure(s) have labels that are not in the data under this description."]


def test_an_off_by_one_is_seen() -> None:
    table = pd.crosstab(FRAME.sex, FRAME.code)
    table.loc["f", 2] += 1
    count, words = _match(table, rows=["sex"], columns=["code"])
    assert count == 6
    assert words == ["1 of 6 shown figures are not those of the data: sex=f, code=2."]


def test_text_in_a_cell_is_told() -> None:
    """A cell that is hidden may not carry a message."""
    table = pd.DataFrame({"sex": ["f", "m"], "count": ["30", "Jane Doe earns 12"]})
    count, words = _match(table, rows=["sex"])
    assert count == 1
    assert words == ["1 shown cell(s) have a text that is neither a figure nor a sign of a hidden one."]
    assert "Jane" not in str(tc.check_output(table, DATA, rows=["sex"]))
    label = pd.DataFrame({"sex": ["f", "Jane Doe"], "count": ["30", "x"]})
    assert _match(label, rows=["sex"])[1] == [
        "1 shown figure(s) have labels that are not in the data under this description."
    ]


def test_a_zero_of_a_category_without_records() -> None:
    table = pd.DataFrame({"code": ["1", "2", "3"], "count": [10, 10, 0]})
    universe = {"sex": "f", "code": {"not": 3}}
    assert _match(table, rows=["code"], universe=universe) == (2, [])
    table.loc[2, "count"] = 4
    assert len(_match(table, rows=["code"], universe=universe)[1]) == 1


def test_digits_cannot_carry_a_message() -> None:
    table = pd.DataFrame({"sex": ["f", "m"], "mean": FRAME.groupby("sex").income.mean().to_numpy() * (1 + 1e-7)})
    assert len(_match(table, rows=["sex"], values="income", statistic="mean")[1]) == 1


def test_a_picture_is_for_a_person(tmp_path: Path) -> None:
    (tmp_path / "t.png").write_bytes(b"png")
    found = tc.check_output(tc.Output(rows=["sex"], shown=tmp_path / "t.png"), DATA)
    assert found.state == "review"


@pytest.mark.parametrize("kind", ["histogram"])
def test_other_kinds_are_for_a_person(kind: str) -> None:
    output = tc.Output(kind=kind, values="income", bins=[0, 150, 300], shown=pd.DataFrame({"n": [1]}))
    assert tc.check_output(output, DATA).state == "review"

"""Replace: nearest donors, synthetic records, what stays, and that nothing risky is left.

It tests ``tacita.mask.risk_ruled`` through the only door that they have.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import DataError, ParameterError, TacitaWarning
from tacita.core.traits import MeasureTraits
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.mask.randomise.replace import Replace
from tacita.risk.file_risk import FileRisk

AGES = ("young", "middle", "old", "oldest")


def small() -> tc.Microdata:
    """Records 0 to 3 and 4 to 6 are safe for k = 2; 7 is near the first kind, 8 near the second."""
    table = pa.table(
        {
            "sex": ["f", "f", "f", "f", "m", "m", "m", "f", "m"],
            "age": ["young", "young", "young", "young", "old", "old", "old", "middle", "oldest"],
            "born": [2001, 2002, 2003, 2004, 1951, 1952, 1953, 1980, 1930],
            "income": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
            "w": [1.0] * 9,
        }
    )
    columns = (
        tc.Column(name="sex", scale="nominal", roles=("key",)),
        tc.Column(name="age", scale="ordinal", roles=("key",), categories=AGES),
        tc.Column(name="born", scale="numeric", roles=("linked",), linked_to="age"),
        tc.Column(name="income", scale="numeric", roles=("confidential",)),
        tc.Column(name="w", scale="numeric", roles=("weight",)),
    )
    return tc.Microdata.from_frame(table, schema=tc.Schema(columns))


def column(data: tc.Microdata, name: str) -> list[object]:
    found: list[object] = data.to_arrow().column(name).to_pylist()
    return found


def test_nearest_donor_by_hand() -> None:
    """Gower: 7 is 1/3 from young females and 1 + 1/3 from old males; 8 is 1/3 from old males."""
    made = Replace(k=2).apply(small(), seed=1)
    assert column(made, "sex") == ["f"] * 4 + ["m"] * 3 + ["f", "m"]
    assert column(made, "age") == ["young"] * 4 + ["old"] * 3 + ["young", "old"]
    assert column(made, "income") == column(small(), "income")
    assert column(made, "born")[7] in (2001, 2002, 2003, 2004), "a linked column goes with its key"
    assert column(made, "born")[:7] == column(small(), "born")[:7]


def test_whole_records() -> None:
    made = Replace(k=2, what="records").apply(small(), seed=1)
    assert column(made, "income")[7] in (1.0, 2.0, 3.0, 4.0)
    assert column(made, "income")[8] in (5.0, 6.0, 7.0)
    assert column(made, "born")[8] == {5.0: 1951, 6.0: 1952, 7.0: 1953}[column(made, "income")[8]]
    assert column(made, "income")[:7] == column(small(), "income")[:7]


def test_costs_decide_between_keys() -> None:
    """Record 7 made male: nearest by age are young females, by sex old males."""
    data = small().with_column("sex", pa.array(["f", "f", "f", "f", "m", "m", "m", "m", "m"]))
    by_sex = Replace(k=2, keys=["sex", "age"], costs=[1, 1]).apply(data, seed=1)
    by_age = Replace(k=2, keys=["sex", "age"], costs=[0, 1]).apply(data, seed=1)
    assert column(by_sex, "sex")[7] == "m"
    ages = {column(Replace(k=2, keys=["sex", "age"], costs=[0, 1]).apply(data, seed=s), "age")[7] for s in range(20)}
    assert ages == {"young", "old"}, "middle is as far from young as from old"
    assert column(by_age, "age")[8] == "old"


def test_given_columns_are_kept_where_possible() -> None:
    data = small().with_column("sex", pa.array(["f", "f", "f", "f", "m", "m", "m", "m", "x"]))
    for seed in range(5):
        made = Replace(k=2, keys=["sex", "age"], costs=[0, 1], given=["sex"]).apply(data, seed=seed)
        assert (column(made, "sex")[7], column(made, "age")[7]) == ("m", "old")
        assert column(made, "sex")[8] in ("f", "m"), "nobody safe has this sex, so it is let go"


def test_synthetic_keys_follow_the_distribution_given() -> None:
    """Among safe females young : old is 3 : 1; 400 risky females get 75 % young, sd 2.2 %."""
    n = 400
    table = pa.table(
        {
            "sex": ["f"] * (80 + n) + ["m"] * 50,
            "age": ["young"] * 60 + ["old"] * 20 + [f"rare {i}" for i in range(n)] + ["middle"] * 50,
            "y": list(range(80 + n + 50)),
        }
    )
    data = tc.Microdata.from_frame(table, keys=["sex", "age"], confidential=["y"])
    made = Replace(k=2, scheme="synthetic", given=["sex"]).apply(data, seed=2)
    drawn = column(made, "age")[80 : 80 + n]
    assert set(drawn) == {"young", "old"}
    assert abs(drawn.count("young") / n - 0.75) < 4 * 0.022
    assert column(made, "y") == column(data, "y")
    whole = Replace(k=2, scheme="synthetic", what="records", given=["sex"]).apply(data, seed=2)
    home = {**dict.fromkeys(range(60), "young"), **dict.fromkeys(range(60, 80), "old")}
    for age, y in zip(column(whole, "age")[80 : 80 + n], column(whole, "y")[80 : 80 + n], strict=True):
        assert home[y] == age, "other columns are drawn from safe records with the same keys"


@given(st.integers(0, 10**6), st.integers(3, 40), st.sampled_from(["donor", "synthetic"]), st.booleans())
def test_nothing_risky_is_left(seed: int, n: int, scheme: str, records: bool) -> None:
    rng = np.random.default_rng(seed)
    values = {
        name: pa.array([None if rng.random() < 0.15 else str(rng.integers(0, 3)) for _ in range(n)], pa.string())
        for name in "abc"
    }
    data = tc.Microdata.from_frame(pa.table({**values, "w": rng.random(n)}), keys=["a", "b", "c"], weight="w")
    mask = Replace(k=3, scheme=scheme, what="records" if records else "keys", given=["a"])
    if not len(mask.safe_rows(data)):
        with pytest.raises(DataError, match="every record is risky"):
            mask.apply(data, seed=1)
        return
    made = mask.apply(data, seed=1)
    assert float(tc.risk.KAnonymity(k=3).assess(made)) == 0
    assert np.array_equal(made.weights(), data.weights())
    safe = mask.safe_rows(data)
    assert made.take(safe).same_content(data.take(safe))


def test_numbers_and_dates_have_distances() -> None:
    days = pa.array([0, 0, 100, 100, 30, 80], pa.int32()).cast(pa.date32())
    data = tc.Microdata.from_frame(pa.table({"day": days, "x": [0.0, 0.0, 1.0, 1.0, 0.1, 0.9]}), keys=["day", "x"])
    made = Replace(k=2).apply(data, seed=1)
    assert made.float("x").tolist() == [0.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    assert made.groups(["day", "x"]).tolist() == [0, 0, 1, 1, 0, 1]


def test_rule_that_stays_above_its_limit_is_reported(clean_registry: None) -> None:
    @dataclass(frozen=True, kw_only=True)
    class ByIncome(FileRisk):
        """Risk that no key changes, for this test only."""

        name = "by_income_for_test"
        traits = MeasureTraits(scales={"nominal", "ordinal"}, per_record=True, of_file=True)

        def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
            risk = (data.float("income") > 8).astype(float)
            return Measured(float(risk.mean()), per_record=risk, note=f"{len(names)} keys")

    with pytest.warns(TacitaWarning, match=r"1 record\(s\) are still risky"):
        Replace(rule="by_income_for_test", threshold=0.5).apply(small(), seed=1)


def test_bad_input() -> None:
    with pytest.raises(DataError, match="every record is risky"):
        Replace(k=9).apply(small(), seed=1)
    with pytest.raises(ParameterError, match="0 or more for every key"):
        Replace(costs=[-1.0])
    with pytest.raises(ParameterError, match="must be left out with the scheme 'synthetic'"):
        Replace(costs=[1.0], scheme="synthetic")
    with pytest.raises(ParameterError, match="one number for each of the 2 keys, got 1"):
        Replace(costs=[1.0], k=2).apply(small(), seed=1)

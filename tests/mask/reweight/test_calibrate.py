"""Calibrate: margins of every kind, households, totals from elsewhere, and what cannot be met.

It tests ``tacita.mask.reweight.calibrating`` through the only door that they have.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import ColumnError, DataError, ParameterError
from tacita.mask.reweight import clashes
from tacita.mask.reweight.calibrate import Calibrate
from tacita.mask.reweight.clashes import find_clash
from tacita.mask.reweight.margins import margin_targets

GENDER = ["f", "f", "f", "f", "m", "m"]
AGE = ["-24", "-24", "+50", "+50", "25-49", "25-49"]
WEIGHT = [1000, 1500, 1100, 1400, 1100, 1900]
GIVEN = [
    (("gender",), ("f",), 7000.0),
    (("gender",), ("m",), 5000.0),
    (("age",), ("-24",), 3300.0),
    (("age",), ("25-49",), 5000.0),
    (("age",), ("+50",), 3700.0),
]


def six() -> tc.Microdata:
    table = pa.table({"gender": GENDER, "age": AGE, "w": WEIGHT, "x": [1.0, 2.0, None, 4.0, 5.0, 6.0]})
    return tc.Microdata.from_frame(table, keys=["gender", "age"], weight="w")


def cells(data: tc.Microdata, *names: str) -> dict[tuple[object, ...], float]:
    """Weighted counts, one record after another."""
    found: dict[tuple[object, ...], float] = {}
    columns = [data.to_arrow().column(name).to_pylist() for name in names]
    for row, weight in zip(zip(*columns, strict=True), data.weights(), strict=True):
        found[row] = found.get(row, 0.0) + weight
    return found


def same(a: dict[tuple[object, ...], float], b: dict[tuple[object, ...], float]) -> bool:
    return a.keys() == b.keys() and all(abs(a[key] - b[key]) <= 1e-9 * abs(b[key]) for key in b)


def test_given_totals_and_the_paper_s_weights() -> None:
    linear = Calibrate(targets=GIVEN, distance="linear", q="inverse").apply(six())
    assert linear.weights() == pytest.approx([1400, 1900, 1700, 2000, 2100, 2900], rel=1e-12)
    raked = Calibrate(targets=GIVEN).apply(six())
    assert raked.weights() == pytest.approx([1320, 1980, 1628, 2072, 5500 / 3, 9500 / 3], rel=1e-11)
    assert raked.drop(["w"]).same_content(six().drop(["w"]))


@pytest.mark.parametrize(
    ("distance", "bounds"), [("linear", None), ("raking", None), ("logit", (0.2, 6.0)), ("truncated", (0.3, 4.0))]
)
def test_margins_of_every_kind_are_exact(distance: str, bounds: tuple[float, float] | None) -> None:
    data = tc.samples.household_survey(1500, seed=3)
    mask = Calibrate(
        margins=[["sex", "education"], ["region"], ["urban", "sex"], []],
        totals=["income", "savings"],
        initial="equal",
        distance=distance,
        bounds=bounds,
    )
    made = mask.apply(data)
    for names in (("sex", "education"), ("region",), ("urban", "sex")):
        assert same(cells(made, *names), cells(data, *names))
    for name in ("income", "savings"):
        x = np.nan_to_num(data.float(name))
        assert x @ made.weights() == pytest.approx(x @ data.weights(), rel=1e-9)
    if bounds is not None:
        ratio = made.weights() / (data.weights().sum() / len(data))
        assert bounds[0] - 1e-9 <= ratio.min() <= ratio.max() <= bounds[1] + 1e-9


def test_own_weights_meet_their_own_totals() -> None:
    data = tc.samples.household_survey(300, seed=1)
    made = Calibrate(margins=[["sex"]]).apply(data)
    assert made.weights() == pytest.approx(data.weights(), rel=1e-12)


def test_start_weights_from_a_column_and_scale_factors() -> None:
    data = six().with_column("x", pa.array([2.0, 1.0, 1.0, 1.0, 3.0, 1.0]))
    made = Calibrate(targets=GIVEN[:2], initial="x", q="x", distance="linear").apply(data)
    # w = d (1 + q u): per gender u = (T - sum d) / sum d q
    u = np.repeat([(7000 - 5) / 7, (5000 - 4) / 10], [4, 2])
    d = np.array([2.0, 1.0, 1.0, 1.0, 3.0, 1.0])
    assert made.weights() == pytest.approx(d * (1 + d * u))


def test_rescaled_weights_are_within_bounds_of_the_right_size() -> None:
    given = [(("gender",), ("f",), 700_000.0), (("gender",), ("m",), 500_000.0)]
    with pytest.raises(DataError, match="cannot be met by factors within"):
        Calibrate(targets=given, distance="logit", bounds=(0.5, 2)).apply(six())
    made = Calibrate(targets=given, distance="logit", bounds=(0.5, 2), initial="rescaled").apply(six())
    assert cells(made, "gender") == pytest.approx({("f",): 700_000.0, ("m",): 500_000.0}, rel=1e-9)


def test_households_get_one_weight() -> None:
    data = tc.samples.household_survey(900, seed=2)
    house = data.schema.household
    made = Calibrate(margins=[["sex"], ["region"]], totals=["income"], unit=house).apply(data)
    groups = data.groups([house])
    low, high = np.full(groups.max() + 1, np.inf), np.zeros(groups.max() + 1)
    np.minimum.at(low, groups, made.weights())
    np.maximum.at(high, groups, made.weights())
    assert np.array_equal(low, high)
    assert same(cells(made, "region"), cells(data, "region"))
    assert same(cells(made, "sex"), cells(data, "sex"))


def test_missing_values_are_a_cell_of_their_own() -> None:
    table = pa.table({"a": ["x", None, "y", None], "w": [1.0, 2.0, 3.0, 4.0]})
    data = tc.Microdata.from_frame(table, keys=["a"], weight="w")
    made = Calibrate(targets=[(("a",), ("x",), 2.0), (("a",), ("y",), 2.0), (("a",), ("",), 3.0)]).apply(data)
    assert made.weights() == pytest.approx([2.0, 1.0, 2.0, 2.0])


def test_totals_of_another_file(tmp_path: Path) -> None:
    frame = pa.table({"gender": ["m", "f", "f"], "age": ["25-49", "-24", "+50"], "w": [50.0, 20.0, 30.0]})
    tc.write(tc.Microdata.from_frame(frame), tmp_path / "frame.csv")
    path = str(tmp_path / "frame.csv")
    made = Calibrate(margins=[["gender"], ["age"]], like=path).apply(six())
    assert cells(made, "age") == pytest.approx({("-24",): 20.0, ("+50",): 30.0, ("25-49",): 50.0}, rel=1e-9)
    other = margin_targets(tc.read(path), [["gender"]])
    counted = Calibrate(targets=[t.as_plain() for t in other]).apply(six())  # no role in the file: records count
    assert cells(counted, "gender") == pytest.approx({("f",): 2.0, ("m",): 1.0}, rel=1e-9)


def test_weights_keep_all_their_digits() -> None:
    """A narrow or whole weight column must not round what was calibrated."""
    for kind in (pa.int32(), pa.float32()):
        data = six().with_column("w", pa.array(WEIGHT, pa.float64()).cast(kind))
        made = Calibrate(targets=[(("gender",), ("f",), 7000.1), (("gender",), ("m",), 1 / 3)]).apply(data)
        assert cells(made, "gender")[("m",)] == pytest.approx(1 / 3, rel=1e-12)


# --- what cannot be met ----------------------------------------------------------------------------------------------


def test_clash_with_bounds_names_the_margins_and_wider_bounds() -> None:
    with pytest.raises(DataError, match=r"cannot be met by factors within \[0.9, 1.2\]") as caught:
        Calibrate(targets=GIVEN, distance="truncated", bounds=(0.9, 1.2)).apply(six())
    assert "'gender' (1 cell)" in str(caught.value) or "'age' (1 cell)" in str(caught.value)
    low, high = caught.value.details["bounds"]
    made = Calibrate(targets=GIVEN, distance="truncated", bounds=(low, high + 1e-6)).apply(six())
    assert cells(made, "age")[("25-49",)] == pytest.approx(5000, rel=1e-9)
    with pytest.raises(DataError):
        Calibrate(targets=GIVEN, distance="truncated", bounds=(low, high - 1e-3)).apply(six())


@pytest.mark.parametrize("distance", ["linear", "raking"])
def test_margins_with_different_sums_clash(distance: str) -> None:
    given = [*GIVEN[:2], (("age",), ("-24",), 3300.0), (("age",), ("25-49",), 5000.0), (("age",), ("+50",), 3701.0)]
    with pytest.raises(DataError, match="these clash: ") as caught:
        Calibrate(targets=given, distance=distance).apply(six())
    # Males are exactly those of 25-49, so the clash is between the females and the two other ages.
    assert "'gender' (1 cell), 'age' (2 cells)" in str(caught.value)
    assert "3701" not in str(caught.value)
    assert len(caught.value.details["cells"]) == 3


def test_category_without_records() -> None:
    with pytest.raises(DataError, match=r"'age' \(1 cell\) has a total but no record") as caught:
        Calibrate(targets=[*GIVEN[2:], (("age",), ("0-9",), 5.0)]).apply(six())
    assert caught.value.details["cells"] == [("0-9",)]
    assert "0-9" not in str(caught.value)
    Calibrate(targets=[*GIVEN[2:], (("age",), ("0-9",), 0.0)]).apply(six())  # nothing is wanted there


def test_category_without_a_total() -> None:
    with pytest.raises(DataError, match="has no total for 2 of its cells") as caught:
        Calibrate(targets=GIVEN[2:3]).apply(six())
    assert sorted(caught.value.details["cells"]) == [("+50",), ("25-49",)]


def test_negative_and_missing_weights() -> None:
    for bad in (-1.0, None):
        data = six().with_column("w", pa.array([*WEIGHT[:5], bad], pa.float64()))
        with pytest.raises(DataError, match="'w' is negative or missing in 1 records"):
            Calibrate(targets=GIVEN).apply(data)
        with pytest.raises(DataError, match="'initial' must be 0 or more, but 'x' is negative or missing in 1 records"):
            Calibrate(targets=GIVEN, initial="x").apply(six().with_column("x", pa.array([1.0] * 5 + [bad])))


def test_weights_that_linear_calibration_makes_negative() -> None:
    table = pa.table({"x": [0.0, 1.0, 10.0], "w": [1.0, 1.0, 1.0]})
    data = tc.Microdata.from_frame(table, weight="w")
    given = [((), (), 3.0), (("x",), (), 1.0)]
    with pytest.raises(DataError, match=r"gives 1 record\(s\) a weight below 0"):
        Calibrate(targets=given, distance="linear").apply(data)
    made = Calibrate(targets=given).apply(data)
    assert data.float("x") @ made.weights() == pytest.approx(1, rel=1e-9)


def test_senseless_settings() -> None:
    for options, words in (
        ({"distance": "logit"}, "'bounds' must be given"),
        ({"bounds": (0.5, 2.0)}, "'bounds' must be given"),
        ({"distance": "logit", "bounds": (1.1, 2.0)}, "0 <= L < U"),
        ({"distance": "truncated", "bounds": (2.0, 1.0)}, "0 <= L < U"),
        ({"distance": "ranking"}, "'distance' must be one of"),
        ({"targets": [*GIVEN, GIVEN[0]]}, "every total once"),
        ({"targets": GIVEN, "margins": [["age"]]}, "not in both"),
        ({"targets": [(("age", "gender"), ("f",), 2.0)]}, "one label for each column"),
    ):
        with pytest.raises(ParameterError, match=words):
            Calibrate(**options)
    with pytest.raises(ColumnError, match="Did you mean 'gender'"):
        Calibrate(margins=[["gendr"]]).apply(six())
    with pytest.raises(ColumnError, match="works on numeric columns"):
        Calibrate(totals=["age"]).apply(six())
    with pytest.raises(DataError, match="must have a weight column"):
        Calibrate(margins=[["age"]]).apply(six().drop(["w"]))
    with pytest.raises(ParameterError, match="name each margin once"):
        Calibrate(margins=[["age"], ["age"]]).apply(six())
    with pytest.raises(ParameterError, match="no margin says"):
        Calibrate(targets=[(("x",), (), 5.0)], initial="equal").apply(six())


@given(st.integers(0, 10**6), st.integers(2, 12), st.integers(1, 3))
def test_clash_is_found_exactly_where_a_plain_programme_finds_none(seed: int, n: int, margins: int) -> None:
    from scipy.optimize import linprog

    rng = np.random.default_rng(seed)
    x = np.concatenate([np.eye(3)[rng.integers(0, 3, n)] for _ in range(margins)], axis=1)
    start = rng.uniform(1, 5, n)
    totals = x.T @ (start * rng.uniform(0.4, 2.2, n))
    plain = linprog(np.zeros(n), A_eq=x.T * start, b_eq=totals, bounds=[(0.5, 2.0)] * n)
    clash = find_clash(x, totals, start, (0.5, 2.0))
    assert (clash is None) == (plain.status == 0)
    if clash is not None:
        assert clash.is_irreducible
        rows = clash.totals
        for left_out in rows:
            rest = np.setdiff1d(rows, left_out)
            if len(rest):
                some = linprog(np.zeros(n), A_eq=x[:, rest].T * start, b_eq=totals[rest], bounds=[(0.5, 2.0)] * n)
                assert some.status == 0, "a total of the clash could be left out"
        whole = linprog(np.zeros(n), A_eq=x[:, rows].T * start, b_eq=totals[rows], bounds=[(0.5, 2.0)] * n)
        assert whole.status == 2


@given(st.integers(0, 10**6), st.integers(13, 40))
def test_long_problems_are_judged_alike(seed: int, n: int) -> None:
    """Groups of similar records are tried first; what they cannot do is left to the records."""
    rng = np.random.default_rng(seed)
    x = np.column_stack([np.eye(3)[rng.integers(0, 3, n)], rng.lognormal(0, 1, n)])
    start = rng.uniform(1, 5, n)
    totals = x.T @ (start * rng.uniform(0.4, 2.2, n))
    whole = find_clash(x, totals, start, (0.5, 2.0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clashes, "_GROUPS", 12)
        short = find_clash(x, totals, start, (0.5, 2.0))
    assert (whole is None) == (short is None)
    if whole is not None and short is not None:
        assert np.array_equal(whole.totals, short.totals)

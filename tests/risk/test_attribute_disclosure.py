"""Attribute disclosure: what the release adds to a guess, against a plain computation and by hand."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.numeric.statistics.moments import standardise
from tacita.risk import AttributeDisclosure
from tacita.risk.attribute_disclosure import gain
from tests.oracles.risk import record_linkage as oracle


def microdata(**columns: object) -> Microdata:
    confidential = ["income"] if "income" in columns else []
    table = pa.table({name: pa.array(np.asarray(values, dtype=float)) for name, values in columns.items()})
    return Microdata.from_frame(table, keys=[name for name in columns if name != "income"], confidential=confidential)


def files(n: int = 200, seed: int = 1, noise: float = 0.05) -> tuple[Microdata, Microdata]:
    """Income has nothing to do with the keys: what the release tells about it comes from the own record."""
    rng = np.random.default_rng(seed)
    x = {name: rng.normal(size=n) for name in ("a", "b", "income")}
    original = microdata(**x)
    return original, original.with_numbers({name: v + noise * rng.normal(size=n) for name, v in x.items()})


def test_by_hand() -> None:
    """Keys 0, 10, 20, 30, 40 are untouched, so the nearest masked record is one's own; the median income is 30.

    Errors without the release: 20, 10, 0, 10, 20, in all 60. With it: 5, 10, 0, 0, 3, in all 18. Gain 1 - 18/60 = 70 %.
    """
    key, income = [0, 10, 20, 30, 40], [10, 20, 30, 40, 50]
    original = microdata(key=key, income=income)
    masked = original.with_numbers({"income": np.array([15.0, 10, 30, 40, 47])})
    found = AttributeDisclosure(neighbours=(1,))(original, masked)
    assert found.value == pytest.approx(70)
    assert found.per_record == pytest.approx([0.75, 0, 0, 1, 0.85])
    squared = AttributeDisclosure(neighbours=(1,), penalty="squared")(original, masked)
    assert squared.value == pytest.approx(100 * (1 - (25 + 100 + 9) / 1000))
    assert found.note == "intruder knows key and guesses income"


def test_the_own_record_left_out_by_hand() -> None:
    """Without their own records, 0 and 40 are guessed from 10 and 30, the others from the mean of both neighbours."""
    original = microdata(key=[0, 10, 20, 30, 40], income=[10, 20, 30, 40, 50])
    found = AttributeDisclosure(neighbours=(1,))(original, original)
    assert found.parts["income"] == 100
    assert found.parts["income, own record left out"] == pytest.approx(100 * (1 - 20 / 60))


@given(st.integers(2, 25), st.integers(1, 3), st.integers(1, 6), st.integers(0, 10**6), st.booleans())
def test_against_a_plain_computation(n: int, d: int, k: int, seed: int, squared: bool) -> None:
    rng = np.random.default_rng(seed)
    x = {f"c{j}": rng.integers(0, 4, n).astype(float) for j in range(d)}
    income = rng.integers(0, 30, n).astype(float)
    original = microdata(**x, income=income)
    masked = original.with_numbers({name: v + rng.integers(-1, 2, n) for name, v in {**x, "income": income}.items()})
    names = list(x)
    a, b = original.floats(names), masked.floats(names)
    points, queries = standardise(b, like=a), standardise(a)
    released = masked.float("income").tolist()
    guess = np.array(
        [
            oracle.neighbour_centre(points.tolist(), released, query, k, -1, median=not squared)
            for query in queries.tolist()
        ]
    )
    power = 2 if squared else 1
    constant = income.mean() if squared else np.median(income)
    before, after = np.abs(constant - income) ** power, np.abs(guess - income) ** power
    found = AttributeDisclosure(neighbours=(k,), penalty="squared" if squared else "absolute")(original, masked)
    expected = 0.0 if before.sum() == 0 else max(0.0, 100 * (1 - after.sum() / before.sum()))
    assert found.value == pytest.approx(expected, abs=1e-6)


def test_best_number_of_neighbours_is_taken() -> None:
    original, masked = files(noise=0.4)
    each = [AttributeDisclosure(neighbours=(k,))(original, masked).value for k in (1, 3, 10, 30)]
    assert AttributeDisclosure()(original, masked).value == max(each)


def test_gain_comes_from_the_own_record_where_keys_say_nothing() -> None:
    original, masked = files()
    found = AttributeDisclosure()(original, masked)
    assert found.value > 50
    assert found.parts["income, own record left out"] < 10


def test_gain_without_the_own_record_where_keys_say_everything() -> None:
    rng = np.random.default_rng(2)
    a = rng.normal(size=300)
    original = microdata(a=a, income=3 * a)
    masked = original.with_numbers(
        {"a": a + 0.01 * rng.normal(size=300), "income": 3 * a + 0.01 * rng.normal(size=300)}
    )
    assert AttributeDisclosure()(original, masked).parts["income, own record left out"] > 90


def test_a_useless_release_gains_nothing() -> None:
    original, masked = files()
    worthless = masked.with_numbers({"income": np.full(200, 1e6)})
    found = AttributeDisclosure()(original, worthless)
    assert found.value == 0
    assert found.per_record is not None
    assert not found.per_record.any()


def test_several_targets_are_averaged_and_not_used_to_guess_themselves() -> None:
    original, masked = files()
    found = AttributeDisclosure(target=("a", "income"))(original, masked)
    assert found.value == pytest.approx((found.parts["a"] + found.parts["income"]) / 2)
    alone = AttributeDisclosure(columns=("b",), target=("a",))(original, masked)
    assert found.parts["a"] == pytest.approx(alone.value)


def test_missing_targets_are_left_out() -> None:
    original, masked = files()
    income = original.float("income").copy()
    income[::4] = np.nan
    gappy = original.with_numbers({"income": income})
    there = ~np.isnan(income)
    found = AttributeDisclosure(neighbours=(1,))(gappy, masked, pairing="order")
    assert "50 missing targets left out" in found.note
    assert found.per_record is not None
    assert not found.per_record[~there].any()
    suppressed = masked.with_numbers({"income": np.where(there, masked.float("income"), np.nan)})
    assert 0 <= AttributeDisclosure()(original, suppressed).value <= found.value


def test_a_subset_of_records() -> None:
    original, masked = files(noise=0.4)
    chosen = np.arange(200) % 3 == 0
    whole = AttributeDisclosure()(original, masked)
    part = AttributeDisclosure().of_pair(pair_records(original, masked).among(chosen))
    assert part.per_record == pytest.approx(whole.per_record[chosen])  # type: ignore[index]


def test_gain_is_cut() -> None:
    assert gain(np.array([5.0]), np.array([1.0])) == 0
    assert gain(np.array([0.0]), np.array([1.0])) == 1
    assert gain(np.array([0.0]), np.array([0.0])) == 0


def test_bad_input() -> None:
    original, masked = files(30)
    with pytest.raises(MeasureError, match="no 'target' can be guessed from other 'columns'"):
        AttributeDisclosure(columns=("a",), target=("a",))(original, masked)
    with pytest.raises(ColumnError, match="'incom' is not in the data"):
        AttributeDisclosure(target=("incom",))(original, masked)
    with pytest.raises(ParameterError, match="'neighbours' must be a list, each entry a whole number, at least 1"):
        AttributeDisclosure(neighbours=(0,))
    with pytest.raises(ParameterError, match="'penalty' must be one of"):
        AttributeDisclosure(penalty="cubed")  # type: ignore[arg-type]

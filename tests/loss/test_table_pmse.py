"""S_pMSE of tables: by hand, against propensities record by record, and its null by drawing."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.loss.table_pmse import TablePmse, TablesMeasured, s_pmse_of_counts
from tests.oracles.loss import table_pmse as oracle


def file(*columns: list) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": pa.array(c, pa.string()) for j, c in enumerate(columns)}))


def measured(data: Microdata, masked: Microdata, **settings: object) -> TablesMeasured:
    found = TablePmse(**settings)(data, masked, pairing="order")
    assert isinstance(found, TablesMeasured)
    return found


def test_by_hand() -> None:
    """2 and 2 become 1 and 3. pMSE = (3 (1/3 - 1/2)^2 + 5 (3/5 - 1/2)^2) / 8 = 1/60, E = 1/4 x 1/2 / 8 = 1/64: 64/60."""
    found = measured(file(list("aabb"), list("pqpq")), file(list("abbb"), list("pqpq")))
    assert found.matrix[0, 0] == pytest.approx(64 / 60)
    assert found.parts["table.c0"] == found.parts["one-way"] == found.matrix[0, 0]
    assert found.parts["table.c1"] == 0
    # Cells ap aq bp bq: 1 1 1 1 becomes 1 0 1 2; three degrees of freedom, (1/0.5 + 1/1.5) / 3.
    assert found.matrix[0, 1] == found.matrix[1, 0] == pytest.approx((1 / 0.5 + 1 / 1.5) / 3)
    assert found.value == pytest.approx(64 / 60)
    assert found.parts["mean"] == pytest.approx((64 / 60 + 0 + found.parts["two-way"]) / 3)


values = st.sampled_from(["x", "y", "z", None])
records = st.lists(st.tuples(values, values), min_size=1, max_size=12)


@given(records, records)
def test_against_the_slow_version(x: list, y: list) -> None:
    columns, masked = ([list(c) for c in zip(*rows, strict=True)] for rows in (x, y))
    n = min(len(x), len(y))  # row order pairs files of one length
    columns, masked = [c[:n] for c in columns], [c[:n] for c in masked]
    x, y = x[:n], y[:n]
    found = measured(file(*columns), file(*masked))
    assert found.matrix[0, 1] == pytest.approx(oracle.s_pmse(x, y))
    assert found.matrix[0, 0] == pytest.approx(oracle.s_pmse(columns[0], masked[0]))


@given(st.lists(st.integers(0, 30), min_size=2, max_size=8), st.lists(st.integers(0, 30), min_size=2, max_size=8))
def test_counts_of_files_of_any_length(before: list, after: list) -> None:
    size = min(len(before), len(after))
    a, b = before[:size], after[:size]
    if not sum(a) or not sum(b):
        return
    x, y = ([cell for cell, count in enumerate(counts) for _ in range(count)] for counts in (a, b))
    assert s_pmse_of_counts(np.array(a, float), np.array(b, float)) == pytest.approx(oracle.s_pmse(x, y))


@pytest.mark.parametrize("drawn", [400, 800, 1600])
def test_records_drawn_from_the_original_have_a_ratio_of_one(drawn: int) -> None:
    """The mean over 200 draws of a table of 12 cells, for a synthetic file half, as and twice as long; 30 % more is seen."""
    rng = np.random.default_rng(5)
    shares = rng.dirichlet(np.full(12, 3.0))
    original = rng.multinomial(800, shares).astype(float)
    ratios = [s_pmse_of_counts(original, rng.multinomial(drawn, original / 800).astype(float)) for _ in range(200)]
    assert np.mean(ratios) == pytest.approx(1.0, abs=0.12)
    fresh = [
        s_pmse_of_counts(rng.multinomial(800, shares).astype(float), rng.multinomial(drawn, shares).astype(float))
        for _ in range(200)
    ]
    assert np.mean(fresh) == pytest.approx(1 + drawn / 800, rel=0.12)


def test_weights_that_are_equal_change_nothing_and_others_count() -> None:
    data = tc.samples.household_survey(300, seed=1)
    masked = tc.mask.AdditiveNoise(columns=["age"], sd_ratio=1.0).apply(data, seed=7)
    names = ["age", "sex"]
    even = [part.with_numbers({"weight": np.full(300, 3.0)}) for part in (data, masked)]
    plain = TablePmse(columns=names)(*even)
    assert TablePmse(columns=names, weighted=True)(*even).value == pytest.approx(plain.value)
    heavy = np.where(data.float("age") > 50, 10.0, 1.0)
    loaded = masked.with_numbers({"weight": heavy})
    assert TablePmse(columns=["sex"], weighted=True)(data.with_numbers({"weight": heavy}), loaded).value == 0
    assert TablePmse(columns=["sex"], weighted=True)(data, loaded).value > 0


def test_swapping_keeps_tables_of_one_column_and_not_of_two() -> None:
    data = tc.samples.household_survey(400, seed=1)
    swapped = tc.mask.RankSwap(columns=["earnings"], p=60).apply(data, seed=7)
    found = TablePmse(columns=["earnings", "age", "education"])(data, swapped)
    assert found.parts["one-way"] == 0
    assert found.value == found.parts["two-way"] > 0
    assert found.parts[list(found.parts)[3]] == found.value, "the worst table comes first"


def test_a_lost_spike_is_seen() -> None:
    """Zeros that become small numbers stay in no group of zeros."""
    x = np.where(np.arange(1000) % 2, 0.0, np.arange(1000.0))
    data = Microdata.from_frame(pa.table({"x": x}), scales={"x": "numeric"})
    moved = data.with_numbers({"x": np.where(x == 0, 0.5, x)})
    assert TablePmse()(data, moved).value > 100

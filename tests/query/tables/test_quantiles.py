"""Quantiles from bins: a slow reading of the same counts, and nothing that the table would not tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.tabulate import Tabulate
from tacita.query.tables.quantiles import quantile_in_bins, quantiles
from tacita.query.tables.tabulate import answer_table
from tests.effort import examples
from tests.query.tables.questions import database, frame_of, question


def slow_quantile(level: float, counts: list[int], edges: list[float]) -> tuple[int, float]:
    """Walk through the bins until so many records are reached."""
    wanted, reached = level * sum(counts), 0.0
    for place, count in enumerate(counts):
        if count and reached + count >= wanted - 1e-9:
            return place, edges[place] + (edges[place + 1] - edges[place]) * (wanted - reached) / count
        reached += count
    raise AssertionError("there is always a bin")


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=6), st.floats(0.01, 0.99))
def test_quantiles_are_read_from_the_counts(counts: list[int], level: float) -> None:
    if not sum(counts):
        counts[0] = 1
    edges = np.cumsum([0.0, *range(1, len(counts) + 1)])
    place, value = quantile_in_bins(level, np.array(counts, dtype=float), edges)
    slow_place, slow_value = slow_quantile(level, counts, edges.tolist())
    assert place == slow_place
    assert value == pytest.approx(slow_value, abs=1e-6)


def test_quantiles_are_those_of_evenly_spread_values() -> None:
    """Ten records in each bin of width 10, evenly: the quantile of the values is that of the bins."""
    edges = np.arange(0.0, 101.0, 10.0)
    for level in (0.05, 0.25, 0.5, 0.875, 0.99):
        assert quantile_in_bins(level, np.full(10, 10.0), edges)[1] == pytest.approx(100 * level)


def test_rounding_of_floats_does_not_skip_bins() -> None:
    """0.07 * 100 is a little more than 7: the first bin has been reached, the sixth is far away."""
    level = 0.07
    assert level * 100 > 7
    counts, edges = np.array([7.0, 0, 0, 0, 0, 93]), np.arange(7.0)
    assert quantile_in_bins(level, counts, edges) == (0, 1.0)


@pytest.mark.parametrize(("level", "found"), [(0.1, (0, None)), (0.5, (1, 7.0)), (0.9, (2, None))])
def test_bins_without_an_end_have_no_value(level: float, found: Any) -> None:
    assert quantile_in_bins(level, np.array([10.0, 20.0, 10.0]), np.array([-np.inf, 5.0, 9.0, np.inf])) == found


# --- of a question --------------------------------------------------------------------------------------------------------


def test_quantiles_of_the_survey() -> None:
    db = database()
    request = Quantiles(response="income", levels=[0.1, 0.5, 0.9], where={"sex": "female"})
    found = quantiles(question(db, request), request)
    frame = frame_of()
    women = frame[(frame["sex"] == "female") & frame["income"].notna()].sort_values("income")
    reached = women["weight"].cumsum() / women["weight"].sum()
    bins = db.catalogue["income"].bins
    assert bins is not None
    assert found["response"] == "income"
    for row, level in zip(found["quantiles"], (0.1, 0.5, 0.9), strict=True):
        true = float(women["income"].iloc[int(np.searchsorted(reached, level))])
        assert row["level"] == level
        assert row["bin"] == bins.labels[int(bins.codes(np.array([true]))[0])]
        if "value" in row:
            assert row["value"] == float(f"{row['value']:.4g}")
            place = bins.labels.index(row["bin"])
            assert bins.edges[place] <= row["value"] <= bins.edges[place + 1]


def test_quantiles_under_noise_are_those_of_the_shown_table() -> None:
    """Whoever has the shown table can compute them, so they tell nothing more."""
    db = database(cells=CellKeyNoise(bound=5, variance=3.0))
    request = Quantiles(response="income", where={"urban": "rural", "sex": "male"})
    table = Tabulate(by=("income",), statistic="weighted_count", where=request.where)
    shown = answer_table(question(db, table), table).values[: len(db.catalogue["income"].classes)]
    bins = db.catalogue["income"].bins
    assert bins is not None
    for row in quantiles(question(db, request), request)["quantiles"]:
        place, value = quantile_in_bins(row["level"], shown, bins.edges)
        assert row["bin"] == bins.labels[place]
        assert row.get("value") == (None if value is None else float(f"{value:.4g}"))


def test_nobody_has_no_quantiles() -> None:
    db = database()
    request = Quantiles(response="income", where={"income": "(missing)"})
    assert quantiles(question(db, request), request) == {"response": "income", "quantiles": []}

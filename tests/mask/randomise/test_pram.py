"""PRAM: matrices that keep what they promise, draws that follow them, tables that can be corrected."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import ColumnError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask.randomise.pram import MISSING, Pram
from tacita.mask.randomise.pram_estimate import pram_table
from tacita.numeric.perturbation.pram import (
    corrected_table,
    correction_variance,
    draw_transitions,
    invariant_matrix,
    random_matrix,
)


def make(n: int = 3000) -> Microdata:
    rng = np.random.default_rng(5)
    region = rng.choice(["north", "south", "west"], n, p=[0.6, 0.3, 0.1])
    sex = np.where(rng.random(n) < 0.4, "f", "m")
    level = pa.array(rng.choice(["low", "high"], n), mask=rng.random(n) < 0.1)
    return Microdata.from_frame(
        pa.table({"region": region, "sex": sex, "level": level}), keys=["region", "sex", "level"]
    )


def column(data: Microdata, name: str) -> list[Any]:
    return data.to_arrow().column(name).to_pylist()


@given(st.integers(1, 8), st.floats(0, 1), st.floats(0, 1), st.integers(0, 1000))
def test_built_matrices(size: int, pd: float, alpha: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = random_matrix(size, pd, rng)
    frequencies = rng.integers(0, 50, size).astype(float)
    kept = invariant_matrix(matrix, frequencies, alpha)
    for p in (matrix, kept):
        assert (p >= 0).all()
        assert p.sum(axis=1) == pytest.approx(np.ones(size))
    assert (np.diag(matrix) >= pd - 1e-12).all()
    assert frequencies @ kept == pytest.approx(frequencies)


def test_invariant_matrix_by_hand() -> None:
    """t = (3, 1), P = [[2/3, 1/3], [0, 1]]: q from released 1 is 1, from released 2 is (1/2, 1/2)."""
    found = invariant_matrix(np.array([[2 / 3, 1 / 3], [0, 1]]), np.array([3.0, 1.0]), 1.0)
    assert found == pytest.approx(np.array([[5 / 6, 1 / 6], [1 / 2, 1 / 2]]))


def test_draws_follow_the_intervals() -> None:
    cumulative = np.array([[0.2, 0.5, 1.0], [1.0, 1.0, 1.0]])
    codes, drawn = np.array([0, 0, 0, 1, -1]), np.array([0.1, 0.2, 0.9, 0.99, 0.5])
    assert draw_transitions(codes, cumulative, drawn).tolist() == [0, 1, 2, 0, -1]


def test_given_matrix_is_used() -> None:
    data = make()
    rows = {"north": {"north": 0.5, "south": 0.5}, "west": {"west": 1.0}}
    masked = Pram(columns=["region"], matrix=rows).apply(data, seed=1)
    moved = Counter(zip(column(data, "region"), column(masked, "region"), strict=True))
    assert moved["west", "west"] == column(data, "region").count("west")
    assert moved["south", "south"] == column(data, "region").count("south")
    north = column(data, "region").count("north")
    assert abs(moved["north", "south"] - north / 2) < 4 * np.sqrt(north / 4)


def test_new_labels_and_suppression() -> None:
    rows = {"west": {"elsewhere": 0.5, MISSING: 0.5}}
    masked = Pram(columns=["region"], matrix=rows).apply(make(), seed=1)
    assert set(column(masked, "region")) == {"north", "south", "elsewhere", None}


def test_missing_values_stay_or_are_a_category() -> None:
    data = make()
    absent = [value is None for value in column(data, "level")]
    kept = Pram(columns=["level"], pd=0.0, alpha=1.0).apply(data, seed=1)
    assert [value is None for value in column(kept, "level")] == absent
    changed = Pram(columns=["level"], pd=0.0, alpha=1.0, missing="category").apply(data, seed=1)
    assert [value is None for value in column(changed, "level")] != absent


def test_joint_change_keeps_the_expected_table() -> None:
    data = make(20_000)
    masked = Pram(columns=["region", "sex"], joint=True, pd=0.3, alpha=1.0).apply(data, seed=3)
    before, after = (Counter(zip(column(d, "region"), column(d, "sex"), strict=True)) for d in (data, masked))
    for cell, count in before.items():
        assert abs(after[cell] - count) < 5 * np.sqrt(count)
    assert before != after


def test_strata_are_kept_apart() -> None:
    data = make(20_000)
    masked = Pram(columns=["region"], by=["sex"], pd=0.2, alpha=1.0).apply(data, seed=3)
    before, after = (Counter(zip(column(d, "region"), column(d, "sex"), strict=True)) for d in (data, masked))
    for cell, count in before.items():
        assert abs(after[cell] - count) < 5 * np.sqrt(count)


def test_correction_is_unbiased_and_its_variance_right() -> None:
    """400 releases of one file: false alarms below 1 in 1000 for each of the nine cells."""
    data = make(2000)
    mask = Pram(columns=["region"], pd=0.5, invariant=False)
    original = np.array([column(data, "region").count(label) for label in ("north", "south", "west")])
    used = mask.transitions(data, seed=0)
    matrix = used[("region",)][0].matrix
    rng = np.random.default_rng(1)
    codes, cumulative = data.codes("region").values, np.cumsum(matrix, axis=1)
    released = [
        np.bincount(draw_transitions(codes, cumulative, rng.random(len(codes))), minlength=3) for _ in range(400)
    ]
    estimates = np.array([corrected_table(r.astype(float), [matrix]) for r in released])
    sd = np.sqrt(correction_variance(original.astype(float), [matrix]))
    assert (np.abs(estimates.mean(axis=0) - original) < 3.5 * sd / 20).all()
    assert estimates.std(axis=0) == pytest.approx(sd, rel=0.15)


def test_corrected_two_way_table() -> None:
    data = make(20_000)
    mask = Pram(columns=["region", "sex"], pd=0.6)
    found = pram_table(mask.apply(data, seed=2), ["region", "sex"], mask.transitions(data, seed=2))
    original = np.zeros((3, 2))
    for cell in zip(data.codes("region").values, data.codes("sex").values, strict=True):
        original[cell] += 1
    assert (np.abs(found.estimate - original) < 4.5 * found.sd).all()
    assert np.abs(found.estimate - original).sum() < np.abs(found.released - original).sum() * 2


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (
            {"north": {"north": 0.5, "south": 0.6}},
            "row 'north' of 'matrix' must have .* sum to 1, got a sum of 1.1",
        ),
        ({"north": {"north": 1.5, "south": -0.5}}, "sum to 1"),
        ({"north": 0.5}, "table of probabilities in row 'north'"),
    ],
)
def test_bad_matrices_are_refused(matrix: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Pram(columns=["region"], matrix=matrix)


def test_what_else_is_refused() -> None:
    data = make()
    with pytest.raises(ColumnError, match="1 row\\(s\\) for labels that do not occur"):
        Pram(columns=["region"], matrix={"east": {"east": 1.0}}).apply(data, seed=1)
    with pytest.raises(ColumnError, match="cannot be changed and be a stratum"):
        Pram(columns=["region"], by=["region"]).apply(data, seed=1)
    flat = Pram(columns=["sex"], matrix={"f": {"f": 0.5, "m": 0.5}, "m": {"f": 0.5, "m": 0.5}})
    with pytest.raises(ParameterError, match="cannot be inverted"):
        pram_table(flat.apply(data, seed=1), ["sex"], flat.transitions(data, seed=1))
    strata = Pram(columns=["sex"], by=["region"])
    with pytest.raises(ParameterError, match="within 3 strata"):
        pram_table(strata.apply(data, seed=1), ["sex"], strata.transitions(data, seed=1))

"""Perturbed perturbations: Table 6, marks, and what is never told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.tables.perturbation.cell_key import CellKey
from tacita.tables.perturbation.user_information import deviation_frequencies, inform_users, perturb_deviations
from tests.tables.perturbation.test_cell_key import KEY, whole

TABLE_6 = {
    -13: 1, -12: 5, -11: 30, -10: 110, -9: 310, -8: 836, -7: 1872, -6: 8203, -5: 34859, -4: 162116, -3: 369234, -2: 622462,
    -1: 1226831, 0: 739905, 1: 783760, 2: 778735, 3: 393652, 4: 170659, 5: 37674, 6: 9230, 7: 2141, 8: 878, 9: 372, 10: 108,
    11: 44, 12: 7,
}  # fmt: skip
"""Cells of Region x Age x Country of birth by deviation d (Giessing and Hoehne, Table 6)."""


def test_frequencies_of_table_6_are_kept() -> None:
    """The paper keeps each within 2; a tenth of the cells here, with all large deviations."""
    n = {d: count if count < 1000 else count // 10 for d, count in TABLE_6.items()}
    deviations = np.repeat(list(n), list(n.values()))
    rng = np.random.default_rng(7)
    told = perturb_deviations(deviations, rng.random(len(deviations)), rng)
    found = deviation_frequencies(deviations, told)
    assert max(abs(before - after) for before, after in found.values()) <= 2
    assert 0.2 < (told != deviations).mean() < 0.9


def test_independent_draws_would_not_keep_them() -> None:
    """The same matrix cell by cell misses large frequencies by far more than 2: controlled selection does something."""
    rng = np.random.default_rng(8)
    deviations = np.repeat([-1, 0, 1], [40_000, 30_000, 30_000])
    moved = deviations + rng.choice([-1, 0, 1], len(deviations), p=[0.25, 0.5, 0.25])
    found = deviation_frequencies(deviations, np.clip(moved, -1, 1))
    assert max(abs(before - after) for before, after in found.values()) > 20


def test_users_are_told_sizes_and_marks() -> None:
    made = whole()
    protected = CellKey(key=KEY, D=5, V=3).protect(made, tc.tables.Unsafe.none(len(made)))
    report = inform_users(protected, key=KEY)
    assert report.largest_change == 0
    assert report.sizes.max() <= 5
    assert set(report.marks) <= {"A", "B", "C", ""}
    told = report.sizes >= 0
    assert sum(report.public_frequencies.values()) == told.sum()
    true = np.abs(protected.values - made.values)
    assert (report.sizes[told] != true[told]).any()
    share = report.sizes / np.maximum(protected.values, 1)
    for mark, size in zip(report.marks, share, strict=True):
        assert mark in ("", "A" if size <= 0.05 else "B" if size <= 0.2 else "C")
    again = inform_users(protected, key=KEY)
    assert np.array_equal(again.sizes, report.sizes)
    other = inform_users(protected, key=KEY.derive("other"))
    assert not np.array_equal(other.sizes, report.sizes)


def test_tables_without_keys_are_told_of_too() -> None:
    table = tc.tabulate(tc.samples.person_register(500, seed=1), ["region", "sex"])
    protected = CellKey(key=KEY).protect(table, tc.tables.Unsafe.none(len(table)))
    report = inform_users(protected, key=KEY)
    assert report.largest_change == 0
    assert (report.sizes[table.is_empty] == -1).all()


def test_zeros_that_hold_somebody_look_like_all_others() -> None:
    """A mark on a shown zero would say that one to three people are there."""
    data = tc.samples.census_register(3000, seed=1, regions=30)
    made = tc.tables.keyed_table(data, ["municipality", "birth_country"], key=KEY, identity="person_id")
    protected = CellKey(key=KEY).protect(made, tc.tables.Unsafe.none(len(made)))
    hidden = (protected.values == 0) & ~made.is_empty
    assert hidden.sum() > 20
    report = inform_users(protected, key=KEY)
    zeros = protected.values == 0
    assert (report.sizes[zeros] == -1).all()
    assert {mark for mark, zero in zip(report.marks, zeros, strict=True) if zero} == {""}


def test_bad_input_is_refused() -> None:
    made = whole()
    protected = CellKey(key=KEY).protect(made, tc.tables.Unsafe.none(len(made)))
    with pytest.raises(DataError, match="must be whole"):
        inform_users(replace(protected, values=protected.values + 0.5), key=KEY)
    with pytest.raises(ParameterError, match="'good' must be"):
        inform_users(protected, key=KEY, good=0.5, fair=0.1)
    with pytest.raises(ParameterError, match="one of an example"):
        inform_users(protected, key=bytes(32))
    with pytest.raises(ParameterError, match="for each cell"):
        perturb_deviations(np.array([1]), np.zeros(2), np.random.default_rng(1))
    assert perturb_deviations(np.array([], int), np.zeros(0), np.random.default_rng(1)).tolist() == []

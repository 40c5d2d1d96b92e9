"""Shares of a budget add up to it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tacita.numeric.privacy.cost import rho_of_epsilon
from tacita.numeric.synthesis.private.budget import TablesBudget


@pytest.mark.parametrize("has_weights", [False, True])
@pytest.mark.parametrize("members", [1, 4])
@pytest.mark.parametrize("columns", [1, 2, 3, 15])
def test_the_parts_add_up(columns: int, members: int, has_weights: bool) -> None:
    rho = rho_of_epsilon(1.0, 1e-9)
    shared = TablesBudget(rho, columns, members, has_weights)
    spent = sum(part.times * part.rho for part in shared.parts)
    assert spent <= rho
    assert float(rho - spent) < 1e-9 * float(rho)
    whole = shared.weights_rho + columns * shared.single_rho + (columns - 1) * (shared.choice_rho + shared.pair_rho)
    assert whole == rho  # the roots of choices, rounded down, are all that is lost


@pytest.mark.parametrize("members", [1, 4])
def test_noise_costs_what_is_said(members: int) -> None:
    """A unit with m records changes a table by m at most, and a score by m: rho = m^2 / (2 v), epsilon = 2 m rate."""
    shared = TablesBudget(Fraction(1, 10), 4, members, False)
    for cost in (shared.single_rho, shared.pair_rho):
        assert Fraction(members**2) / (2 * shared.variance(cost)) == cost
    assert (2 * members * shared.choice_rate) ** 2 / 8 <= shared.choice_rho
    scales = {part.what: part.scale for part in shared.parts}
    assert scales["one-way tables"] ** 2 == pytest.approx(float(shared.variance(shared.single_rho)))


def test_two_columns_leave_nothing_to_choose() -> None:
    shared = TablesBudget(Fraction(3), 2, 1, False)
    assert [(part.what, part.times, part.rho) for part in shared.parts] == [
        ("one-way tables", 2, Fraction(1, 2)),
        ("two-way tables", 1, Fraction(2)),
    ]

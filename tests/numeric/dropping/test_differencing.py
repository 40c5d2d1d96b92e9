"""Tests of the differencing attack: the figures of the paper, and the simulation against the formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.numeric.dropping.apparent import apparent_from_counts
from tacita.numeric.dropping.differencing import (
    DifferencingResult,
    Rate,
    apparent_cell,
    padding_probability,
    simulate_differencing,
)
from tacita.numeric.dropping.probability import disclosure_probability

EMPLOYMENT = np.array([[430, 38], [462, 48]])
"""Gender by employment status of 978 persons; the record of the attack is an unemployed man, cell 1."""
REGION = [200, 100, 150, 50]
SIGMAS = 5.0
"""Standard errors that a rate may be off: by chance less than once in a million."""


def _agrees(rate: Rate, wanted: float) -> bool:
    return abs(rate.value - wanted) <= SIGMAS * math.sqrt(wanted * (1 - wanted) / rate.trials)


# --- the figures ----------------------------------------------------------------------------------------------------------


def test_figure_1() -> None:
    """Without drops T_n - T_{n-1} is T_1: a man without employment."""
    without = EMPLOYMENT - [[0, 1], [0, 0]]
    difference = EMPLOYMENT - without
    assert difference.tolist() == [[0, 1], [0, 0]]
    assert apparent_cell(difference.ravel()) == 1


@pytest.mark.parametrize(
    ("x", "y", "shown", "cell"),
    [
        ([[1, 0], [1, 0]], [[1, 0], [1, 0]], [[0, 1], [0, 0]], 1),  # the drops cancel: correct
        ([[0, 1], [2, 0]], [[1, 0], [2, 0]], [[1, 0], [0, 0]], 0),  # apparent, but wrong
        ([[2, 0], [0, 0]], [[0, 0], [1, 2]], [[-2, 1], [1, 2]], -1),  # nonsense
        ([[1, 1], [0, 0]], [[1, 0], [0, 1]], [[0, 0], [0, 1]], 3),  # wrong in the last cell
        ([[1, 0], [1, 1]], [[1, 0], [1, 0]], [[0, 1], [0, -1]], -1),  # q1 is not q2
    ],
)
def test_figure_2(x: list[list[int]], y: list[list[int]], shown: list[list[int]], cell: int) -> None:
    """T_gamma = T_{n - q1} - T_{n - 1 - q2} has y - x, and 1 + y - x in the cell of the record."""
    first = EMPLOYMENT - np.array(x)
    second = EMPLOYMENT - [[0, 1], [0, 0]] - np.array(y)
    assert (first - second).tolist() == shown
    assert apparent_cell((first - second).ravel()) == cell


def test_a_two_is_no_disclosure() -> None:
    assert apparent_cell([[0, 2, 0], [0, -1, 0], [1, 1, 0], [0, 0, 1]]).tolist() == [-1, -1, -1, 2]


# --- section 4 ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [3, 4, 5, 6, 7])
def test_formula_5_agrees_to_two_decimals(k: int) -> None:
    """n = 978, 100 000 attacks: the standard error is at most 0.0011, so 0.005 is missed less than once in 100 000 runs."""
    found = simulate_differencing(EMPLOYMENT, k, target=1, seed=k)
    wanted = disclosure_probability(EMPLOYMENT / 978, k)
    assert abs(found.correct.value - wanted) < 0.005
    finite = apparent_from_counts(EMPLOYMENT, k, target=1)
    assert _agrees(found.correct, finite.correct)
    assert _agrees(found.wrong, finite.wrong)
    assert not _agrees(found.correct, 1.3 * finite.correct)
    assert not _agrees(found.wrong, 1.3 * finite.wrong)
    assert not _agrees(found.wrong, 0.7 * finite.wrong)


@pytest.mark.parametrize(("k", "own"), [(3, 1), (5, 3)])
def test_the_insider(k: int, own: int) -> None:
    """U(n) less U(n - 2), the attacker being one of the two: he gains nothing beyond the plain attack."""
    found = simulate_differencing(EMPLOYMENT, k, target=1, own=own, seed=k)
    finite = apparent_from_counts(EMPLOYMENT, k, target=1, own=own)
    assert _agrees(found.correct, finite.correct)
    assert _agrees(found.wrong, finite.wrong)
    assert not _agrees(found.correct, 1.3 * finite.correct)
    assert abs(found.correct.value - disclosure_probability(EMPLOYMENT / 978, k)) < 0.005


def test_drop_1_and_drop_2_are_broken() -> None:
    skewed = [900, 30, 30, 18]
    drop_1 = simulate_differencing(skewed, 1, smallest=1, target=1, replicates=20_000, seed=1)
    drop_2 = simulate_differencing(skewed, 2, target=1, replicates=20_000, seed=2)
    drop_q = simulate_differencing(skewed, 7, target=1, replicates=20_000, seed=3)
    assert drop_1.correct.interval[0] > 0.8
    assert drop_2.correct.interval[0] > 0.65
    assert drop_q.correct.interval[1] < 1 / 6


# --- padding --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "stays"), [(3, 0.9975), (20, 0.989)])
def test_padding_beats_every_k_without_strata(k: int, stays: float) -> None:
    assert padding_probability(500, 10**6, k) == pytest.approx(stays, abs=2e-4)
    found = simulate_differencing(REGION, k, target=1, padding=10**6, stratified=False, replicates=300_000, seed=k)
    assert _agrees(found.untouched, padding_probability(500, 10**6, k))
    assert not _agrees(found.untouched, 1 - 1.3 * (1 - stays))
    assert found.correct.value >= found.untouched.value > 0.98


@pytest.mark.parametrize("k", [3, 20])
def test_padding_is_useless_with_strata(k: int) -> None:
    found = simulate_differencing(REGION, k, target=1, padding=10**6, seed=k)
    assert found.untouched.hits == 0
    assert _agrees(found.correct, apparent_from_counts(REGION, k, target=1).correct)
    assert found.correct.interval[1] < 0.07


def test_more_padding_never_helps_the_owner_of_the_data() -> None:
    chances = [padding_probability(500, size, 5) for size in (0, 10, 1000, 10**5, 10**7)]
    assert chances[0] == 0
    assert chances == sorted(chances)
    assert padding_probability(2, 3, 2) == pytest.approx(3 / 10 * 3 / 6)  # C(3,2)/C(5,2) and C(3,2)/C(4,2)


# --- the tool itself ------------------------------------------------------------------------------------------------------


def test_same_seed_same_result() -> None:
    runs: list[DifferencingResult] = [
        simulate_differencing(REGION, 4, target=0, replicates=5000, seed=seed) for seed in (1, 1, 2)
    ]
    assert runs[0] == runs[1] != runs[2]


def test_rates() -> None:
    found = DifferencingResult(correct=Rate(20, 100), wrong=Rate(10, 100), untouched=Rate(0, 100))
    assert found.apparent == Rate(30, 100)
    low, high = found.apparent.interval
    assert low < found.apparent.value < high


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"k": 1}, "'k' must be in"),
        ({"target": 4}, "'target' must be the number of a cell"),
        ({"own": -1}, "'own' must be the number of a cell"),
        ({"counts": [0, 500]}, "'counts' must contain the record"),
        ({"counts": [2, 2]}, "more than k and fewer than"),
        ({"padding": 10**9}, "more than k and fewer than"),
        ({"padding": -1}, "'padding' must be at least 0"),
        ({"replicates": 0}, "'replicates' at least 1"),
        ({"seed": -1}, "'seed' must be"),
    ],
)
def test_bad_input(change: dict[str, object], said: str) -> None:
    settings: dict[str, object] = {"counts": REGION, "k": 3, "target": 0, "seed": 1, "replicates": 10, **change}
    with pytest.raises(ParameterError, match=said):
        simulate_differencing(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(("n", "padding", "k"), [(0, 10, 2), (5, -1, 2), (2, 0, 2), (5, 5, 0)])
def test_bad_padding(n: int, padding: int, k: int) -> None:
    with pytest.raises(ParameterError, match="padding_probability"):
        padding_probability(n, padding, k)

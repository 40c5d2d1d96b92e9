"""EM for probabilistic linkage: against the textbook version, and by recovering what made the data."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tacita as tc
from tacita.numeric.linkage import fellegi_sunter
from tacita.numeric.linkage.agreement import positions_of
from tacita.numeric.linkage.fellegi_sunter import (
    Agreement,
    count_patterns,
    estimate_free,
    estimate_one_each,
    level_counts,
    weights_of,
)
from tests.effort import examples
from tests.oracles.risk import record_linkage as oracle

WIDTHS = (5.0, 20.0)
KINDS = 3


def files(n: int, d: int, seed: int, noise: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    return x, x + noise * rng.normal(size=x.shape)


def every_pair(x: np.ndarray, y: np.ndarray) -> list[list[int]]:
    a = np.column_stack([oracle.middle_percents(column) for column in x.T.tolist()])
    b = np.column_stack([oracle.middle_percents(column) for column in y.T.tolist()])
    limits = [w + 1e-6 for w in WIDTHS]
    found = (oracle.levels(row, record, limits) for record, row in itertools.product(b, a))
    return [[KINDS if level is None else level for level in levels] for levels in found]


@given(st.integers(2, 14), st.integers(1, 3), st.integers(0, 10**6))
def test_patterns_and_levels_against_every_pair(n: int, d: int, seed: int) -> None:
    x, y = files(n, d, seed)
    y[::3, 0] = np.nan
    positions, rows = positions_of(x, y, WIDTHS, "ranks"), np.arange(n)
    levels, counts = count_patterns(positions, rows)
    pairs = every_pair(x, y)
    assert {tuple(p): c for p, c in zip(levels.tolist(), counts.tolist(), strict=True)} == {
        tuple(p): pairs.count(list(p)) for p in {tuple(p) for p in pairs}
    }
    expected = [[sum(p[j] == k for p in pairs) for k in range(KINDS)] for j in range(d)]
    assert level_counts(positions, rows).tolist() == expected


@given(st.integers(3, 10), st.integers(1, 3), st.integers(0, 10**6), st.integers(1, 6))
def test_classical_em_against_the_textbook(n: int, d: int, seed: int, rounds: int) -> None:
    x, y = files(n, d, seed)
    y[0, -1] = np.nan
    positions = positions_of(x, y, WIDTHS, "ranks")
    levels, counts = count_patterns(positions, np.arange(n))
    found = estimate_free(levels, counts, 1 / n, kinds=KINDS, most_rounds=rounds)
    if found.rounds == rounds:  # EM may have come to rest before
        m, u = oracle.em_free(every_pair(x, y), KINDS, 1 / n, rounds)
        assert found.matches == pytest.approx(np.array(m), rel=1e-6, abs=1e-9)
        assert found.others == pytest.approx(np.array(u), rel=1e-6, abs=1e-9)


def both_ways(x: np.ndarray, y: np.ndarray, widths: tuple[float, ...]) -> tuple[Agreement, Agreement]:
    """The estimate with one match each, from patterns that are counted once and from all pairs in every round."""
    positions, rows = positions_of(x, y, widths, "ranks"), np.arange(len(y))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fellegi_sunter, "_from_pairs", None)
        counted = estimate_one_each(positions, rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fellegi_sunter, "_from_patterns", lambda *_: None)
        return counted, estimate_one_each(positions, rows)


@settings(max_examples=examples(20))
@given(st.integers(1, 3), st.integers(0, 10**6), st.booleans())
def test_patterns_counted_once_give_the_estimate_of_all_pairs(d: int, seed: int, gaps: bool) -> None:
    """Sums in another order apart; with ties and, half of the time, missing values on both sides."""
    x, y = (np.round(file, 1) for file in files(150, d, seed))
    if gaps:
        x[::7, 0], y[::5, -1] = np.nan, np.nan
    counted, compared = both_ways(x, y, WIDTHS)
    assert counted.rounds == compared.rounds
    assert counted.matches == pytest.approx(compared.matches, rel=1e-9)
    assert counted.others == pytest.approx(compared.others, rel=1e-9)


@pytest.mark.parametrize("columns", [["age"], ["earnings", "tax", "savings"]], ids=len)
def test_the_sample_has_the_weights_of_all_pairs(columns: list[str]) -> None:
    data = tc.samples.household_survey(500, seed=1)
    masked = tc.mask.AdditiveNoise(columns=columns, sd_ratio=0.2).apply(data, seed=7)
    counted, compared = both_ways(data.floats(columns), masked.floats(columns), (0.5, 1, 2, 4, 8, 16, 32))
    assert counted.rounds == compared.rounds
    assert np.array_equal(weights_of(counted), weights_of(compared))


def test_patterns_are_kept_only_where_that_saves_work(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y = files(300, 2, 1)
    few, many = positions_of(x, y, WIDTHS, "ranks"), positions_of(*files(300, 12, 1), WIDTHS, "ranks")
    parts = [np.arange(64), np.arange(64, 300)]
    assert fellegi_sunter._from_patterns(few, parts) is not None
    assert fellegi_sunter._from_patterns(many, parts) is None, "more patterns than a record has pairs"
    assert fellegi_sunter._from_patterns(positions_of(x[:9], y, WIDTHS, "ranks"), parts) is None, (
        "hardly fewer than pairs"
    )
    monkeypatch.setattr(fellegi_sunter, "_MOST_PATTERNS", 100)
    assert fellegi_sunter._from_patterns(few, parts) is None, "too many to keep"


def test_one_match_each_recovers_how_matches_agree() -> None:
    """True pairs are within 10 ranks of 100 in every column: EM must find that level 0 and 1 hold all, without being told."""
    rng = np.random.default_rng(5)
    n, d = 400, 6
    x = rng.permuted(np.tile(np.arange(n), (d, 1)), axis=1).T.astype(float)
    y = x + rng.uniform(-40, 40, size=x.shape)
    positions = positions_of(x, y, (5.0, 12.0), "ranks")
    found = estimate_one_each(positions, np.arange(n))
    assert found.converged
    true = np.mean(
        [[(np.abs(positions.originals[j] - positions.masked[j]) <= positions.limits[0]).mean()] for j in range(d)]
    )
    assert found.matches[:, 0].mean() == pytest.approx(true, abs=0.06)
    assert found.matches[:, 2].max() < 0.03
    assert found.others[:, 2].min() > 0.7
    weights = weights_of(found)
    assert (weights[:, 2] < 0).all()
    assert (weights[:, 0] > 0).all()


def test_rows_of_the_tables_are_distributions() -> None:
    x, y = files(60, 3, 1)
    positions, rows = positions_of(x, y, WIDTHS, "ranks"), np.arange(60)
    for found in (
        estimate_one_each(positions, rows),
        estimate_free(*count_patterns(positions, rows), 1 / 60, kinds=KINDS),
    ):
        assert found.matches.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-6)
        assert found.others.sum(axis=1) == pytest.approx(np.ones(3), abs=1e-6)


def test_a_constant_column_weighs_nothing() -> None:
    x, y = files(50, 2, 1)
    x[:, 1] = y[:, 1] = 3.0
    positions, rows = positions_of(x, y, WIDTHS, "ranks"), np.arange(50)
    assert abs(int(weights_of(estimate_one_each(positions, rows))[1, 0])) < 0.1 * (1 << 16)
    assert abs(int(weights_of(estimate_free(*count_patterns(positions, rows), 1 / 50, kinds=KINDS))[1, 0])) < 2

"""Population uniqueness from class sizes: term by term, and on populations whose uniques are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.numeric.keys.uniqueness import (
    _log_ratio,
    _log_sampled,
    _log_unseen,
    find_uniqueness,
    negative_binomial,
    pitman,
    zayatz,
)
from tests.effort import examples
from tests.oracles.risk.uniqueness import (
    draw,
    pitman_log_likelihood,
    pitman_oracle,
    pitman_population,
    slide_binomial_oracle,
    zayatz_oracle,
)

some_sizes = st.lists(st.integers(1, 6), min_size=2, max_size=12)


def test_zayatz_by_hand() -> None:
    """N = 10, n = 5, sizes 1 1 1 2: 3 / (3 + 2 * 5/9) = 27/37 and 3 * 27/37 / 0.5 population uniques."""
    found = zayatz(np.array([1, 1, 1, 2]), 10.0)
    assert found.chance == pytest.approx(27 / 37)
    assert found.population == pytest.approx(6 * 27 / 37)


@given(some_sizes, st.integers(1, 400))
@settings(max_examples=examples(25))
def test_the_rule_of_dankar(sizes: list[int], more: int) -> None:
    """Pitman up to a tenth, else the lower of the other two; nothing unique gives nothing."""
    got, population = np.array(sizes), float(sum(sizes) + more)
    found = find_uniqueness("dankar", got, population)
    if 1 not in sizes:
        assert (found.chance, found.population) == (0.0, 0.0)
    elif sum(sizes) <= 0.1 * population:
        assert found == replace(pitman(got, population), model="pitman")
    else:
        both = zayatz(got, population).population, negative_binomial(got, population).population
        assert found.population == min(both)


@given(some_sizes, st.integers(0, 60))
def test_zayatz_term_by_term(sizes: list[int], more: int) -> None:
    population = sum(sizes) + more
    assert zayatz(np.array(sizes), float(population)).chance == pytest.approx(zayatz_oracle(sizes, population))


@given(some_sizes, st.integers(1, 60))
def test_pitman_term_by_term(sizes: list[int], more: int) -> None:
    """The result is that of its parameters, and no parameters nearby are likelier."""
    population = sum(sizes) + more
    found = pitman(np.array(sizes), float(population))
    alpha, theta = found.parameters["alpha"], found.parameters["theta"]
    chance, uniques = pitman_oracle(sizes, population, alpha, theta)
    assert found.chance == pytest.approx(chance, rel=1e-8)
    assert found.population == pytest.approx(uniques, rel=1e-8)
    best = pitman_log_likelihood(sizes, alpha, theta)
    for a, t in ((alpha + 0.05, theta), (alpha - 0.05, theta), (alpha, theta + 0.3), (alpha, theta - 0.3)):
        if 0 < a < 1 and t > -a + 1e-6:
            assert pitman_log_likelihood(sizes, a, t) <= best + 1e-6


@pytest.mark.parametrize(("top", "bottom", "steps"), [(0.3, 1.0, 50), (9999.2, 10000.0, 30), (12.5, 12.0, 40_000)])
def test_long_products_keep_their_digits(top: float, bottom: float, steps: int) -> None:
    i = np.arange(steps)
    assert _log_ratio(top, bottom, steps) == pytest.approx(np.log((top + i) / (bottom + i)).sum(), rel=1e-11)


@pytest.mark.parametrize(("a", "b", "fraction"), [(0.3, 0.1, 0.2), (2.0, 0.4, 0.05), (5.0, 0.7, 0.9)])
def test_sampled_slide_binomial(a: float, b: float, fraction: float) -> None:
    wanted = [slide_binomial_oracle(j, a, b, fraction) for j in range(6)]
    assert np.exp(_log_unseen(a, b, fraction)) == pytest.approx(wanted[0], rel=1e-9)
    assert np.exp(_log_sampled(np.arange(1, 6), a, b, fraction)).tolist() == pytest.approx(wanted[1:], rel=1e-9)


@pytest.mark.parametrize("alpha", [0.3, 0.6])
def test_pitman_finds_the_uniques_of_its_own_population(alpha: float) -> None:
    """Mean of 8 samples of a fifth within 10 %; parameters 30 % off would be seen."""
    rng = np.random.default_rng(5)
    population = pitman_population(80.0, alpha, 30_000, rng)
    drawn = [draw(population, 0.2, rng) for _ in range(8)]
    found = [pitman(one.sizes, float(population.sum())) for one in drawn]
    both = [f.chance * (one.sample == 1).sum() for f, one in zip(found, drawn, strict=True)]
    assert np.mean(both) == pytest.approx(np.mean([one.unique_in_both for one in drawn]), rel=0.1)
    assert np.mean([f.population for f in found]) == pytest.approx(drawn[0].population_uniques, rel=0.1)
    assert np.mean([f.parameters["alpha"] for f in found]) == pytest.approx(alpha, rel=0.15)


@pytest.mark.parametrize(("a", "b"), [(0.3, 0.05), (1.0, 0.1), (2.0, 0.3)])
def test_negative_binomial_finds_the_uniques_of_its_own_population(a: float, b: float) -> None:
    """Mean of 8 samples of a fifth within 12 %."""
    rng = np.random.default_rng(6)
    population = 1 + rng.negative_binomial(a, b, 20_000)
    drawn = [draw(population, 0.2, rng) for _ in range(8)]
    found = [negative_binomial(one.sizes, float(population.sum())) for one in drawn]
    both = [f.chance * (one.sample == 1).sum() for f, one in zip(found, drawn, strict=True)]
    assert np.mean(both) == pytest.approx(np.mean([one.unique_in_both for one in drawn]), rel=0.12)
    assert np.mean([f.population for f in found]) == pytest.approx(drawn[0].population_uniques, rel=0.12)
    assert np.mean([f.parameters["classes"] for f in found]) == pytest.approx(len(population), rel=0.05)


@pytest.mark.parametrize("fit", [zayatz, pitman, negative_binomial])
@pytest.mark.parametrize("sizes", [[1], [1, 1, 1], [5], [2, 2, 2], [1] * 50 + [1000]])
def test_odd_samples_give_chances(fit: object, sizes: list[int]) -> None:
    for population in (sum(sizes) + 0.5, 10.0 * sum(sizes), 1e6 * sum(sizes)):
        found = fit(np.array(sizes), population)  # type: ignore[operator]
        assert 0 <= found.chance <= 1 + 1e-12
        assert 0 <= found.population <= population * (1 + 1e-9)

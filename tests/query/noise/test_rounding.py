"""Rounding of counts: multiples of the base, the right mean, the same set the same way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.noise.rounding import RoundTo
from tests.effort import examples

KEY = Key(b"a key that is only for tests")


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(0, 1000), max_size=30), st.integers(2, 12), st.sampled_from(["random", "nearest"]))
def test_counts_become_near_multiples(counts: list[int], base: int, way: str) -> None:
    true = np.array(counts, dtype=np.int64)
    sums = np.stack([true * 3, true * 5], axis=1)
    shown = RoundTo(base=base, way=way).protect(true, sums, key=KEY)  # type: ignore[arg-type]
    assert (shown % base == 0).all()
    assert (np.abs(shown - true) < base).all()
    assert (shown[true % base == 0] == true[true % base == 0]).all()
    if way == "nearest":
        assert (2 * np.abs(shown - true) <= base).all()


@pytest.mark.parametrize("rest", [1, 2, 4])
def test_random_rounding_has_the_right_mean(rest: int) -> None:
    """50 000 sets of a fixed key, five standard errors; rounding to the nearest would be far off."""
    m, base = 50_000, 5
    sums = np.random.default_rng(rest).integers(0, 2**60, (m, 2))
    shown = RoundTo(base=base).protect(np.full(m, 10 + rest), sums, key=KEY)
    chance = rest / base
    error = 5 * base * (chance * (1 - chance) / m) ** 0.5
    assert abs(shown.mean() - (10 + rest)) < error
    assert (
        abs(RoundTo(base=base, way="nearest").protect(np.full(m, 10 + rest), sums, key=KEY).mean() - 10 - rest) > error
    )


def test_a_set_is_rounded_the_same_way_for_ever() -> None:
    sums, counts = np.random.default_rng(4).integers(0, 2**60, (200, 2)), np.arange(200)
    shown = RoundTo().protect(counts, sums, key=KEY)
    assert (RoundTo().protect(counts[::-1], sums[::-1], key=KEY)[::-1] == shown).all()
    assert (RoundTo().protect(counts, sums + 1, key=KEY) != shown).any()


@pytest.mark.parametrize("bad", [{"base": 1}, {"way": "up"}])
def test_other_parameters_are_refused(bad: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match=next(iter(bad))):
        RoundTo(**bad)  # type: ignore[arg-type]

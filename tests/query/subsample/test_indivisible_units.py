from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.subsample.indivisible_units import IndivisibleUnits

KEY = Key(b"0123456789abcdef")
IDS = np.arange(300, dtype=np.uint64)
STRATA = np.repeat([0, 1, 2], [150, 148, 2])


def test_every_difference_of_two_universes_has_nobody_or_at_least_k() -> None:
    rng = np.random.default_rng(4)
    way = IndivisibleUnits(k=4)
    for _ in range(30):
        one = np.flatnonzero(rng.random(300) < 0.95)
        other = np.setdiff1d(one, rng.choice(one, size=1))
        gone = np.setdiff1d(way.apply(one, STRATA, IDS, KEY), way.apply(other, STRATA, IDS, KEY))
        assert len(gone) == 0 or len(gone) >= 4


def test_everybody_keeps_everybody_but_tiny_strata() -> None:
    kept = IndivisibleUnits(k=3).apply(np.arange(300), STRATA, IDS, KEY)
    assert kept.tolist() == list(range(298))


def test_groups_do_not_depend_on_the_order_of_rows_but_on_the_key() -> None:
    way, universe = IndivisibleUnits(k=3), np.arange(0, 300, 2)
    turned = IDS[::-1].copy()
    kept = set(IDS[way.apply(universe, None, IDS, KEY)].tolist())
    assert kept == set(turned[way.apply(299 - universe, None, turned, KEY)].tolist())
    assert kept != set(IDS[way.apply(universe, None, IDS, Key(b"another key, 16+"))].tolist())


def test_groups_of_one_are_refused() -> None:
    with pytest.raises(ParameterError, match="'k' must be a whole number, at least 2"):
        IndivisibleUnits(k=1)

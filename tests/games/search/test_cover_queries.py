from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.search.cover_queries import add_cover
from tests.games.search.material import sampled


@pytest.mark.parametrize("moments", ["bursts", "spread"])
def test_true_queries_stay_as_they_are(moments: str) -> None:
    sight = add_cover(sampled(), rate=1.5, moments=moments, seed=1)  # type: ignore[arg-type]
    assert np.array_equal(sight.query[sight.is_own], sampled().query)
    assert np.array_equal(sight.name[sight.is_own], sampled().owner)
    assert (~sight.is_own).sum() == pytest.approx(1.5 * len(sampled()), rel=0.1)
    assert (np.diff(sight.line) >= 0).all()


def test_a_burst_hides_which_came_first() -> None:
    """Of a true query and one cover query, either comes first as often: 1 in 10 000 seeds would be outside."""
    sight = add_cover(sampled(), rate=1.0, seed=1)
    size = np.bincount(sight.line)
    twos = np.flatnonzero((size == 2)[sight.line])[::2]
    assert 0.45 < sight.is_own[twos].mean() < 0.55


@pytest.mark.parametrize(
    "bad", [{"rate": -1}, {"rate": float("nan")}, {"seeds": 0}, {"evolve": 2}, {"moments": "never"}]
)
def test_bad_parameters_are_named(bad: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="'" + next(iter(bad))):
        add_cover(sampled(), seed=1, **bad)

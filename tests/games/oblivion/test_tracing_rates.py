from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.games.oblivion.tracing_rates import colluding_word, tracing_rate


def _rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("attack", ["mix", "majority", "minority", "erase"])
def test_a_coalition_leaves_what_all_its_copies_have(attack: str) -> None:
    words = _rng(2).integers(0, 2, (3, 400)).astype(np.uint8)
    made = colluding_word(words, attack, _rng())  # type: ignore[arg-type]
    same = (words == words[0]).all(axis=0)
    assert same.sum() > 60
    assert (made[same] == words[0, same]).all()
    ones = words[:, ~same].sum(axis=0)
    if attack == "erase":
        assert (made[~same] == -1).all()
    elif attack == "majority":
        assert (made[~same] == (ones == 2)).all()
    elif attack == "minority":
        assert (made[~same] == (ones == 1)).all()
    else:
        assert made[~same].mean() == pytest.approx(ones.mean() / 3, abs=0.1)


@pytest.mark.parametrize("attack", ["mix", "majority", "minority", "erase"])
def test_coalitions_that_the_code_is_made_for_are_traced(attack: str) -> None:
    found = tracing_rate(100, 350, 2, _rng(), attack=attack, trials=25)  # type: ignore[arg-type]
    assert found.rate >= 0.9
    assert found.innocent == 0.0
    assert found.low <= found.rate <= found.high


def test_larger_ones_are_not_and_nobody_else_is_named_for_them() -> None:
    found = tracing_rate(100, 150, 8, _rng(), designed=2, trials=25)
    assert found.rate <= 0.2
    assert found.innocent == 0.0
    assert tracing_rate(100, 10, 2, _rng(), trials=5).rate == 0.0  # no score is unlikely enough


def test_intervals_hold_the_rate_at_the_ends() -> None:
    """Of 25 trials without a failure the exact interval begins at 0.025^(1/25)."""
    found = tracing_rate(10, 300, 1, _rng(), trials=25)
    assert (found.rate, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.025 ** (1 / 25))


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(ParameterError, match="at most 'recipients'"):
        tracing_rate(3, 100, 4, _rng())
    with pytest.raises(ParameterError, match="'trials'"):
        tracing_rate(3, 100, 1, _rng(), trials=0)
    with pytest.raises(ParameterError, match="'attack'"):
        tracing_rate(3, 100, 2, _rng(), attack="hide", trials=1)  # type: ignore[arg-type]

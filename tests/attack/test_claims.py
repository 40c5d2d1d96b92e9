"""Claims: one entry a victim, and a way to say nothing for every kind of entry."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.claims import Claims, says_nothing
from tacita.core.errors import AttackError


@pytest.mark.parametrize(
    ("said", "silent"),
    [
        (np.array([0, -1, 2]), [False, True, False]),
        (np.array([0.0, np.nan, -1.0]), [False, True, False]),
        (np.array(["a", "", None], dtype=object), [False, True, True]),
        (np.array([True, False]), [False, False]),
    ],
)
def test_every_kind_of_claim_can_be_silent(said: np.ndarray, silent: list[bool]) -> None:
    assert says_nothing(said).tolist() == silent


@pytest.mark.parametrize("name", ["is_sure", "low", "high"])
def test_parts_of_another_length_are_refused(name: str) -> None:
    with pytest.raises(AttackError, match=f"'{name}' must have one entry a victim, 3, got 2"):
        Claims(about="wage", said=np.ones(3), **{name: np.ones(2, bool)})


def test_its_length_is_that_of_the_victims() -> None:
    assert len(Claims(about="wage", said=np.ones(3), low=np.zeros(3), high=np.ones(3))) == 3

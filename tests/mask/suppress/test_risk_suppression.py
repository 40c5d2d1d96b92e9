"""Local suppression by a rule of risk: what its threshold may be. What it does is tested with the mask."""

from __future__ import annotations

import pytest

from tacita.core.errors import ParameterError
from tacita.mask import LocalSuppression, Subsample


@pytest.mark.parametrize("threshold", [1, 5, -0.1])
def test_a_threshold_is_a_chance(threshold: float) -> None:
    """1 suppressed nothing and 5 was accepted: whoever means percent is told."""
    for mask in (LocalSuppression, Subsample):
        with pytest.raises(ParameterError, match=r"'threshold' must be .*\[0, 1\)"):
            mask(rule="individual_risk", threshold=threshold)

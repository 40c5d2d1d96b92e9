"""Dominance: a published mean that one record makes up tells the value of that record."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Annotated, TypeAlias

from tacita.core.errors import TacitaWarning
from tacita.core.parameters import Interval

__all__ = ["DOMINANCE", "Dominance", "warn_of_dominance"]

DOMINANCE = 90.0
"""Percent of the sum of a group above which one record dominates it by default.

Whoever knows the size of the group then knows that record to within 100/90 - 1, about 11 percent: the p% rule of tables
with p = 10, for an outsider.
"""

Dominance: TypeAlias = Annotated[float, Interval(0, 100, "right")]


def warn_of_dominance(owner: str, found: Mapping[str, tuple[int, int]], share: float) -> None:
    """Warn of dominated groups; ``found`` has for each column how many of how many groups are."""
    words = [f"{count} of {groups} for '{name}'" for name, (count, groups) in found.items() if count]
    if words:
        warnings.warn(
            f"{owner}: one of the largest records has more than {share:g} % of the sum of its group in some groups "
            f"({', '.join(words)}), so the mean of the group tells its value; use a larger k or aggregate='median', top-code "
            "the column, or mask it in another way.",
            TacitaWarning,
            stacklevel=5,
        )

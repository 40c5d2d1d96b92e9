"""S_pMSE of tables by counting with dictionaries, and the propensity of each record by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence


def s_pmse(original: Sequence[Hashable], masked: Sequence[Hashable]) -> float:
    """The mean squared distance of each record's propensity from c, over its mean under the null."""
    before, after = Counter(original), Counter(masked)
    n, c = len(original) + len(masked), len(masked) / (len(original) + len(masked))
    cells = len(set(original) | set(masked))
    if cells < 2:
        return 0.0
    scores = [after[cell] / (before[cell] + after[cell]) for cell in [*original, *masked]]
    found = sum((score - c) ** 2 for score in scores) / n
    return found / ((cells - 1) * (1 - c) ** 2 * c / n)

"""A safe version of a table that failed: its unsafe cells are hidden, and others with them."""

from __future__ import annotations

import numpy as np

from tacita.compare.output_check.basis import basis_of
from tacita.compare.output_check.output import AMOUNTS, Output
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.core.errors import DataError
from tacita.data.microdata import Microdata
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.tabulate import tabulate
from tacita.tables.protect.protected import Protected
from tacita.tables.rules.dominance import Dominance
from tacita.tables.rules.minimum_frequency import MinimumFrequency
from tacita.tables.rules.p_percent import PPercent
from tacita.tables.rules.rule import Rules
from tacita.tables.suppression.suppress import Suppress

__all__ = ["safer_table"]


def safer_table(output: Output, data: Microdata, limits: OutputLimits) -> Protected:
    """Hide the unsafe cells of a table of counts, sums or means, and those that protect them from recalculation.

    Notes
    -----
    Means are protected by the pattern of their sums. Weights are left out, because the limits count contributors. The table
    has all totals, whether the output has them or not, so the pattern holds with them.
    """
    basis = basis_of(output, data)
    if basis is None or not (basis.inner >= 0).any():
        raise DataError(f"{output.owner}: no record is in its universe.")
    rows = np.flatnonzero(basis.inner >= 0)
    is_sum = bool(set(output.statistic) & set(AMOUNTS))
    part = data.take(rows)
    by = [Dimension.flat(name, words) for name, words in zip(basis.dimensions, basis.labels, strict=True)]
    table = tabulate(
        part, by, output.values if is_sum else None, weight=False, empties=True, depth=max(limits.dominance_n + 1, 3)
    )
    rules = Rules((MinimumFrequency(at_least=limits.at_least),))
    if is_sum:
        rules = rules | Dominance(n=limits.dominance_n, share=limits.dominance_share) | PPercent(p=limits.p)
    return Suppress().protect(table, rules.judge(table))

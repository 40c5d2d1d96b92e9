"""Decompositions: how often one set of records may be asked for in parts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.noise import decompositions as kernel
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny
from tacita.query.universe.members import sums_by_cell

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["Decompositions"]


@dataclass(frozen=True, kw_only=True)
class Decompositions(Restriction):
    """Refuse a table when the sets that its cells add up to were split too often already.

    Keyed noise on a set is the same for ever, but a set can be split into parts in many ways; each way adds up to the
    set with other noise, and their mean comes close to the truth: after t ways the variance of the error is 2 s**2 /
    t for parts of two.

    Protects keyed noise against being averaged out over tables. Does not protect against single questions about parts, which are
    counted as parts of nothing; nor does it need to know who asks.

    Parameters
    ----------
    most
        Ways in which one set may be split.

    Notes
    -----
    Sets are known by the exact hash of their members, so other words for the same set count as the same.

    Examples
    --------
    >>> Decompositions(most=30).most
    30
    """

    name = "decompositions"
    traits = RestrictionTraits(stage="history", value_free=True)

    most: Annotated[int, Interval(1)] = 50

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, Tabulate)

    def counter(self, question: Question) -> kernel.DecompositionCount:
        """Return the memory of the data version."""
        return question.history.memory(self, question.version.id, lambda: kernel.DecompositionCount(self.most))

    def judge(self, question: Question) -> Ruling:
        counter = self.counter(question)
        return ALLOW if counter.fits(self._families(question)) else deny(f"a set was split {self.most} times already")

    def record(self, question: Question) -> None:
        sums, count = question.members.sums, len(question.members)
        self.counter(question).record(self._families(question), universe=(*sums, count))

    def _families(self, question: Question) -> Iterable[kernel.Decomposition]:
        """The ways in which a table splits its universe, and the margins of it."""
        version, rows = question.version, question.members.rows
        request = question.request
        by = request.by if isinstance(request, Tabulate) else ()
        index = version.cells(by)
        cells = index.values[rows].astype(np.int64)
        counts = np.bincount(cells, minlength=index.count).astype(np.int64)
        sums = sums_by_cell(cells, version.record_keys[rows], index.count)
        there = np.flatnonzero(counts)
        codes = np.stack(np.unravel_index(there, index.shape), axis=1).astype(np.int64)
        return kernel.table_decompositions(sums[there], counts[there], codes, margins=False)

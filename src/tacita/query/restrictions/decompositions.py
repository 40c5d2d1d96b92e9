"""Decompositions: how often one set of records may be asked for in parts."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.noise import decompositions as kernel
from tacita.query.noise.set_numbers import MemberHash
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny
from tacita.query.universe.boxes import EVERYBODY

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["Decompositions"]


@dataclass(frozen=True, kw_only=True)
class Decompositions(Restriction):
    """Refuse a table when the sets that its cells add up to were split too often already.

    Keyed noise on a set is the same for ever, but a set can be split into parts in many ways; each way adds up to the
    set with other noise, and their mean comes close to the truth: after t ways the variance of the error is 2 s**2 /
    t for parts of two.

    Protects keyed noise against being averaged out over tables by different variables, and over universes and the rest
    of everybody. Does not protect against parts that are put together from three and more universes, whose cells add up
    to the cells of no table: whoever has patience averages over those. Against that a policy needs noise with a layer
    for each record.

    Parameters
    ----------
    most
        Ways in which one set may be split.

    Notes
    -----
    Sets are known by the exact hash of their members, so other words for the same set count as the same. Quantiles are
    read from the table of bins and count as that table. Everybody counts as answered from the beginning.

    What was answered is counted even where it is more than ``most``, as after a policy was made stricter.

    Complexity
    ----------
    O(2**d m log m) for m cells of d variables, and O(u) for u universes that were answered.

    References
    ----------
    Thompson, G., Broadfoot, S. and Elazar, D. (2013), Methodology for the automatic confidentialisation of statistical
    outputs from remote servers at the Australian Bureau of Statistics, UNECE work session on statistical data
    confidentiality: the noise of a cell is that of its set. That splitting averages it out follows from its variance.

    Examples
    --------
    >>> Decompositions(most=30).most
    30
    """

    name = "decompositions"
    faces = ("many_splits",)
    traits = RestrictionTraits(stage="history", value_free=True)

    most: Annotated[int, Interval(1)] = 50

    def applies(self, question: Question) -> bool:
        return isinstance(question.request, (Tabulate, Quantiles))

    def counter(self, question: Question) -> kernel.DecompositionCount:
        """Return the memory of the data version, in which everybody counts as answered."""
        version = question.version

        def made() -> kernel.DecompositionCount:
            counter = kernel.DecompositionCount(self.most)
            counter.record((), universe=version.records.cube(()).of_universe((), EVERYBODY).whole)
            return counter

        return question.history.memory(self, version.id, made)

    def judge(self, question: Question) -> Ruling:
        counter = self.counter(question)
        return ALLOW if counter.fits(self._families(question)) else deny(f"a set was split {self.most} times already")

    def record(self, question: Question) -> None:
        counter, limit = self.counter(question), self.most
        counter.limit = sys.maxsize  # what left has left, whatever is allowed now
        try:
            counter.record(self._families(question), universe=self._universe(question))
        finally:
            counter.limit = limit

    def _universe(self, question: Question) -> MemberHash:
        return (*question.members.sums, len(question.members))

    def _families(self, question: Question) -> list[kernel.Decomposition]:
        """The ways in which a table splits its universe and the margins of it, and its universe splits others."""
        inner = question.worked_out(self, lambda: _of_table(question))
        return [*inner, *self.counter(question).of_universe(self._universe(question))]


def _of_table(question: Question) -> list[kernel.Decomposition]:
    request = question.request
    by = request.by if isinstance(request, Tabulate) else (str(getattr(request, "response", "")),)
    found = question.counted(by)
    there = np.flatnonzero(found.counts)
    codes = np.stack(np.unravel_index(there, found.shape), axis=1).astype(np.int64)
    return kernel.table_decompositions(found.sums[there], found.counts[there], codes, margins=False)

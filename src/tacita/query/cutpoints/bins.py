"""Bins: the published cutpoints of one numeric variable, and everything that users may choose of it."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.parameterised import Parameterised
from tacita.query.cutpoints.round_numbers import number_text
from tacita.query.cutpoints.tree import BinNode, run_parents

__all__ = ["ALL_VALUES", "Bins"]

ALL_VALUES = "all values"
"""Label of the bin without a limit on either side."""
_NUMBER = r"[-+.e\d]+"
_RANGE = re.compile(
    rf"exactly (?P<one>{_NUMBER})|(?P<first>{_NUMBER}) to (?P<last>{_NUMBER})|"
    rf"(?:above (?P<above>{_NUMBER})(?: |$))?(?:up to (?P<up_to>{_NUMBER}))?(?<! )"
)
_MOST_SUGGESTIONS = 2000


@dataclass(frozen=True, kw_only=True)
class Bins(Parameterised):
    """The bins of a numeric variable: ``(c[i-1], c[i]]`` between neighbouring cutpoints, open at both ends.

    With the cutpoints ``c[0] < ... < c[m-1]`` there are m + 1 bins: up to ``c[0]``, above ``c[0]`` up to ``c[1]``, and so on
    to above ``c[m-1]``. A value that equals a cutpoint lies in the bin below it. Bins have the numbers 0 to m, which are their
    codes; the runs of a tree come after them. Everything here is published: nothing tells the smallest or the largest value.

    Parameters
    ----------
    cuts
        Cutpoints in ascending order; none for a single bin.
    whole
        Whether the variable has whole numbers only; then bins are called ``3 to 4`` instead of ``above 2 up to 4``.
    tree
        Runs of bins that can be chosen as one, as pairs of the first and the last bin; they lie in each other or apart.
    low, high
        Smallest and largest value that the variable can have, from public knowledge; never taken from the data.

    Raises
    ------
    ParameterError
        When cutpoints do not ascend, a run has no bins, runs cross, or ``low`` and ``high`` do not enclose the cutpoints.

    Complexity
    ----------
    O(m) memory; coding n values takes O(n log m) time.

    Examples
    --------
    >>> bins = Bins(cuts=[2, 4], whole=True)
    >>> bins.labels
    ('up to 2', '3 to 4', 'above 4')
    >>> bins.codes(np.array([1.0, 2.0, 3.0, np.nan, 9.0])).tolist()
    [0, 0, 1, -1, 2]
    >>> bins.leaves("above 2")
    (1, 2)
    """

    cuts: tuple[float, ...] = ()
    whole: bool = False
    tree: tuple[tuple[Annotated[int, Interval(0)], Annotated[int, Interval(0)]], ...] = ()
    low: float | None = None
    high: float | None = None

    def check(self) -> None:
        """Compare the cutpoints with each other, and everything with them."""
        object.__setattr__(self, "cuts", tuple(cut + 0.0 for cut in self.cuts))  # zero has no sign
        if any(b <= a for a, b in pairwise(self.cuts)):
            raise ParameterError("Bins: 'cuts' must ascend, got some that do not; sort them and leave out doubles.")
        if self.whole and any(cut != int(cut) for cut in self.cuts):
            raise ParameterError("Bins: 'cuts' must be whole numbers where 'whole' is true, got others.")
        if any(first > last or last >= self.n_bins for first, last in self.tree):
            raise ParameterError(
                f"Bins: 'tree' must have runs [first, last] of the bins 0 to {self.n_bins - 1}, got others."
            )
        run_parents(self.tree)
        ends = [*([] if self.low is None else [self.low]), *self.cuts[:1]]
        if ends != sorted(ends):
            raise ParameterError("Bins: 'low' must not be above the first cutpoint, got a larger one.")
        floor = self.cuts[-1] if self.cuts else self.low
        if self.high is not None and floor is not None and self.high <= floor:
            raise ParameterError("Bins: 'high' must be above the last cutpoint and 'low', got a smaller one.")

    @property
    def n_bins(self) -> int:
        """Number of bins."""
        return len(self.cuts) + 1

    def __len__(self) -> int:
        return self.n_bins

    @functools.cached_property
    def _cuts(self) -> FloatArray:
        return np.array(self.cuts, dtype=np.float64)

    @property
    def edges(self) -> FloatArray:
        """The cutpoints with both ends: infinite ones where no limit is public."""
        low = -np.inf if self.low is None else self.low
        return np.concatenate(([low], self._cuts, [np.inf if self.high is None else self.high]))

    @property
    def widths(self) -> FloatArray:
        """Width of each bin; infinite at an end whose limit is not public."""
        return np.diff(self.edges)

    @property
    def midpoints(self) -> FloatArray:
        """Middle of each bin, where a bin needs a number to stand for it.

        A bin at an end without a public limit is taken to be as wide as its neighbour, the usual convention for open classes;
        where no neighbour has a width, it is not a number.
        """
        edges = self.edges
        if self.n_bins > 1:
            if self.low is None:
                edges[0] = 2 * edges[1] - edges[2]
            if self.high is None:
                edges[-1] = 2 * edges[-2] - edges[-3]
        with np.errstate(invalid="ignore"):
            middle = edges[:-1] / 2 + edges[1:] / 2
        return np.where(np.isfinite(middle), middle, np.nan)

    def codes(self, values: FloatArray) -> IntArray:
        """Return the bin of each value, -1 for missing ones.

        Complexity
        ----------
        O(n log m) time for n values and m bins.
        """
        values = np.asarray(values, dtype=np.float64)
        found = np.searchsorted(self._cuts, values, side="left").astype(np.int64, copy=False)
        found[np.isnan(values)] = -1
        return found

    # --- names ------------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        """What the bins are called; a bin that only one whole number fits is called ``exactly`` this one."""
        return tuple(self.label(i, i) for i in range(self.n_bins))

    def label(self, first: int, last: int) -> str:
        """Return what the bins from the first to the last are called together."""
        above = None if first == 0 else self.cuts[first - 1]
        up_to = None if last == self.n_bins - 1 else self.cuts[last]
        if above is None:
            return ALL_VALUES if up_to is None else f"up to {number_text(up_to)}"
        if up_to is None:
            return f"above {number_text(above)}"
        if not self.whole:
            return f"above {number_text(above)} up to {number_text(up_to)}"
        if above + 1 == up_to:
            return f"exactly {number_text(up_to)}"
        return f"{number_text(above + 1)} to {number_text(up_to)}"

    @functools.cached_property
    def nodes(self) -> tuple[BinNode, ...]:
        """Every choice that has a number: the bins, then the runs of the tree from large to small."""
        runs = sorted((run for run in self.tree if run[0] < run[1]), key=lambda run: (run[0] - run[1], run[0]))
        every = [*runs, *((i, i) for i in range(self.n_bins))]
        numbers = [self.n_bins + i for i in range(len(runs))] + list(range(self.n_bins))
        parents = [None if place is None else numbers[place] for place in run_parents(every)]
        found = [
            BinNode(number, self.label(*run), *run, parent)
            for number, run, parent in zip(numbers, every, parents, strict=True)
        ]
        return tuple(sorted(found, key=lambda node: node.number))

    def leaves(self, choice: str | int) -> tuple[int, ...]:
        """Return the bins that a choice stands for.

        Parameters
        ----------
        choice
            The number of a bin or of a run of the tree; the label of one; or a range between two published cutpoints in the
            words of the labels, such as ``up to 4``, ``above 2 up to 6``, ``3 to 6``.

        Raises
        ------
        ParameterError
            When there is no such bin; ranges that do not begin and end at cutpoints are not cut out of bins.
        """
        if isinstance(choice, str):
            run = self._run_of(choice)
            if run is not None:
                return tuple(range(run[0], run[1] + 1))
        elif isinstance(choice, (int, np.integer)) and not isinstance(choice, bool) and 0 <= choice < len(self.nodes):
            return self.nodes[int(choice)].leaves
        known = [node.label for node in self.nodes[-_MOST_SUGGESTIONS:]]
        shown = f"'{choice[:60]}'" if isinstance(choice, str) else f"{choice}"
        hint = did_you_mean(choice, known) if isinstance(choice, str) else ""
        raise ParameterError(
            f"A bin must be one of the published ones, got {shown}.{hint} "
            f"Choose a label, a range between cutpoints, or a number from 0 to {len(self.nodes) - 1}."
        )

    @functools.cached_property
    def _place_of(self) -> dict[str, int]:
        return {number_text(cut): place for place, cut in enumerate(self.cuts)}

    def _run_of(self, text: str) -> tuple[int, int] | None:
        """Return the first and last bin of a range in words; None where it is none of these bins."""
        if text == ALL_VALUES:
            return 0, self.n_bins - 1
        words = _RANGE.fullmatch(text)
        if words is None or not text:
            return None
        above, up_to = words["above"], words["up_to"]
        if above is None and up_to is None:  # the words of whole numbers
            if not self.whole:
                return None
            one = words["one"]
            above, up_to = _one_less(one or words["first"]), one or words["last"]
        first = 0 if above is None else self._place_of.get(above, self.n_bins) + 1
        last = self.n_bins - 1 if up_to is None else self._place_of.get(up_to, -1)
        return (first, last) if first <= last else None


def _one_less(text: str) -> str:
    try:
        return number_text(float(int(text) - 1))
    except (ValueError, OverflowError):
        return ""

"""Controlled rank swapping: extremes are grouped, and the window follows from what is to be kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.attacks import Attack, KnownAttack
from tacita.core.errors import ParameterError
from tacita.core.parameters import Interval
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.microaggregation.dominance import DOMINANCE, warn_of_dominance
from tacita.mask.numeric_mask import ColumnwiseMask
from tacita.mask.swap.rank_swap import rank_swap

__all__ = ["RankSwapControlled", "extreme_limits", "swap_range"]


def extreme_limits(x: FloatArray, *, top_p: float, bottom_p: float) -> tuple[float, float]:
    """Return the largest and smallest value that are not grouped, as (low, high): values beyond them are extremes. O(n log n).

    At most ``top_p`` percent of the values are above ``high``, at most ``bottom_p`` percent below ``low``: records with
    equal values are on the same side.

    Examples
    --------
    >>> extreme_limits(np.arange(10.0), top_p=20, bottom_p=10)
    (1.0, 7.0)
    """
    n = len(x)
    if not n:
        return -np.inf, np.inf
    ordered = np.sort(x)
    top, bottom = (int(np.floor(n * p / 100 + 1e-9)) for p in (top_p, bottom_p))
    low, high = ordered[min(bottom, n - 1)], ordered[max(n - 1 - top, 0)]
    return (float(low), float(high)) if low <= high else (float(np.median(x)),) * 2


def swap_range(
    x: FloatArray,
    *,
    top_p: float = 0,
    bottom_p: float = 0,
    correlation: float | None = None,
    mean_factor: float | None = None,
) -> float:
    """Return the window of rank swapping, in percent of the ranks, that keeps correlations or means of subsets.

    With the values between the extremes, their variance s^2 and mean m, and the range R from the largest bottom to the smallest
    top value, ``100 sqrt(2 s^2 (1 - R0)) / R`` for a correlation factor R0, ``100 sqrt(8/3) K0 |m| / R`` for a mean factor K0.
    At most 100; 0 where the values do not vary. O(n log n).

    Examples
    --------
    >>> round(swap_range(np.arange(1.0, 101.0), correlation=0.95), 2)
    9.22
    >>> round(swap_range(np.arange(1.0, 101.0), mean_factor=0.1), 2)
    8.33
    """
    if not len(x):
        return 0.0
    low, high = extreme_limits(x, top_p=top_p, bottom_p=bottom_p)
    between = x[(x >= low) & (x <= high)]
    above, below = x[x > high], x[x < low]
    span = float(above.min() if above.size else high) - float(below.max() if below.size else low)
    if span <= 0:
        return 0.0
    if correlation is not None:
        reach = np.sqrt(2 * float(between.var()) * (1 - correlation))
    else:
        reach = np.sqrt(8 / 3) * (mean_factor or 0.0) * abs(float(between.mean()))
    return float(min(100 * reach / span, 100.0))


@dataclass(frozen=True, kw_only=True)
class RankSwapControlled(ColumnwiseMask):
    """Group the extremes of a column, and swap the other values within a window that keeps correlations or means.

    The largest ``top_p`` and the smallest ``bottom_p`` percent of the values become the mean of their group. The values between
    are rank swapped. The window is ``p`` percent of their ranks, or follows from a factor: two values in it differ by so little
    that, if values are spread evenly, a correlation keeps at least the share ``correlation`` of its size, or the mean of any
    subset of N records moves by at most ``2 mean_factor / sqrt(N)`` of itself in about 95 of 100 cases.

    Protects extremes, which plain rank swapping leaves in the file, and against linkage by the values of single records. Does
    not protect against an intruder who knows the window and several columns of a record: windows can be intersected.

    Parameters
    ----------
    p
        Largest difference in rank of two swapped values, in percent of the values that are not grouped.
    correlation
        Correlation factor R0: the share of a correlation that is to remain, from 0 to 1. Takes the place of ``p``.
    mean_factor
        Subset-mean factor K0. Takes the place of ``p``.
    top_p
        Percentage of the largest values that are grouped at most.
    bottom_p
        Percentage of the smallest values that are grouped at most.

    Returns
    -------
    Microdata
        With the chosen columns swapped and their extremes grouped.

    Raises
    ------
    ParameterError
        When both ``correlation`` and ``mean_factor`` are given, or the groups leave nothing to swap.

    Preserves
    ---------
    means: of every column, to the rounding of the two group means. The values between the extremes are those of the original.

    Complexity
    ----------
    O(d n log n) time (the sorts), a few arrays of the size of a column.

    Notes
    -----
    Equal values are grouped together or not at all, so a group can be smaller than asked for. One that a single value makes
    up by more than 90 percent is warned of. Both factors assume values that are spread evenly between the extremes; for
    skewed columns values in a window differ more in the tail and less elsewhere, and the extremes take the worst
    of it. Missing values stay where they are. Within strata (``by``) groups and windows are those of the stratum.

    References
    ----------
    Moore, R. (1996), Controlled data-swapping techniques for masking public use microdata sets, US Bureau of the Census,
    RR 96-04.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = RankSwapControlled(columns=["income"], correlation=0.95).apply(data, seed=7)
    """

    name = "rank_swap_controlled"
    title = "Rank swapping, controlled"
    attacks = (Attack(measure="rank_swap_linkage", knows="values moved within a window of the ranks"),)
    faces = ("distance_link", "probabilistic_link", "rank_swap_intersection")
    traits = Traits(scales={"numeric"}, stochastic=True, preserves=("means",))
    advice = "use a larger p or smaller factors, or larger strata"
    p: Annotated[float, Interval(0, 100)] = 5.0
    correlation: Annotated[float, Interval(0, 1)] | None = None
    mean_factor: Annotated[float, Interval(0)] | None = None
    top_p: Annotated[float, Interval(0, 50)] = 5.0
    bottom_p: Annotated[float, Interval(0, 50)] = 5.0

    def check(self) -> None:
        """Check that the window is set once."""
        super().check()
        if self.correlation is not None and self.mean_factor is not None:
            raise ParameterError("RankSwapControlled: give either 'correlation' or 'mean_factor', not both.")
        if self.top_p + self.bottom_p >= 100:
            raise ParameterError(
                "RankSwapControlled: 'top_p' and 'bottom_p' must leave values to swap, got 100 together."
            )

    def mask_column(self, values: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Group the extremes of one column and swap the rest."""
        low, high = extreme_limits(values, top_p=self.top_p, bottom_p=self.bottom_p)
        made = values.copy()
        for beyond in (values > high, values < low):
            if beyond.any():
                made[beyond] = values[beyond].mean()
        between = (values >= low) & (values <= high)
        made[between] = rank_swap(values[between], p=self._window(values), rng=rng)
        return made

    def _window(self, values: FloatArray) -> float:
        """Return the window of a column in percent."""
        if self.correlation is None and self.mean_factor is None:
            return self.p
        return swap_range(
            values,
            top_p=self.top_p,
            bottom_p=self.bottom_p,
            correlation=self.correlation,
            mean_factor=self.mean_factor,
        )

    def look_at(self, before: dict[str, FloatArray], masked: dict[str, FloatArray], data: Microdata) -> None:
        """Warn of groups that tell a single value; in strata of the groups of the whole file."""
        super().look_at(before, masked, data)
        found: dict[str, tuple[int, int]] = {}
        for name in masked:
            known = before[name][self._active(before[name])]
            low, high = extreme_limits(known, top_p=self.top_p, bottom_p=self.bottom_p)
            groups = [np.abs(part) for part in (known[known > high], known[known < low]) if part.size]
            alone = [group.max() > DOMINANCE / 100 * group.sum() or group.size == 1 for group in groups]
            found[name] = (sum(alone), len(groups))
        warn_of_dominance("RankSwapControlled", found, DOMINANCE)

    def attacks_on(self, data: Microdata) -> tuple[KnownAttack, ...]:
        """Return the attack by windows, with the largest window of all columns."""
        columns = self.attacked_columns(data)
        windows = [self._window(known[~np.isnan(known)]) for known in map(data.numbers, columns)]
        settings = {"p": max(windows, default=self.p), "by": self.by, "unit": self.unit, "keep_zeros": self.keep_zeros}
        knows = f"values moved by at most {settings['p']:.3g} % of the ranks, extremes were grouped"
        return (KnownAttack("rank_swap_linkage", columns, settings, knows),)

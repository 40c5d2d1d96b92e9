"""Rank swapping undone: a victim's record lies within p percent of his ranks, in every swapped column at once."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from tacita.attack.files.compared import shared_names, steps_on
from tacita.attack.files.links import LinkingAttack, Links, link_by_cost
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.traits import AttackTraits
from tacita.data.microdata import Microdata
from tacita.numeric.linkage.cheapest import Windows

__all__ = ["RankSwapIntersection", "swapped_windows"]

_SWAPS = ("rank_swap", "rank_swap_controlled")


@dataclass(frozen=True, kw_only=True)
class RankSwapIntersection(LinkingAttack):
    """Take for each victim the nearest of the records that rank swapping can have made of him.

    Rank swapping moves a value by at most p percent of the ranks, and leaves the values of a column as they are. Whoever knows p
    and a true value knows between which released values its own lies; the records that pass in every swapped column are few.

    Returns
    -------
    Claims
        Of the identity, sure where one record alone is left; of every wanted column.

    Complexity
    ----------
    O(v n d) for v victims and n records; memory for a block of pairs.

    Notes
    -----
    p is read from the documentation of the release. Where strata were swapped apart and the attacker knows them, ranks are
    counted in them; otherwise the windows are those of the whole file. Where no record is left, the p cannot be right, and the
    nearest of all records is taken.

    References
    ----------
    Nin, J., Herranz, J. and Torra, V. (2008), Rethinking rank swapping to decrease disclosure risk, Data & Knowledge
    Engineering 64, section 3.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> money = ["earnings", "other_income", "tax", "savings"]
    >>> masked = tc.mask.RankSwap(columns=money, p=5, identities=["income = earnings + other_income"]).apply(data, seed=7)
    >>> staged = stage_file(data, masked, scenario=tc.Scenario(keys=["sex"], known=money))
    >>> tc.attack.attack_once(RankSwapIntersection(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "rank_swap_intersection"
    title = "Intersection of swap windows"
    traits = AttackTraits(
        against="file",
        learns="identity",
        knows="some true values of each victim, and the p of rank swapping",
        breaks="rank swapping of several columns with a known p",
        held_by="a p that is large beside the number of columns that are known",
        of_any=False,
    )

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: the release must be documented as swapped, in a column that is known."""
        if not any(_knows_p(step) for step in target.steps):
            return "Nothing says that values were swapped by ranks, and how far."
        if not _swapped(target):
            return "He knows none of the columns that were swapped."
        return super().declined(target)

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Take the nearest record within the windows; where there is none the nearest of all."""
        names = self.linked_by(target)
        links, found = link_by_cost(target, names, rng, windows=swapped_windows(target))
        rows, empty = links.rows.copy(), links.rows < 0
        if empty.any():
            lost = np.flatnonzero(empty)
            rows[lost] = link_by_cost(target.among(lost), names, rng)[0].rows
        alone = ~empty & (found.ties == 1) & np.isinf(found.second)
        figures = {"victims with one record in the windows": float(alone.mean()) if len(alone) else 0.0}
        return replace(links, rows=rows, is_sure=alone, figures=figures)


def _knows_p(step: KnownStep) -> bool:
    """Whether a step swapped ranks within a window of a known size."""
    by_factor = any(step.parameters.get(name) is not None for name in ("correlation", "mean_factor"))
    return step.name in _SWAPS and not by_factor


def _swapped(target: FileTarget) -> tuple[tuple[str, KnownStep], ...]:
    """Return the columns that were swapped and are known, each with its step."""
    shared = shared_names(target.known, target.released)
    numeric = {name for name in shared if target.released.schema[name].scale == "numeric"}
    return tuple(
        (name, step)
        for step in target.steps
        if _knows_p(step)
        for name in step.columns
        if name in numeric and target.known.schema[name].scale == "numeric"
    )


def swapped_windows(target: FileTarget) -> Windows:
    """Return for each victim between which released values his own can lie, in every swapped column that is known."""
    low, high, values = [], [], []
    for name, step in _swapped(target):
        known, released = target.known.float(name), target.released.float(name)
        by = tuple(step.parameters.get("by", ()) or ())
        strata = _strata(target, by) if by and set(by) <= set(target.known.names) else None
        ends = _ends(known, released, step, strata)
        low.append(ends[0])
        high.append(ends[1])
        # Swapping leaves missing values in place: a record without one is nobody's who has one, unless it was suppressed.
        may_go = any(other.name != step.name for other in steps_on(target, name))
        values.append(released if may_go else np.nan_to_num(released, nan=np.inf))
    return Windows(*(np.column_stack(side) for side in (low, high, values)))


def _ends(
    known: FloatArray, released: FloatArray, step: KnownStep, strata: tuple[IntArray, IntArray] | None
) -> tuple[FloatArray, FloatArray]:
    from tacita.numeric.linkage.window_linkage import swap_windows  # loads when used

    p = float(step.parameters.get("p", 5.0))
    keeps_zeros = bool(step.parameters.get("keep_zeros", False))
    low, high = np.full(len(known), -np.inf), np.full(len(known), np.inf)
    parts = [(np.ones(len(known), bool), np.ones(len(released), bool))]
    if strata is not None:
        parts = [(strata[0] == number, strata[1] == number) for number in np.unique(strata[0])]
    for mine, theirs in parts:
        shown = released[theirs & (released != 0)] if keeps_zeros else released[theirs]
        low[mine], high[mine] = swap_windows(shown, known[mine], p)
    if keeps_zeros:
        zero = known == 0
        low, high = np.where(zero, 0.0, low), np.where(zero, 0.0, high)
    return low, high


def _strata(target: FileTarget, by: tuple[str, ...]) -> tuple[IntArray, IntArray]:
    """Number the combinations of some columns alike in both files."""

    def words(data: Microdata) -> list[tuple[str, ...]]:
        columns = []
        for name in by:
            codes = data.codes(name)
            texts = [*(str(category) for category in codes.categories), ""]
            columns.append([texts[code] for code in codes.values])
        return list(zip(*columns, strict=True))

    mine, theirs = words(target.known), words(target.released)
    number = {row: i for i, row in enumerate(dict.fromkeys([*mine, *theirs]))}
    return np.array([number[row] for row in mine], np.int64), np.array([number[row] for row in theirs], np.int64)

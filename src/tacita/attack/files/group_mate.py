"""Microaggregation from inside a group: the published mean less what is known of the others is what the victim has."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.files.links import LinkingAttack, Links, link_by_cost
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.traits import AttackTraits
from tacita.data.microdata import Microdata

__all__ = ["GroupMate", "is_of_groups", "rest_of_group"]

_COLUMN_BY_COLUMN = ("individual_ranking", "optimal_univariate")
_OTHERS = (
    *("clustered", "fixed_size", "k_ward", "mdav", "mixed_microaggregation", "mu_approx"),
    *("projection", "rmd", "running_centroid", "spanning_tree", "vmdav"),
)


def is_of_groups(step: KnownStep) -> bool:
    """Whether a step is documented to have put the means of groups in the place of values."""
    aggregate = step.parameters.get("numbers" if step.name == "mixed_microaggregation" else "aggregate", "mean")
    return step.name in (*_COLUMN_BY_COLUMN, *_OTHERS) and aggregate == "mean"


def rest_of_group(
    mean: FloatArray, size: IntArray, known: FloatArray, mates: IntArray, floor: float = -np.inf
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return what is left for a victim of the sum of his group: a best guess and the ends of what is possible.

    Parameters
    ----------
    mean, size
        Published mean and number of the records of each victim's group.
    known, mates
        Sum over those whom the attacker knows, and how many these are.
    floor
        What no value is below.

    Returns
    -------
    tuple
        The guess is the rest divided by the number of people who share it; the upper end gives all others the floor.

    Examples
    --------
    >>> said, low, high = rest_of_group(np.array([10.0]), np.array([3]), np.array([12.0]), np.array([1]), floor=0.0)
    >>> said.tolist(), low.tolist(), high.tolist()
    ([9.0], [0.0], [18.0])
    """
    rest, sharing = mean * size - known, size - mates
    with np.errstate(divide="ignore", invalid="ignore"):
        said = np.where(sharing > 0, rest / sharing, np.nan)
        high = np.where(sharing == 1, rest, rest - (sharing - 1) * floor)
    return said, np.where(sharing == 1, rest, floor), high


@dataclass(frozen=True, kw_only=True)
class GroupMate(LinkingAttack):
    """Subtract what is known of the others of a group from its published sum.

    Microaggregation publishes the mean of a group once for each of its records, so the number of equal records is the size of
    the group, and size times mean is its sum. Whoever knows all others of the group has the victim's value; whoever knows
    some has an upper bound, and a better guess than the mean.

    Returns
    -------
    Claims
        Of every wanted column that holds means of groups; sure where all others of the group are known.

    Complexity
    ----------
    O(n log n) to find groups, and O(v n d) to link v victims to n records.

    Notes
    -----
    Groups are the records that are equal in all columns of the step, or in the wanted column for methods that treat columns
    apart. Values that nobody has below zero in the release are taken to be at least zero. Without mates the group's mean is
    said. Other aggregates than the mean are left out.

    References
    ----------
    Domingo-Ferrer, J. and Mateo-Sanz, J. M. (2002), Practical data-oriented microaggregation for statistical disclosure
    control, for the groups of k; the subtraction is that of an insider in magnitude tables, as in Hundepool, A. et al. (2012).

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.business_survey(300, seed=1)
    >>> masked = tc.mask.Mdav(columns=["employees", "wages"], k=3).apply(data)
    >>> known = tc.Scenario(keys=["activity", "region"], known=["employees"])
    >>> staged = stage_file(data, masked, scenario=known, wanted=["wages"], mates=2)
    >>> tc.attack.attack_once(GroupMate(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "group_mate"
    title = "Group mates against microaggregation"
    traits = AttackTraits(
        against="file",
        learns="value",
        knows="some true values of each victim, and others of his group wholly",
        breaks="groups of which all others are known",
        held_by="groups of which two others or more stay unknown",
        of_any=False,
    )

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: a wanted column must hold means of groups."""
        grouped = {name for step in target.steps if is_of_groups(step) for name in step.columns}
        if not any(_is_number(target, name) for name in grouped & set(target.wanted)):
            return "Nothing says that a wanted column holds means of groups."
        return super().declined(target)

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Take the nearest record; where mates are known, the nearest in the group that is nearest to these."""
        if target.mates is None or target.reference is None:
            return link_by_cost(target, self.linked_by(target), rng)[0]
        mates = _as_matrix(target.mates)
        first = mates[:, 0]
        has = np.flatnonzero(first >= 0)
        rows = link_by_cost(target, self.linked_by(target), rng)[0].rows
        sure = np.zeros(len(rows), bool)
        if len(has):
            names = [name for name in target.reference.names if name in target.released.schema]
            of_mates = FileTarget(released=target.released, known=target.reference.take(first[has]).select(names))
            rows[has] = link_by_cost(of_mates, names, rng)[0].rows
        return Links(rows=rows, is_sure=sure)

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Link, then subtract the mates from the sum of the group."""
        links = self.links(target, rng)
        claims = []
        for step in target.steps:
            for name in step.columns if is_of_groups(step) else ():
                if name in target.wanted and _is_number(target, name):
                    claims.append(_subtracted(target, step, name, links.rows))
        return tuple(claims)


def _is_number(target: FileTarget, name: str) -> bool:
    return name in target.released.schema and target.released.schema[name].scale == "numeric"


def _as_matrix(mates: IntArray) -> IntArray:
    return mates[:, None] if mates.ndim == 1 else mates


def _subtracted(target: FileTarget, step: KnownStep, name: str, rows: IntArray) -> Claims:
    """Return the claim about one column."""
    released = target.released
    values = released.float(name)
    size = _sizes(released, tuple(c for c in _grouped_with(step, name) if c in released.schema))
    known, count = _known_sum(target, name)
    floor = 0.0 if np.nanmin(values, initial=0.0) >= 0 else -np.inf
    there = rows >= 0
    at = np.where(there, rows, 0)
    said, low, high = rest_of_group(values[at], size[at], known, count, floor)
    sure: BoolArray = there & (size[at] - count == 1)
    gone = ~there | ~np.isfinite(said)
    return Claims(
        about=name,
        said=np.where(gone, np.nan, said),
        is_sure=sure & ~gone,
        low=np.where(gone, np.nan, low),
        high=np.where(gone, np.nan, high),
        learned=f"The group's sum less what he knows of it; he knows all others for {int(sure.sum())} victims.",
    )


def _grouped_with(step: KnownStep, name: str) -> tuple[str, ...]:
    """Return the columns that were put into groups together with one: itself, those of its part, or all."""
    if step.name in _COLUMN_BY_COLUMN:
        return (name,)
    parts = step.parameters.get("groups")
    if isinstance(parts, int):
        first = step.columns.index(name) // parts * parts
        return step.columns[first : first + parts]
    named = [tuple(part) for part in parts or () if name in part]
    return named[0] if named else step.columns


def _sizes(released: Microdata, names: tuple[str, ...]) -> IntArray:
    """Return how many records are equal to each in some columns."""
    groups = released.groups(names)
    return np.asarray(np.bincount(groups)[groups], np.int64)


def _known_sum(target: FileTarget, name: str) -> tuple[FloatArray, IntArray]:
    """Return the sum over the mates of each victim, and how many have a value."""
    if target.mates is None or target.reference is None or name not in target.reference.schema:
        return np.zeros(target.victims), np.zeros(target.victims, np.int64)
    values = np.append(target.reference.float(name), np.nan)[_as_matrix(target.mates)]
    return np.nansum(values, axis=1), (~np.isnan(values)).sum(axis=1)

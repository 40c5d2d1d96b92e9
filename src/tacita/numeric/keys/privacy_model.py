"""What a privacy model asks of groups of records with equal keys, and how many records it costs at least.

A group is **bad** when it breaks the model. Bad groups can become more on the way up a lattice, because merging a bad with a good
group can spoil the good one (entropy and recursive l-diversity, t-closeness, beta-likeness, delta-presence). What only becomes
less is the number of records that are **lost**: all models here hold for the union of groups that fulfil them, so what is
kept of a group, by whatever finer levels, fulfils the model as a whole. No finer node can keep more of the group than the
largest part of it that does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.keys import diversity, lost_records
from tacita.numeric.keys.uniqueness import UniquenessRule, find_uniqueness

if TYPE_CHECKING:
    from tacita.numeric.keys.lattice import Node

__all__ = ["PrivacyModel"]

_LITTLE = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class PrivacyModel:
    """What every group must fulfil: k records, and enough variety of the confidential value.

    Parameters
    ----------
    k
        Smallest group size.
    l, form, c
        l-diversity by one of its three definitions; l = 1 asks for nothing.
    t, distance, ancestors
        t-closeness by one of its three distances; t = 1 asks for nothing. ``ancestors`` is for the hierarchical one.
    beta, is_enhanced
        beta-likeness: largest relative gain of a value's share in a group; infinite for none. Enhanced: no more than -log of its
        share in the file either.
    k_map
        Smallest number of persons of the population in a group; 0 asks for nothing.
    presence
        delta-presence: smallest and largest share of a group's population that is in the file.
    uniques, rule, persons
        Largest share of records that are estimated to be unique in a population of so many persons, by a rule; None for no limit.
    """

    k: int = 2
    l: float = 1.0  # noqa: E741 (the letter of the literature)
    form: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: float = 3.0
    t: float = 1.0
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    ancestors: IntArray | None = field(repr=False, default=None)
    beta: float = np.inf
    is_enhanced: bool = False
    k_map: float = 0.0
    presence: tuple[float, float] = (0.0, 1.0)
    uniques: float | None = None
    rule: UniquenessRule = "pitman"
    persons: float = 0.0

    @property
    def needs_values(self) -> bool:
        """Whether the confidential column enters."""
        return self.l > 1 or self.t < 1 or self.has_beta

    @property
    def has_beta(self) -> bool:
        """Whether beta-likeness is asked for."""
        return bool(np.isfinite(self.beta))

    def bad(self, node: Node) -> BoolArray:
        """Return the groups that break the model."""
        found, values = self._small(node), node.values
        if node.population is not None:
            found |= node.counts > self.presence[1] * node.population * (1 + _LITTLE)
        if values is None:
            return found
        if self.l > 1 and self.form == "entropy":
            found |= diversity.entropy_values(values) < self.l * (1 - _LITTLE)
        if self.l > 1 and self.form == "recursive":
            found |= diversity.recursive_ratio(values, int(self.l)) >= self.c
        if self.t < 1:
            found |= self._distances(values) > self.t + _LITTLE
        if self.has_beta:
            caps = lost_records.likeness_caps(values.overall, self.beta, self.is_enhanced)
            found |= lost_records.above_caps(values, caps * (1 + _LITTLE))
        return found

    def lost(self, node: Node) -> FloatArray:
        """Return for each group how many of its records this node and every finer one must suppress at least."""
        counts = node.counts.astype(np.float64)
        lost = np.where(self._small(node), counts, 0.0)
        if node.population is not None and self.presence[1] < 1:
            lost = np.maximum(lost, counts - self.presence[1] * node.population)
        if node.values is not None:
            lost = np.maximum(lost, self._lost_to_values(node.values))
        lost = np.where(lost > 0, np.ceil(lost - 1e-6), 0.0)  # records are whole
        return np.where(counts - lost < self.k, counts, lost)  # what is left is a group too

    def is_refused(self, node: Node) -> bool:
        """Whether the node cannot be saved by suppression: somebody outside would be known not to be in the file."""
        low = self.presence[0]
        return (
            low > 0
            and node.population is not None
            and bool((node.counts < low * node.population * (1 - _LITTLE)).any())
        )

    def suppressed(self, node: Node) -> BoolArray:
        """Return the groups to suppress: the bad ones, and all of one record where too many would be population uniques."""
        bad = self.bad(node)
        return bad | (node.counts == 1) if self.is_too_unique(node, bad) else bad

    def is_too_unique(self, node: Node, bad: BoolArray) -> bool:
        """Whether too many of the records that are left are estimated to be unique in the population."""
        if self.uniques is None:
            return False
        sizes = node.counts[~bad & (node.counts > 0)]
        alone = int((sizes == 1).sum())
        if alone <= self.uniques * node.counts.sum():
            return False
        gone = int(node.counts[bad].sum())  # the suppressed look alike: they are one group
        sizes = np.append(sizes, gone) if gone else sizes
        total = int(sizes.sum())
        chance = 1.0 if self.persons <= total else find_uniqueness(self.rule, sizes, self.persons).chance
        return alone * chance > self.uniques * total * (1 + _LITTLE)

    def _small(self, node: Node) -> BoolArray:
        """Return the groups that no finer node saves: too few records, persons or different values."""
        found: BoolArray = node.counts < self.k
        if node.population is not None and self.k_map > 0:
            found = found | (node.population < self.k_map * (1 - _LITTLE))
        if self.l > 1 and node.values is not None:
            least = int(self.l) if self.form == "recursive" else self.l * (1 - _LITTLE)
            found = found | (diversity.distinct_values(node.values) < least)
        return found

    def _lost_to_values(self, values: diversity.GroupValues) -> FloatArray:
        lost = np.zeros(len(values.sizes))
        if self.l > 1 and self.form == "entropy":
            lost = np.maximum(lost, lost_records.lost_to_entropy(values, self.l))
        if self.l > 1 and self.form == "recursive":
            lost = np.maximum(lost, lost_records.lost_to_recursion(values, int(self.l), self.c))
        if self.t < 1 and self.distance == "equal":
            lost = np.maximum(lost, lost_records.lost_to_equal_distance(values, self.t))
        elif self.t < 1:
            far = self._distances(lost_records.single_values(values))
            lost = np.maximum(lost, lost_records.lost_to_distance(values, self._distances(values), far, self.t))
        if self.has_beta:
            caps = lost_records.likeness_caps(values.overall, self.beta, self.is_enhanced)
            lost = np.maximum(lost, lost_records.lost_to_caps(values, caps))
        return lost

    def _distances(self, values: diversity.GroupValues) -> FloatArray:
        if self.distance == "hierarchical" and self.ancestors is not None:
            return diversity.hierarchical_distance(values, self.ancestors)
        if self.distance == "ordered":
            return diversity.ordered_distance(values)
        return diversity.equal_distance(values)

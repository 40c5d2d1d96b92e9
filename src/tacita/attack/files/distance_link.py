"""Distance linkage with partial knowledge: a victim is taken for the nearest released record."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.random import Generator

from tacita.attack.files.links import LinkingAttack, Links, link_by_cost
from tacita.attack.targets import FileTarget
from tacita.core.traits import AttackTraits

__all__ = ["DistanceLink"]


@dataclass(frozen=True, kw_only=True)
class DistanceLink(LinkingAttack):
    """Take for each victim the released record that is nearest in the columns that are known of him.

    The distance is a sum over columns of both files: squared differences of numbers in standard deviations of the released
    column, and for classes that do not fit as much as two records drawn at random differ on average. A coarser class
    fits every value that it holds. A missing value, on either side, costs half as much as a value drawn at random. Then
    the values that the record shows are said of the victim.

    Returns
    -------
    Claims
        Of the identity, and of every wanted column.

    Complexity
    ----------
    O(v n d) time for v victims and n records, most of it in a product of matrices; memory for a block of pairs.

    Notes
    -----
    Where the release is documented, columns that no step changed count ten times. Of equally near records one is picked at
    random. The attacker is sure where the next record is ten times as far away. It is the distance of the risk ``dld`` for
    numbers; here the attacker has what left, a part of the columns and perhaps a part of the people, and says a record or a
    value that can be wrong.

    References
    ----------
    Pagliuca, D. and Seri, G. (1999), Some results of individual ranking method on the system of enterprise accounts annual
    survey; Domingo-Ferrer, J. and Torra, V. (2001), A quantitative comparison of disclosure control methods for microdata.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> masked = tc.mask.AdditiveNoise(columns=["earnings", "tax", "savings"], sd_ratio=0.01).apply(data, seed=7)
    >>> staged = stage_file(data, masked, scenario=tc.Scenario(keys=["age", "sex"], known=["earnings", "tax", "savings"]))
    >>> tc.attack.attack_once(DistanceLink(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "distance_link"
    title = "Distance linkage with partial knowledge"
    traits = AttackTraits(
        against="file",
        learns="identity",
        knows="some true values of each victim",
        breaks="a file as it was, or with little noise",
        held_by="strong noise or coarse groups in all columns that are known",
    )

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Take the nearest record."""
        return link_by_cost(target, self.linked_by(target), rng)[0]

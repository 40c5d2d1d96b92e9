"""Two releases of one population: whoever finds a victim in one has more to find him by in the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.files.compared import shared_names
from tacita.attack.files.links import LinkingAttack, Links, claims_of_links, link_by_cost
from tacita.attack.targets import FileTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.traits import AttackTraits
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema

__all__ = ["ReleaseLink", "TwoReleaseAverage", "with_columns_of"]


def with_columns_of(known: Microdata, other: Microdata, rows: IntArray) -> Microdata:
    """Return records with the columns that they lack from the records of another file that they were linked to.

    ``rows`` has for each record a row of the other file; where that has no records, nothing is added.
    """
    further = [name for name in other.names if name not in known.schema]
    if not further or not len(other):
        return known
    taken, table = other.select(further).take(rows), known.to_arrow(codes=False)
    for name in further:
        table = table.append_column(name, taken.column(name))
    return Microdata(table, Schema((*known.schema.columns, *(other.schema[name] for name in further))))


@dataclass(frozen=True, kw_only=True)
class ReleaseLink(LinkingAttack):
    """Find each victim in one release, and with what it shows of him in the other.

    A victim is linked to the nearest record of the earlier release in the columns that are known of him. With its further columns
    as if they were known, he is then linked to the release, by all columns of it that he now has.

    Returns
    -------
    Claims
        Of the identity in the release, and of every wanted column.

    Complexity
    ----------
    O(v (m + n) d) for v victims, n records and m earlier ones; memory for a block of pairs.

    Notes
    -----
    The earlier release may be another mask of the same records, an older wave of a panel, or a file with other columns. The first
    of them is used. A value that was true is not replaced by a released one.

    References
    ----------
    Ganta, S. R., Kasiviswanathan, S. P. and Smith, A. (2008), Composition attacks and auxiliary information in data privacy.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.business_survey(300, seed=1)
    >>> one, two = data.drop(["wages", "energy", "profit"]), data.drop(["employees", "region", "size_class", "founded"])
    >>> known = tc.Scenario(keys=["employees", "region", "founded"], known=[])
    >>> staged = stage_file(data, two, scenario=known, wanted=["wages"], earlier=[one])
    >>> tc.attack.attack_once(ReleaseLink(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "release_link"
    title = "Linkage of two releases"
    traits = AttackTraits(
        against="file",
        learns="identity",
        knows="some true values of each victim, and another release of the same people",
        breaks="two files that share columns by which their records can be joined",
        held_by="masks that leave no record of one file near its own in the other",
    )

    def linked_by(self, target: FileTarget) -> tuple[str, ...]:
        """Return the known columns that one of the releases has."""
        names = {name for file in (target.released, *target.earlier[:1]) for name in file.names}
        return tuple(name for name in target.known.names if name in names)

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: there must be another release with a column that is known, and one in common."""
        if not target.earlier:
            return "There is no other release of the same people."
        if not shared_names(target.known, target.earlier[0]):
            return "The other release has no column that he knows."
        if not shared_names(target.earlier[0], target.released):
            return "The releases have no column in common."
        return super().declined(target)

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds it takes to link the victims to both releases."""
        earlier = len(target.earlier[0]) if target.earlier else 0
        return super().cost(target) * (1 + earlier / max(len(target.released), 1))

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Find the victims in the earlier release, then in the release."""
        earlier = target.earlier[0]
        first = replace(target, released=earlier, steps=())
        rows = link_by_cost(first, shared_names(target.known, earlier), rng)[0].rows
        known = with_columns_of(target.known, earlier, rows)
        return link_by_cost(replace(target, known=known), shared_names(known, target.released), rng)[0]


@dataclass(frozen=True, kw_only=True)
class TwoReleaseAverage(ReleaseLink):
    """Average a number over all releases of one population: what was drawn anew each time goes down.

    A victim is linked to the release, and his record there to the nearest one of each other release. With m releases of
    independent noise the variance of a mean is one m-th of that of a single value.

    Returns
    -------
    Claims
        Of every wanted column; of numbers the mean over the releases.

    Complexity
    ----------
    O(v m d) for v victims and m records of all releases together; memory for a block of pairs.

    Notes
    -----
    A release without the column, and records without a value, do not enter. Records of two releases are compared by their other
    columns, and by the wanted ones only where there is no other. Classes are said as the release has them.

    References
    ----------
    Domingo-Ferrer, J. (2007), Statistical databases, on repeated releases with noise; Dwork, C. and Roth, A. (2014), The
    algorithmic foundations of differential privacy, on composition.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_file import stage_file
    >>> data = tc.samples.business_survey(300, seed=1)
    >>> releases = [tc.mask.AdditiveNoise(columns=["wages"], sd_ratio=0.05).apply(data, seed=seed) for seed in range(9)]
    >>> staged = stage_file(data, releases[0], wanted=["wages"], earlier=releases[1:])
    >>> [claim.about for claim in TwoReleaseAverage().run(staged.target, __import__("numpy").random.default_rng(1))]
    ['wages']
    """

    name = "two_release_average"
    title = "Average over releases"
    traits = AttackTraits(
        against="file",
        learns="value",
        knows="some true values of each victim, and other releases of the same people",
        breaks="noise that is drawn anew for each release",
        held_by="one release, or the same noise each time",
    )

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds it takes to link the victims to all releases."""
        earlier = sum(len(file) for file in target.earlier)
        return LinkingAttack.cost(self, target) * (1 + earlier / max(len(target.released), 1))

    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Find the victims in the release."""
        return link_by_cost(target, shared_names(target.known, target.released), rng)[0]

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Link, then average every wanted number over the releases."""
        links = self.links(target, rng)
        schema = target.released.schema
        numbers = [name for name in target.wanted if name in schema and schema[name].scale == "numeric"]
        seen = with_columns_of(target.released.take(np.maximum(links.rows, 0)), target.known, np.arange(target.victims))
        found = {name: [seen.float(name)] for name in numbers}
        for earlier in target.earlier:
            again = FileTarget(released=earlier, known=seen)
            others = shared_names(seen, earlier, leave=numbers)
            rows = link_by_cost(again, others or shared_names(seen, earlier), rng)[0].rows
            for name in numbers:
                if name in earlier.schema and earlier.schema[name].scale == "numeric":
                    found[name].append(np.append(earlier.float(name), np.nan)[rows])
        said = {name: _mean_of(values, links.rows >= 0) for name, values in found.items()}
        return claims_of_links(target, links, said)[1:]


def _mean_of(values: Sequence[FloatArray], is_linked: BoolArray) -> FloatArray:
    """Return the means over several files of the values that are there; NaN where there are none."""
    stacked = np.stack(values)
    there = ~np.isnan(stacked)
    count = there.sum(axis=0)
    total = np.where(there, stacked, 0.0).sum(axis=0)
    return np.where((count > 0) & is_linked, total / np.maximum(count, 1), np.nan)

"""Differences of two geographies: what a reader learns who subtracts grid squares from municipalities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import Interval, coerce
from tacita.data.microdata import Microdata
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected
from tacita.tables.readers.crossing_cuts import CrossingCut, Crossings, crossing_cuts
from tacita.tables.readers.joint_cells import published_counts

__all__ = ["DifferencesTold", "GeographyDifferences", "geography_differences"]

_OWNER = "geography_differences"


@dataclass(frozen=True, eq=False, kw_only=True)
class GeographyDifferences:
    """Small groups of records that a union of areas of one geography has beyond a union of areas of another one.

    Parameters
    ----------
    fine, coarse
        The columns of both geographies.
    below
        Groups have fewer records than this.
    sizes
        (g,): true number of records of each group, ascending.
    areas
        (g,): how many published areas are added and subtracted to get it.
    records
        Number of records of the data.
    at_risk
        How many of them are in a group.
    slivers
        Crossings of two areas with fewer than ``below`` records, where the fine area lies in several coarse ones. Not all of
        them can be got at.
    fine_signs, coarse_signs
        (g, areas): 1 where an area is added, -1 where it is subtracted; scipy sparse arrays.
    fine_codes, coarse_codes
        Names of the areas.
    """

    fine: str
    coarse: str
    below: int
    sizes: IntArray = field(repr=False)
    areas: IntArray = field(repr=False)
    records: int
    at_risk: int
    slivers: int
    fine_signs: Any = field(repr=False)
    coarse_signs: Any = field(repr=False)
    fine_codes: tuple[str, ...] = field(repr=False)
    coarse_codes: tuple[str, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.sizes)

    def words(self, group: int) -> str:
        """Return one group as a sum of areas: names of places, and no count."""
        both = ((self.coarse_signs, self.coarse_codes), (self.fine_signs, self.fine_codes))
        sides: dict[float, list[str]] = {1.0: [], -1.0: []}
        for signs, codes in both:
            row = signs[[group]].tocoo()
            for place, sign in zip(row.col.tolist(), row.data.tolist(), strict=True):
                sides[float(sign)].append(codes[place])
        plus, minus = (part if len(part) <= 4 else [*part[:3], f"{len(part) - 3} more"] for part in sides.values())
        return f"{' + '.join(plus)} - ({' + '.join(minus)})" if minus else " + ".join(plus)

    def subtract(self, fine: Table | Protected, coarse: Table | Protected) -> tuple[IntArray, tuple[str, ...]]:
        """Return (g, c): what two tables say of each group in each category, and the names of the categories.

        Parameters
        ----------
        fine, coarse
            Tables of counts by each geography, both by the same further dimensions, or by none. What a protector made is taken
            as it is published.

        Raises
        ------
        ParameterError
            When a table lacks its geography, or the further dimensions are others.
        DataError
            When a cell is hidden, or counts are no whole numbers.
        """
        left, names = _matrix(fine, self.fine, self.fine_codes)
        right, others = _matrix(coarse, self.coarse, self.coarse_codes)
        shared = [name for name in names if name in others]
        if not shared or _dimensions(names) != _dimensions(others):
            raise ParameterError(
                f"{_OWNER}: the tables by '{self.fine}' and by '{self.coarse}' must have the same further dimensions."
            )
        made = self.fine_signs @ left[:, [names[name] for name in shared]]
        made = made + self.coarse_signs @ right[:, [others[name] for name in shared]]
        return np.rint(made).astype(np.int64), tuple(shared)

    def attack(self, published: Sequence[Table | Protected], *, true: Sequence[Table | Protected]) -> DifferencesTold:
        """Put what published tables say of each group beside the truth.

        Parameters
        ----------
        published
            The table by the fine geography and the one by the coarse geography, as they leave.
        true
            The same two tables with true counts.
        """
        if len(published) != 2 or len(true) != 2:
            raise ParameterError(
                f"{_OWNER}: 'published' and 'true' must each be a table by '{self.fine}' and one by '{self.coarse}'."
            )
        told, names = self.subtract(*published)
        truth, own = self.subtract(*true)
        if names != own:
            raise ParameterError(f"{_OWNER}: 'published' and 'true' must have the same categories.")
        return DifferencesTold(truth, told, names, self.below)


@dataclass(frozen=True, eq=False)
class DifferencesTold:
    """What a reader who subtracts finds, beside the truth. For the owner's eyes.

    Parameters
    ----------
    truth, told
        (g, c): true count of each group in each category, and what subtracting published counts gives.
    categories
        Names of the categories.
    below
        Groups have fewer records than this.
    """

    truth: IntArray = field(repr=False)
    told: IntArray = field(repr=False)
    categories: tuple[str, ...] = field(repr=False)
    below: int

    @property
    def exact(self) -> float:
        """Percentage of the counts of groups that are told as they are."""
        return _percent(self.told == self.truth)

    @property
    def guessed(self) -> float:
        """Percentage of right guesses of somebody who saw no table: always the most frequent count of the category."""
        return _percent(self.truth == [np.bincount(column).argmax() for column in self.truth.T])

    @property
    def clipped(self) -> float:
        """Percentage that is right once counts beyond what a small group can have are moved to the nearest that it can."""
        return _percent(np.clip(self.told, 0, self.below - 1) == self.truth)

    @property
    def described(self) -> float:
        """Percentage of the groups of which all counts are told as they are: everything about their members is known."""
        return _percent((self.told == self.truth).all(axis=1))

    @property
    def impossible(self) -> float:
        """Percentage of the groups for which a count below 0 is told: the reader sees that it is wrong."""
        return _percent((self.told < 0).any(axis=1))

    @property
    def mean(self) -> float:
        """Mean distance of the counts told to the truth, in records."""
        return float(np.abs(self.told - self.truth).mean()) if self.truth.size else 0.0


def geography_differences(
    data: Microdata, fine: str, coarse: str, *, below: Annotated[int, Interval(2)] = 3
) -> GeographyDifferences:
    """Find the small groups that a reader gets by subtracting areas of one geography from areas of another.

    Grid squares and municipalities of the same people are each harmless, and together they are not: a union of municipalities
    without the squares that lie in it may leave one person, and so may a union of squares without the municipalities in it.

    Parameters
    ----------
    data
        The true records.
    fine, coarse
        The columns of the two geographies. Neither need be finer than the other.
    below
        Groups with fewer records than this are looked for.

    Returns
    -------
    GeographyDifferences
        For the owner's eyes: it says where single persons live.

    Raises
    ------
    ParameterError
        When both columns are the same, or ``below`` is less than 2.
    ColumnError
        When a column is not there.
    DataError
        When a record has no area.

    Complexity
    ----------
    See :func:`tacita.tables.readers.crossing_cuts.crossing_cuts`; 40 000 squares and 4000 municipalities take a second.

    Notes
    -----
    Only differences of nested unions are looked for: those are counts of a group, others are differences of two groups. Every
    record that is in any group of fewer than ``below`` records is found, with a smallest group that it is in; larger unions of
    groups are not listed. A group is told by the fewest areas that were found, by municipalities less squares or by squares less
    municipalities. The reader is taken to know which squares have people on which side of a border, as from a map of buildings.
    Groups of more records that are alone in a category are not looked for.

    References
    ----------
    Costemalle, V. (2019), Detecting geographical differencing problems in the context of spatial data dissemination, Statistical
    Journal of the IAOS 35(4), 559-568.

    Examples
    --------
    >>> import tacita as tc
    >>> people = tc.samples.census_register(5000, seed=1, regions=20)
    >>> found = geography_differences(people, "grid", "municipality")
    >>> len(found), found.at_risk, found.slivers
    (5, 8, 10)
    """
    limit: int = coerce(below, Annotated[int, Interval(2)], owner=_OWNER, name="below")
    if fine == coarse:
        raise ParameterError(f"{_OWNER}: 'fine' and 'coarse' must be two columns.")
    codes = []
    for name, parameter in ((fine, "fine"), (coarse, "coarse")):
        data.schema.resolve((name,), owner=_OWNER, parameter=parameter)
        codes.append(data.codes(name))
        if (codes[-1].values < 0).any():
            raise DataError(f"{_OWNER}: {int((codes[-1].values < 0).sum())} records have no code of '{name}'.")
    left, right = (np.unique(found.values, return_inverse=True) for found in codes)
    pair = left[1].ravel().astype(np.int64) * len(right[0]) + right[1].ravel()
    there, records = np.unique(pair, return_counts=True)
    width = max(len(right[0]), 1)
    crossings = Crossings(there // width, there % width, records.astype(np.int64))
    named = [
        tuple(str(found.categories[place]) for place in used[0].tolist())
        for found, used in zip(codes, (left, right), strict=True)
    ]
    return _listed(crossings, crossing_cuts(crossings, limit - 1), fine, coarse, limit, named)


def _listed(
    crossings: Crossings, cuts: list[CrossingCut], fine: str, coarse: str, below: int, named: Sequence[tuple[str, ...]]
) -> GeographyDifferences:
    """Write each group as the sum of the fewest areas: the cut itself, or what is outside of it."""
    import scipy.sparse as sp

    block = _blocks(crossings)
    fine_block, coarse_block = (np.zeros(size, np.int64) for size in crossings.sizes)
    fine_block[crossings.fine], coarse_block[crossings.coarse] = block, block
    entries: tuple[list[IntArray], list[IntArray]] = ([], [])
    signs: list[int] = []
    risky = np.zeros(len(crossings.records), bool)
    for cut in cuts:
        risky |= cut.rest
        here = block[np.flatnonzero(cut.rest)[0]]
        mine, yours = fine_block == here, coarse_block == here
        within = [np.flatnonzero(mine & cut.inside), np.flatnonzero(yours & cut.coarse)]
        beyond = [np.flatnonzero(mine & ~cut.inside), np.flatnonzero(yours & ~cut.coarse)]
        is_shorter = sum(map(len, beyond)) < sum(map(len, within))
        signs.append(1 if is_shorter else -1)
        for side, areas in zip(entries, beyond if is_shorter else within, strict=True):
            side.append(areas.astype(np.int64))
    # Of a cut itself the fine areas are subtracted, and of what is beyond it the coarse ones.
    made = []
    for side, size, sign in zip(entries, crossings.sizes, (np.array(signs), -np.array(signs)), strict=True):
        start = np.cumsum([0, *map(len, side)])
        places = np.concatenate([np.zeros(0, np.int64), *side])
        values = np.repeat(sign, np.diff(start)).astype(np.float64)
        made.append(sp.csr_array((values, places, start), shape=(len(cuts), size)))
    return GeographyDifferences(
        fine=fine,
        coarse=coarse,
        below=below,
        sizes=np.array([cut.size for cut in cuts], np.int64),
        areas=np.asarray(np.diff(made[0].indptr) + np.diff(made[1].indptr), np.int64),
        records=int(crossings.records.sum()),
        at_risk=int(crossings.records[risky].sum()),
        slivers=int((crossings.is_split & (crossings.records < below)).sum()),
        fine_signs=made[0],
        coarse_signs=made[1],
        fine_codes=named[0],
        coarse_codes=named[1],
    )


def _blocks(crossings: Crossings) -> IntArray:
    """Return (k,): the connected part of both geographies that each crossing is in."""
    import scipy.sparse as sp
    from scipy.sparse.csgraph import connected_components

    fine, coarse = crossings.sizes
    ties = sp.csr_array(
        (np.ones(len(crossings.fine)), (crossings.fine, crossings.coarse + fine)), shape=(fine + coarse, fine + coarse)
    )
    part = connected_components(ties, directed=False)[1]
    return np.asarray(part[crossings.fine], np.int64)


def _matrix(given: Table | Protected, geography: str, codes: Sequence[str]) -> tuple[FloatArray, dict[str, int]]:
    """Return (areas, c): counts by area and category, and the number of each category."""
    table, values = published_counts(given)
    place = table.place(geography)
    row_of = {code: row for row, code in enumerate(codes)}
    rows = np.array([row_of.get(code, -1) for code in table.dimensions[place].codes], np.int64)[table.codes[:, place]]
    others = [axis for axis in range(len(table.dimensions)) if axis != place]
    keys, at = np.unique(table.codes[:, others], axis=0, return_inverse=True)
    names = {}
    for number, key in enumerate(keys.tolist()):
        said = sorted(
            f"{table.dimensions[a].name}={table.dimensions[a].codes[c]}" for a, c in zip(others, key, strict=True)
        )
        names[", ".join(said) or "count"] = number
    made = np.zeros((len(codes), len(keys)))
    there = rows >= 0
    made[rows[there], at.ravel()[there]] = values[there]
    return made, names


def _dimensions(names: dict[str, int]) -> list[str]:
    """Return the names of the dimensions of categories."""
    return [part.partition("=")[0] for part in next(iter(names), "").split(", ")]


def _percent(right: Any) -> float:
    found = np.asarray(right)
    return 100.0 * float(found.mean()) if found.size else 0.0

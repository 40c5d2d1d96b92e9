"""Targeted record swapping: households at risk exchange their place of residence with similar ones elsewhere."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, DataError, TacitaWarning
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.data.units import Unit, find_units
from tacita.mask.base import Mask

__all__ = ["RecordSwap", "SwapReport", "number_compositions"]


@dataclass(frozen=True)
class SwapReport:
    """What was swapped, in counts of households; for the data owner, not for release.

    Parameters
    ----------
    households
        All households.
    swapped
        Those with another place than before.
    at_risk
        Those at risk at each level of the geography, coarse levels first.
    at_risk_swapped
        Those of them that were swapped.
    moved
        Swapped households by the coarsest level at which their area is another one.
    unmatched
        Households at risk at some level that stay where they were, because no partner was found.
    least_share
        Percentage of swapped households in the smallest area in which it is lowest.
    columns
        What was exchanged: geography and carried columns.
    """

    households: int
    swapped: int
    at_risk: dict[str, int]
    at_risk_swapped: dict[str, int]
    moved: dict[str, int]
    unmatched: int
    least_share: float
    columns: tuple[str, ...]

    @property
    def share(self) -> float:
        """Percentage of all households that were swapped."""
        return 100 * self.swapped / self.households if self.households else 0.0

    def __str__(self) -> str:
        lines = [
            f"households: {self.households}, swapped: {self.swapped} ({self.share:.1f} %)",
            *(
                f"{level}: {count} at risk, {self.at_risk_swapped[level]} of them swapped; {self.moved[level]} moved"
                for level, count in self.at_risk.items()
            ),
            f"at risk without a partner: {self.unmatched}",
            f"lowest share of an area: {self.least_share:.1f} %",
            f"exchanged: {', '.join(self.columns)}",
        ]
        return "\n".join(lines)


@dataclass(frozen=True, kw_only=True)
class RecordSwap(Mask):
    """Exchange the geography of whole households with similar households of other areas.

    A person is at risk at a level of the geography when fewer than k people of the same area have the same values of the risk
    variables; a household is at risk when a member is. From the coarsest level on, every household at risk is swapped with a
    household of another area that has the same size and the same similarity profile, as near as possible: within the same
    area of the level above. Households drawn at random are swapped until ``rate`` percent of each smallest area were.

    Protects tables of small areas: a rare person seen in an area may live elsewhere. Does not protect what is rare in the
    whole file, nor values other than the place: everything but the geography stays as it was.

    Parameters
    ----------
    geography
        The columns of the geography, coarse levels first, such as region, district, commune. Exchanged for all members.
    unit
        The household column; by default the one with that role. Without households, or with ``False``, every record is one.
    risk
        Variables whose rare combinations make a person risky; by default all keys that are no geography.
    profiles
        Similarity profiles: lists of columns in which partners agree, tried one after the other. Household size is always
        among them.
    k
        A person is at risk when fewer than k people of the area share the risk variables.
    rate
        Percentage of households of each smallest area that are swapped at least, as far as partners are there.
    carry
        Further columns that go with the place, such as the kind of settlement or a grid cell; equal for all members of a
        household. Columns that are ``linked`` to the geography go with it in any case.

    Returns
    -------
    Microdata
        With the geography swapped.

    Raises
    ------
    DataError
        When members of one household have different geography or carried columns, or a record has no household.
    ColumnError
        When a geography or carried column is also in a profile, or a carried one a risk variable.

    Preserves
    ---------
    marginals: partners have equal size, so every area keeps its number of people and of households exactly; all tables
    without geography stay too. means: no number changes.

    Complexity
    ----------
    O(L s n) expected time for L levels and s profiles, O(n) memory.

    Notes
    -----
    A household is swapped at most once. A profile compares what the members have together, whatever their order in the
    file. Households at risk for which no profile has a partner stay, and a warning says how many. A column that has one value in
    every smallest area and does not go with the place tells where a swapped household lived; a warning names it.
    :meth:`report` counts what was swapped.

    References
    ----------
    Shlomo, N., Tudor, C. and Groom, P. (2010), Data swapping for protecting census tables.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> mask = RecordSwap(geography=["region"], risk=["sex"], k=3, rate=5)
    >>> masked = mask.apply(data, seed=7)
    >>> mask.report(data, masked).share >= 5
    True
    """

    name = "record_swap"
    title = "Record swapping"
    attacks = (Attack(measure="agreement_linkage", knows="at least {rate:g} % of the households were swapped"),)
    faces = ("key_match", "probabilistic_link")
    traits = Traits(scales={"nominal", "ordinal", "numeric"}, stochastic=True, preserves=("marginals", "means"))
    not_drawn_by = Mask.not_drawn_by | {"carry"}
    geography: Columns
    unit: Unit = None
    risk: Columns = Selector("keys else columns")
    profiles: tuple[tuple[str, ...], ...] = ()
    k: Annotated[int, Interval(1)] = 3
    rate: Annotated[float, Interval(0, 100)] = 5.0
    carry: Columns = ()

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Swap households."""
        from tacita.numeric.perturbation.record_swap import swap_households  # loads when used

        owner = "RecordSwap"
        places = data.schema.resolve(self.geography, owner=owner, parameter="geography", scales=self.traits.scales)
        if not len(data):
            return data
        units = self._units(data)
        first = np.unique(units, return_index=True)[1]
        areas = self._areas(data, places, units, first)
        at_risk = self._at_risk(data, places, areas, units)
        carried = self._carried(data, places, units, first)
        profiles = self._profiles(data, (*places, *carried), units)
        _warn_of_tales(data, areas[-1], (*places, *carried))
        partner, unmatched = swap_households(
            areas[:, first], at_risk, profiles, self.rate / 100, streams.stream(self.name, *places)
        )
        if unmatched:
            warnings.warn(
                f"{owner}: {unmatched} households at risk found no partner with the same profile and stay where they are; "
                "add a coarser profile.",
                TacitaWarning,
                stacklevel=2,
            )
        return data.with_values_of(
            (*places, *carried), np.where(partner[units] == units, np.arange(len(data)), first[partner[units]])
        )

    def worked_on(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns of the place."""
        named = (
            rule.pick(schema.columns) if isinstance(rule, Selector) else rule for rule in (self.geography, self.carry)
        )
        return tuple(name for names in named for name in names)

    def attacked_columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the geography and the columns by which people are rare; the latter leave unswapped."""
        places = data.schema.resolve(self.geography, owner="RecordSwap", parameter="geography")
        named = data.schema.resolve(self.risk, owner="RecordSwap", parameter="risk")
        return tuple(dict.fromkeys((*places, *named)))

    def report(self, original: Microdata, masked: Microdata) -> SwapReport:
        """Count what was swapped between two files with the same records in the same order."""
        if len(original) != len(masked):
            raise DataError("RecordSwap: 'report' needs two files with the same records.")
        places = original.schema.resolve(self.geography, owner="RecordSwap", parameter="geography")
        units = self._units(original)
        first = np.unique(units, return_index=True)[1]
        areas = self._areas(original, places, units, first)
        columns = (*places, *self._carried(original, places, units, first))
        if not len(original):
            nothing = dict.fromkeys(places, 0)
            return SwapReport(0, 0, nothing, nothing, nothing, 0, 0.0, columns)
        risky = self._at_risk(original, places, areas, units)
        other = np.stack([_differ(original, masked, places[: level + 1])[first] for level in range(len(places))])
        swapped, finest = other[-1], areas[-1, first]
        shares = np.bincount(finest, weights=swapped) / np.bincount(finest)
        new = np.vstack([other[:1], other[1:] & ~other[:-1]])
        return SwapReport(
            households=len(first),
            swapped=int(swapped.sum()),
            at_risk=dict(zip(places, risky.sum(axis=1).tolist(), strict=True)),
            at_risk_swapped=dict(zip(places, (risky & swapped).sum(axis=1).tolist(), strict=True)),
            moved=dict(zip(places, new.sum(axis=1).tolist(), strict=True)),
            unmatched=int((risky.any(axis=0) & ~swapped).sum()),
            least_share=100 * float(shares.min()),
            columns=columns,
        )

    def _carried(self, data: Microdata, places: tuple[str, ...], units: IntArray, first: IntArray) -> tuple[str, ...]:
        """Return the columns that go with the geography: those asked for, and those linked to it."""
        owner = "RecordSwap"
        asked = data.schema.resolve(self.carry, owner=owner, parameter="carry") if self.carry != () else ()
        linked = [c.name for c in data.schema if c.has_role("linked") and c.linked_to in (*places, *asked)]
        found = tuple(name for name in dict.fromkeys((*asked, *linked)) if name not in places)
        named = data.schema.resolve(self.risk, owner=owner, parameter="risk") if isinstance(self.risk, tuple) else ()
        for name in found:
            if name in named:
                raise ColumnError(f"{owner}: '{name}' goes with the place, so it cannot be in 'risk'.")
            labels = data.groups([name])
            count = len(np.unique(units[labels != labels[first][units]]))
            if count:
                raise DataError(
                    f"{owner}: '{name}' differs between the members of {count} households, so it cannot be carried."
                )
        return found

    def _units(self, data: Microdata) -> IntArray:
        name = self.unit or (data.schema.household if self.unit is None else None)
        units = find_units(data, name or False, owner="RecordSwap")
        return np.arange(len(data), dtype=np.int64) if units is None else units.labels

    def _areas(self, data: Microdata, places: tuple[str, ...], units: IntArray, first: IntArray) -> IntArray:
        """Return the area of each record at each level; a smaller area is one within the larger ones."""
        areas = np.stack([data.groups(places[: level + 1]) for level in range(len(places))])
        for name, level in zip(places, areas, strict=True):
            count = len(np.unique(units[level != level[first][units]]))
            if count:
                raise DataError(f"RecordSwap: '{name}' differs between the members of {count} households.")
        return areas

    def _at_risk(self, data: Microdata, places: tuple[str, ...], areas: IntArray, units: IntArray) -> BoolArray:
        """Return for each level and household whether a member is rare within its area."""
        from tacita.numeric.keys.frequencies import number_words

        named = data.schema.resolve(self.risk, owner="RecordSwap", parameter="risk")
        carried = data.schema.resolve(self.carry, owner="RecordSwap", parameter="carry") if self.carry != () else ()
        risky = tuple(name for name in named if name not in places and name not in carried)
        if not risky:
            raise ColumnError("RecordSwap: 'risk' must name a column that is no geography.")
        person, found = data.groups(risky), []
        kinds = int(person.max()) + 1
        for area in areas:
            labels, _, counts = number_words(area * kinds + person, (int(area.max()) + 1) * kinds)
            rare = counts[labels] < self.k
            found.append(np.bincount(units, weights=rare) > 0)
        return np.stack(found)

    def _profiles(self, data: Microdata, places: tuple[str, ...], units: IntArray) -> IntArray:
        """Return the number of each household's profile; the last one is the size alone."""
        size = np.bincount(units)
        found = []
        for profile in self.profiles:
            names = data.schema.resolve(profile, owner="RecordSwap", parameter="profiles")
            clash = [name for name in names if name in places]
            if clash:
                raise ColumnError(f"RecordSwap: '{clash[0]}' is swapped, so it cannot be in a profile.")
            found.append(number_compositions(data.groups(names), units, size))
        if not found:
            found.append(np.unique(size, return_inverse=True)[1].ravel())
        return np.stack(found)


def number_compositions(labels: IntArray, units: IntArray, size: IntArray) -> IntArray:
    """Number households by what their members have together, whatever their order. O(n log n)."""
    order = np.lexsort((labels, units))
    start = np.concatenate([[0], np.cumsum(size)[:-1]])
    place = np.arange(len(units)) - start[units[order]]
    number = np.unique(size, return_inverse=True)[1].ravel().astype(np.int64)
    for member in range(int(size.max())):
        here = place == member
        word = np.zeros(len(size), dtype=np.int64)
        word[units[order][here]] = labels[order][here] + 1
        number = np.unique(number * (int(labels.max()) + 2) + word, return_inverse=True)[1].ravel().astype(np.int64)
    return number


def _differ(original: Microdata, masked: Microdata, names: tuple[str, ...]) -> BoolArray:
    """Return for each record whether it has another value in one of some columns."""
    found = np.zeros(len(original), dtype=bool)
    for name in names:
        before, after = original.codes(name), masked.codes(name)
        place = {value: i for i, value in enumerate(before.categories)}
        same = np.array([place.get(value, -2) for value in after.categories] + [-1], dtype=np.int64)
        found |= before.values != same[after.values]
    return found


def _warn_of_tales(data: Microdata, area: IntArray, moving: tuple[str, ...]) -> None:
    """Warn of columns that have one value in every smallest area and do not go with the place."""
    areas = int(area.max()) + 1
    if areas < 2 or areas > len(area) / 4:  # one area, or so small ones that it is no wonder
        return
    telling = []
    for name in data.names:
        if name in moving:
            continue
        labels = data.groups([name])
        kinds = int(labels.max()) + 1
        if 1 < kinds <= areas and len(np.unique(area * kinds + labels)) == areas:
            telling.append(name)
    if telling:
        warnings.warn(
            f"RecordSwap: {', '.join(telling)} has one value in every area and stays, so it tells where a swapped household "
            "lived; name it in 'carry', or leave it out of the release.",
            TacitaWarning,
            stacklevel=3,
        )

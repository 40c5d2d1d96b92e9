"""Households drawn in four steps: composition, what all members share, kinship member after member, and everything else.

1. The **composition**: how many live together, and the classes that they have one after the other (``compositions.py``).
2. Columns that all members **share** (region, weight), given size and composition: one row a household.
3. **Kinship**: the other columns that say who is who, such as sex and age. The first members are drawn, then the second given
   the first, then the third given both and the one before, and so on; numbers of later members as differences to the first. Who
   cannot be there (``kinship.py``), or breaks a rule, is drawn again.
4. All **other** columns: of first members given what is known by then, of the others also given the first member's value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.streams import Streams
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.households.beside import (
    COMPOSITION,
    PLACE,
    SIZE,
    as_classes,
    as_number,
    beside,
    not_drawn,
    of_first,
    plus_first,
)
from tacita.numeric.synthesis.households.compositions import Compositions
from tacita.numeric.synthesis.households.homes import Homes
from tacita.numeric.synthesis.households.household_plan import HouseholdPlan
from tacita.numeric.synthesis.households.kinship import Kinship, kinds_of_members
from tacita.numeric.synthesis.sequential import FittedColumns

__all__ = ["FittedHouseholds"]

_ROUNDS = 20
"""Times that a member who cannot be there is drawn again, before his numbers are moved to the nearest that can."""
_REACH = 150
"""Steps that a number is moved by, at most."""


@dataclass(frozen=True, eq=False)
class FittedHouseholds:
    """What was learned of households.

    Parameters
    ----------
    plan
        What was asked for.
    compositions
        The compositions of the old households.
    """

    plan: HouseholdPlan
    compositions: Compositions
    _learn: Mapping[str, ColumnValues] = field(repr=False)
    _shared: FittedColumns | None = field(repr=False)
    _members: Mapping[int, FittedColumns] = field(repr=False)
    _limits: Mapping[str, Kinship] = field(repr=False)
    _others: Mapping[int, FittedColumns] = field(repr=False)
    _chances: FloatArray = field(repr=False)

    @property
    def later(self) -> tuple[str, ...]:
        """The columns of kinship that are drawn member by member."""
        return tuple(name for name in self.plan.kinship if name not in self.compositions.names)

    def drawn_compositions(self, count: int, streams: Streams) -> IntArray:
        """Draw the compositions of some households: as many of each as in the original, to one, for systematic draws."""
        rng = streams.stream("composition", "draw")
        order = np.argsort(self.compositions.number, kind="stable")
        ends = np.cumsum(self._chances[order])
        at = (np.arange(count) + rng.random()) / max(count, 1) * ends[-1] if len(ends) else np.empty(0)
        old = order[np.minimum(np.searchsorted(ends, at, side="right"), len(ends) - 1)]
        return np.asarray(self.compositions.number[rng.permutation(old)], np.int64)

    def draw(
        self, chosen: IntArray, streams: Streams, shared: Mapping[str, ColumnValues] | None = None
    ) -> tuple[dict[str, ColumnValues], Homes]:
        """Draw households.

        Parameters
        ----------
        chosen
            The composition of each, from :meth:`drawn_compositions`.
        streams
            Where the random numbers come from.
        shared
            What all members share, one row a household, where that is not to be drawn.

        Returns
        -------
        columns, homes
            All columns of the new persons, the members of a household one after the other, and the households.
        """
        count = len(chosen)
        homes = Homes(self.compositions.sizes(chosen))
        members = self.compositions.members(chosen)
        columns = {name: self._learn[name].of(members) for name in self.compositions.names}
        homely = {SIZE: as_number(homes.sizes), COMPOSITION: as_classes(chosen, self.compositions.count)}
        if shared is not None:
            homely |= shared
        elif self._shared is not None:
            homely |= self._shared.draw(count, streams, homely)
        columns |= {name: column.of(homes.household) for name, column in homely.items() if name != COMPOSITION}
        self._draw_kinship(columns, homes, streams)
        self._draw_others(columns, homes, streams)
        wanted = (*self.plan.shared, *self.plan.kinship, *self.plan.own)
        return {name: columns[name] for name in wanted}, homes

    # --- kinship --------------------------------------------------------------------------------------------------------------

    def _draw_kinship(self, columns: dict[str, ColumnValues], homes: Homes, streams: Streams) -> None:
        """Draw who is who, place after place."""
        if not self.later:
            return
        kinds = kinds_of_members(columns, self.compositions.names, homes)
        empty = {name: not_drawn(self._learn[name], homes.n) for name in self.later}
        columns |= empty
        for place in range(int(homes.sizes.max(initial=0))):
            rows = homes.at(place)
            fitted = self._members.get(min(place, 2)) or self._members[max(self._members)]
            left = rows
            for _ in range(_ROUNDS):
                self._draw_members(fitted, columns, homes, left, place, streams)
                left = left[self._impossible(columns, homes, kinds, left)]
                if not len(left):
                    break
            if len(left):
                self._move(columns, homes, kinds, left)

    def _draw_members(
        self,
        fitted: FittedColumns,
        columns: dict[str, ColumnValues],
        homes: Homes,
        rows: IntArray,
        place: int,
        streams: Streams,
    ) -> None:
        """Draw the columns of kinship of some members at one place."""
        given = beside(columns, self.plan.kinship, homes, rows, place)
        known = {name: given[name] if name in given else columns[name].of(rows) for name in fitted.plan.given}
        drawn = fitted.draw(len(rows), streams, known)
        for name in self.later:
            made = drawn[name]
            if place and not made.classes:
                made = plus_first(
                    made, columns[name].of(homes.first[homes.household[rows]]), self.plan.columns[name].form
                )
            columns[name] = columns[name].put(rows, made)

    def _impossible(
        self, columns: Mapping[str, ColumnValues], homes: Homes, kinds: IntArray, rows: IntArray
    ) -> BoolArray:
        """Return which members cannot be there, or break a rule about who is who."""
        wrong = np.zeros(len(rows), np.bool_)
        for name, limits in self._limits.items():
            wrong |= limits.broken(rows, columns[name].values, columns[name].there, kinds, homes)
        rules = self.plan.rules_of(self.plan.kinship)
        if rules:
            named = {name for rule in rules for name in (rule.then.column, *rule.given)}
            own = {name: columns[name].of(rows) for name in named if name in columns}
            for rule in rules:
                if set(rule.given) <= set(own):
                    wrong |= rule.broken(own)
        return wrong

    def _move(self, columns: dict[str, ColumnValues], homes: Homes, kinds: IntArray, rows: IntArray) -> None:
        """Move the numbers of members who cannot be there to the nearest that can; who finds none stays as drawn."""
        for name in self._limits:
            form, start = self.plan.columns[name].form, columns[name].values[rows]
            step = 10.0**-form.decimals if form.decimals is not None else 1.0
            left = np.arange(len(rows))
            for reach in range(1, _REACH + 1):
                for sign in (-1.0, 1.0):
                    moved = form.written(start[left] + sign * reach * step)
                    columns[name] = columns[name].put(
                        rows[left], columns[name].of(rows[left]).like(moved, np.zeros(len(left), np.int16))
                    )
                    left = left[self._impossible(columns, homes, kinds, rows[left])]
                    if not len(left):
                        return
            columns[name] = columns[name].put(
                rows[left], columns[name].of(rows[left]).like(start[left], np.zeros(len(left), np.int16))
            )

    # --- everything else --------------------------------------------------------------------------------------------------------

    def _draw_others(self, columns: dict[str, ColumnValues], homes: Homes, streams: Streams) -> None:
        """Draw all other columns: first members, then the rest given the first."""
        columns |= {name: not_drawn(self._learn[name], homes.n) for name in self.plan.own}
        self.draw_again(columns, homes, np.arange(homes.n), streams)

    def draw_again(self, columns: dict[str, ColumnValues], homes: Homes, rows: IntArray, streams: Streams) -> None:
        """Draw all columns but the shared ones and those of kinship for some members, in place.

        Parameters
        ----------
        columns, homes
            What :meth:`draw` gave.
        rows
            Which members.
        streams
            Where the random numbers come from; those of :meth:`draw` give others than there.
        """
        place = homes.place
        known_of_all = columns | {SIZE: as_number(homes.sizes[homes.household])}
        for group, some in ((0, rows[place[rows] == 0]), (1, rows[place[rows] > 0])):
            if not len(some) or not self.plan.own:
                continue
            fitted = self._others.get(group) or self._others[0]
            given = of_first(columns, (*self.plan.kinship, *self.plan.own), homes, some) | {
                PLACE: as_number(place[some])
            }
            known = {name: given[name] if name in given else known_of_all[name].of(some) for name in fitted.plan.given}
            drawn = fitted.draw(len(some), streams, known)
            for name in self.plan.own:
                columns[name] = columns[name].put(some, drawn[name])

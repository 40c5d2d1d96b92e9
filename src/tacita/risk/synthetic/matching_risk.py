"""Matching risks: people and released records with the same keys, and what the ones say of the others' confidential values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import MeasureError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.data.measure import Measured
from tacita.data.pairing import Pair
from tacita.data.scenario import names_in_a_row
from tacita.data.side_by_side.categories import shared_codes
from tacita.data.side_by_side.groups import ValueGroups, comparable_columns, value_groups
from tacita.numeric.keys.cells_of_codes import cells_of_codes
from tacita.numeric.linkage.attribution import around
from tacita.numeric.statistics.shares import beyond_chance
from tacita.risk.base import Risk

__all__ = ["LearnedColumn", "MatchingRisk", "Told", "key_cells"]

_FEW = 2**31
"""Cells are numbered anew from so many on, so that a cell and a rank fit into one number."""


@dataclass(frozen=True, eq=False)
class LearnedColumn:
    """A confidential column of both files, and the cells of the keys that the intruder knows.

    Parameters
    ----------
    values, released
        Its numbers in the original and in the masked file, or the codes of its categories; NaN where missing.
    cells, released_cells
        The combination of keys of each person and of each released record.
    share
        How far a number may be off, as a share of the true one; 0 for categories.
    """

    values: FloatArray = field(repr=False)
    released: FloatArray = field(repr=False)
    cells: IntArray = field(repr=False)
    released_cells: IntArray = field(repr=False)
    share: float

    def calls(self, said: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the ends of what each said value is right for."""
        return around(said, self.share) if self.share else (said, said)

    def called(self) -> tuple[FloatArray, FloatArray]:
        """Return for each person the ends of what is right for the person."""
        reach = self.share * np.abs(self.values)
        return self.values - reach, self.values + reach


@dataclass(frozen=True, eq=False)
class Told:
    """What is told about one target, record by record or person by person.

    Parameters
    ----------
    found
        1 where something is told, else 0.
    right
        The chance that it is right; 0 where nothing is told.
    chance
        The share of all people for whom it would be right.
    counted
        Which of them the percentages are over.
    shown
        Which of them belong to the paired records, one for each.
    parts
        Further percentages, by name.
    """

    found: FloatArray = field(repr=False)
    right: FloatArray = field(repr=False)
    chance: FloatArray = field(repr=False)
    counted: IntArray = field(repr=False)
    shown: IntArray = field(repr=False)
    parts: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def share(self) -> float:
        """The share that is told something."""
        return float(self.found[self.counted].mean()) if len(self.counted) else 0.0

    def _where_told(self, values: FloatArray) -> float:
        there = self.counted[self.found[self.counted] > 0]
        return float(values[there].mean()) if len(there) else 0.0

    @cached_property
    def hit(self) -> float:
        """Where something is told, how often it is right."""
        return self._where_told(self.right)

    @cached_property
    def luck(self) -> float:
        """Where something is told, how often it would be right by chance."""
        return self._where_told(self.chance)

    @property
    def beyond(self) -> float:
        """The share that is told rightly beyond chance."""
        return self.share * beyond_chance(self.hit, self.luck)

    def per_record(self) -> FloatArray:
        """Return for each paired record what is right beyond chance."""
        found, right, chance = (values[self.shown] for values in (self.found, self.right, self.chance))
        over = np.divide(right - chance, 1 - chance, out=np.zeros(len(found)), where=chance < 1)
        return np.asarray(found * np.clip(over, 0.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class MatchingRisk(Risk):
    """Base of risks by which people and released records meet in their keys.

    Parameters
    ----------
    columns
        The keys that the intruder knows; by default all keys, and all columns where there are none. A target is left out of
        them while it is looked at.
    target
        What must not be learned; by default the confidential columns, or those without a role, or all. The value is the mean
        over them.
    near_p
        A number is right when it is at most this percentage of the true one off; a category when it is the same.
    bins
        Numeric keys with more different values than this agree when they lie in the same of so many groups of about equal
        size; others when the nearest value is the same.

    Raises
    ------
    MeasureError
        When no target is left that can be learned from other columns.

    Complexity
    ----------
    O(n d) for d keys and O(n log n) for each target, O(n d) bytes.
    """

    looks_at = "keys"
    columns: Columns = Selector("keys else columns")
    target: Columns = Selector("confidential else other else columns")
    near_p: Annotated[float, Interval(0, 100, "left")] = 10.0
    bins: Annotated[int, Interval(2)] = 100

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the percentage that is told rightly beyond chance, averaged over the targets."""
        owner = type(self).__name__
        scales = frozenset(self.traits.scales)
        targets = comparable_columns(pair, pair.resolve(self.target, owner=owner, scales=scales))
        keys = comparable_columns(pair, names)
        groups = {name: value_groups(pair, name, self.bins, whole=True).short() for name in keys}
        told: dict[str, Told] = {}
        for name in targets:
            known = [groups[key] for key in keys if key != name]
            if known:
                target = self._target(pair, name, known)
                if not np.isnan(target.values).all():
                    told[name] = self.told(pair, target)
        if not told:
            raise MeasureError(
                f"{owner}: no 'target' can be learned from other 'columns'; it needs values in the original, and the intruder "
                "must know another column."
            )
        return self._measured(told, keys, [name for name in names if name not in keys])

    @abstractmethod
    def told(self, pair: Pair, target: LearnedColumn) -> Told:
        """Return what is told of one target."""

    def _target(self, pair: Pair, name: str, known: list[ValueGroups]) -> LearnedColumn:
        seen = pair.seen_by(frozenset({"numeric"}))
        share = 0.0
        if pair.original.schema[name].scale == "numeric":
            values, released = seen.original.float(name), seen.masked.float(name)
            share = self.near_p / 100
        else:
            codes = shared_codes(pair, name)
            values, released = (
                np.where(side == codes.named, np.nan, side.astype(np.float64))
                for side in (codes.original, codes.masked)
            )
        return LearnedColumn(values, released, *key_cells(known), share)

    def _measured(self, told: Mapping[str, Told], keys: tuple[str, ...], unseen: list[str]) -> Measured:
        every = list(told.values())
        parts = {
            "told": 100 * float(np.mean([one.share for one in every])),
            "right": 100 * float(np.mean([one.share * one.hit for one in every])),
            "right where told": 100 * float(np.mean([one.hit for one in every])),
            "by chance": 100 * float(np.mean([one.luck for one in every])),
        }
        for name, one in told.items():
            named = {"right where told": 100 * one.hit, "by chance": 100 * one.luck, **one.parts}
            parts[name] = 100 * one.beyond
            parts |= {f"{name}, {what}": value for what, value in named.items()}
        note = f"intruder knows {names_in_a_row(keys, 6)}; learned: {names_in_a_row(list(told), 6)}"
        if unseen:
            note += f"; recoded and not compared: {names_in_a_row(unseen, 6)}"
        value = 100 * float(np.mean([one.beyond for one in every]))
        return Measured(value, per_record=np.mean([one.per_record() for one in every], axis=0), parts=parts, note=note)


def key_cells(groups: list[ValueGroups]) -> tuple[IntArray, IntArray]:
    """Return for each record of both files the number of its combination of keys."""
    x, y = ([getattr(one, side) for one in groups] for side in ("original", "masked"))
    a, b, count = cells_of_codes(x, y, [one.size for one in groups])
    if count > _FEW:
        labels = np.unique(np.concatenate([a, b]), return_inverse=True)[1].reshape(-1)
        a, b = labels[: len(a)], labels[len(a) :]
    return a, b

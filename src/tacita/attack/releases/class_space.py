"""The variables that releases of one measure speak of, and the smallest classes of each: all cells are sums over these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from tacita.attack.releases.plain_table import PlainTable
from tacita.core.arrays import IntArray

__all__ = ["ClassSpace", "PeopleGroup"]

OTHERS = "(others)"
"""The class of all who are in none of the classes that answers name."""

PeopleGroup: TypeAlias = Mapping[str, frozenset[str]]
"""A group of people: for each variable the smallest classes that they are in; one that is lacking says nothing of them."""


class ClassSpace:
    """The variables of some tables, with the smallest classes of each.

    Examples
    --------
    >>> from tacita.attack.releases.plain_table import PlainDimension
    >>> place = PlainDimension.flat("place", ["north", "south"])
    >>> table = PlainTable(release="one", dimensions=(place,), codes=np.array([[0], [2]]), values=np.array([9.0, 5.0]))
    >>> space = ClassSpace()
    >>> space.take([(0, table)], [])
    >>> space.size, space.atoms(space.group(table, 0, 1)).tolist()
    (2, [1])
    """

    def __init__(self) -> None:
        self._below: dict[str, dict[str, tuple[str, ...]]] = {}
        self._codes: dict[str, dict[str, None]] = {}
        self._alias: dict[tuple[int, str], str] = {}
        self._leaves: dict[str, tuple[str, ...]] = {}

    def take(self, tables: Sequence[tuple[int, PlainTable]], left_out: list[str]) -> None:
        """Learn the codes of tables; a classification that does not nest with the others is a variable of its own."""
        for i, table in tables:
            for name, listed, parts in _named(table):
                called = name
                codes = (*listed, OTHERS) if table.sets and name not in self._codes else listed
                if name in self._codes and not self._nests(name, codes, parts):
                    called = f"{name} of {table.release}"
                    left_out.append(
                        f"'{name}' of {table.release} has other classes than before; it counts as another variable."
                    )
                self._alias[i, name] = called
                self._codes.setdefault(called, {}).update(dict.fromkeys(codes))
                self._below.setdefault(called, {}).update(parts)
        self._leaves = {
            name: tuple(code for code in codes if code not in self._below[name]) for name, codes in self._codes.items()
        }

    def _nests(self, name: str, codes: Sequence[str], parts: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether codes and those before say the same of everybody: one breaks the other down, or both are the same."""
        before = _leaves_of(self._codes[name], self._below[name])
        new = _leaves_of(dict.fromkeys(codes), parts)
        both = {**self._below[name], **parts}
        ends = [frozenset(_expanded(code, both) for code in leaves) for leaves in (before, new)]
        known = [frozenset[str]().union(*end) for end in ends]
        # What has no totals, a file or an answer, need not name every class.
        return known[0] == known[1] or (not parts and known[1] <= known[0])

    @property
    def size(self) -> int:
        """How many atoms there are: combinations of the smallest classes of all variables."""
        return int(np.prod([len(leaves) for leaves in self._leaves.values()] or [1], dtype=np.float64))

    def group(self, table: PlainTable, i: int, place: int) -> PeopleGroup:
        """Return the people of a cell of the table number i."""
        return {
            self._alias[i, name]: frozenset[str]().union(
                *(_expanded(code, self._below[self._alias[i, name]]) for code in classes)
            )
            for name, classes in table.cell(place).items()
        }

    def group_of_atom(self, atom: int) -> PeopleGroup:
        """Return the people of an atom."""
        shape = tuple(len(leaves) for leaves in self._leaves.values())
        places = np.unravel_index(atom, shape) if shape else ()
        return {
            name: frozenset({leaves[int(at)]}) for (name, leaves), at in zip(self._leaves.items(), places, strict=True)
        }

    def atoms(self, group: PeopleGroup) -> IntArray:
        """Return the atoms of a group."""
        axes = [
            np.array([at for at, leaf in enumerate(leaves) if name not in group or leaf in group[name]], np.int64)
            for name, leaves in self._leaves.items()
        ]
        if not axes:
            return np.zeros(1, np.int64)
        shape = tuple(len(leaves) for leaves in self._leaves.values())
        return np.ravel_multi_index(np.ix_(*axes), shape).ravel().astype(np.int64)

    def holding(self, group: PeopleGroup, other: ClassSpace) -> tuple[PeopleGroup, bool]:
        """Return the smallest group of this space that holds a group of another one, and whether it is the same people."""
        found: dict[str, frozenset[str]] = {}
        is_same = True
        for name, leaves in group.items():
            if leaves.issuperset(other._leaves[name]):
                continue  # everybody
            if name not in self._leaves:
                is_same = False
                continue
            found[name], same = self._classes_holding(name, leaves, other)
            is_same = is_same and same
        return found, is_same

    def _classes_holding(self, name: str, leaves: frozenset[str], other: ClassSpace) -> tuple[frozenset[str], bool]:
        """Return the smallest classes of a variable that hold some of another space, and whether they are the same."""
        own, theirs = self._leaves[name], other._below[name]
        found: set[str] = set()
        is_same = True
        for leaf in leaves:
            if leaf == OTHERS:
                is_same = is_same and set(own) == set(other._leaves[name])
                named = [
                    _expanded(code, self._below[name]) for code in other._leaves[name] if code in self._codes[name]
                ]
                found |= {OTHERS} if is_same else set(own).difference(*named)
            elif leaf in self._codes[name]:
                found |= _expanded(leaf, self._below[name])
            else:
                coarse = [code for code in own if leaf in _expanded(code, theirs)]
                found |= set(coarse) or set(own)
                is_same = is_same and bool(coarse) and _expanded(coarse[0], theirs) <= leaves
        return frozenset(found), is_same


def _named(table: PlainTable) -> list[tuple[str, tuple[str, ...], Mapping[str, tuple[str, ...]]]]:
    """Return the variables of a table with their codes and which of them are sums."""
    if not table.sets:
        return [(d.name, d.codes, d.parts) for d in table.dimensions]
    found: dict[str, dict[str, None]] = {}
    for who in table.sets:
        for name, classes in who.items():
            found.setdefault(name, {}).update(dict.fromkeys(classes))
    return [(name, tuple(codes), {}) for name, codes in found.items()]


def _leaves_of(codes: Mapping[str, None], parts: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [code for code in codes if code not in parts]


def _expanded(code: str, parts: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return the smallest classes of a code."""
    found: set[str] = set()
    waiting, seen = [code], {code}
    while waiting:
        here = waiting.pop()
        if here not in parts:
            found.add(here)
        for part in parts.get(here, ()):
            if part not in seen:
                seen.add(part)
                waiting.append(part)
    return frozenset(found)

"""One system of all releases: cells of every table, file and answer as sums over the smallest groups that they speak of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tacita.attack.releases.plain_table import PlainTable
from tacita.attack.targets import ReleasesTarget, Seat, ShownCells, TableTarget
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata

__all__ = ["JointSystem", "joint_system"]

MOST_ATOMS = 50_000
"""Smallest groups, combinations of classes of all variables, up to which a measure is put together."""
OTHERS = "(others)"
"""The class of all who are in none of the classes that answers name."""


@dataclass(frozen=True, eq=False)
class JointSystem:
    """What was released, as one target, and what its victims are.

    Parameters
    ----------
    target
        For an attacker.
    victims
        For each victim a table and a place in it where it is a cell.
    left_out
        What could not be used, in words.
    """

    target: ReleasesTarget
    victims: tuple[tuple[int, int], ...]
    left_out: tuple[str, ...] = ()


@dataclass(eq=False)
class _GroupCells:
    """Cells that grow: each set of atoms of a measure stands once."""

    atoms: int = 0
    number: dict[tuple[int, bytes], int] = field(default_factory=dict)
    members: list[IntArray] = field(default_factory=list)

    def of(self, block: int, members: IntArray) -> int:
        """Return the number of the cell that is the sum of some atoms."""
        key = (block, members.tobytes())
        if key not in self.number:
            self.number[key] = len(self.members)
            self.members.append(members)
        return self.number[key]


def joint_system(
    tables: Sequence[PlainTable],
    *,
    files: Mapping[str, Microdata] | None = None,
    most_atoms: int = MOST_ATOMS,
) -> JointSystem:
    """Put releases of one population together.

    The atoms are the combinations of classes of all variables that any release names. Every cell, every count of a file and every
    answer is a sum over atoms, so that what is the same group of people is the same cell, however it is called.

    Parameters
    ----------
    tables
        What was released, in plain descriptions; several may have the name of one release.
    files
        Files of records by the name of their release, for attacks that link them.
    most_atoms
        Atoms up to which the tables of a measure are put together; where there are more, the table that brings most of them is
        left out, and that is said.

    Raises
    ------
    AttackError
        When there is no table that could be used.

    Notes
    -----
    A variable has the classes of all tables: codes that one table breaks down further are broken down in all. Classifications of
    one name that do not nest are two variables, which is on the safe side of what a reader can know, and is said.

    Examples
    --------
    >>> from tacita.attack.releases.plain_table import PlainDimension
    >>> sex, age = PlainDimension.flat("sex", ["f", "m"]), PlainDimension.flat("age", ["old", "young"])
    >>> one = PlainTable(release="one", dimensions=(sex,), codes=np.array([[0], [1], [2]]), values=np.array([9.0, 4, 5]))
    >>> two = PlainTable(release="two", dimensions=(age,), codes=np.array([[0], [1], [2]]), values=np.array([9.0, 9, 0]))
    >>> joint_system([one, two]).target.tables.shown.shape
    (9,)
    """
    left_out: list[str] = []
    used, variables = _fitting(list(tables), most_atoms, left_out)
    if not used:
        raise AttackError("No table, file or answer could be used.")
    names = tuple(dict.fromkeys(tables[i].release for i in used))
    measures = tuple(dict.fromkeys(tables[i].measure for i in used))
    cells, start, total = _GroupCells(), {}, 0
    for measure in measures:
        start[measure] = total
        total += variables[measure].size
    shows: list[list[tuple[int, float, float]]] = [[] for _ in names]
    wanted: dict[int, tuple[int, int]] = {}
    seats: list[Seat] = []
    for i in used:
        table, space = tables[i], variables[tables[i].measure]
        numbers = [
            cells.of(measures.index(table.measure), start[table.measure] + space.atoms_of(table, i, place))
            for place in range(len(table))
        ]
        reach = np.zeros(len(table)) if table.reach is None else table.reach
        told = shows[names.index(table.release)]
        told += [
            (number, value, off)
            for number, value, off in zip(numbers, table.values.tolist(), reach.tolist(), strict=True)
            if not np.isnan(value)
        ]
        for place in np.flatnonzero(table.victims).tolist():
            wanted.setdefault(numbers[place], (i, place))
        seats += [
            replace(seat, cells=np.array([numbers[c] for c in seat.cells.tolist()], np.int64)) for seat in table.seats
        ]
    system = _table(cells, total, np.array(list(wanted), np.int64), tuple(seats), is_count=measures == ("",))
    target = ReleasesTarget(
        names=names, tables=system, shows=tuple(_shown(told, total) for told in shows), files=dict(files or {})
    )
    return JointSystem(target, tuple(wanted.values()), tuple(left_out))


def _shown(told: Sequence[tuple[int, float, float]], atoms: int) -> ShownCells:
    number, value, reach = (np.array([entry[k] for entry in told]) for k in range(3))
    return ShownCells(
        cells=atoms + number.astype(np.int64),
        values=value.astype(np.float64),
        reach=reach.astype(np.float64) if reach.any() else None,
    )


def _table(cells: _GroupCells, atoms: int, wanted: IntArray, seats: tuple[Seat, ...], *, is_count: bool) -> TableTarget:
    """Return atoms first, then cells, each of which is a sum of atoms."""
    import scipy.sparse as sp

    sizes = [len(members) for members in cells.members]
    rows = np.repeat(np.arange(len(sizes)), sizes)
    columns = np.concatenate([np.zeros(0, np.int64), *cells.members])
    n = atoms + len(sizes)
    sums = sp.csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(len(sizes), n))
    sums = sums - sp.csr_matrix(
        (np.ones(len(sizes)), (np.arange(len(sizes)), atoms + np.arange(len(sizes)))), shape=sums.shape
    )
    return TableTarget(
        relations=sums,
        shown=np.full(n, np.nan),
        wanted=atoms + wanted,
        lower=np.zeros(n),
        upper=np.full(n, np.inf),
        seats=tuple(replace(seat, cells=atoms + seat.cells) for seat in seats),
        is_count=is_count,
    )


# --- variables and atoms --------------------------------------------------------------------------------------------------


class _Space:
    """The variables of a measure, with the smallest classes of each."""

    def __init__(self) -> None:
        self._parts: dict[str, dict[str, tuple[str, ...]]] = {}
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
                self._parts.setdefault(called, {}).update(parts)
        self._leaves = {
            name: tuple(code for code in codes if code not in self._parts[name]) for name, codes in self._codes.items()
        }

    def _nests(self, name: str, codes: Sequence[str], parts: Mapping[str, tuple[str, ...]]) -> bool:
        """Whether codes and those before say the same of everybody: one breaks the other down, or both are the same."""
        before = _leaves_of(self._codes[name], self._parts[name])
        new = _leaves_of(dict.fromkeys(codes), parts)
        both = {**self._parts[name], **parts}
        ends = [frozenset(_expanded(code, both) for code in leaves) for leaves in (before, new)]
        known = [frozenset[str]().union(*end) for end in ends]
        # What has no totals, a file or an answer, need not name every class.
        return known[0] == known[1] or (not parts and known[1] <= known[0])

    @property
    def size(self) -> int:
        """How many atoms there are."""
        return int(np.prod([len(leaves) for leaves in self._leaves.values()] or [1], dtype=np.float64))

    def atoms_of(self, table: PlainTable, i: int, place: int) -> IntArray:
        """Return the atoms of a cell."""
        kept = {self._alias[i, name]: classes for name, classes in table.cell(place).items()}
        axes = []
        for name, leaves in self._leaves.items():
            if name in kept:
                inside = frozenset[str]().union(*(_expanded(code, self._parts[name]) for code in kept[name]))
                axes.append(np.array([at for at, leaf in enumerate(leaves) if leaf in inside], np.int64))
            else:
                axes.append(np.arange(len(leaves)))
        if not axes:
            return np.zeros(1, np.int64)
        shape = tuple(len(leaves) for leaves in self._leaves.values())
        return np.ravel_multi_index(np.ix_(*axes), shape).ravel().astype(np.int64)


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


def _fitting(tables: list[PlainTable], most_atoms: int, left_out: list[str]) -> tuple[list[int], dict[str, _Space]]:
    """Return the tables that are put together, and the variables of each measure."""
    used, spaces = list(range(len(tables))), {}
    for measure in dict.fromkeys(table.measure for table in tables):
        while True:
            own = [(i, tables[i]) for i in used if tables[i].measure == measure]
            own.sort(key=lambda entry: bool(entry[1].sets))  # answers name classes; what these are, tables say
            space, notes = _Space(), list[str]()
            space.take(own, notes)
            if space.size <= most_atoms or len(own) == 1:
                break
            smaller = {i: _size_of([entry for entry in own if entry[0] != i]) for i, _ in own}
            gone = min(smaller, key=lambda i: (smaller[i], -i))
            left_out.append(f"{tables[gone].release}: with it there are too many combinations of classes.")
            used.remove(gone)
        spaces[measure] = space
        left_out += notes
    return used, spaces


def _size_of(tables: Sequence[tuple[int, PlainTable]]) -> int:
    space = _Space()
    space.take(tables, [])
    return space.size

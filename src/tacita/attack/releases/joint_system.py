"""One system of all releases: cells of every table, file and answer as sums over the smallest groups that they speak of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.attack.releases.class_space import ClassSpace, PeopleGroup
from tacita.attack.releases.plain_table import PlainTable
from tacita.attack.releases.seats_together import SeatParts, seats_together
from tacita.attack.releases.single_people import single_groups
from tacita.attack.targets import ReleasesTarget, Seat, ShownCells, TableTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata

__all__ = ["JointSystem", "joint_system"]

MOST_ATOMS = 50_000
"""Smallest groups, combinations of classes of all variables, up to which a measure is put together."""
_MOST_LINKED = 2_000
"""Atoms of a measure up to which each of them, and not the cells alone, is held against the count of its people."""


@dataclass(frozen=True, eq=False)
class JointSystem:
    """What was released, as one target, and what its victims are.

    Parameters
    ----------
    target
        For an attacker.
    victims
        For each victim a table and a place in it where it is a cell; (-1, cell of the system) for a person who is alone in a
        group.
    left_out
        What could not be used, in words.
    cells
        For each table that is used its cells in the system.
    groups
        For each victim the people of the cell.
    """

    target: ReleasesTarget
    victims: tuple[tuple[int, int], ...]
    left_out: tuple[str, ...] = ()
    cells: Mapping[int, IntArray] = field(default_factory=dict, repr=False)
    groups: tuple[PeopleGroup | None, ...] = field(default=(), repr=False)


@dataclass(eq=False)
class _GroupCells:
    """Cells that grow: each set of atoms of a measure stands once. Blocks are measures, and atoms are numbered within them."""

    starts: list[int]
    number: dict[tuple[int, bytes], int] = field(default_factory=dict)
    members: list[IntArray] = field(default_factory=list)
    groups: list[tuple[int, PeopleGroup | None]] = field(default_factory=list)

    def of(self, block: int, atoms: IntArray, group: PeopleGroup | None = None) -> int:
        """Return the number of the cell that is the sum of some atoms."""
        key = (block, atoms.tobytes())
        if key not in self.number:
            self.number[key] = len(self.members)
            self.members.append(self.starts[block] + atoms)
            self.groups.append((block, group))
        return self.number[key]


@dataclass(eq=False)
class _ReleaseTold:
    """What one release shows, as it is gathered."""

    cells: list[tuple[int, float, float]] = field(default_factory=list)
    means: list[tuple[int, int, float, float]] = field(default_factory=list)


def joint_system(
    tables: Sequence[PlainTable],
    *,
    files: Mapping[str, Microdata] | None = None,
    most_atoms: int = MOST_ATOMS,
) -> JointSystem:
    """Put releases of one population together.

    The atoms are the combinations of classes of all variables that any release names, for each measure apart. Every cell, every
    count of a file and every answer is a sum over atoms, so that what is the same group of people is the same cell, however it is
    called. Totals are held against the counts of the same people: where nobody is there is no total, a mean is a total over a
    count, and the total of a group of one is a person's amount. A contributor of several tables sits in one seat.

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
    one name that do not nest are two variables, which is on the safe side of what a reader can know, and is said. That a total is
    0 does not say that nobody is there: people may have nothing.

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
    used, spaces = _fitting(list(tables), most_atoms, left_out)
    if not used:
        raise AttackError("No table, file or answer could be used.")
    names = tuple(dict.fromkeys(tables[i].release for i in used))
    measures = tuple(spaces)
    sizes = [spaces[measure].size for measure in measures]
    cells = _GroupCells([0, *np.cumsum(sizes).tolist()])
    told = {name: _ReleaseTold() for name in names}
    numbers = {i: _take_table(i, tables[i], spaces, measures, cells, told[tables[i].release]) for i in used}
    links = _links(cells, spaces, measures, is_needed=any(_counts_people(tables[i]) for i in used))
    wanted = _wanted(tables, used, numbers)
    single = _single_people(tables, used, numbers, cells, spaces, measures)
    for total, count in single:
        wanted.setdefault(total, (-1, count))
    parts = [
        SeatParts(seat, numbers[i][seat.cells], measures.index(tables[i].measure))
        for i in used
        for seat in tables[i].seats
    ]
    seats = seats_together(
        [part for part in parts if not _is_signed(tables, measures[part.block])],
        cells.members,
        lambda block, atoms: cells.of(block, atoms - cells.starts[block]),
        dict(links),
    )
    sought = _sought(tables, wanted, seats)
    system = _table(
        cells, [_is_signed(tables, measure) for measure in measures], measures, tuple(seats), wanted, sought
    )
    atoms = cells.starts[-1]
    target = ReleasesTarget(
        names=names,
        tables=system,
        shows=tuple(_shown(told[name], atoms) for name in names),
        files=dict(files or {}),
        counts=_counted(cells, measures),
        links=np.array([(atoms + total, atoms + count) for total, count in links], np.int64).reshape(-1, 2),
        single=np.array([atoms + at if table < 0 else -1 for table, at in wanted.values()], np.int64),
    )
    victims = tuple((table, atoms + cell if table < 0 else at) for cell, (table, at) in wanted.items())
    groups = tuple(cells.groups[cell][1] for cell in wanted)
    return JointSystem(target, victims, tuple(left_out), {i: atoms + found for i, found in numbers.items()}, groups)


def _counts_people(table: PlainTable) -> bool:
    return not table.measure or table.statistic == "mean"


def _is_signed(tables: Sequence[PlainTable], measure: str) -> bool:
    return any(table.has_negative for table in tables if table.measure == measure)


def _take_table(
    i: int,
    table: PlainTable,
    spaces: Mapping[str, ClassSpace],
    measures: Sequence[str],
    cells: _GroupCells,
    told: _ReleaseTold,
) -> IntArray:
    """Give the cells of a table their numbers, and note what it shows."""

    def cell(measure: str, place: int) -> int:
        group = spaces[measure].group(table, i, place)
        return cells.of(measures.index(measure), spaces[measure].atoms(group), group)

    numbers = np.array([cell(table.measure, place) for place in range(len(table))], np.int64)
    reach = np.zeros(len(table)) if table.reach is None else table.reach
    for place in np.flatnonzero(~np.isnan(table.values)).tolist():
        value, off = float(table.values[place]), float(reach[place])
        if table.statistic == "mean":
            told.means.append((int(numbers[place]), cell("", place), value, off))
        else:
            told.cells.append((int(numbers[place]), value, off))
    return numbers


def _wanted(
    tables: Sequence[PlainTable], used: Sequence[int], numbers: Mapping[int, IntArray]
) -> dict[int, tuple[int, int]]:
    wanted: dict[int, tuple[int, int]] = {}
    for i in used:
        for place in np.flatnonzero(tables[i].victims).tolist():
            wanted.setdefault(int(numbers[i][place]), (i, place))
    return wanted


# --- counts and totals ----------------------------------------------------------------------------------------------------


def _links(
    cells: _GroupCells, spaces: Mapping[str, ClassSpace], measures: Sequence[str], *, is_needed: bool
) -> list[tuple[int, int]]:
    """Return totals with the count of the same people, or of the fewest that hold them."""
    if "" not in spaces or not is_needed or len(spaces) < 2:
        return []
    block, people = measures.index(""), spaces[""]
    groups = [(cell, b, group) for cell, (b, group) in enumerate(cells.groups) if b != block and group is not None]
    for b, measure in enumerate(measures):
        if measure and spaces[measure].size <= _MOST_LINKED:
            for atom in range(spaces[measure].size):
                group = spaces[measure].group_of_atom(atom)
                groups.append((cells.of(b, np.array([atom], np.int64), group), b, group))
    found = {}
    for cell, b, group in groups:
        more, _ = people.holding(group, spaces[measures[b]])
        found[cell] = cells.of(block, people.atoms(more), more)
    return list(found.items())


def _single_people(
    tables: Sequence[PlainTable],
    used: Sequence[int],
    numbers: Mapping[int, IntArray],
    cells: _GroupCells,
    spaces: Mapping[str, ClassSpace],
    measures: Sequence[str],
) -> Iterator[tuple[int, int]]:
    """Give the totals of groups of one person that the counts tell, each with its count."""
    if "" not in spaces:
        return
    people, block = spaces[""], measures.index("")
    shown: dict[int, float] = {}
    for i in used:
        table = tables[i]
        if not table.measure and (table.reach is None or not table.reach.any()):
            for number, value in zip(numbers[i].tolist(), table.values.tolist(), strict=True):
                shown.setdefault(number, value)
    told = [(group, value) for number, value in shown.items() if (group := cells.groups[number][1]) is not None]
    for group in single_groups(told):
        atoms = people.atoms(group)
        if not len(atoms):
            continue
        for b, measure in enumerate(measures):
            if measure:
                same, is_same = spaces[measure].holding(group, people)
                if is_same:
                    yield cells.of(b, spaces[measure].atoms(same), same), cells.of(block, atoms, group)


# --- putting it together --------------------------------------------------------------------------------------------------


def _sought(
    tables: Sequence[PlainTable], wanted: Mapping[int, tuple[int, int]], seats: Sequence[Seat]
) -> IntArray | None:
    """Return the seat of whom each victim's amount is, -1 where he has none, -2 where nobody's amount is sought."""
    place = {seat.who: at for at, seat in enumerate(seats) if seat.who}
    names = [tables[i].sought[at] if i >= 0 and tables[i].sought else "" for i, at in wanted.values()]
    if not any(names):
        return None
    return np.array([place.get(name, -1) if name else -2 for name in names], np.int64)


def _shown(told: _ReleaseTold, atoms: int) -> ShownCells:
    number, value, reach = (np.array([entry[k] for entry in told.cells]) for k in range(3))
    total, count, mean, off = (np.array([entry[k] for entry in told.means]) for k in range(4))
    return ShownCells(
        cells=atoms + number.astype(np.int64),
        values=value.astype(np.float64),
        reach=reach.astype(np.float64) if reach.any() else None,
        means=atoms + np.stack([total, count], axis=1).astype(np.int64) if told.means else None,
        mean_values=mean.astype(np.float64) if told.means else None,
        mean_reach=off.astype(np.float64) if off.any() else None,
    )


def _counted(cells: _GroupCells, measures: Sequence[str]) -> BoolArray:
    """Return which atoms and cells are counts."""
    is_count = np.array([not measure for measure in measures])
    return np.concatenate([np.repeat(is_count, np.diff(cells.starts)), is_count[[block for block, _ in cells.groups]]])


def _table(
    cells: _GroupCells,
    is_signed: Sequence[bool],
    measures: Sequence[str],
    seats: tuple[Seat, ...],
    wanted: Mapping[int, tuple[int, int]],
    sought: IntArray | None,
) -> TableTarget:
    """Return atoms first, then cells, each of which is a sum of atoms."""
    import scipy.sparse as sp

    atoms, sizes = cells.starts[-1], [len(members) for members in cells.members]
    rows = np.repeat(np.arange(len(sizes)), sizes)
    columns = np.concatenate([np.zeros(0, np.int64), *cells.members])
    n = atoms + len(sizes)
    sums = sp.csr_matrix((np.ones(len(columns)), (rows, columns)), shape=(len(sizes), n))
    sums = sums - sp.csr_matrix(
        (np.ones(len(sizes)), (np.arange(len(sizes)), atoms + np.arange(len(sizes)))), shape=sums.shape
    )
    blocks = np.concatenate([np.repeat(np.arange(len(measures)), np.diff(cells.starts)), [b for b, _ in cells.groups]])
    lower: FloatArray = np.where(np.array(is_signed)[blocks.astype(np.int64)], -np.inf, 0.0)
    return TableTarget(
        relations=sums,
        shown=np.full(n, np.nan),
        wanted=atoms + np.array(list(wanted), np.int64),
        lower=lower,
        upper=np.full(n, np.inf),
        seats=tuple(_moved(seat, atoms) for seat in seats),
        sought=sought,
        is_count=measures == ("",),
    )


def _moved(seat: Seat, by: int) -> Seat:
    return Seat(seat.cells + by, seat.own, seat.alone, seat.who, seat.is_holding)


def _fitting(tables: list[PlainTable], most_atoms: int, left_out: list[str]) -> tuple[list[int], dict[str, ClassSpace]]:
    """Return the tables that are put together, and the variables of each measure; means are of their measure and of counts."""
    used, spaces = list(range(len(tables))), dict[str, ClassSpace]()
    measures = dict.fromkeys(table.measure for table in tables)
    if any(table.statistic == "mean" for table in tables):
        measures[""] = None
    for measure in measures:
        while True:
            own = [
                (i, tables[i])
                for i in used
                if tables[i].measure == measure or (not measure and _counts_people(tables[i]))
            ]
            own.sort(key=lambda entry: bool(entry[1].sets))  # answers name classes; what these are, tables say
            space, notes = ClassSpace(), list[str]()
            space.take(own, notes)
            if space.size <= most_atoms or len(own) == 1:
                break
            smaller = {i: _size_of([entry for entry in own if entry[0] != i]) for i, _ in own}
            gone = min(smaller, key=lambda i: (smaller[i], -i))
            left_out.append(f"{tables[gone].release}: with it there are too many combinations of classes.")
            used.remove(gone)
        spaces[measure] = space
        left_out += [note for note in notes if note not in left_out]
    return used, spaces


def _size_of(tables: Sequence[tuple[int, PlainTable]]) -> int:
    space = ClassSpace()
    space.take(tables, [])
    return space.size

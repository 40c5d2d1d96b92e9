"""Targets: what an attacker has. What left, what he knows of his victims, and what he knows of the method; never the truth."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata

__all__ = [
    "Ask",
    "AttackTarget",
    "FileTarget",
    "Generate",
    "GeneratorTarget",
    "KnownStep",
    "OracleTarget",
    "ReleasesTarget",
    "Seat",
    "Serve",
    "ServerTarget",
    "ShownCells",
    "TableTarget",
]

Ask: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A server as a user sees it: a request in its JSON form goes in, an answer or a refusal in its JSON form comes out."""

Generate: TypeAlias = Callable[[Microdata, int], Microdata]
"""A way to make a release of records: records and a seed go in, what would be released comes out."""

Serve: TypeAlias = Callable[[Microdata, int], Ask]
"""A server's program, which the attacker has too: records and a seed go in, a server that was asked nothing yet comes out."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AttackTarget:
    """What an attacker has."""

    @property
    @abstractmethod
    def victims(self) -> int:
        """How many victims he is after."""

    @abstractmethod
    def among(self, chosen: IntArray) -> Self:
        """Return the target with some of the victims only, for an attack on a sample of them."""


@dataclass(frozen=True)
class KnownStep:
    """What is known of one step that made a release: the method and its parameters, as a documentation would tell.

    Parameters
    ----------
    name
        Registered name of the mask.
    columns
        The columns that it worked on.
    parameters
        Its parameters by name; a seed is none.
    """

    name: str
    columns: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class FileTarget(AttackTarget):
    """A released file, and somebody who knows a little about people who may be in it.

    Parameters
    ----------
    released
        The file as it left.
    known
        One row a victim: the true values of the columns that he knows. Other columns are not there.
    wanted
        Columns of the released file whose true values he wants to know of each victim.
    steps
        What he knows of the method; empty where nothing was told.
    reference
        Other people of the same population with all columns, such as an older survey; None where he has none.
    earlier
        Other releases of the same population.
    mates
        For each victim the rows in ``reference`` of people who are in the file and whom he knows wholly, such as himself: one or
        more columns, -1 for none; None for nobody.
    """

    released: Microdata
    known: Microdata
    wanted: tuple[str, ...] = ()
    steps: tuple[KnownStep, ...] = ()
    reference: Microdata | None = None
    earlier: tuple[Microdata, ...] = ()
    mates: IntArray | None = None

    def __post_init__(self) -> None:
        _refuse_inside("released", self.released)
        for other in self.earlier:
            _refuse_inside("earlier", other)

    @property
    def victims(self) -> int:
        return len(self.known)

    def among(self, chosen: IntArray) -> Self:
        mates = None if self.mates is None else self.mates[chosen]
        return replace(self, known=self.known.take(chosen), mates=mates)


@dataclass(frozen=True)
class Seat:
    """What one contributor of a table knows beside what was published.

    Parameters
    ----------
    cells
        The cells that he contributes to.
    own
        His own amount in each.
    alone
        The cells of these that he is alone in, so that he knows them; None for none.
    who
        A name that stands for the same contributor in every release; empty where he is recognised in no other one.
    is_holding
        Whether several contributors sit there who are under one control.
    """

    cells: IntArray
    own: FloatArray
    alone: BoolArray | None = None
    who: str = field(default="", repr=False)
    is_holding: bool = False

    def words(self) -> str:
        """Return what sits there, without saying who."""
        if self.is_holding:
            return "a holding"
        return (
            "a contributor who is alone in a cell" if self.alone is not None and self.alone.any() else "a contributor"
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class TableTarget(AttackTarget):
    """Published cells and the sums between them.

    Parameters
    ----------
    relations
        A with ``A x = 0`` for the true cells, a sparse matrix of scipy: each row a total minus its parts.
    shown
        What was published of each cell; NaN where it is hidden.
    wanted
        The cells that he wants to know: the victims.
    lower, upper
        What everybody knows of each cell beforehand, such as that nothing is below zero.
    reach
        For published values that were changed: the largest deviation that the method allows; None where values are true.
    holds_sums
        Whether the sums hold for what was published, and not for the true values only.
    seats
        What contributors know; the attack is tried from each.
    sought
        For each victim the seat of the contributor whose amount is sought, who does not attack himself; -1 where his seat is
        not among them, -2 where nobody's amount is sought. None where amounts of contributors are not sought.
    is_count
        Whether cells are whole numbers of people.
    """

    relations: Any
    shown: FloatArray
    wanted: IntArray
    lower: FloatArray
    upper: FloatArray
    reach: FloatArray | float | None = None
    holds_sums: bool = True
    seats: tuple[Seat, ...] = ()
    sought: IntArray | None = None
    is_count: bool = False

    @property
    def victims(self) -> int:
        return len(self.wanted)

    @property
    def hidden(self) -> BoolArray:
        """Which cells are hidden."""
        return np.isnan(self.shown)

    def among(self, chosen: IntArray) -> Self:
        sought = None if self.sought is None else self.sought[chosen]
        return replace(self, wanted=self.wanted[chosen], sought=sought)


@dataclass(frozen=True, eq=False, kw_only=True)
class ServerTarget(AttackTarget):
    """A server that answers questions, and what somebody knows about people in its data.

    Parameters
    ----------
    ask
        The server: a request as it goes over the wire, the answer or refusal as it comes back.
    catalogue
        What the server publishes about its variables, in its JSON form.
    known
        For each victim: variable and class, as far as they are known.
    wanted
        The variable that he wants to know: a number, or one with classes.
    of
        The class whose presence he asks about, for a variable with classes.
    later
        The same server after its data changed, or None.
    insiders
        For each victim what another person knows of himself who conspires: classes and the wanted value; empty for nobody.
    most_queries
        Questions that he can afford.
    """

    ask: Ask
    catalogue: Mapping[str, Any]
    known: tuple[Mapping[str, str], ...]
    wanted: str
    of: str = ""
    later: Ask | None = None
    insiders: tuple[Mapping[str, Any], ...] = ()
    most_queries: int = 100_000

    @property
    def victims(self) -> int:
        return len(self.known)

    def among(self, chosen: IntArray) -> Self:
        insiders = tuple(self.insiders[i] for i in chosen) if self.insiders else ()
        return replace(self, known=tuple(self.known[i] for i in chosen), insiders=insiders)


@dataclass(frozen=True, eq=False, kw_only=True)
class OracleTarget(ServerTarget):
    """A server whose program the attacker can run himself on data of his own, to try out what gives people away.

    Parameters
    ----------
    serve
        The program.
    reference
        Other people of the same population, whom he has wholly.
    """

    serve: Serve
    reference: Microdata


@dataclass(frozen=True, eq=False, kw_only=True)
class GeneratorTarget(AttackTarget):
    """A way to make synthetic data, what it released, and people who may have been in the data.

    Parameters
    ----------
    released
        The synthetic file as it left.
    generate
        The generator; the attacker runs it on data of his own, as everybody can who has the program.
    candidates
        People of whom he asks whether they were in the data, with all columns that he knows: the victims.
    reference
        Other people of the same population, whom he has wholly.
    secret
        The column whose value he wants to know of each candidate; None where membership is asked. It does not stand in
        ``candidates``.
    apart
        Further columns of the same candidates in another order, so that he wants to know who belongs to whom; None where he
        has none.
    """

    released: Microdata
    generate: Generate
    candidates: Microdata
    reference: Microdata
    secret: str | None = None
    apart: Microdata | None = None

    def __post_init__(self) -> None:
        _refuse_inside("released", self.released)

    @property
    def victims(self) -> int:
        return len(self.candidates)

    def among(self, chosen: IntArray) -> Self:
        return replace(self, candidates=self.candidates.take(chosen))


@dataclass(frozen=True, eq=False, kw_only=True)
class ShownCells:
    """What one release tells of cells.

    Parameters
    ----------
    cells
        The cells that it shows.
    values
        What it shows of each.
    reach
        How far each true value may be from that; None where values are true.
    means
        Cells whose mean it shows: (m, 2), for each the cell of the total and the cell of the count; None for none.
    mean_values
        The means.
    mean_reach
        How far each true mean may be from that; None where they are true.
    """

    cells: IntArray
    values: FloatArray
    reach: FloatArray | None = None
    means: IntArray | None = None
    mean_values: FloatArray | None = None
    mean_reach: FloatArray | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class ReleasesTarget(AttackTarget):
    """Several tables and files of one population, put into one system.

    Parameters
    ----------
    names
        What each release is called.
    tables
        The cells of all releases as one table, with the sums of every release: what is the same cell in several stands once.
        Its ``shown`` is empty; what is shown is told by release.
    shows
        For each release what it shows of these cells.
    files
        Released files, by the name of the release.
    counts
        (n,): which cells are counts of people; None where ``tables`` says it of all.
    links
        (l, 2): a total and the count of the same people, or of more: where nobody is counted there is no total, and where there
        is a total somebody is counted.
    single
        For each victim who is a person: the count of the group, which must be known to be one before its total is his amount;
        -1 for victims that are cells. None where all are cells.
    """

    names: tuple[str, ...]
    tables: TableTarget
    shows: tuple[ShownCells, ...]
    files: Mapping[str, Microdata] = field(default_factory=dict)
    counts: BoolArray | None = None
    links: IntArray | None = None
    single: IntArray | None = None

    def __post_init__(self) -> None:
        if len(self.shows) != len(self.names):
            raise AttackError(
                f"A target: 'shows' must have one entry a release, {len(self.names)}, got {len(self.shows)}."
            )
        for name, data in self.files.items():
            _refuse_inside(f"files[{name}]", data)

    @property
    def victims(self) -> int:
        return self.tables.victims

    def among(self, chosen: IntArray) -> Self:
        single = None if self.single is None else self.single[chosen]
        return replace(self, tables=self.tables.among(chosen), single=single)

    @property
    def is_counted(self) -> BoolArray:
        """(n,): which cells are counts of people."""
        return np.full(len(self.tables.shown), self.tables.is_count) if self.counts is None else self.counts

    def together(self, releases: Iterable[int]) -> TableTarget:
        """Return what some of the releases tell together: one table with the narrowest bounds, and a sum for each mean.

        Notes
        -----
        A mean says that a total is that many times a count, which is a sum like any other: ``x - m n = 0``. Where it is only
        known within a reach, two cells that nobody sees take up what is left. They stand behind all others.
        """
        chosen = tuple(releases)
        lower, upper = self.tables.lower.copy(), self.tables.upper.copy()
        for release in chosen:
            told = self.shows[release]
            reach = 0.0 if told.reach is None else told.reach
            np.maximum.at(lower, told.cells, told.values - reach)
            np.minimum.at(upper, told.cells, told.values + reach)
        relations, unseen = _with_means(self.tables.relations, [self.shows[i] for i in chosen])
        lower = np.concatenate([lower, np.zeros(unseen)])
        upper = np.concatenate([upper, np.full(unseen, np.inf)])
        shown = np.where(lower == upper, lower, np.nan)
        return replace(self.tables, relations=relations, lower=lower, upper=upper, shown=shown)


def _with_means(relations: Any, shows: Iterable[ShownCells]) -> tuple[Any, int]:
    """Return relations with those that means make, and the number of cells that were put behind the others for them."""
    import scipy.sparse as sp

    entries: list[tuple[int, int, float]] = []
    row, unseen = relations.shape
    for told in shows:
        if told.means is None or told.mean_values is None:
            continue
        reach = np.zeros(len(told.mean_values)) if told.mean_reach is None else told.mean_reach
        for (total, count), mean, off in zip(
            told.means.tolist(), told.mean_values.tolist(), reach.tolist(), strict=True
        ):
            if not off:
                entries += [(row, total, 1.0), (row, count, -mean)]
                row += 1
                continue
            entries += [(row, total, 1.0), (row, count, off - mean), (row, unseen, -1.0)]
            entries += [(row + 1, total, -1.0), (row + 1, count, mean + off), (row + 1, unseen + 1, -1.0)]
            row, unseen = row + 2, unseen + 2
    if not entries:
        return relations, 0
    added = np.array(entries)
    old = sp.coo_matrix(relations)
    places = [
        np.concatenate([part, new.astype(np.int64)]) for part, new in zip((old.row, old.col), added.T, strict=False)
    ]
    whole = sp.csr_matrix((np.concatenate([old.data, added[:, 2]]), tuple(places)), shape=(row, unseen))
    return whole, unseen - int(relations.shape[1])


def _refuse_inside(name: str, data: Microdata) -> None:
    """See to it that a file came in as it left: without the steps that made it."""
    if data.history:
        raise AttackError(
            f"A target: '{name}' must be the file as it left; this one still knows the masks that made it. "
            "Read it from disk, or take as_it_leaves(data)."
        )

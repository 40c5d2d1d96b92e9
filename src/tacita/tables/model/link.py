"""Linked tables: one vector of cells for several tables, each shared cell in it once.

Tables that share cells must be protected together: a cell that is hidden in one and published in the other is not hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations
from tacita.tables.model.table import Table

__all__ = ["link", "stacked"]


def link(tables: Sequence[Table], *, tolerance: float = 1e-6) -> Table:
    """Put tables together so that every cell they share is one cell.

    Two cells are the same when they have the same response and, in every dimension, the same code, both the total, or
    codes that are made of the same leaves. A dimension that a table does not use is at its total there. Dimensions with
    the same name are one variable, whatever their hierarchies.

    Parameters
    ----------
    tables
        The tables, at least one.
    tolerance
        Values of a shared cell may differ by this share.

    Returns
    -------
    Table
        The cells of the first table in their order, then those that each further table adds. Counts, contributors and
        holdings are kept where all tables have them.

    Raises
    ------
    DataError
        When shared cells have different values, or contributors with different numbers; the cells are named.
    ParameterError
        When a table lacks a dimension that has no total, or only some tables have costs.

    Notes
    -----
    Contributors count as the same when their numbers are, as in tables that were made from the same data.

    Examples
    --------
    >>> from tacita.data.samples import business_survey
    >>> from tacita.tables.model.tabulate import tabulate
    >>> data = business_survey(300, seed=1)
    >>> by_region, by_activity = (tabulate(data, [name, "size_class"], "turnover") for name in ("region", "activity"))
    >>> both = link([by_region, by_activity])
    >>> len(by_region) + len(by_activity) - len(both)  # size classes and their total stand in both
    5
    """
    if not tables:
        raise ParameterError("link: 'tables' must have at least one table.")
    tables = [_with_parts(table) for table in tables]
    responses = tuple(dict.fromkeys(name for table in tables for name in table.responses))
    names = tuple(dict.fromkeys(dimension.name for table in tables for dimension in table.dimensions))
    merged = [_Merged(name, tables) for name in names]
    rows = [_addresses(table, number, merged, responses) for number, table in enumerate(tables)]
    every = np.concatenate(rows)
    _, first, where = np.unique(every, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)  # cells in the order in which the tables bring them
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    place = rank[where.ravel()]
    source = first[order]
    ends = np.cumsum([0, *(len(table) for table in tables)])
    places = [place[a:b] for a, b in pairwise(ends.tolist())]
    made = _joined(tables, places, source, tuple(m.dimension for m in merged), every[source], responses)
    _check_shared(made, tables, places, tolerance)
    return made


def stacked(tables: Sequence[Table]) -> Table:
    """Put tables of different responses one after the other; they share no cells."""
    tables = [_with_parts(table) for table in tables]
    responses = tuple(name for table in tables for name in table.responses)
    if len(set(responses)) < len(responses):
        raise ParameterError("Each of the stacked tables needs a response of its own; link tables that share one.")
    ends = np.cumsum([0, *(len(table) for table in tables)])
    places = [np.arange(a, b) for a, b in pairwise(ends.tolist())]
    parts = [[responses.index(name) for name in table.responses] for table in tables]
    numbers = [np.array(p, np.int64)[_parts(t)] for p, t in zip(parts, tables, strict=True)]
    codes = np.concatenate([np.column_stack([n, table.codes]) for n, table in zip(numbers, tables, strict=True)])
    return _joined(tables, places, np.arange(int(ends[-1])), tables[0].dimensions, codes, responses)


def _with_parts(table: Table) -> Table:
    return table if table.responses else replace(table, responses=(table.response,))


def _parts(table: Table) -> IntArray:
    return np.zeros(len(table), np.int64) if table.parts is None else table.parts


# --- one dimension for all tables -------------------------------------------------------------------------------------


class _Merged:
    """A variable in all tables: the union of its codes, and for each table where its codes are in it."""

    def __init__(self, name: str, tables: Sequence[Table]) -> None:
        self.codes: dict[str, None] = {}
        self.sums: dict[tuple[str, tuple[str, ...]], None] = {}
        self.leaves: dict[str, set[frozenset[str]]] = {}
        self.total: str | None = None
        self.names: list[dict[str, str] | None] = []
        self.name = name
        # The finest breakdown first, so that the leaves of a coarser one are known as sums already.
        found = {t: d for t, table in enumerate(tables) for d in table.dimensions if d.name == name}
        named = {t: self._take(found[t]) for t in sorted(found, key=lambda t: (-len(found[t].leaves), t))}
        self.names = [named.get(t) for t in range(len(tables))]
        self.dimension = Dimension(name, tuple(self.codes), tuple(self.sums))
        self.places = self.dimension.places
        if self.total is None and len(found) < len(tables):
            raise ParameterError(
                f"link: dimension '{name}' has no total, and a table does not use it; give it a total, so that the "
                "tables have cells in common."
            )

    def _take(self, dimension: Dimension) -> dict[str, str]:
        """Add one table's codes; return for each the name it has here."""
        names: dict[str, str] = {}
        if dimension.total is not None:
            self.total = self.total or dimension.total
            names[dimension.total] = self.total
        reserved = set(dimension.codes) | {self.total}
        order = [*dimension.leaves, *_upwards(dimension)]
        for code in order:
            made_of = {
                frozenset().union(*(self._leaves_of(names[part]) for part in parts))
                for total, parts in dimension.sums
                if total == code
            }
            if code not in names:
                twin = None if code in self.codes else self._twin(made_of, reserved | set(names.values()))
                names[code] = twin or code
            self.codes.setdefault(names[code])
            self.leaves.setdefault(names[code], set()).update(made_of)
        for total, parts in dimension.sums:
            self.sums.setdefault((names[total], tuple(names[part] for part in parts)))
        top = [code for code in self.codes if code == self.total]
        self.codes = dict.fromkeys([*top, *self.codes])
        return names

    def _leaves_of(self, code: str) -> frozenset[str]:
        return min(self.leaves.get(code) or {frozenset([code])}, key=sorted)

    def _twin(self, made_of: set[frozenset[str]], reserved: set[str | None]) -> str | None:
        """Find a code of another table with the same leaves."""
        if not made_of:
            return None
        return next(
            (c for c, known in self.leaves.items() if c not in reserved and not made_of.isdisjoint(known)), None
        )


def _upwards(dimension: Dimension) -> Iterable[str]:
    """Give the sums of a dimension, parts before totals."""
    waiting: dict[str, set[str]] = {}
    for total, parts in dimension.sums:
        waiting.setdefault(total, set()).update(parts)
    while waiting:
        for code in [c for c, parts in waiting.items() if not any(part in waiting for part in parts)]:
            del waiting[code]
            yield code


def _addresses(table: Table, number: int, merged: Sequence[_Merged], responses: Sequence[str]) -> IntArray:
    """Return (n, 1 + d): response and code in each merged dimension of every cell of one table."""
    columns = [np.array([responses.index(name) for name in table.responses], np.int64)[_parts(table)]]
    own = {dimension.name: place for place, dimension in enumerate(table.dimensions)}
    for variable in merged:
        names = variable.names[number]
        if names is None:
            columns.append(np.full(len(table), variable.places[variable.total or ""], np.int64))
        else:
            dimension = table.dimensions[own[variable.name]]
            at = np.array([variable.places[names[code]] for code in dimension.codes], np.int64)
            columns.append(at[table.codes[:, own[variable.name]]])
    return np.column_stack(columns)


# --- one vector of cells ----------------------------------------------------------------------------------------------


def _joined(
    tables: Sequence[Table],
    places: Sequence[IntArray],
    source: IntArray,
    dimensions: tuple[Dimension, ...],
    addresses: IntArray,
    responses: tuple[str, ...],
) -> Table:
    """Take each cell from the first table that has it."""

    def both(get: Callable[[Table], npt.NDArray[np.generic]]) -> npt.NDArray[np.generic]:
        return np.concatenate([get(table) for table in tables])[source]

    def where_all(name: str) -> npt.NDArray[np.generic] | None:
        return both(lambda t: getattr(t, name)) if all(getattr(t, name) is not None for t in tables) else None

    costs = [table.cost is not None for table in tables]
    if any(costs) and not all(costs):
        raise ParameterError("link: some tables have costs of their own and some have none; give them to all or none.")
    single = len(responses) == 1
    return Table(
        dimensions,
        addresses[:, 1:].copy(),
        both(lambda t: t.values),  # type: ignore[arg-type]
        _all_relations(tables, places, len(source)),
        response=responses[0] if single else next((name for name in responses if name), ""),
        parts=None if single else addresses[:, 0].copy(),
        responses=responses,
        counts=where_all("counts"),  # type: ignore[arg-type]
        units=_contributions([t.units for t in tables], source),
        holdings=_contributions([t.holdings for t in tables], source),
        structural=_any_structural(tables, places, len(source)),
        lower=_bound(tables, places, len(source), "lower"),
        upper=_bound(tables, places, len(source), "upper"),
        shadow=None
        if all(t.shadow is None for t in tables)
        else both(lambda t: t.values if t.shadow is None else t.shadow),  # type: ignore[arg-type]
        cost=where_all("cost"),  # type: ignore[arg-type]
        sources=tuple(
            replace(source, places=place[source.places])
            for table, place in zip(tables, places, strict=True)
            for source in table.sources
        )
        if all(table.sources for table in tables)
        else (),
    )


def _contributions(found: Sequence[Contributions | None], source: IntArray) -> Contributions | None:
    """Put contributions together; the shallowest table says how many are known everywhere."""
    known = [each for each in found if each is not None]
    if len(known) < len(found):
        return None
    depth = min(each.depth for each in known)
    return Contributions(
        np.concatenate([each.counts for each in known])[source],
        np.concatenate([each.amounts[:, :depth] for each in known])[source],
        np.concatenate([each.weights[:, :depth] for each in known])[source],
        np.concatenate([each.owners[:, :depth] for each in known])[source],
        _flags([each.asks for each in known]),
        _flags([each.waives for each in known]),
    )


def _flags(found: Sequence[BoolArray | None]) -> BoolArray | None:
    """Put together what contributors asked for; who asked in one table asked in all."""
    known = [each for each in found if each is not None]
    if not known:
        return None
    flags = np.zeros(max(len(each) for each in known), bool)
    for each in known:
        flags[: len(each)] |= each
    return flags


def _any_structural(tables: Sequence[Table], places: Sequence[IntArray], size: int) -> BoolArray | None:
    if all(table.structural is None for table in tables):
        return None
    found = np.zeros(size, bool)
    for table, place in zip(tables, places, strict=True):
        found[place] |= table.is_structural
    return found


def _bound(tables: Sequence[Table], places: Sequence[IntArray], size: int, name: str) -> FloatArray | None:
    """Return what is known of a cell from all tables together."""
    if all(getattr(table, name) is None for table in tables):
        return None
    found = np.full(size, -np.inf if name == "lower" else np.inf)
    for table, place in zip(tables, places, strict=True):
        side = table.bounds[0 if name == "lower" else 1]
        found[place] = np.maximum(found[place], side) if name == "lower" else np.minimum(found[place], side)
    return found


def _all_relations(tables: Sequence[Table], places: Sequence[IntArray], size: int) -> Relations:
    """Renumber the relations; one that several tables have stands once."""
    start, cells, signs = [np.zeros(1, np.int64)], [], []
    known: set[tuple[tuple[int, float], ...]] = set()
    shared = np.zeros(size, np.int64)
    for place in places:
        shared[place] += 1
    for table, place in zip(tables, places, strict=True):
        rows = table.relations
        cell, length = place[rows.cells], np.diff(rows.start)
        row = np.repeat(np.arange(len(rows)), length)
        # Only a relation of nothing but shared cells can stand in two tables.
        loose = np.bincount(row[shared[cell] < 2], minlength=len(rows)) > 0
        keep = np.ones(len(rows), bool)
        for r in np.flatnonzero(~loose).tolist():
            at = slice(rows.start[r], rows.start[r + 1])
            entry = tuple(sorted(zip(cell[at].tolist(), rows.signs[at].tolist(), strict=True)))
            keep[r] = entry not in known
            known.add(entry)
        start.append(start[-1][-1] + np.cumsum(length[keep]) if keep.any() else start[-1][:0])
        cells.append(cell[keep[row]])
        signs.append(rows.signs[keep[row]])
        if not len(start[-1]):
            start.pop()
    return Relations(
        np.concatenate(start).astype(np.int64), np.concatenate(cells).astype(np.int64), np.concatenate(signs), size
    )


def _check_shared(made: Table, tables: Sequence[Table], places: Sequence[IntArray], tolerance: float) -> None:
    """Raise when a table disagrees with what the linked table took from another."""
    for table, place in zip(tables, places, strict=True):
        values = made.values[place]
        known = ~(np.isnan(values) | np.isnan(table.values))
        off = known & (np.abs(table.values - values) > tolerance * np.maximum(np.abs(values), 1.0))
        if table.counts is not None and made.counts is not None:
            off |= table.counts != made.counts[place]
        _complain(made, place[off], "different values or counts; tables of different data cannot be linked")
        for own, joint in ((table.units, made.units), (table.holdings, made.holdings)):
            if own is not None and joint is not None:
                other = own.owners[:, 0] != joint.owners[place, 0]
                _complain(made, place[other], "contributors with different numbers; make them from the same data")


def _complain(made: Table, cells: IntArray, what: str) -> None:
    if len(cells):
        named = "\n  - ".join(made.title(cell) for cell in cells[:10].tolist())
        more = f"\n  and {len(cells) - 10} more" if len(cells) > 10 else ""
        raise DataError(
            f"link: {len(cells)} shared cell(s) have {what}:\n  - {named}{more}", details={"cells": cells.tolist()}
        )

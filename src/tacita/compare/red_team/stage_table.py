"""The scene of a protected table: what was published, who knows what beside it, and the true cells, which stay with the judge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tacita.attack.judge.answers import NEAR, Answers
from tacita.attack.targets import Seat, TableTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import FileError
from tacita.core.metadata import parse_json, read_text
from tacita.tables.files.json_form import read_json_table
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected

__all__ = ["PublishedCells", "largest_in", "published_cells", "read_published", "seat_names", "seats_of", "stage_table"]


@dataclass(frozen=True, eq=False, kw_only=True)
class PublishedCells:
    """A table as it was and as it leaves.

    Parameters
    ----------
    table
        The table with its true values and contributors.
    unsafe, hidden
        Cells that must be protected, and cells that are not published.
    values
        What is published of the others.
    method
        The protector, in words.
    reach
        How far a published value may be from the true one; None where it is the true one, or nobody says.
    """

    table: Table
    unsafe: BoolArray
    hidden: BoolArray
    values: FloatArray
    method: str
    reach: float | None = None

    @property
    def is_changed(self) -> bool:
        """Whether a published value is another than the true one, and not only written with fewer digits."""
        shown = ~self.hidden
        return not np.allclose(self.values[shown], self.table.values[shown], rtol=1e-9, atol=0.0)


def published_cells(protected: Protected) -> PublishedCells:
    """Return what a protector made, as it leaves."""
    return PublishedCells(
        table=protected.table,
        unsafe=protected.unsafe.cells,
        hidden=protected.hidden,
        values=protected.values,
        method=protected.method,
        reach=protected.reach,
    )


def read_published(directory: str | Path) -> PublishedCells:
    """Read a table that was published: what left from ``public/``, and the truth from ``internal/``.

    Raises
    ------
    FileError
        When the directory lacks one of both, or they do not belong together.
    """
    place = Path(directory)
    for name in ("public/table.json", "internal/table.json", "internal/summary.json"):
        if not (place / name).is_file():
            raise FileError(f"'{place.name}' is no published table with its internal side: it has no {name}.")
    left, kept = read_json_table(place / "public" / "table.json"), read_json_table(place / "internal" / "table.json")
    if kept.unsafe is None or kept.hidden is None or left.hidden is None:
        raise FileError(f"The table in '{place.name}' does not say which of its cells are unsafe, or which are hidden.")
    if not np.array_equal(left.table.codes, kept.table.codes) or not np.array_equal(left.hidden, kept.hidden):
        raise FileError(f"The public and the internal table in '{place.name}' are not of the same cells.")
    said = parse_json(read_text(place / "internal" / "summary.json", "The summary"), "The summary")
    return PublishedCells(
        table=kept.table,
        unsafe=kept.unsafe.cells,
        hidden=kept.hidden,
        values=left.table.values,
        method=str(said.get("method", "")),
        reach=said.get("reach"),
    )


def stage_table(cells: PublishedCells, *, near: float = NEAR, most_seats: int = 1000) -> tuple[TableTarget, Answers]:
    """Give an attacker what is published of a table, and keep the truth.

    Parameters
    ----------
    cells
        The table as it was and as it leaves.
    near
        How near a value must be to count as known, as a share of the true value.
    most_seats
        Contributors who attack from inside: those with the largest share of a hidden cell first.

    Returns
    -------
    target
        The published cells and their sums; the victims are the unsafe cells, and where it is known who is in them, the largest
        contributor of each.
    answers
        The true values of the unsafe cells, and what their largest contributors have. What is said of a cell is said for
        certain, and nobody is certain by guessing.
    """
    import scipy.sparse as sp

    table, hidden = cells.table, cells.hidden
    rows = table.relations
    shown = np.where(hidden, np.nan, cells.values)
    low, high = table.with_values(np.where(hidden, 0.0, cells.values)).bounds
    wanted = np.flatnonzero(cells.unsafe)
    seats, numbers = _seats(table, hidden, most_seats)
    largest = largest_in(table, wanted) if hidden.any() else None
    truth = {"cell": np.asarray(table.values[wanted], np.float64)}
    if largest is not None:
        truth["contributor"] = largest[1]
    place = {number: at for at, number in enumerate(numbers)}
    target = TableTarget(
        relations=sp.csr_matrix((rows.signs, rows.cells, rows.start), shape=(len(rows), len(table))),
        shown=shown,
        wanted=wanted,
        lower=low,
        upper=high,
        reach=cells.reach if cells.is_changed else None,
        holds_sums=not len(rows.violated(np.where(hidden, table.values, cells.values))),
        seats=seats,
        sought=None if largest is None else np.array([place.get(n, -1) for n in largest[0].tolist()], np.int64),
        is_count=table.is_frequency,
    )
    return target, Answers(truth=truth, baseline={"cell": 0.0}, near=near)


def seats_of(table: Table, hidden: BoolArray, *, most: int) -> tuple[Seat, ...]:
    """Return what contributors know of cells that are hidden: the cells that they are in, and what they have there."""
    return _seats(table, hidden, most)[0]


def _seats(table: Table, hidden: BoolArray, most: int) -> tuple[tuple[Seat, ...], tuple[int, ...]]:
    """Return seats, those with the largest share of a hidden cell first, and their numbers in the table."""
    seats, names = table.seats, seat_names(table)
    holdings = seats.holdings
    found: list[tuple[float, int, Seat]] = []
    is_part = _is_part(table)
    for number in range(len(seats)):
        alone = seats.known(number)
        shared, amounts = seats.shared(number)
        cells = np.concatenate([alone, shared])
        own = np.concatenate([table.values[alone], amounts])
        order = np.argsort(cells, kind="stable")
        inside = hidden[cells]
        if inside.any() and not is_part[number]:
            share = float((own[inside] / np.maximum(table.values[cells[inside]], 1e-300)).max())
            is_alone = (np.arange(len(cells)) < len(alone))[order]
            seat = Seat(
                cells=cells[order],
                own=own[order],
                alone=is_alone,
                who=names[number],
                is_holding=bool(holdings is not None and holdings[number]),
            )
            found.append((share, number, seat))
    found.sort(key=lambda entry: -entry[0])
    return tuple(seat for _, _, seat in found[:most]), tuple(number for _, number, _ in found[:most])


def seat_names(table: Table) -> tuple[str, ...]:
    """Return a name for each seat of a table: that of the contributor or holding in the data, for whatever was made of these."""
    members = table.members
    if members is None:
        return ("",) * len(table.seats)
    pairs = zip(members.is_holding.tolist(), members.numbers.tolist(), strict=True)
    return tuple(f"{'holding' if is_holding else 'unit'} {number}" for is_holding, number in pairs)


def largest_in(table: Table, cells: IntArray) -> tuple[IntArray, FloatArray] | None:
    """Return the seat of the largest contributor of each of some cells and what he has there; None where it is not known.

    Nobody is sought in tables of counts, nor in those of a sample with weights, where an amount stands for others.
    """
    members = table.members
    if table.is_frequency or members is None or not np.array_equal(members.amounts, members.weighted):
        return None
    seat, cell, amount = table.seats.parts()
    seat = np.concatenate([seat, table.seats.seat_of_cell])
    amount = np.concatenate([amount, table.values[table.seats.cells]])
    cell = np.concatenate([cell, table.seats.cells])
    here = ~_is_part(table)[seat]
    seat, cell, amount = seat[here], cell[here], amount[here]
    most = np.zeros(len(table))
    np.maximum.at(most, cell, amount)
    who = np.full(len(table), -1, np.int64)
    is_most = amount == most[cell]
    who[cell[is_most]] = seat[is_most]
    return (who[cells], most[cells]) if (who[cells] >= 0).all() else None


def _is_part(table: Table) -> BoolArray:
    """Return which seats are those of a contributor who belongs to a holding: the holding knows what he knows."""
    members = table.members
    if members is None or members.groups is None:
        return np.zeros(len(table.seats), bool)
    group = members.groups[np.where(members.is_holding, 0, members.numbers)]
    return np.asarray(~members.is_holding & (group >= 0), bool)

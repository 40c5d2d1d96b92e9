"""The certificate: what every attacker can learn about every hidden cell, and whether that is allowed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.views import view
from tacita.tables.auditor.basis import Basis
from tacita.tables.model.seats import Seats

__all__ = ["Certificate", "Leak", "attackers_in_words"]


Side = Literal["below", "above", "sliding"]


@dataclass(frozen=True)
class Leak:
    """One protection level that does not hold.

    Parameters
    ----------
    cell
        The unsafe cell.
    seat
        Number of the seat that the attack comes from; None for an outsider.
    side
        The level that is missed.
    share
        How much of the level is reached: 0 when the attacker finds the value exactly, just under 1 for a near miss.
    relations
        The relations that the attacker combines.
    known
        Cells that the seat is alone in and that it uses beside them.
    floors
        Cells of which it uses that they are not smaller than what it has in them.
    """

    cell: int
    seat: int | None
    side: Side
    share: float
    relations: tuple[int, ...] = ()
    known: tuple[int, ...] = ()
    floors: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Certificate:
    """The auditor's verdict on a pattern.

    Parameters
    ----------
    hidden
        Numbers of the hidden cells.
    low, high
        For each hidden cell an interval that an outsider cannot narrow further: all of it where ``is_exact``, and at
        least as wide as this otherwise (enough to prove the levels).
    is_exact
        For each hidden cell whether low and high are the outsider's exact bounds.
    leaks
        Every level that is missed, from whichever seat.
    seats
        Number of seats that were looked at, besides the outsider.
    attackers
        Who was looked at, in words.
    solves
        Number of linear programmes it took.
    seconds
        Time it took.
    is_integer
        Whether the attacker was allowed to know that the cells are whole numbers.
    basis
        Hashes of the cells, the relations and the levels that the verdict is about.
    """

    hidden: IntArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    is_exact: BoolArray = field(repr=False)
    leaks: tuple[Leak, ...]
    seats: int
    solves: int
    seconds: float
    is_integer: bool = False
    basis: Basis | None = None
    attackers: str = "the outsider"

    @property
    def is_safe(self) -> bool:
        """Whether every level holds from every seat."""
        return not self.leaks

    @property
    def at_risk(self) -> IntArray:
        """The unsafe cells with a level that is missed, each once."""
        return np.unique(np.array([leak.cell for leak in self.leaks], np.int64))

    def _repr_html_(self) -> str:
        shown: str = view("notebook")(self)
        return shown

    def to_plain(self) -> dict[str, Any]:
        """Return the verdict ready for JSON; cells, relations and seats are numbers."""
        return {
            "safe": self.is_safe,
            "hidden": len(self.hidden),
            "seats": self.seats,
            "attackers": self.attackers,
            "solves": self.solves,
            "seconds": round(self.seconds, 3),
            "whole_numbers": self.is_integer,
            "basis": {} if self.basis is None else self.basis.to_plain(),
            "intervals": [
                {"cell": int(c), "low": _finite(lo), "high": _finite(hi), "exact": bool(e)}
                for c, lo, hi, e in zip(self.hidden, self.low, self.high, self.is_exact, strict=True)
            ],
            "leaks": [
                {
                    "cell": leak.cell,
                    "seat": leak.seat,
                    "side": leak.side,
                    "share": leak.share,
                    "relations": list(leak.relations),
                    "known": list(leak.known),
                    "floors": list(leak.floors),
                }
                for leak in self.leaks
            ],
        }


def attackers_in_words(seats: Seats, *, floor: float = 0.0) -> str:
    """Say who attacks a table, who is not looked at, and what all of them know: no hidden cell is below ``floor``."""
    who = _who_attacks(seats)
    return f"{who}; to all of them no hidden cell is below {floor:g}" if floor > 0 else who


def _who_attacks(seats: Seats) -> str:
    units, holdings = seats.who
    if not len(seats):
        return "the outsider; contributors to the table were not looked at"
    who = " and ".join(
        f"{number:,} {word}{'' if number == 1 else 's'}"
        for number, word in ((units, "contributor"), (holdings, "holding"))
        if number
    )
    if seats.own_cells is None:
        return f"the outsider, and {who or 'nobody'} from the cells they are alone in; what they have in other cells is not used"
    rest = (
        "who stand for everybody in the table"
        if seats.is_whole
        else "the largest of each cell; smaller ones were not looked at"
    )
    return f"the outsider, and {who}, {rest}, each with what it has in its cells"


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None

"""The shape of a sensitivity rule: parameters in a frozen dataclass, one function from a table to its unsafe cells."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import ClassVar, Literal

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.method import Method
from tacita.core.traits import RuleTraits
from tacita.core.vocabulary import Kind
from tacita.tables.model.contributions import Contributions
from tacita.tables.model.table import Table
from tacita.tables.rules.inside import Inside
from tacita.tables.rules.unsafe import Unsafe

__all__ = [
    "LEAST_SHARE",
    "Level",
    "Rule",
    "Rules",
    "contributors",
    "counted",
    "dominating",
    "in_units",
    "inside_in_units",
    "size_of",
    "verdict",
    "whole_counts",
]


Level = Literal["unit", "holding"]
"""Who counts as one contributor: each on its own, or all under one control together."""

LEAST_SHARE = 1e-3
"""An attacker's interval for an unsafe cell is at least this share of its value wide, whatever a rule asks."""

_SILENT = (("level", "unit"), ("sliding", 0.0), ("expansion", "part"))
"""Parameters that a report leaves out where they say nothing."""


@dataclass(frozen=True, kw_only=True)
class Rule(Method):
    """A function from a table to its unsafe cells, with the protection levels that they need.

    A subclass sets ``name``, says by its ``traits`` which attack it is about, declares its parameters as annotated fields and
    writes :meth:`judge`. Rules combine:
    ``PPercent(p=15) | MinimumFrequency(at_least=3)`` is unsafe by one or the other, with the wider levels. Parameters that
    several rules have are described here.

    Parameters
    ----------
    level
        Whether ``unit`` or ``holding`` counts as one contributor.
    span
        Protection level in percent of the value.
    sliding
        Percent of the value that an attacker's interval must be wide at least, wherever it lies.

    Returns
    -------
    Unsafe
        The unsafe cells with their protection levels.

    Complexity
    ----------
    O(n) time and memory for n cells.
    """

    kind: ClassVar[Kind] = "rule"
    traits: ClassVar[RuleTraits]

    @abstractmethod
    def judge(self, table: Table) -> Unsafe:
        """Return the unsafe cells of a table."""

    def __or__(self, other: Rule | Rules) -> Rules:
        return Rules((self,)) | other

    def words(self) -> str:
        """Return the rule with its parameters, as it stands in a report."""
        given = [(parameter.name, getattr(self, parameter.name)) for parameter in self.parameters()]
        shown = [f"{name}={_word(value)}" for name, value in given if (name, value) not in _SILENT]
        return f"{self.name}({', '.join(shown)})"


@dataclass(frozen=True)
class Rules:
    """Several rules; a cell is unsafe when one of them says so."""

    rules: tuple[Rule, ...]

    def __post_init__(self) -> None:
        if not self.rules:
            raise ParameterError("Rules: at least one rule must be given.")

    @classmethod
    def of(cls, rules: Rule | Rules | Iterable[Rule]) -> Rules:
        """Bring one rule or several into one form."""
        if isinstance(rules, Rules):
            return rules
        return cls((rules,)) if isinstance(rules, Rule) else cls(tuple(rules))

    def __or__(self, other: Rule | Rules) -> Rules:
        return Rules((*self.rules, *Rules.of(other).rules))

    def judge(self, table: Table) -> Unsafe:
        """Return the cells that are unsafe by one rule or another."""
        return reduce(or_, (rule.judge(table) for rule in self.rules))


def _word(value: object) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


# --- what rules share ----------------------------------------------------------------------------------------------------


def contributors(table: Table, level: Level, *, owner: str) -> Contributions:
    """Return the contributions at a level, or say what the table lacks."""
    found = table.units if level == "unit" else table.holdings
    if found is None:
        what = "contributors" if level == "unit" else "holdings"
        raise DataError(
            f"{owner}: the table must know its {what}; build it from microdata"
            + (" with a 'holding' column." if level == "holding" else ".")
        )
    return found


def dominating(found: Contributions, most: int, *, owner: str) -> tuple[FloatArray, FloatArray]:
    """Return the contribution to be protected in each cell, and the sum of the ``most - 1`` largest others.

    Notes
    -----
    Contributions are taken by size, each as often as its weight says. Without waivers the one to be protected is the
    largest. Whoever waived needs no protection, but knows what it has: the largest contributor who did not waive is the
    victim, and the largest others are its attackers, waived or not. In a cell where all contributors that the table keeps
    have waived, one who is not kept is taken to be as large as the smallest kept; a cell where everybody waived has a
    victim of size 0.
    """
    if most > found.depth:
        raise DataError(
            f"{owner}: the table keeps the {found.depth} largest contributions of a cell, the rule needs {most}; "
            f"build it with depth={most} or more."
        )
    sizes = np.abs(found.expanded(most))
    if found.waives is None:
        return sizes[:, 0], sizes[:, 1:].sum(axis=1)
    open_ = (found.owners >= 0) & ~found.waives[np.maximum(found.owners, 0)]
    place = np.where(open_.any(axis=1), open_.argmax(axis=1), found.depth - 1)
    there = open_.any(axis=1) | (found.counts > found.depth)
    victim = np.where(there, np.abs(found.amounts)[np.arange(len(place)), place], 0.0)
    # A victim among the largest leaves their sum; one further down leaves the first places to the others.
    is_among = victim >= sizes[:, -1]
    return victim, np.where(is_among, sizes.sum(axis=1) - victim, sizes[:, :-1].sum(axis=1))


def size_of(table: Table, found: Contributions) -> FloatArray:
    """Return (n,): the sum of the sizes of all contributions.

    Notes
    -----
    Where contributions can be negative, amounts cancel in the total and would hide dominance. The largest contributions
    are known by size; the rest is taken at the size of its sum, which is never more than it is. So the rest is rather
    too small, and the cell rather unsafe.
    """
    total = table.values if table.shadow is None else table.shadow
    if not bool((found.amounts < 0).any()):
        return np.asarray(total, np.float64)
    weighted = found.amounts * np.where(found.owners >= 0, found.weights, 0.0)
    rest = np.where(found.counts <= found.depth, 0.0, np.abs(total - weighted.sum(axis=1)))
    return np.asarray(np.abs(weighted).sum(axis=1) + rest, np.float64)


def inside_in_units(table: Table, inside: Inside, size: FloatArray) -> Inside:
    """Return levels from inside in units of the values; see :func:`in_units`."""
    if table.shadow is None:
        return inside
    share = in_units(table, np.ones(len(table)), size)
    return Inside(
        inside.most * share[:, None], inside.cells, inside.seats, inside.levels * share[inside.cells][:, None]
    )


def in_units(table: Table, level: FloatArray, size: FloatArray) -> FloatArray:
    """Return levels of the variable that the rules look at in units of the values: a shadow has units of its own."""
    if table.shadow is None:
        return level
    share = np.divide(np.abs(table.values), size, out=np.zeros(len(table)), where=size > 0)
    return np.asarray(level * share, np.float64)


def counted(table: Table) -> BoolArray:
    """Return (n,): which cells are counts, in tables of several responses too."""
    if table.parts is None:
        return np.full(len(table), table.is_frequency)
    return np.array([not name for name in table.responses], bool)[table.parts]


def whole_counts(table: Table) -> BoolArray:
    """Return (n,): which cells everybody knows to be whole numbers: counts without weights that break them."""
    cells = counted(table)
    return cells & bool((table.values[cells] == np.rint(table.values[cells])).all())


def verdict(
    rule: Rule,
    table: Table,
    unsafe: BoolArray,
    below: FloatArray,
    above: FloatArray,
    sliding: FloatArray | None = None,
    *,
    inside: Inside | None = None,
) -> Unsafe:
    """Put the outcome of one rule into its form; cells that are empty by structure are never unsafe.

    A level cannot ask for more than what everybody knows beforehand leaves open; it ends at these bounds. An unsafe cell
    whose levels do not keep it from being found exactly, such as a zero, gets a sliding level that does.

    Notes
    -----
    The smallest sliding level is a thousandth of the value. A zero has no size of its own and takes that of the median cell
    of its response. Whole counts get one unit: an interval narrower than that may hold a single whole number.

    ``inside`` says what is asked from contributors' own places. Without it the rule is about the cell itself, and a
    contributor must not find what the others have in it: all levels shrink to their share. For counts they stay.
    """
    cells = np.asarray(unsafe & ~table.is_structural, bool)
    low, high = table.bounds
    room_down, room_up = np.maximum(table.values - low, 0.0), np.maximum(high - table.values, 0.0)
    below, above = np.minimum(below, room_down), np.minimum(above, room_up)
    least = _least_width(table)
    # From whichever seat the upper level holds; where it is wide enough, the width needs no word of its own.
    width = np.maximum(np.where(above < least, least, 0.0), 0.0 if sliding is None else sliding)
    levels = np.where(cells[:, None], np.stack([below, above, np.minimum(width, room_down + room_up)], axis=1), 0.0)
    return Unsafe(
        cells,
        levels[:, 0].copy(),
        levels[:, 1].copy(),
        levels[:, 2].copy(),
        (rule.words(),),
        cells[:, None],
        np.zeros(len(table), bool),
        _without_own(table, cells, levels) if inside is None else _bounded(inside, cells, room_down, room_up),
        (rule.traits.about,),
    )


def _without_own(table: Table, cells: BoolArray, levels: FloatArray) -> Inside:
    """What is asked from contributors' own places by a rule about the cell itself: the share that the others have."""
    members = table.members
    if members is None:
        return Inside.alike(*levels.T)
    entry = np.flatnonzero(cells[members.cells])
    at, seat = members.cells[entry], members.of_entry[entry]
    own, size = np.abs(members.weighted[entry]), np.abs(table.values if table.shadow is None else table.shadow)[at]
    share = np.clip(np.divide(size - own, size, out=np.ones(len(at)), where=size > 0), 0.0, 1.0)
    share[members.stands[seat] | counted(table)[at]] = 1.0  # whom it stands for has less
    return Inside.of(levels, at, seat, levels[at] * share[:, None])


def _bounded(inside: Inside, cells: BoolArray, room_down: FloatArray, room_up: FloatArray) -> Inside:
    kept = cells[inside.cells]
    most = np.where(cells[:, None], inside.most, 0.0)
    return Inside.of(most, inside.cells[kept], inside.seats[kept], inside.levels[kept]).bounded(room_down, room_up)


def _least_width(table: Table) -> FloatArray:
    """Return (n,): how wide an attacker's interval must be at least for the cell not to be found."""
    size, is_whole = np.abs(table.values), whole_counts(table)
    parts = np.zeros(len(table), np.int64) if table.parts is None else table.parts
    found = np.empty(len(table))
    for part in np.unique(parts).tolist():
        here = parts == part
        own = size[here]
        usual = float(np.median(own[own > 0])) if bool((own > 0).any()) else 1.0
        # Far below the usual size no solver can tell an interval from a point.
        found[here] = np.maximum(LEAST_SHARE * np.where(own > 0, own, usual), 1e-6 * usual)
    found[is_whole] = 1.0
    return found

"""The shape of a sensitivity rule: parameters in a frozen dataclass, one function from a table to its unsafe cells."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tacita.core.errors import DataError, ParameterError
from tacita.core.method import Method
from tacita.core.traits import Traits
from tacita.core.vocabulary import Kind
from tacita.tables.contributions import Contributions
from tacita.tables.table import Table
from tacita.tables.unsafe import Unsafe

__all__ = ["Level", "Rule", "Rules", "contributors", "largest", "size_of", "verdict"]

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]

Level = Literal["unit", "holding"]
"""Who counts as one contributor: each on its own, or all under one control together."""


@dataclass(frozen=True, kw_only=True)
class Rule(Method):
    """A function from a table to its unsafe cells, with the protection levels that they need.

    A subclass sets ``name``, declares its parameters as annotated fields and writes :meth:`judge`. Rules combine:
    ``PPercent(p=15) | MinimumFrequency(at_least=3)`` is unsafe by one or the other, with the wider levels.
    """

    kind: ClassVar[Kind] = "rule"
    traits: ClassVar[Traits] = Traits()

    @abstractmethod
    def judge(self, table: Table) -> Unsafe:
        """Return the unsafe cells of a table."""

    def __or__(self, other: Rule | Rules) -> Rules:
        return Rules((self,)) | other

    def words(self) -> str:
        """Return the rule with its parameters, as it stands in a report."""
        given = [(parameter.name, getattr(self, parameter.name)) for parameter in self.parameters()]
        shown = [f"{name}={_word(value)}" for name, value in given if (name, value) != ("level", "unit")]
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


def largest(found: Contributions, most: int, *, owner: str) -> FloatArray:
    """Return (n, most): sizes of the largest contributions, each as often as its weight says."""
    if most > found.depth:
        raise DataError(
            f"{owner}: the table keeps the {found.depth} largest contributions of a cell, the rule needs {most}; "
            f"build it with depth={most} or more."
        )
    return np.abs(found.expanded(most))


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


def verdict(
    rule: Rule, table: Table, unsafe: BoolArray, below: FloatArray, above: FloatArray, sliding: FloatArray | None = None
) -> Unsafe:
    """Put the outcome of one rule into its form; cells that are empty by structure are never unsafe.

    A level cannot ask for more than what everybody knows beforehand leaves open; it ends at these bounds.
    """
    cells = np.asarray(unsafe & ~table.is_structural, bool)
    zero = np.zeros(len(table))
    low, high = table.bounds
    below, above = np.minimum(below, table.values - low), np.minimum(above, high - table.values)
    return Unsafe(
        cells,
        np.where(cells, below, 0.0),
        np.where(cells, above, 0.0),
        zero if sliding is None else np.where(cells, sliding, 0.0),
        (rule.words(),),
        cells[:, None],
        np.zeros(len(table), bool),
    )

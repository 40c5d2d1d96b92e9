"""The plan of a synthesis of households: which columns say what of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tacita.numeric.synthesis.rules import ColumnRule
from tacita.numeric.synthesis.sequential import ColumnPlan

__all__ = ["HouseholdPlan"]


@dataclass(frozen=True)
class HouseholdPlan:
    """Which columns say what of a household.

    Parameters
    ----------
    shared
        Columns that all members share, in the order in which they are drawn.
    kinship
        Columns that say who is who: classes that may be drawn for all members at once, the most telling first, then those that
        are drawn member by member, in their order.
    own
        All other columns of members, in the order in which they are drawn.
    columns
        How each column is drawn.
    rules
        What must hold in every new record.
    finds_rules
        Whether conditions that determine a state are looked for.
    often
        How many old households must have a composition, mostly, so that a class is part of it.
    """

    shared: tuple[str, ...]
    kinship: tuple[str, ...]
    own: tuple[str, ...]
    columns: Mapping[str, ColumnPlan]
    rules: tuple[ColumnRule, ...] = ()
    finds_rules: bool = True
    often: int = 5

    def rules_of(self, names: Sequence[str]) -> tuple[ColumnRule, ...]:
        """Return the rules about some columns."""
        return tuple(rule for rule in self.rules if rule.then.column in names)

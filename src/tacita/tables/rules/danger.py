"""Why a cell is unsafe, and to whom: the attacks of the field in words.

Three attacks on a published cell are told apart. External: anybody learns the value of the only contributor. Internal:
each of two contributors learns the other's. Dominance: whoever makes up most of a cell bounds the rest, and the second
largest estimates the largest. A zero that is known discloses everybody in the cell at once.

References
----------
Domingo-Ferrer, J., Inference control in statistical databases (overview), methods for tabular data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tacita.core.traits import About
from tacita.tables.model.table import Table
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Danger", "dangers"]

Attack = Literal["external", "internal", "dominance", "group", "named"]
"""How a cell is attacked. What a rule is about becomes external where a single contributor is in the cell."""

_WORDS: dict[Attack, tuple[str, str]] = {
    "external": ("everybody who reads the table", "it has a single contributor, and its value is the cell"),
    "internal": ("its contributors", "each takes its own amount off and is left with what few others have"),
    "dominance": (
        "its largest contributors",
        "one of them takes its own amount off and comes too close to another, because the rest is small",
    ),
    "group": ("everybody who reads the table", "the value is zero, so everybody in the cell is known to have nothing"),
    "named": ("those whom the data owner had in mind", "the data owner asked for it"),
}


@dataclass(frozen=True)
class Danger:
    """One reason why a cell is unsafe.

    Parameters
    ----------
    attack
        ``external``, ``internal``, ``dominance``, ``group`` (a known zero) or ``named`` (asked for).
    to
        Who would learn something.
    how
        How.
    rules
        The rules that found it.
    """

    attack: Attack
    to: str
    how: str
    rules: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.attack} attack by {self.to}: {self.how} ({'; '.join(self.rules)})"


def dangers(table: Table, unsafe: Unsafe, cell: int) -> tuple[Danger, ...]:
    """Say why a cell is unsafe, by what the rules that found it are about; nothing for a safe one. No value is named."""
    if not unsafe.cells[cell]:
        return ()
    count = _contributors(table, cell)
    found: dict[Attack, list[str]] = {}
    for rule, about, is_hit in zip(unsafe.rules, unsafe.about, unsafe.by[cell].tolist(), strict=True):
        if is_hit:
            found.setdefault(_attack(about, count), []).append(rule)
    return tuple(Danger(attack, *_WORDS[attack], tuple(rules)) for attack, rules in found.items())


def _contributors(table: Table, cell: int) -> int:
    """How many are in a cell, those under one control as one; 0 where nobody knows."""
    known = table.holdings if table.holdings is not None else table.units
    if known is not None:
        return int(known.counts[cell])
    return 0 if table.counts is None else int(table.counts[cell])


def _attack(about: About, count: int) -> Attack:
    """What an attack comes to in a cell with so many contributors."""
    if about in ("group", "named"):
        return about
    if count == 1:
        return "external"
    return "internal" if count == 2 else about

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

from tacita.tables.model.table import Table
from tacita.tables.rules.unsafe import Unsafe

__all__ = ["Danger", "dangers"]

Attack = Literal["external", "internal", "dominance", "group", "named"]

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
    """Say why a cell is unsafe; nothing for a safe one. No value is named."""
    hit = [rule for rule, found in zip(unsafe.rules, unsafe.by[cell].tolist(), strict=True) if found]
    if not unsafe.cells[cell]:
        return ()
    known = table.holdings if table.holdings is not None else table.units
    count = int(known.counts[cell]) if known is not None else int(table.counts[cell]) if table.counts is not None else 0
    by_count: Attack = "external" if count == 1 else "internal" if count == 2 else "dominance"
    sorted_out: dict[Attack, list[str]] = {}
    for rule in hit:
        kind = rule.partition("(")[0]
        attack: Attack = (
            "group"
            if kind == "unsafe_zero"
            else "named"
            if kind in ("named_cells", "unsafe_codes", "request")
            else by_count
        )
        sorted_out.setdefault(attack, []).append(rule)
    if by_count == "dominance" and any(rule.startswith("minimum_frequency") for rule in hit):
        few = [rule for rule in hit if rule.startswith("minimum_frequency")]
        sorted_out["dominance"] = [rule for rule in sorted_out["dominance"] if rule not in few]
        sorted_out.setdefault("internal", []).extend(few)
    return tuple(Danger(attack, *_WORDS[attack], tuple(rules)) for attack, rules in sorted_out.items() if rules)

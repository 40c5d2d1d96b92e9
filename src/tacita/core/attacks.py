"""Attacks: how a mask names the risks that it is weakest against, without knowing the room that measures them.

A mask and a measure of risk are siblings that never import each other. A mask declares the registered name of a risk and which of
its own parameters the intruder is supposed to know; the risk room finds the measure by that name and runs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Attack", "KnownAttack"]


@dataclass(frozen=True, kw_only=True)
class Attack:
    """What a mask declares: an attack that it is known to be weak against.

    Parameters
    ----------
    measure
        The registered name of the risk.
    knows
        What the intruder knows of the mask, in words; ``{p:g}`` and the like stand for parameters of the mask.
    takes
        Parameters that the risk takes over from the mask, by the name that they have in both.
    settings
        Parameters of the risk that are fixed.

    Examples
    --------
    >>> swap = Attack(measure="rank_swap_linkage", knows="values moved by at most {p:g} % of the ranks", takes=("p",))
    >>> swap.of(("income",), {"p": 14.0}).knows
    'values moved by at most 14 % of the ranks'
    """

    measure: str
    knows: str
    takes: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def of(self, columns: tuple[str, ...], parameters: Mapping[str, Any]) -> KnownAttack:
        """Return the attack on one mask with its columns and parameters."""
        taken = {name: parameters[name] for name in self.takes}
        return KnownAttack(self.measure, columns, {**self.settings, **taken}, self.knows.format(**parameters))


@dataclass(frozen=True)
class KnownAttack:
    """An attack on one step of a recipe, ready to be run.

    Parameters
    ----------
    measure
        The registered name of the risk.
    columns
        The columns that the step masked; empty where the risk's own choice is meant.
    settings
        The parameters of the risk.
    knows
        What the intruder knows of the step, in words.
    """

    measure: str
    columns: tuple[str, ...]
    settings: Mapping[str, Any]
    knows: str

"""What is found of coprivacy: whether there is any, and what shows it, or why there is none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tacita.games.coprivacy.help import Help
from tacita.games.equilibria.equilibrium import Equilibrium

__all__ = ["Concept", "Coprivacy"]

Concept = Literal["pure", "mixed", "correlated"]
"""Which equilibrium stands in the definition."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Coprivacy:
    """Whether a game is coprivate, with what shows it.

    Parameters
    ----------
    holds
        Whether it is; None where the search found no such equilibrium and could not rule one out.
    concept
        Which equilibrium was asked for.
    help
        Who helps whom, in the equilibrium below; None where nobody does.
    equilibrium
        The equilibrium in which help is given; None where there is none.
    probability
        How likely the help is in that equilibrium.
    mixtures
        For each player how likely each strategy is there, by name; empty where there is none.
    reasons
        Why, one sentence each: for every pair that is no equilibrium who leaves it and for what.
    """

    holds: bool | None
    concept: Concept
    help: Help | None = None
    equilibrium: Equilibrium | None = None
    probability: float = 0.0
    mixtures: Mapping[str, Mapping[str, float]] | None = None
    reasons: tuple[str, ...] = ()

    def words(self) -> str:
        """Return it as sentences, one a line."""
        kind = {"pure": "Coprivacy", "mixed": "Mixed coprivacy", "correlated": "Correlated coprivacy"}[self.concept]
        if self.holds and self.help is not None and self.equilibrium is not None:
            share = "" if self.concept == "pure" else f", with probability {self.probability:.3g}"
            head = f"{kind}: {self.help.words()}{share}, in the equilibrium {self.equilibrium.words()}."
        elif self.holds is None:
            head = f"{kind}: not decided. No equilibrium with help was found, and none was ruled out."
        else:
            head = f"{kind}: none. No equilibrium has help."
        return "\n".join([head, *(f"  {reason}" for reason in self.reasons)])

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        helped = self.help
        return {
            "concept": self.concept,
            "holds": self.holds,
            "help": None
            if helped is None
            else {"asker": helped.asker, "asks": helped.asks, "helper": helped.helper, "helps": helped.helps},
            "probability": self.probability,
            "equilibrium": None if self.equilibrium is None else self.equilibrium.as_plain(),
            "mixtures": None if self.mixtures is None else {who: dict(own) for who, own in self.mixtures.items()},
            "reasons": list(self.reasons),
        }

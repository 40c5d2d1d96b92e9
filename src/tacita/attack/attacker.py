"""The shape of an attack: parameters in a frozen dataclass, one function from what left to what is claimed."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.core.method import Method
from tacita.core.traits import AttackTraits
from tacita.core.vocabulary import Kind

__all__ = ["Attacker"]


@dataclass(frozen=True, kw_only=True)
class Attacker(Method):
    """A function from what left, and what somebody knows beside it, to claims about victims.

    A subclass sets ``name``, says by its ``traits`` what it is against and what it wants to learn, declares its parameters as
    annotated fields and writes :meth:`run`. It is then known to ``tacita attack``, to the matrix of attacks and defences and
    to the page of a report. It gets a target and nothing else: no original, no seed, nothing of the rooms that protect.

    Returns
    -------
    Claims
        What it says of each victim, one entry for each thing that it wants to learn.

    Raises
    ------
    AttackError
        When the target lacks what the attack needs; :meth:`declined` says it beforehand.
    """

    kind: ClassVar[Kind] = "attack"
    traits: ClassVar[AttackTraits]

    def declined(self, target: Any) -> str:
        """Return why the attack cannot be tried against a target, in words; empty where it can.

        Parameters
        ----------
        target
            What the attacker has, of the kind that ``traits.against`` says.
        """
        del target
        return ""

    @abstractmethod
    def cost(self, target: Any) -> float:
        """Return about how many seconds of one processor the attack takes; a target of fewer victims costs less."""

    @abstractmethod
    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        """Attack the target, drawing random numbers from ``rng`` only, and return what is claimed of its victims."""

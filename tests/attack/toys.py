"""A toy attacker and a toy target, for tests of what stands around attackers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.targets import AttackTarget
from tacita.core import registry
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits

__all__ = ["Toy", "ToyTarget"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyTarget(AttackTarget):
    """Numbers that lie open."""

    shown: FloatArray

    @property
    def victims(self) -> int:
        return len(self.shown)

    def among(self, chosen: IntArray) -> Self:
        return type(self)(shown=self.shown[chosen])


@dataclass(frozen=True, kw_only=True)
class Toy(Attacker):
    """Say what is seen, perhaps with a little noise."""

    name = "toy"
    traits = AttackTraits(against="file", learns="value", knows="what is shown", breaks="the truth", held_by="noise")

    off: float = 0.0
    each: float = 0.0
    refuses: bool = False

    def declined(self, target: Any) -> str:
        return "" if len(target.shown) != 13 else "Thirteen is one too many."

    def cost(self, target: Any) -> float:
        return self.each * target.victims

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        if self.refuses:
            raise AttackError("There is nothing to begin with.")
        noise = self.off * rng.normal(size=target.victims)
        sure = np.full(target.victims, not self.off)
        return (Claims(about="wage", said=target.shown + noise, is_sure=sure, queries=7),)


registry.unregister(Toy)  # it is for tests that name it, not for those over all methods

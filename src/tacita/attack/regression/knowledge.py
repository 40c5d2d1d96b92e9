"""What a user of remote access knows of his victims, and how he asks once for all victims of whom he knows the same."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tacita.attack.regression.question import (
    FitModel,
    MadeColumn,
    ModelQuestion,
    all_of,
    beyond,
    equal_to,
    within_amount,
    within_ratio,
)
from tacita.attack.targets import AttackTarget
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import AttackError

__all__ = ["AskedModels", "Reach", "RegressionTarget", "cover_of", "dummies_of", "equal_knowledge", "exactly"]

Reach: TypeAlias = tuple[Literal["within", "ratio"], float]
"""How far off what is known may be: by less than an amount, or by less than a share of the true value."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RegressionTarget(AttackTarget):
    """Remote access that fits linear models with columns of the user's making, and what somebody knows of respondents.

    Parameters
    ----------
    fit
        The remote access: a question goes in, what it prints comes out.
    known
        By variable: one value a victim, numbers or classes.
    wanted
        The variable that he wants to know.
    reach
        By variable: how far off the known numbers may be; a variable that is not named is known exactly.
    further
        Numeric variables out of ``known`` that stand in each model as well, so that it looks like research.
    """

    fit: FitModel
    known: Mapping[str, NDArray[np.generic]]
    wanted: str
    reach: Mapping[str, Reach] = field(default_factory=dict)
    further: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.known:
            raise AttackError("A regression target: something must be known of the victims.")
        if len({len(values) for values in self.known.values()}) > 1:
            raise AttackError("A regression target: 'known' must have one value a victim for each variable.")
        for name in (*self.reach, *self.further):
            if name not in self.known or self.known[name].dtype.kind not in "if":
                raise AttackError(f"A regression target: '{name}' must be a number that is known of the victims.")

    @property
    def victims(self) -> int:
        return len(next(iter(self.known.values())))

    def among(self, chosen: IntArray) -> Self:
        return replace(self, known={name: values[chosen] for name, values in self.known.items()})

    @property
    def picks(self) -> tuple[str, ...]:
        """The variables that single a victim out."""
        return tuple(name for name in self.known if name not in self.further)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers among them that are known exactly."""
        return tuple(n for n in self.picks if self.known[n].dtype.kind in "if" and n not in self.reach)


def dummies_of(target: RegressionTarget, victim: int) -> MadeColumn:
    """Return the strategic dummy of one victim: (2), (3) or its multiplicative form for each variable, combined by (4)."""
    made = []
    for name in target.picks:
        value: Any = target.known[name][victim]
        how, width = target.reach.get(name, ("", 0.0))
        if how == "within":
            made.append(within_amount(name, float(value), width))
        elif how == "ratio":
            made.append(within_ratio(name, float(value), width))
        else:
            made.append(exactly(target, name, victim))
    return all_of(*made)


def exactly(target: RegressionTarget, name: str, victim: int) -> MadeColumn:
    """Return the dummy (2) of one variable of one victim."""
    value = target.known[name][victim]
    return equal_to(name, float(value) if target.known[name].dtype.kind in "if" else str(value))


def cover_of(target: RegressionTarget, victim: int) -> MadeColumn | None:
    """Return a dummy of many respondents among whom the victim is not: those on the other side of the middle of what is known.

    None where no number is known of the victims.
    """
    measured = [name for name in target.known if target.known[name].dtype.kind in "if"]
    if not measured:
        return None
    values = np.asarray(target.known[measured[0]], np.float64)
    middle = float(np.median(values))
    how, width = target.reach.get(measured[0], ("", 0.0))
    off = width if how == "within" else width * abs(float(values[victim])) / max(1 - width, 1e-9)
    is_above = float(values[victim]) <= middle
    edge = max(middle, float(values[victim]) + off) if is_above else min(middle, float(values[victim]) - off)
    return beyond(measured[0], edge, is_above=is_above)


def equal_knowledge(target: RegressionTarget) -> tuple[IntArray, IntArray]:
    """Return one victim of each set of whom the same is known, and the number of each victim's set. O(v log v)."""
    codes = np.stack([np.unique(values, return_inverse=True)[1] for values in target.known.values()], axis=1)
    _, first, number = np.unique(codes, axis=0, return_index=True, return_inverse=True)
    return first.astype(np.int64), number.reshape(-1).astype(np.int64)


@dataclass(eq=False)
class AskedModels:
    """The questions that one attacker asks, counted, with what was refused."""

    fit: FitModel
    queries: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def ask(self, question: ModelQuestion) -> Mapping[str, Any] | None:
        """Return the answer, or None where it is refused."""
        self.queries += 1
        answer = self.fit(question)
        if "refused" in answer:
            rule = str(answer["refused"])
            self.refused[rule] = self.refused.get(rule, 0) + 1
            return None
        return answer

    def for_each(
        self, target: RegressionTarget, tell: Callable[[int], tuple[float, bool]]
    ) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Ask once for each set of victims of whom the same is known; return what is told of each victim, and whether surely."""
        first, number = equal_knowledge(target)
        told = [tell(int(victim)) for victim in first]
        said = np.array([value for value, _ in told], np.float64)
        sure = np.array([is_sure for _, is_sure in told], bool)
        return said[number], sure[number]

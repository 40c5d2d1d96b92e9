"""Answers: the truth about the victims, which only the judge has, and what a guess without the release would get right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from tacita.attack.judge.right_codes import RightCodes
from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import AttackError

__all__ = ["NEAR", "Answers", "best_constant", "is_right"]

NEAR = 0.05
"""How near a number must be to count as known: within five percent of the true value."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """The truth about the victims of one target.

    Parameters
    ----------
    truth
        By what is claimed (``identity``, ``membership`` or the name of a value): one entry a victim. Of an identity it is the
        row in the released file, -1 where the victim is not in it.
    baseline
        By the same names: the chance that a guess without the release is right. Where it is lacking it is that of the best
        guess that is the same for everybody.
    near
        How near a number must be to count as known, as a share of the true value.
    judged
        For what is claimed of the data and not of single victims: which of the claims are right.
    several
        For what has several right answers for each victim, such as the queries that he asked. What a guess gets right is how
        often the same claims are right of anybody.
    beside
        Names of what is no disclosure by itself: how often it was told stands among the figures of what else is claimed.
    """

    truth: Mapping[str, NDArray[np.generic]]
    baseline: Mapping[str, float] = field(default_factory=dict)
    near: float = NEAR
    judged: Mapping[str, Callable[[NDArray[np.generic]], BoolArray]] = field(default_factory=dict)
    several: Mapping[str, RightCodes] = field(default_factory=dict)
    beside: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(next(iter(self.truth.values()), ()))

    def of(self, about: str) -> NDArray[np.generic]:
        """Return the truth of one thing that is claimed."""
        if about not in self.truth:
            raise AttackError(f"Nobody knows the truth about '{about}', so what is claimed of it cannot be judged.")
        return self.truth[about]

    def knows(self, about: str) -> bool:
        """Whether what is claimed of something can be judged."""
        return about in self.truth or about in self.judged or about in self.several

    def entries(self, about: str) -> int | None:
        """Return how many victims the truth about something is of; None where it is of the data and not of victims."""
        if about in self.judged:
            return None
        return len(self.several[about]) if about in self.several else len(self.of(about))

    def right(self, about: str, said: NDArray[np.generic]) -> BoolArray:
        """Return which claims about something are right."""
        if about in self.judged:
            return self.judged[about](said)
        if about in self.several:
            return self.several[about].right(np.asarray(said, np.int64))
        return is_right(said, self.of(about), near=self.near)

    def guess(self, about: str, said: NDArray[np.generic] | None = None) -> float:
        """Return the chance that a guess without the release is right; of what is only judged, none.

        Of what has several right answers it is the chance that what was ``said`` is right of anybody.
        """
        if about in self.baseline:
            return self.baseline[about]
        if about in self.several:
            return 0.0 if said is None else self.several[about].chance(np.asarray(said, np.int64))
        return 0.0 if about in self.judged else best_constant(self.of(about), near=self.near)

    def among(self, chosen: IntArray) -> Answers:
        """Return the truth about some of the victims; what a guess gets right is kept of all."""
        guesses = {**self.baseline, **{about: self.guess(about) for about in self.truth}}
        truth = {about: true[chosen] for about, true in self.truth.items()}
        several = {about: right.among(chosen) for about, right in self.several.items()}
        return replace(self, truth=truth, several=several, baseline=guesses)


def is_right(said: NDArray[np.generic], truth: NDArray[np.generic], *, near: float = NEAR) -> BoolArray:
    """Return which claims are right: numbers that are near enough, everything else where it is the same.

    Examples
    --------
    >>> is_right(np.array([104.0, 106.0]), np.array([100.0, 100.0])).tolist()
    [True, False]
    """
    if truth.dtype.kind == "f":
        number, true = np.asarray(said, np.float64), np.asarray(truth, np.float64)
        with np.errstate(invalid="ignore"):
            return np.abs(number - true) <= near * np.abs(true) + 1e-9
    return np.array(np.asarray(said) == np.asarray(truth), dtype=bool)


def best_constant(truth: NDArray[np.generic], *, near: float = NEAR) -> float:
    """Return the share of victims that the best guess gets right which is the same for everybody. O(n log n).

    Examples
    --------
    >>> best_constant(np.array(["a", "a", "b", "c"]))
    0.5
    >>> best_constant(np.array([100.0, 104.0, 109.0, 500.0]))
    0.75
    """
    if not len(truth):
        return 0.0
    if truth.dtype.kind != "f":
        _, counts = np.unique(truth.astype(str) if truth.dtype.kind == "O" else truth, return_counts=True)
        return float(counts.max() / len(truth))
    values = np.asarray(truth[~np.isnan(truth)], np.float64)
    if not len(values):
        return 0.0
    ends = np.stack([values - near * np.abs(values) - 1e-9, values + near * np.abs(values) + 1e-9])
    starts, stops = np.sort(ends[0]), np.sort(ends[1])
    # At the left end of each interval: as many are open as have begun and not ended yet.
    open_at = np.searchsorted(starts, starts, side="right") - np.searchsorted(stops, starts, side="left")
    return float(open_at.max() / len(truth))

"""What changed between two benchmarks: differences beyond what other random numbers would make."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tacita.compare.benchmark.benchmark_result import FIGURES, BenchmarkEntry, BenchmarkResult, SetResult
from tacita.compare.search.search_point import Spread

__all__ = ["BenchmarkChange", "BenchmarkChanges", "compare_benchmarks"]

_LEVEL = 0.001
"""Chance that a difference of chance alone is called a change, for each figure."""
_LEAST = 0.01
"""Differences below this, in points or percent, are rounding of the arithmetic on another machine."""


@dataclass(frozen=True)
class BenchmarkChange:
    """A figure of one candidate on one set that differs by more than ``noise``."""

    set: str
    candidate: str
    figure: str
    before: float
    after: float
    noise: float

    @property
    def is_better(self) -> bool:
        """Whether it went down; all figures are better when lower."""
        return self.after < self.before

    def as_plain(self) -> dict[str, Any]:
        """Return the change ready for JSON."""
        return {
            "set": self.set,
            "candidate": self.candidate,
            "figure": self.figure,
            "before": self.before,
            "after": self.after,
            "noise": self.noise,
            "better": self.is_better,
        }


@dataclass(frozen=True)
class BenchmarkChanges:
    """Everything that differs.

    Parameters
    ----------
    changes
        Figures that differ beyond noise, the largest difference first.
    compared
        How many figures were compared.
    unjudged
        How many differ and could not be judged, because one seed alone has no spread.
    remarks
        Sets and candidates that are in one of them only or cannot be compared, and strongest attacks that are others now.
    """

    changes: tuple[BenchmarkChange, ...]
    compared: int
    unjudged: int
    remarks: tuple[str, ...]

    def as_plain(self) -> dict[str, Any]:
        """Return the changes ready for JSON."""
        return {
            "changes": [change.as_plain() for change in self.changes],
            "compared": self.compared,
            "unjudged": self.unjudged,
            "remarks": list(self.remarks),
        }


def compare_benchmarks(before: BenchmarkResult, after: BenchmarkResult) -> BenchmarkChanges:
    """Compare two benchmarks, usually of two versions.

    Parameters
    ----------
    before, after
        The earlier and the later one.

    Returns
    -------
    BenchmarkChanges
        What differs beyond noise, and what could not be compared.

    Notes
    -----
    A figure is a mean over seeds. Its difference is a change where it exceeds the quantile of Student's t for a chance of 0.001
    times the standard error of the difference, with the spread of both runs pooled. Methods that draw nothing have no spread,
    and any difference beyond 0.01 is a change. With one seed there is no spread to judge by.
    """
    found: list[BenchmarkChange] = []
    compared, unjudged = 0, 0
    remarks = list(_only_in_one("set", before.sets_by_name(), after.sets_by_name(), before, after))
    for name, old in before.sets_by_name().items():
        new = after.sets_by_name().get(name)
        if new is None:
            continue
        reason = _why_not(old, new)
        if reason:
            remarks.append(f"{name}: not compared, because {reason}.")
            continue
        olds, news = ({entry.candidate: entry for entry in result.entries} for result in (old, new))
        remarks += (f"{name}: {remark}" for remark in _only_in_one("candidate", olds, news, before, after))
        for candidate in olds.keys() & news.keys():
            for figure, noise in _noises(olds[candidate], news[candidate]):
                compared += 1
                then, now = olds[candidate].figures[figure].mean, news[candidate].figures[figure].mean
                if noise is None:
                    unjudged += abs(now - then) > _LEAST
                elif abs(now - then) > max(noise, _LEAST):
                    found.append(BenchmarkChange(name, candidate, figure, then, now, noise))
            if olds[candidate].attack != news[candidate].attack:
                attacks = f"{olds[candidate].attack or 'none'} before, {news[candidate].attack or 'none'} now"
                remarks.append(f"{name}: {candidate} has another strongest attack ({attacks}).")
    found.sort(key=lambda change: (-abs(change.after - change.before), change.set, change.candidate, change.figure))
    return BenchmarkChanges(tuple(found), compared, unjudged, tuple(sorted(remarks)))


def _why_not(old: SetResult, new: SetResult) -> str:
    if old.fingerprint != new.fingerprint:
        return "the data are others"
    if old.score != new.score:
        return "the scores are made of other parts"
    return "the scenarios differ" if old.scenario != new.scenario else ""


def _only_in_one(
    what: str, old: Mapping[str, Any], new: Mapping[str, Any], before: BenchmarkResult, after: BenchmarkResult
) -> Iterator[str]:
    for here, there, result in ((old, new, before), (new, old, after)):
        when = "before" if result is before else "now"
        gone = sorted(here.keys() - there.keys())
        if gone:
            more = f" and {len(gone) - 8} more" if len(gone) > 8 else ""
            yield f"only {when}: {what}{'s' if len(gone) > 1 else ''} {'; '.join(gone[:8])}{more}"


def _noises(old: BenchmarkEntry, new: BenchmarkEntry) -> Iterator[tuple[str, float | None]]:
    for figure in FIGURES:
        if figure in old.figures and figure in new.figures:
            yield figure, _noise(old.figures[figure], old.seeds, new.figures[figure], new.seeds)


def _noise(a: Spread, n: int, b: Spread, m: int) -> float | None:
    """Return the largest difference of means that chance explains; None where one seed says nothing of the spread."""
    if a.sd is None or b.sd is None:
        return None
    freedom = n + m - 2
    if freedom < 1 or (a.sd == 0 and b.sd == 0):
        return 0.0
    from scipy.special import stdtrit

    pooled = ((n - 1) * a.sd**2 + (m - 1) * b.sd**2) / freedom
    return float(stdtrit(freedom, 1 - _LEVEL / 2)) * math.sqrt(pooled * (1 / n + 1 / m))

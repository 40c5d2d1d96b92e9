"""The fast search as an engine of ``Suppress``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tacita.tables.protect.pattern import Pattern
from tacita.tables.suppression.engine import Asked, Engine

__all__ = ["Effort", "Fast"]

Effort = Literal["fast", "quality"]

_WORK: dict[Effort, float] = {"fast": 1.0, "quality": 10.0}
"""Work to spend on a cheaper pattern, in units of the usual."""


@dataclass(frozen=True, kw_only=True)
class Fast(Engine, name="fast"):
    """Searches for a cheap pattern, in tables of any size.

    Parameters
    ----------
    effort
        ``quality`` spends ten times the usual work on a cheaper pattern.
    """

    effort: Effort = "fast"

    def find(self, asked: Asked) -> Pattern:
        """Return a cheap pattern; see :func:`~tacita.tables.suppression.fast.fast.fast_suppression`."""
        from tacita.tables.suppression.fast.fast import fast_suppression

        return fast_suppression(
            asked.problem,
            time_limit=asked.time_limit,
            effort=_WORK[self.effort],
            accepts_leaks=asked.accepts_leaks,
        )

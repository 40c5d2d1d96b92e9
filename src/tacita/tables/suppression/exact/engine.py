"""The exact method as an engine of ``Suppress``."""

from __future__ import annotations

from dataclasses import dataclass

from tacita.tables.protect.pattern import Pattern
from tacita.tables.suppression.engine import Asked, Engine

__all__ = ["Exact"]


@dataclass(frozen=True, kw_only=True)
class Exact(Engine, name="exact"):
    """Finds the cheapest pattern and proves it, or says how far it may be from it when time is up.

    Parameters
    ----------
    gap
        Stop when the cost is proven to be within this share of the cheapest.
    """

    seconds = 60.0
    gap: float = 0.0

    def find(self, asked: Asked) -> Pattern:
        """Return the cheapest pattern; see :func:`~tacita.tables.suppression.exact.exact.exact_suppression`."""
        from tacita.tables.suppression.exact.exact import exact_suppression

        return exact_suppression(asked.problem, start=asked.start, time_limit=asked.time_limit, gap=self.gap)

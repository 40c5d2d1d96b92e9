"""Figures for the operator, in the form of Prometheus: how much is asked, and nothing of what is answered."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter

__all__ = ["ServerMetrics"]

_HELP = {
    "tacita_requests_total": "Requests by the part of the server that they were for.",
    "tacita_turned_away_total": "Requests that were turned away before any data set was asked, by reason.",
    "tacita_up_seconds": "Seconds since this process started.",
}
_TURNED_AWAY = frozenset({"token", "body_size", "busy", "at_once", "not_found", "method", "host", "slow"})
"""Reasons that do not depend on data; budgets, refusals and times of work would tell what others ask, or what the data are."""


class ServerMetrics:
    """Counts requests of one process; no figure depends on data.

    Notes
    -----
    With several workers each has its own figures; ``process`` tells them apart.
    """

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()
        self._begun = time.monotonic()

    def asked(self, part: str) -> None:
        """Count a request."""
        with self._lock:
            self._counts["tacita_requests_total", part] += 1

    def turned_away(self, rule: str) -> None:
        """Count a request that was turned away, if its reason may be told."""
        if rule in _TURNED_AWAY:
            with self._lock:
                self._counts["tacita_turned_away_total", rule] += 1

    def text(self) -> str:
        """Return all figures.

        Examples
        --------
        >>> metrics = ServerMetrics()
        >>> metrics.asked("tabulate")
        >>> 'tacita_requests_total{part="tabulate",process=' in metrics.text()
        True
        """
        with self._lock:
            counts = sorted(self._counts.items())
        process, lines = os.getpid(), []
        for name, label in (("tacita_requests_total", "part"), ("tacita_turned_away_total", "rule")):
            lines += [f"# HELP {name} {_HELP[name]}", f"# TYPE {name} counter"]
            lines += [f'{name}{{{label}="{what}",process="{process}"}} {n}' for (of, what), n in counts if of == name]
        name = "tacita_up_seconds"
        lines += [f"# HELP {name} {_HELP[name]}", f"# TYPE {name} gauge"]
        lines.append(f'{name}{{process="{process}"}} {time.monotonic() - self._begun:.0f}')
        return "\n".join(lines) + "\n"

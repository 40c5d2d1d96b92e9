"""The ladder of imports, from the ground floor up: the test of imports holds the code against it, the page draws it."""

from __future__ import annotations

__all__ = ["LADDER"]

LADDER = (
    ("core",),
    ("numeric", "solve"),
    ("data",),
    ("mask", "risk", "loss", "tables", "attack", "logs", "games", "run"),
    ("release",),
    ("compare", "query"),
    ("report",),
    ("study",),
    ("web",),
    ("cli",),
)
"""The rooms on each step. A room may import itself and what lies below it, never a neighbour."""

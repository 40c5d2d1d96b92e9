"""Reasons: what a check found in an output, and what helps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

__all__ = ["OutputReason", "OutputState", "named", "worst"]

OutputState = Literal["pass", "review", "fail"]
_ORDER = ("pass", "review", "fail")
SHOWN = 5


@dataclass(frozen=True)
class OutputReason:
    """One thing that a check found.

    Parameters
    ----------
    check
        Name of the check; see ``CHECKS``.
    state
        ``review``: a person must look. ``fail``: it must not leave. ``pass``: excepted by the steward.
    words
        What was found. Cells are named by their labels; no value of a record is shown.
    cells
        Names of all figures that it is about.
    advice
        What helps.
    with_outputs
        Names of the other outputs that it needs.
    """

    check: str
    state: OutputState
    words: str
    cells: tuple[str, ...] = field(default=(), repr=False)
    advice: str = ""
    with_outputs: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.check}: {self.words}{f' {self.advice}' if self.advice else ''}"

    def to_plain(self) -> dict[str, Any]:
        """Return the reason ready for JSON."""
        return {
            "check": self.check,
            "state": self.state,
            "words": self.words,
            "cells": list(self.cells),
            "advice": self.advice,
            "with": list(self.with_outputs),
        }


def worst(states: Iterable[OutputState]) -> OutputState:
    """Return the gravest of some states; nothing is a pass.

    Examples
    --------
    >>> worst(["pass", "fail", "review"]), worst([])
    ('fail', 'pass')
    """
    return max(states, key=_ORDER.index, default="pass")


def named(cells: Iterable[str]) -> str:
    """List cells, the first few by name."""
    found = list(cells)
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return "; ".join(found[:SHOWN]) + more

"""Repeats: drawn records that a person of the original has exactly, and what becomes of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Literal, TypeAlias

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import DataError, TacitaWarning
from tacita.data.made.joined import joined_records
from tacita.data.microdata import Microdata

__all__ = ["Repeats", "find_repeated", "without_repeats"]

Repeats: TypeAlias = Literal["redraw", "keep"]
"""What becomes of a drawn record that equals one of the original in all columns that describe it: drawn anew, or kept."""

_ROUNDS = 20
_MOST = 0.1
"""Share of repeats from which on redrawing them would tell more than it hides."""


def find_repeated(made: Microdata, original: Microdata, names: tuple[str, ...]) -> BoolArray:
    """Return which drawn records equal one of the original in some columns; a gap equals any other. O(n d)."""
    parts = [original.select(names), made.select(names)]
    labels = joined_records(parts, parts[0].schema).groups(names)
    is_taken = np.zeros(int(labels.max(initial=-1)) + 1, np.bool_)
    is_taken[labels[: len(original)]] = True
    return np.asarray(is_taken[labels[len(original) :]])


def without_repeats(
    made: Microdata,
    original: Microdata,
    names: tuple[str, ...],
    redraw: Callable[[IntArray], Microdata],
    *,
    owner: str,
) -> tuple[Microdata, IntArray]:
    """Return a drawn file in which no record is one of the original, and the rows of ``made`` that it has.

    Parameters
    ----------
    made
        The drawn columns.
    original
        The file that was learned from.
    names
        The columns that describe the respondent.
    redraw
        Draws some records anew, given their rows.
    owner
        Who says what happened.

    Raises
    ------
    DataError
        When so many are repeats that their absence would tell who is in the original.
    """
    rows = np.flatnonzero(find_repeated(made, original, names))
    if len(rows) > max(_MOST * len(made), 1):
        raise DataError(
            f"{owner}: more than {100 * _MOST:.0f} % of the drawn records equal one of the original, because the columns have "
            "few values. To leave all of these out would tell who is in the original; take repeats='keep', or more columns."
        )
    everybody = np.arange(len(made))
    for _ in range(_ROUNDS):
        if not len(rows):
            return made, everybody
        other = redraw(rows)
        place = everybody.copy()
        place[rows] = len(made) + np.arange(len(rows))
        made = joined_records([made, other], made.schema).take(place)
        rows = rows[find_repeated(other, original, names)]
    warnings.warn(
        f"{owner}: {len(rows)} record(s) still equalled one of the original after {_ROUNDS} draws and were left out.",
        TacitaWarning,
        stacklevel=4,
    )
    kept = np.setdiff1d(everybody, rows)
    return made.take(kept), kept

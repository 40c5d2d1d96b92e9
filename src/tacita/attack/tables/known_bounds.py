"""What a reader knows of each cell by itself, and how his intervals become claims."""

from __future__ import annotations

import numpy as np

from tacita.attack.claims import Claims
from tacita.attack.targets import TableTarget
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import AttackError

__all__ = ["claimed_cells", "known_bounds", "reach_of", "several_possible"]


def reach_of(target: TableTarget) -> FloatArray:
    """Return for each cell how far its true value may be from the published one; 0 where it is true."""
    reach = 0.0 if target.reach is None else target.reach
    return np.broadcast_to(np.asarray(reach, np.float64), target.shown.shape).copy()


def known_bounds(target: TableTarget, *, keeps_zeros: bool = False) -> tuple[FloatArray, FloatArray]:
    """Return what a reader knows of each cell by itself: what everybody knows, and what was published of it.

    Parameters
    ----------
    target
        Published cells.
    keeps_zeros
        Whether cells without anybody are shown as 0, so that whatever is shown above 0 has somebody in it.
    """
    reach, hidden = reach_of(target), target.hidden
    told = np.where(hidden, 0.0, target.shown)
    lower = np.where(hidden, target.lower, np.maximum(told - reach, np.where(reach > 0, target.lower, -np.inf)))
    upper = np.where(hidden, target.upper, np.minimum(told + reach, np.where(reach > 0, target.upper, np.inf)))
    if keeps_zeros:
        lower = np.where(~hidden & (told > 0), np.maximum(lower, 1.0), lower)
    return (np.ceil(lower - 1e-9), np.floor(upper + 1e-9)) if target.is_count else (lower, upper)


def claimed_cells(
    target: TableTarget,
    ends: tuple[FloatArray, FloatArray] | None,
    *,
    tolerance: float | FloatArray,
    guesses: bool,
    impossible: str,
) -> tuple[Claims, ...]:
    """Turn intervals of the victims into claims.

    Parameters
    ----------
    target
        Published cells; the victims are its wanted cells.
    ends
        The least and the most that each victim can be; None where nothing is possible.
    tolerance
        How wide an interval may be for a cell to be known: half of it as a share of its lower end; one number, or one a victim.
    guesses
        Whether the middle is claimed of the others too, as an estimate.
    impossible
        What to say where nothing is possible.
    """
    if ends is None:
        raise AttackError(impossible)
    low, high = (np.ceil(ends[0] - 1e-6), np.floor(ends[1] + 1e-6)) if target.is_count else ends
    middle = np.where(np.isfinite(high - low), (low + high) / 2, np.nan)
    sure = _is_known(low, high, tolerance)
    known = int(sure.sum())
    widths = (high - low)[np.isfinite(high - low)]
    figures = {"known": float(known)} | ({"median_width": float(np.median(widths))} if len(widths) else {})
    said = Claims(
        about="cell",
        said=np.where(sure, middle, np.nan),
        is_sure=sure,
        low=low,
        high=high,
        learned=f"{known} of {len(low)} cells follow from what was published." if known else "",
        figures=figures,
    )
    return (said, Claims(about="estimate", said=middle, low=low, high=high, figures=figures)) if guesses else (said,)


def _is_known(low: FloatArray, high: FloatArray, tolerance: float | FloatArray) -> BoolArray:
    with np.errstate(invalid="ignore"):
        size = np.where(low * high > 0, np.minimum(np.abs(low), np.abs(high)), 0.0)
        return np.asarray((high - low) / 2 <= tolerance * size + 1e-6 * np.minimum(1.0, np.abs(high) + 1e-3), bool)


def several_possible(low: FloatArray, high: FloatArray) -> BoolArray:
    """Which counts are done with, by what was seen of each: those that two whole numbers are possible for."""
    return np.asarray(np.floor(high + 1e-6) > np.ceil(low - 1e-6), bool)

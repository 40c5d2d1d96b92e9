"""Score' and its parts, when each masked record is compared with the original that is nearest to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.loss.moments import moment_discrepancies
from tacita.numeric.statistics.moments import standardise
from tacita.numeric.statistics.relative import relative_differences
from tacita.risk.intervals import WIDTHS, rank_interval_hits

__all__ = ["ScoreParts", "score_parts"]


@dataclass(frozen=True)
class ScoreParts:
    """Loss and risk of a masked file, all but ``e`` and ``il1`` in percent.

    Parameters
    ----------
    e
        Error of the first and second moments of the standardised files, expression (5.3).
    il1
        Mean relative error of the values, expression (5.2); 1 is 100 percent.
    il
        IL': mean of ``100 il1`` and of the losses of means, covariances, variances and correlations.
    dld
        DLD': records that are linked to their nearest original by the columns that an intruder knows, averaged over
        knowing the first 1, 2, ... of them.
    rid
        ID': values of the nearest original within 1 to 10 percent of the ranks around the masked value.
    score
        ``0.5 il + 0.25 dld + 0.25 rid``, expression (5.1).
    paired_dld, paired_rid
        The same two risks with the record that each masked one came from; None where that is not known.
    losses
        What ``il`` is made of, in percent.
    """

    e: float
    il1: float
    il: float
    dld: float
    rid: float
    score: float
    paired_dld: float | None
    paired_rid: float | None
    losses: Mapping[str, float]

    def as_plain(self) -> dict[str, Any]:
        """Return the parts ready for JSON."""
        return asdict(self)


def score_parts(
    x: FloatArray, y: FloatArray, *, known: int, nearest: IntArray, own: tuple[IntArray, IntArray] | None = None
) -> ScoreParts:
    """Measure a masked file.

    Parameters
    ----------
    x, y
        Original and masked values, the columns that an intruder knows first.
    known
        How many columns an intruder knows.
    nearest
        For each masked record the row of its nearest original in all columns.
    own
        Masked rows whose origin is known, and these origins.
    """
    from tacita.numeric.post_masking.moment_objective import moment_error, moment_sums

    zx, zy = np.nan_to_num(standardise(x)), np.nan_to_num(standardise(y, like=x))
    il1 = _mean(relative_differences(x[nearest], y))  # (5.2)
    losses = {"values": il1, **moment_discrepancies(x, y)}
    il = 20 * sum(losses.values())
    every = np.arange(len(y))
    dld, rid = _linked(zx, zy, every, nearest, known), _intervals(x, y, every, nearest)
    paired = None if own is None or not len(own[0]) else own
    return ScoreParts(
        e=moment_error(moment_sums(zy), moment_sums(zx)),  # (5.3)
        il1=il1,
        il=il,
        dld=dld,
        rid=rid,
        score=0.5 * il + 0.25 * dld + 0.25 * rid,  # (5.1)
        paired_dld=None if paired is None else _linked(zx, zy, *paired, known),
        paired_rid=None if paired is None else _intervals(x, y, *paired),
        losses={name: 100 * value for name, value in losses.items()},
    )


def _mean(cells: FloatArray) -> float:
    there = cells[~np.isnan(cells)]
    return float(there.mean()) if there.size else 0.0


def _linked(zx: FloatArray, zy: FloatArray, rows: IntArray, own: IntArray, known: int) -> float:
    from tacita.numeric.nearest.neighbours import own_is_nearest

    shares = [
        own_is_nearest(np.ascontiguousarray(zx[:, :m]), np.ascontiguousarray(zy[rows, :m]), own).mean()
        for m in range(1, known + 1)
    ]
    return 100 * float(np.mean(shares))


def _intervals(x: FloatArray, y: FloatArray, rows: IntArray, own: IntArray) -> float:
    hits = [rank_interval_hits(x[own, j], y[rows, j], y[:, j], WIDTHS) for j in range(x.shape[1])]
    return 100 * _mean(np.concatenate(hits))

"""Outliers beside the whole file: every measure twice, because extreme respondents are the easiest to find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from tacita.compare.evaluate import evaluate
from tacita.compare.score import Score
from tacita.compare.scorecard import Scorecard
from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError
from tacita.core.parameters import Columns, Interval, coerce
from tacita.core.selectors import Selector
from tacita.data.measure import Measure
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pairing
from tacita.data.scenario import ScenarioLike
from tacita.numeric.statistics.outliers import outliers
from tacita.release.release import Release

__all__ = ["OutlierCards", "evaluate_outliers", "outlier_records"]

NUMERIC = Selector("numeric columns")


def outlier_records(data: Microdata, *, columns: Columns = NUMERIC, share: float = 0.05) -> BoolArray:
    """Find the records that lie farthest from the average record.

    Each column is standardised; the distance of a record is ``sqrt(sum_j ((x_ij - mean_j) / S_j)^2)``; the ``share`` of
    the records with the largest distances are the outliers.

    Parameters
    ----------
    data
        The original data.
    columns
        Numeric columns to look at; by default all that describe the respondent.
    share
        Part of the records that are called outliers, between 0 and 1.

    Returns
    -------
    array of bool
        For each record whether it is an outlier; ready for ``evaluate(..., among=)``.

    Raises
    ------
    ParameterError
        When ``share`` is not between 0 and 1.
    ColumnError
        When a column is not there or not numeric.
    DataError
        When there are no records.

    Complexity
    ----------
    O(n d + n log n) time, O(n d) memory.

    Notes
    -----
    The number of outliers is ``share * n`` rounded, at least one; of equally distant records the first in the file is
    taken. A missing value lies at the mean of its column. The standard deviation has the denominator n - 1.

    References
    ----------
    Mateo-Sanz, Sebe and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, section 5.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.business_survey(400, seed=1)
    >>> far = outlier_records(data, columns=["turnover", "wages"])
    >>> int(far.sum())
    20
    """
    share = coerce(share, Annotated[float, Interval(0, 1, "neither")], owner="outlier_records", name="share")
    if not len(data):
        raise DataError("outlier_records: there are no records, so none is an outlier.")
    names = data.schema.resolve(columns, owner="outlier_records", scales=frozenset({"numeric"}))
    return outliers(data.floats(names), share=share)


@dataclass(frozen=True, eq=False)
class OutlierCards:
    """Two cards of one masked file: all records, and the outliers among all.

    Parameters
    ----------
    whole
        The measures of all records.
    outliers
        The same measures of the outliers; each is compared with the whole of the other file.
    records
        How many outliers there are.
    share
        Which part of the records was called outliers.
    """

    whole: Scorecard
    outliers: Scorecard
    records: int
    share: float

    def rows(self) -> list[dict[str, Any]]:
        """Return one row for each measure: its value for the file and for the outliers, None where it has none."""
        names = dict.fromkeys([*self.whole, *self.outliers])
        beside = []
        for name in names:
            measure = (self.whole if name in self.whole else self.outliers).results[name][0]
            beside.append(
                {
                    "measure": name,
                    "title": measure.title,
                    "kind": measure.kind,
                    "whole": _value(self.whole, name),
                    "outliers": _value(self.outliers, name),
                    "unit": measure.traits.unit,
                    "what": measure.summary(),
                }
            )
        return beside

    def as_plain(self) -> dict[str, Any]:
        """Return the card of the whole file ready for JSON, with the outliers' card under ``outliers``."""
        part = self.outliers.as_plain()
        return {**self.whole.as_plain(), "outliers": {**part, "count": self.records, "share": self.share}}

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{row['measure']} {row['whole']:.4g} | {row['outliers']:.4g}"
            for row in self.rows()
            if row["whole"] is not None and row["outliers"] is not None
        )
        return f"OutlierCards (whole file | {self.records} outliers: {shown})"


def _value(card: Scorecard, name: str) -> float | None:
    return card[name] if name in card.results else None


def evaluate_outliers(
    original: Microdata,
    masked: Microdata | Release,
    *,
    measures: Sequence[str | Measure] | None = None,
    columns: Columns | None = None,
    scenario: ScenarioLike = None,
    pairing: Pairing = "auto",
    share: float = 0.05,
    score: str | Path | Score | None = None,
) -> OutlierCards:
    """Measure the outliers of a masked file beside the whole of it.

    Outliers are found in the original by :func:`outlier_records`. Their masked records are compared with all records of the
    original, so that an outlier counts as linked when it was found among everybody.

    Parameters
    ----------
    original, masked, measures, scenario, pairing, score
        As for :func:`tacita.evaluate`.
    columns
        The columns to compare and to find outliers by; by default each measure's own choice, and outliers by all numeric
        columns.
    share
        Part of the records that are called outliers.

    Returns
    -------
    OutlierCards
        The card of the whole file and that of the outliers.

    Raises
    ------
    ParameterError, ColumnError, DataError
        As :func:`outlier_records`.
    MeasureError
        As :func:`tacita.evaluate`; also when no outlier is left in the masked file.

    Complexity
    ----------
    That of ``evaluate`` twice; measures of single records cost little for so few.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.business_survey(400, seed=1)
    >>> columns = ["turnover", "wages"]
    >>> masked = tc.mask.AdditiveNoise(columns=columns, sd_ratio=0.1).apply(data, seed=7)
    >>> cards = evaluate_outliers(data, masked, columns=columns)
    >>> cards.outliers["dld"] > cards.whole["dld"]
    True
    """
    found_by = NUMERIC if columns is None else columns
    far = outlier_records(original, columns=found_by, share=share)
    asked: dict[str, Any] = {"measures": measures, "columns": columns, "scenario": scenario, "pairing": pairing}
    whole = evaluate(original, masked, **asked, score=score)
    part = evaluate(original, masked, **asked, among=far, score=score)
    return OutlierCards(whole, part, int(far.sum()), float(share))

"""Answers as CSV: comma-separated, UTF-8, and safe to open in a spreadsheet.

Fields are quoted where they need it and lines end as RFC 4180 says. A text that a spreadsheet would run as a formula gets an
apostrophe before it. What has no value is an empty field, never 0.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tacita.data.formats.formulas import neutral_texts
from tacita.query.camouflage.model_intervals import IntervalModel
from tacita.query.models.correlate import CorrelationOutcome
from tacita.query.models.model_result import FittedModel
from tacita.query.tables.cell_table import CellTable

__all__ = ["correlations_csv", "csv_bytes", "model_csv", "number_csv", "quantiles_csv", "table_csv"]


def csv_bytes(names: Sequence[str], columns: Sequence[Iterable[Any]]) -> bytes:
    r"""Return columns of equal length as CSV; None and NaN are empty fields.

    Examples
    --------
    >>> csv_bytes(["sex", "mean"], [["f", "m"], [2.5, None]])
    b'sex,mean\r\nf,2.5\r\nm,\r\n'
    """
    made = io.StringIO(newline="")
    writer = csv.writer(made, lineterminator="\r\n")
    writer.writerow(neutral_texts(names))
    writer.writerows(zip(*(_fields(column) for column in columns), strict=True))
    return made.getvalue().encode("utf-8")


def table_csv(table: CellTable) -> bytes:
    r"""Return a table as CSV, one row for each cell.

    Parameters
    ----------
    table
        The table.

    Returns
    -------
    bytes
        The variables, then the value called by the statistic; ``standard_error`` and ``flag`` where they are shown.

    Examples
    --------
    >>> import numpy as np
    >>> table_csv(CellTable(("sex",), {"sex": ("f", "=m")}, "count", np.array([7.0, np.nan])))
    b"sex,count\r\nf,7\r\n'=m,\r\n"
    """
    rows = table.to_rows()
    return csv_bytes(list(rows), list(rows.values()))


def model_csv(model: FittedModel | IntervalModel) -> bytes:
    """Return the coefficients of a model as CSV, one row for each.

    Parameters
    ----------
    model
        The model; what else it has stands in its JSON form. Under camouflage a coefficient has two ends.
    """
    if isinstance(model, IntervalModel):
        ends = ([getattr(one, name) for one in model.intervals] for name in ("low", "high"))
        return csv_bytes(("label", "low", "high"), [[one.label for one in model.intervals], *ends])
    names = ("estimate", "error", "statistic", "p_value")
    numbers = ([getattr(c, name) for c in model.coefficients] for name in names)
    return csv_bytes(("label", *names), [[c.label for c in model.coefficients], *numbers])


def correlations_csv(found: CorrelationOutcome) -> bytes:
    """Return a matrix of correlations as CSV, a row and a column for each variable."""
    columns = [[row[place] for row in found.matrix] for place in range(len(found.names))]
    return csv_bytes(("variable", *found.names), [found.names, *columns])


def quantiles_csv(found: Mapping[str, Any]) -> bytes:
    """Return quantiles as CSV, one row for each level: its bin, and its place there where the bin has two ends."""
    rows = found["quantiles"]
    columns = [
        [found["response"]] * len(rows),
        *([row.get(name) for row in rows] for name in ("level", "bin", "value")),
    ]
    return csv_bytes(("response", "level", "bin", "value"), columns)


def number_csv(value: float | None, interval: tuple[float, float] | None = None) -> bytes:
    r"""Return one number, or the interval that it lies in, as CSV of one row.

    Examples
    --------
    >>> number_csv(None, (1.0, 2.5))
    b'low,high\r\n1.0,2.5\r\n'
    """
    if interval is None:
        return csv_bytes(["value"], [[value]])
    return csv_bytes(["low", "high"], [[end] for end in interval])


def _fields(column: Iterable[Any]) -> list[Any]:
    """A column as it is written: texts without formulas, numbers as they are, gaps empty."""
    listed = list(column)
    texts = {value for value in listed if isinstance(value, str)}
    if texts:  # each class once, however many rows have it
        ordered = sorted(texts)
        safe = dict(zip(ordered, neutral_texts(ordered), strict=True))
        return [safe[value] if isinstance(value, str) else value for value in listed]
    return [None if value is None or math.isnan(value) else value for value in listed]

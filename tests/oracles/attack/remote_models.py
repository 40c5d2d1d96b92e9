"""A remote access that fits every model by statsmodels, over columns made record by record."""

from __future__ import annotations

from typing import Any

import numpy as np
from statsmodels.regression.linear_model import OLS

from tacita.attack.regression.question import MadeColumn, ModelQuestion

__all__ = ["column_by_record", "fitted_by_statsmodels"]


def column_by_record(column: MadeColumn, record: dict[str, Any]) -> float:
    """The value of a column of the user's making for one record, as the paper defines it."""
    parts = [column_by_record(part, record) for part in column.parts]
    if column.kind == "all":
        return float(min(parts))
    if column.kind == "either":
        return float(max(parts))
    x: Any = record[column.of[0]]
    value: Any = column.value
    w = column.width
    if column.kind == "outlier":
        return 1 / (abs(x - value) + sum(1 - part for part in parts) + w)
    found = {
        "variable": lambda: x,
        "square": lambda: x * x,
        "equal": lambda: x == value,
        "within": lambda: x - w < value < x + w,
        "ratio": lambda: x == value or (1 - w) * x < value < (1 + w) * x,
        "above": lambda: x > value,
        "below": lambda: x < value,
    }[column.kind]
    return float(found())


def fitted_by_statsmodels(columns: dict[str, Any], question: ModelQuestion) -> dict[str, Any]:
    """What a remote access without any rule prints."""
    records = [
        dict(zip(columns, row, strict=True)) for row in zip(*(c.tolist() for c in columns.values()), strict=True)
    ]
    if question.without is not None:
        records = [record for record in records if not column_by_record(question.without, record)]
    y = np.array([record[question.response] for record in records])
    x = np.array([[1.0, *(column_by_record(c, record) for c in question.regressors)] for record in records])
    found = OLS(y, x).fit()
    first = x[:, 1]
    return {
        "coefficients": found.params,
        "errors": found.bse,
        "covariance": found.cov_params(),
        "variance": found.mse_resid,
        "n": len(records),
        "fitted": float(found.params @ np.array([1.0, *question.at])) if question.at else None,
        "means": x[:, 1:].mean(axis=0),
        "variances": x[:, 1:].var(axis=0),
        "maximum": int((first == first.max()).sum()),
        "zeros": int((np.abs(found.resid) < 1e-9 * np.ptp(y)).sum()),
    }

"""Residual plots of a regression, from synthetic values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tacita.query.requests.regress import Regress

__all__ = ["Residuals"]


@dataclass(frozen=True, kw_only=True)
class Residuals(Regress):
    """Ask for residual plots of a regression; the plots show synthetic values, the residuals never leave.

    Parameters
    ----------
    plots
        ``synthetic`` values that behave like the residuals, or ``binned``: box plots over bins of each predictor, without
        synthetic values.

    Examples
    --------
    >>> Residuals(response="income", predictors=["age"]).plots
    'synthetic'
    """

    kind = "residuals"

    plots: Literal["synthetic", "binned"] = "synthetic"

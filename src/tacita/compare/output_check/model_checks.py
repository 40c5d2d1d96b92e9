"""Checks of models, correlations and tests: degrees of freedom, exact fits, categories with few contributors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tacita.compare.output_check.basis import OutputBasis, Owners, plain_label
from tacita.compare.output_check.output import Output
from tacita.compare.output_check.output_limits import OutputLimits
from tacita.compare.output_check.reason import OutputReason, named
from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata

__all__ = ["check_model", "is_model", "output_of_model"]

_UNKNOWN = "Name the columns of the model ('dependent', 'variables') and its 'universe', so that it can be computed."


def check_model(
    output: Output, basis: OutputBasis | None, data: Microdata, owners: Owners, limits: OutputLimits
) -> tuple[OutputReason, ...]:
    """Check a regression, a correlation or a test by its records, its parameters and its fit."""
    computed = None if basis is None else int(basis.distinct(owners.units)[0])
    said = None if output.records is None else int(output.records)
    reasons = list(_basis_reasons(basis, said))
    units = said if computed is None else computed
    records = said if basis is None else int(basis.records[0])
    if units is not None and units < limits.at_least:
        words = f"it is about fewer than {limits.at_least} contributors."
        reasons.append(OutputReason("minimum_frequency", "fail", words, (), "Widen its universe."))
    left = _degrees(output, basis, data, records)
    if left is None:
        words = "its residual degrees of freedom are not known."
        reasons.append(OutputReason("unknown_basis", "review", words, (), _UNKNOWN))
    elif left < limits.degrees_of_freedom:
        words = f"it has {left:g} residual degrees of freedom; {limits.degrees_of_freedom} are asked for."
        reasons.append(OutputReason("degrees_of_freedom", "fail", words, (), "Take more records or fewer parameters."))
    if (left is not None and left <= 0) or (output.fit is not None and output.fit > limits.fit):
        words = f"it is saturated or explains more than {limits.fit:g} % of the variance, so it gives the data back."
        reasons.append(OutputReason("saturated", "fail", words, (), "Take fewer parameters."))
    if basis is not None:
        reasons += _categories(output, basis, data, owners, limits)
    return tuple(reasons)


def _basis_reasons(basis: OutputBasis | None, said: int | None) -> list[OutputReason]:
    if basis is None:
        words = "the records behind it are taken as said and were not computed from the data."
        return [OutputReason("unknown_basis", "review", words, (), _UNKNOWN)]
    if said is not None and said != int(basis.records[0]):
        words = "its number of records is not the one of the data under its universe."
        return [OutputReason("match", "review", words, (), "Correct the universe or the variables.")]
    return []


def _degrees(output: Output, basis: OutputBasis | None, data: Microdata, records: int | None) -> float | None:
    """Residual degrees of freedom: as computed, or as said where that is fewer."""
    known = [] if output.degrees_of_freedom is None else [float(output.degrees_of_freedom)]
    if records is not None:
        parameters = output.parameters
        if parameters is None and output.kind == "correlation":
            parameters = 2
        if parameters is None and basis is not None and output.kind == "regression":
            parameters = 1 + sum(_levels(data, name, basis.inner >= 0) for name in output.variables)
        if parameters is None and output.kind == "test" and not known:
            parameters = max(1, len(output.variables))
        if parameters is not None:
            known.append(float(records - parameters))
    return min(known, default=None)


def _levels(data: Microdata, name: str, rows: BoolArray) -> int:
    """Parameters that a column needs: one, or one for each category but the first."""
    if data.schema[name].scale == "numeric":
        return 1
    return max(0, len(np.unique(data.codes(name).values[rows])) - 1)


def _categories(
    output: Output, basis: OutputBasis, data: Microdata, owners: Owners, limits: OutputLimits
) -> list[OutputReason]:
    """Categories of explaining columns with few contributors: their coefficient is about these alone."""
    rows = basis.inner >= 0
    small: list[str] = []
    for name in output.variables if output.kind == "regression" else ():
        codes = data.codes(name)
        if data.schema[name].scale == "numeric" and len(codes.categories) > 2:
            continue
        span = int(owners.units.max(initial=0)) + 1
        words = np.unique(codes.values[rows] * span + owners.units[rows])
        counts = np.bincount(words // span, minlength=len(codes.categories))
        few = np.flatnonzero((counts > 0) & (counts < limits.at_least)).tolist()
        small += [f"{name}={plain_label(codes.categories[place])}" for place in few]
    if not small:
        return []
    said = f"{len(small)} of its categories have fewer than {limits.at_least} contributors: {named(small)}."
    return [OutputReason("small_category", "review", said, tuple(small), "Merge categories.")]


# --- results of statistical libraries -----------------------------------------------------------------------------------


def is_model(given: Any) -> bool:
    """Whether something looks like a fitted model of statsmodels."""
    return all(hasattr(given, word) for word in ("model", "params", "nobs", "df_resid"))


def output_of_model(given: Any, data: Microdata, **settings: Any) -> Output:
    """Describe a fitted model of statsmodels; its records are found by their row numbers where these fit the data.

    Notes
    -----
    A frame that was filtered keeps the row numbers of the file. They are believed only if the dependent column of the data has
    the model's own values there.
    """
    model = given.model
    fit = getattr(given, "rsquared", None)
    dependent = str(getattr(model, "endog_names", ""))
    described: dict[str, Any] = {
        "kind": "regression",
        "records": int(given.nobs),
        "parameters": int(np.size(given.params)),
        "degrees_of_freedom": float(given.df_resid),
        "fit": None if fit is None or not np.isfinite(fit) else 100 * float(np.clip(fit, 0, 1)),
        "dependent": dependent if dependent in data.schema else None,
    }
    rows = _rows_of(model, data, dependent)
    if rows is not None and "universe" not in settings:
        described["universe"] = rows
        names = [str(name) for name in getattr(model, "exog_names", [])]
        described["variables"] = [name for name in data.schema.names if name in names and name != dependent]
    for word in ("records", "parameters", "degrees_of_freedom"):
        if word in settings:
            raise ParameterError(f"check_output: '{word}' comes from the model; leave it out.")
    return Output(**{**described, **settings})


def _rows_of(model: Any, data: Microdata, dependent: str) -> BoolArray | None:
    labels = getattr(getattr(model, "data", None), "row_labels", None)
    endog = np.asarray(model.endog, np.float64)
    if dependent not in data.schema or data.schema[dependent].scale != "numeric" or endog.ndim != 1:
        return None
    own = data.float(dependent)
    places = np.arange(len(own)) if labels is None else np.asarray(labels)
    if len(places) != len(endog) or places.dtype.kind not in "iu" or len(np.unique(places)) < len(places):
        return None
    if len(places) and (places.min() < 0 or places.max() >= len(own)):
        return None
    if not np.allclose(own[places], endog, rtol=1e-9, atol=0, equal_nan=False):
        return None
    rows = np.zeros(len(own), bool)
    rows[places] = True
    return rows

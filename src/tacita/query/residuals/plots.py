"""The residual plots of a question: which plot each predictor has, and the plot of the fitted values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacita.core.errors import DataError
from tacita.query.models.cases import Predictor
from tacita.query.models.model_result import InternalFit
from tacita.query.models.terms import Term
from tacita.query.models.transforms import transformed
from tacita.query.requests.residuals import Residuals
from tacita.query.residuals.binned import average_plot, binned_boxes
from tacita.query.residuals.binning import BinGroups, bins_of_variable, quantile_bins
from tacita.query.residuals.levels import level_plot, shown_levels
from tacita.query.residuals.scatter import scatter_plot
from tacita.query.residuals.shapes import Plot, ResidualPlots
from tacita.query.residuals.source import PlotSource, source_of

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["FITTED", "ResidualPlots", "residual_plots"]

FITTED = "fitted"
"""What the plot of the fitted values is called."""


def residual_plots(question: Question, request: Residuals, internal: InternalFit) -> ResidualPlots:
    """Return the residual plots of a fitted model.

    | model | predictor | ``synthetic`` | ``binned`` |
    |---|---|---|---|
    | linear | numerical, fitted values | scatter plot | winsorised boxes over bins |
    | linear | categorical | boxes of synthetic values | winsorised boxes |
    | logistic | any | binned averages | binned averages |

    Parameters
    ----------
    question
        Gives the records' names, the key of the data version, the members and the policy's settings (``residuals``).
    request
        The model, and which kind of plots.
    internal
        The fit; nothing of it leaves as it is.

    Returns
    -------
    ResidualPlots
        The fitted values first, then each variable of the model once.

    Raises
    ------
    DataError
        When all residuals are 0.

    Complexity
    ----------
    O(n log n) for each numerical predictor, O(n) for each categorical one.

    Notes
    -----
    A variable that stands in the model more than once is drawn over its first main effect, transformed as there. Predictors are
    synthesised one at a time, so the plots say nothing of their joint distribution. Each plot has a stream of random numbers
    keyed by model, members and variable: the same question has the same plots, whoever asks.

    References
    ----------
    Reiter, J. (2003), Model diagnostics for remote access regression servers, Statistics and Computing 13, 371-380; Lucero, J. et
    al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.2.1.
    """
    source = source_of(question, request, internal)
    synthetic = request.plots == "synthetic" and internal.family == "linear"
    made = [_fitted_plot(source, synthetic=synthetic)]
    for name in source.spec.variables:
        term = next(term for term in source.spec.terms if term.variable == name)
        predictor = internal.design.data.named(name)
        if synthetic:
            made.append(_synthetic_plot(source, term, predictor))
        else:
            made.append(_binned_plot(source, name, _groups(question, source, predictor)))
    limit = source.settings.limit if internal.family == "linear" else None
    return ResidualPlots(request.response, internal.family, tuple(made), limit)


def _fitted_plot(source: PlotSource, *, synthetic: bool) -> Plot:
    fitted, settings = source.fit.fitted, source.settings
    if synthetic:
        return scatter_plot(source, FITTED, fitted, smoothed=True)
    low, high = (0.0, 1.0) if source.fit.family == "logistic" else (None, None)
    bins = quantile_bins(fitted, settings.bins, settings.count, low=low, high=high)
    return _binned_plot(source, FITTED, BinGroups.of_bins(bins, fitted, settings.count))


def _synthetic_plot(source: PlotSource, term: Term, predictor: Predictor) -> Plot:
    if predictor.values is None:
        return level_plot(source, predictor)
    return scatter_plot(source, term.label, transformed(predictor.values, term.transform))


def _binned_plot(source: PlotSource, label: str, groups: BinGroups) -> Plot:
    if source.fit.family == "logistic":
        return average_plot(source, label, groups)
    return binned_boxes(source, label, groups)


def _groups(question: Question, source: PlotSource, predictor: Predictor) -> BinGroups:
    """Return the bins of a numerical predictor, the levels of a categorical one."""
    settings = source.settings
    if predictor.values is not None:
        bins = bins_of_variable(question.version, predictor.name, settings.bins, settings.count)
        return BinGroups.of_bins(bins, predictor.values, settings.count)
    codes = predictor.codes
    if codes is None:
        raise DataError("A predictor must have values or codes.")
    return BinGroups(predictor.classes, codes, shown_levels(source, predictor))

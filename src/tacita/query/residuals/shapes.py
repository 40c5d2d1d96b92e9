"""What leaves: scatter plots, box plots and binned averages as rounded numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.query.models.significant import plain_number, to_significant
from tacita.query.plain_form import PlainForm

__all__ = ["AveragePlot", "Box", "BoxPlot", "Mean", "Plot", "ResidualPlots", "ScatterPlot"]

FIGURES = 4
DECIMALS = 3


@dataclass(frozen=True, eq=False)
class ScatterPlot:
    """Synthetic residuals over a synthetic variable.

    Parameters
    ----------
    variable
        The label of a main effect, or ``fitted``.
    x, residuals
        Points, by ascending x.
    step
        What x is rounded to.
    curve
        Places and heights of a smoother through the points; empty where there is none.
    """

    variable: str
    x: FloatArray = field(repr=False)
    residuals: FloatArray = field(repr=False)
    step: float = field(repr=False)
    curve: tuple[FloatArray, FloatArray] = field(default=(np.zeros(0), np.zeros(0)), repr=False)

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        made: dict[str, Any] = {"variable": self.variable, "kind": "scatter"}
        made |= {"x": _stepped(self.x, self.step), "residuals": _decimals(self.residuals)}
        if len(self.curve[0]):
            made["curve"] = {"x": _stepped(self.curve[0], self.step), "residuals": _decimals(self.curve[1])}
        return made

    @classmethod
    def from_plain(cls, given: Any) -> ScatterPlot:
        """Read what :meth:`to_plain` gives; the step is the coarsest that leaves the places as they are.

        Raises
        ------
        ParameterError
            When it is no scatter plot.
        """
        form = PlainForm.of("A scatter plot", given, ("variable", "kind", "x", "residuals"), optional=("curve",))
        x, residuals = _points(form)
        places, heights = np.zeros(0), np.zeros(0)
        if "curve" in form:
            places, heights = _points(PlainForm.of("The curve of a plot", form.part("curve"), ("x", "residuals")))
        return cls(form.text("variable"), x, residuals, _step(np.concatenate((x, places))), (places, heights))


@dataclass(frozen=True)
class Box:
    """Five numbers of residuals in a level or a bin; ``low`` and ``high`` are the ends of the whiskers."""

    label: str
    low: float
    lower: float
    median: float
    upper: float
    high: float
    n: int

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        five = {
            word: round(getattr(self, word), DECIMALS) + 0.0 for word in ("low", "lower", "median", "upper", "high")
        }
        return {"label": self.label, **five, "n": self.n}

    @classmethod
    def from_plain(cls, given: Any) -> Box:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no box.
        """
        five = ("low", "lower", "median", "upper", "high")
        form = PlainForm.of("A box", given, ("label", *five, "n"))
        low, lower, median, upper, high = map(form.number, five)
        return cls(form.text("label"), low, lower, median, upper, high, form.whole("n"))


@dataclass(frozen=True)
class BoxPlot:
    """Boxes side by side, with the labels of those that have too few records to be shown."""

    variable: str
    boxes: tuple[Box, ...]
    suppressed: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        boxes = [box.to_plain() for box in self.boxes]
        return {"variable": self.variable, "kind": "boxes", "boxes": boxes, "suppressed": list(self.suppressed)}

    @classmethod
    def from_plain(cls, given: Any) -> BoxPlot:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no plot of boxes.
        """
        form = PlainForm.of("A plot of boxes", given, ("variable", "kind", "boxes", "suppressed"))
        return cls(form.text("variable"), tuple(map(Box.from_plain, form.listed("boxes"))), form.texts("suppressed"))


@dataclass(frozen=True)
class Mean:
    """The mean residual of a bin or a level, and two standard errors of it where the model is right.

    ``x`` is where the bin is drawn, None for a level.
    """

    label: str
    x: float | None
    mean: float
    limit: float
    n: int

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        x = None if self.x is None else plain_number(to_significant(self.x, FIGURES))
        shown = {"mean": to_significant(self.mean, DECIMALS), "limit": to_significant(self.limit, DECIMALS)}
        return {"label": self.label, "x": x, **shown, "n": self.n}

    @classmethod
    def from_plain(cls, given: Any) -> Mean:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no mean of a bin.
        """
        form = PlainForm.of("A mean residual", given, ("label", "x", "mean", "limit", "n"))
        x = None if form.parts["x"] is None else form.number("x")
        return cls(form.text("label"), x, form.number("mean"), form.number("limit"), form.whole("n"))


@dataclass(frozen=True)
class AveragePlot:
    """Mean residuals of bins."""

    variable: str
    means: tuple[Mean, ...]
    suppressed: tuple[str, ...] = ()

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        means = [mean.to_plain() for mean in self.means]
        return {"variable": self.variable, "kind": "averages", "means": means, "suppressed": list(self.suppressed)}

    @classmethod
    def from_plain(cls, given: Any) -> AveragePlot:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When it is no plot of means.
        """
        form = PlainForm.of("A plot of means", given, ("variable", "kind", "means", "suppressed"))
        return cls(form.text("variable"), tuple(map(Mean.from_plain, form.listed("means"))), form.texts("suppressed"))


Plot: TypeAlias = ScatterPlot | BoxPlot | AveragePlot


@dataclass(frozen=True)
class ResidualPlots:
    """All residual plots of a model: one for every predictor, one for the fitted values.

    Parameters
    ----------
    response, family
        Of the model.
    plots
        In the order of the model's variables; the plot of the fitted values is the first.
    limit
        Standardised residuals beyond it are drawn at it; None where residuals are not standardised.

    Examples
    --------
    >>> boxes = BoxPlot("sex", (Box("f", -2, -0.7, 0.01234, 0.7, 2, 50),))
    >>> ResidualPlots("income", "linear", (boxes,)).to_plain()["plots"][0]["boxes"][0]["median"]
    0.012
    """

    response: str
    family: str
    plots: tuple[Plot, ...] = field(repr=False)
    limit: float | None = None

    def to_plain(self) -> dict[str, Any]:
        """Return the JSON form."""
        head = {"response": self.response, "family": self.family, "limit": self.limit}
        return {**head, "plots": [plot.to_plain() for plot in self.plots]}

    @classmethod
    def from_plain(cls, given: Any) -> ResidualPlots:
        """Read what :meth:`to_plain` gives.

        Raises
        ------
        ParameterError
            When these are no residual plots.
        """
        form = PlainForm.of("Residual plots", given, ("response", "family", "limit", "plots"))
        limit = None if form.parts["limit"] is None else form.number("limit")
        plots = tuple(map(_plot, form.listed("plots")))
        return cls(form.text("response"), form.text("family"), plots, limit)


_KINDS: dict[str, type[Plot]] = {"scatter": ScatterPlot, "boxes": BoxPlot, "averages": AveragePlot}


def _plot(given: Any) -> Plot:
    """Read a plot of any kind."""
    kind = given.get("kind") if isinstance(given, Mapping) else None
    form = PlainForm("A residual plot", {"kind": kind})
    return _KINDS[form.choice("kind", _KINDS)].from_plain(given)


def _points(form: PlainForm) -> tuple[FloatArray, FloatArray]:
    x = form.numbers("x")
    return x, form.numbers("residuals", len(x))


def _step(x: FloatArray) -> float:
    """The largest power of ten that numbers are multiples of, as far as their digits can be relied on."""
    from decimal import Decimal

    powers = [int(Decimal(repr(v)).normalize().as_tuple().exponent) for v in x.tolist() if v]
    if not powers:
        return 1.0
    largest = int(np.floor(np.log10(np.abs(x).max())))
    return float(10.0 ** max(min(powers), largest - 15, -300))


def _decimals(values: FloatArray) -> list[float]:
    return [float(v) for v in np.round(values, DECIMALS) + 0.0]


def _stepped(values: FloatArray, step: float) -> list[float]:
    """Round to multiples of a power of ten, without the digits that binary fractions add."""
    digits = -round(np.log10(step))
    return [float(v) for v in np.round(values, digits) + 0.0]

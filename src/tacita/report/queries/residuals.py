"""Residual plots as a picture: one panel for the fitted values and one for every predictor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tacita.core.errors import ParameterError
from tacita.query.residuals.plots import FITTED, ResidualPlots
from tacita.report.style import CANDIDATE, INK, ORIGINAL_EDGE, PANEL, RELEASE, RELEASE_FILL, axis_labels, styled
from tacita.report.words import plain_text

__all__ = ["residuals_chart"]

_BOX_STEP = 22
_NO_BOX = "No level has enough records."
_SAYINGS = {
    "scatter": "synthetic residuals; each point stands for no record",
    "boxes": "quartiles and ends of residuals with noise",
    "averages": "mean residuals with noise; bars: two standard errors around 0",
}


def residuals_chart(plots: ResidualPlots | Mapping[str, Any], *, columns: int = 2) -> Any:
    """Draw residual plots, each in a panel of its own.

    Numerical predictors and fitted values have a scatter plot, the latter with a smoother; levels and bins lie below each other
    as boxes; binned averages of a logistic model are points over bars of two standard errors. A dashed line marks 0.
    All panels of standardised residuals have the same scale. The picture has what the answer has, and nothing else.

    Parameters
    ----------
    plots
        The plots of an answer, or their JSON form.
    columns
        Panels side by side.

    Returns
    -------
    altair.Chart
        Shows itself in a notebook; ``.save("residuals.svg")`` writes it.

    Raises
    ------
    ParameterError
        When there is no plot.

    Examples
    --------
    >>> from tacita.query.residuals.shapes import Box, BoxPlot
    >>> plots = ResidualPlots("income", "linear", (BoxPlot("sex", (Box("f", -2, -0.7, 0, 0.7, 2, 50),)),), 4.0)
    >>> residuals_chart(plots).to_dict()["concat"][0]["title"]["text"]
    'sex'
    """
    plain = plots.to_plain() if isinstance(plots, ResidualPlots) else plots
    shown = plain.get("plots", ())
    if not shown:
        raise ParameterError("residuals_chart: 'plots' must have at least one plot, got none.")
    limit = plain.get("limit")
    draw = {"scatter": _scatter, "boxes": _boxes, "averages": _averages}
    panels = [
        draw[plot["kind"]](plot, limit).properties(
            title=_title(plot["variable"], plot["kind"], plot.get("suppressed", ()))
        )
        for plot in shown
    ]
    chart = alt.concat(*panels, columns=columns, spacing=28)
    title = alt.TitleParams(f"Residuals of {plain_text(plain['response'])}", offset=16, fontSize=15)
    return styled(chart.properties(title=title))


def _title(variable: str, kind: str, suppressed: Sequence[str]) -> Any:
    words = [_SAYINGS[kind]]
    if suppressed:
        words.append(f"not shown, too few records: {', '.join(plain_text(name) for name in suppressed)}")
    name = "fitted values" if variable == FITTED else plain_text(variable)
    return alt.TitleParams(name, subtitle=words, limit=PANEL[0] + 60, subtitleLineHeight=13, color=INK, frame="group")


def _residual_scale(limit: float | None) -> Any:
    return alt.Undefined if limit is None else alt.Scale(domain=[-limit, limit], nice=False)


def _zero(*, across: bool) -> Any:
    mark = alt.Chart(alt.Data(values=[{"zero": 0}])).mark_rule(color=ORIGINAL_EDGE, strokeDash=[4, 3])
    return mark.encode(y="zero:Q") if across else mark.encode(x="zero:Q")


def _number_axis(title: str | None, *, grid: bool = True) -> Any:
    return alt.Axis(title=title, tickCount=5, grid=grid, **axis_labels())


def _scatter(plot: Mapping[str, Any], limit: float | None) -> Any:
    x = alt.X("x:Q", scale=alt.Scale(zero=False, nice=True), axis=_number_axis(None, grid=False))
    y = alt.Y("residual:Q", scale=_residual_scale(limit), axis=_number_axis("standardised residual"))
    points = alt.Chart(_points(plot["x"], plot["residuals"])).mark_point(
        filled=True, size=9, opacity=0.35, color=CANDIDATE
    )
    layers = [points.encode(x=x, y=y), _zero(across=True)]
    if "curve" in plot:
        line = alt.Chart(_points(plot["curve"]["x"], plot["curve"]["residuals"])).mark_line(
            color=RELEASE, strokeWidth=2.5
        )
        layers.append(line.encode(x=x, y=y))
    return alt.layer(*layers).properties(width=PANEL[0], height=PANEL[1])


def _points(x: Sequence[float], residuals: Sequence[float]) -> Any:
    return alt.Data(values=[{"x": a, "residual": b} for a, b in zip(x, residuals, strict=True)])


def _labels() -> Any:
    return alt.Y(
        "label:N", sort=None, axis=alt.Axis(title=None, domain=False, ticks=False, labelLimit=150, labelColor=INK)
    )


def _boxes(plot: Mapping[str, Any], limit: float | None) -> Any:
    values = [{**box, "label": plain_text(box["label"])} for box in plot["boxes"]]
    if not values:
        return alt.Chart(alt.Data(values=[{}])).mark_text(text=_NO_BOX, align="left").properties(width=PANEL[0])
    axis = _number_axis("standardised residual")
    base = alt.Chart(alt.Data(values=values)).encode(y=_labels())
    x = alt.X("low:Q", scale=_residual_scale(limit), axis=axis)
    whisker = base.mark_rule(color=RELEASE).encode(x=x, x2="high:Q")
    box = base.mark_bar(color=RELEASE_FILL, stroke=RELEASE, strokeWidth=1, height=12).encode(x="lower:Q", x2="upper:Q")
    middle = base.mark_tick(color=RELEASE, thickness=2.5, height=12).encode(x="median:Q")
    layers = [whisker, _zero(across=False), box, middle]
    return alt.layer(*layers).properties(width=PANEL[0], height=alt.Step(_BOX_STEP))


def _averages(plot: Mapping[str, Any], _limit: float | None) -> Any:
    """Draw means over bars of two standard errors: along an axis where bins have a place, else one below the other."""
    values = [{**mean, "label": plain_text(mean["label"]), "below": -mean["limit"]} for mean in plot["means"]]
    if not values:
        return alt.Chart(alt.Data(values=[{}])).mark_text(text=_NO_BOX, align="left").properties(width=PANEL[0])
    base, axis = alt.Chart(alt.Data(values=values)), _number_axis("mean residual")
    placed = all(mean["x"] is not None for mean in values)
    if placed:
        base = base.encode(x=alt.X("x:Q", scale=alt.Scale(zero=False), axis=_number_axis(None, grid=False)))
        bars = base.mark_rule(color=RELEASE_FILL, strokeWidth=5).encode(y=alt.Y("below:Q", axis=axis), y2="limit:Q")
        dots = base.mark_point(filled=True, size=45, color=RELEASE, opacity=1).encode(y="mean:Q")
    else:
        base = base.encode(y=_labels())
        bars = base.mark_rule(color=RELEASE_FILL, strokeWidth=5).encode(x=alt.X("below:Q", axis=axis), x2="limit:Q")
        dots = base.mark_point(filled=True, size=45, color=RELEASE, opacity=1).encode(x="mean:Q")
    height = PANEL[1] if placed else alt.Step(_BOX_STEP)
    return alt.layer(bars, _zero(across=placed), dots).properties(width=PANEL[0], height=height)

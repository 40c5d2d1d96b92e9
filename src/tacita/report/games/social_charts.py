"""Pictures of social networks as games: who discloses round by round, what it is worth to whom, and what leaving brings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tacita.report.style import INK, RELEASE, axis_labels, styled

__all__ = ["gains_by_setting", "rounds_chart", "troubles_chart"]

_COLOURS = (RELEASE, "#c2570c", "#3f7d20", "#8a3a8f", "#6b7278")
_DASHES = ([1, 0], [2, 2], [6, 2], [8, 3, 2, 3], [1, 3])
_SIZE = (520, 260)


def rounds_chart(lines: Mapping[str, Sequence[float]], *, title: str, rule: float | None = None) -> Any:
    """Draw a line for each series over the rounds, the start at 0; a rule is drawn at a level that they are held against.

    Parameters
    ----------
    lines
        Values by round, by the names of the series; what is not a number is left out.
    title
        What the ordinate is.
    rule
        The level.
    """
    values: list[dict[str, Any]] = [
        {"series": name, "round": number, "value": value}
        for name, own in lines.items()
        for number, value in enumerate(own)
        if math.isfinite(value)
    ]
    names = list(lines)
    top = max([*(row["value"] for row in values), rule or 0.0, 1e-9]) * 1.05
    base = alt.Chart(alt.Data(values=values)).encode(
        x=alt.X("round:Q", axis=alt.Axis(title="round", tickMinStep=1, grid=False, **axis_labels())),
        y=alt.Y("value:Q", scale=alt.Scale(domain=[0, top], nice=False), axis=alt.Axis(title=title, **axis_labels())),
    )
    drawn = base.mark_line(strokeWidth=2).encode(
        color=alt.Color(
            "series:N",
            scale=alt.Scale(domain=names, range=list(_COLOURS[: len(names)])),
            legend=alt.Legend(title=None, orient="top", symbolType="stroke", labelLimit=260),
        ),
        strokeDash=alt.StrokeDash(
            "series:N", scale=alt.Scale(domain=names, range=list(_DASHES[: len(names)])), legend=None
        ),
    )
    layers = [drawn]
    if rule is not None:
        level = alt.Chart(alt.Data(values=[{"value": rule}]))
        layers.append(level.mark_rule(color=INK, strokeDash=[4, 3]).encode(y="value:Q"))
    return styled(alt.layer(*layers)).properties(width=_SIZE[0], height=_SIZE[1])


def gains_by_setting(points: Sequence[tuple[float, float]], *, title: str, chosen: float | None = None) -> Any:
    """Draw what the best deviation gains, in percent of what following is worth, by a setting of the protocol.

    Parameters
    ----------
    points
        Setting and gain.
    title
        What the setting is.
    chosen
        The setting that was played; its bar is the dark one.
    """
    values = [
        {"setting": f"{setting:g}", "gain": 100 * gain, "played": "played" if setting == chosen else "others"}
        for setting, gain in points
    ]
    bars = alt.Chart(alt.Data(values=values)).mark_bar(size=22).encode(
        x=alt.X("setting:N", sort=None, axis=alt.Axis(title=title, labelAngle=0, **axis_labels())),
        y=alt.Y(
            "gain:Q",
            scale=alt.Scale(domainMin=0),
            axis=alt.Axis(title="gain of the best deviation, %", **axis_labels()),
        ),
        color=alt.Color("played:N", scale=alt.Scale(domain=["played", "others"], range=[RELEASE, "#5b8fb9"]), legend=None),
    )  # fmt: skip
    labels = bars.mark_text(dy=-7).encode(text=alt.Text("gain:Q", format=".1f"), color=alt.value(INK))
    return styled(alt.layer(bars, labels)).properties(width=_SIZE[0], height=220)


def troubles_chart(shares: Mapping[str, float]) -> Any:
    """Draw what troubles leave of the welfare when all publish, in percent, a bar for each."""
    values: list[dict[str, Any]] = [{"trouble": name, "left": 100 * share} for name, share in shares.items()]
    base = alt.Chart(alt.Data(values=values)).encode(
        y=alt.Y("trouble:N", sort=None, axis=alt.Axis(title=None, domain=False, ticks=False, labelColor=INK, labelLimit=240)),
        x=alt.X(
            "left:Q",
            scale=alt.Scale(domain=[0, max(100, *(row["left"] for row in values))], nice=False),
            axis=alt.Axis(title="welfare, % of that when all publish", **axis_labels()),
        ),
    )  # fmt: skip
    labels = base.mark_text(align="left", dx=5).encode(text=alt.Text("left:Q", format=".0f"))
    return styled(alt.layer(base.mark_bar(color=RELEASE, height=16), labels)).properties(width=420, height=alt.Step(28))

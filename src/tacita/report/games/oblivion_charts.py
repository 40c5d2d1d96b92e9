"""Pictures of forwarding: who is traced, where honest forwarding is an equilibrium, and who forwards how, round by round."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tacita.games.oblivion.multicast import MulticastRound
from tacita.games.oblivion.oblivion_study import HonestMap
from tacita.games.oblivion.tracing_rates import TracingRate
from tacita.report.style import INK, ORIGINAL, RELEASE, RELEASE_FILL, axis_labels, styled

__all__ = ["boundary_chart", "rounds_chart", "tracing_chart"]

_COLOURS = (RELEASE, "#c2570c", "#3f7d20", "#8a3a8f")
_DASHES = ([1, 0], [6, 2], [2, 2], [8, 3, 2, 3])


def tracing_chart(rates: Mapping[int, TracingRate], designed: int) -> Any:
    """Draw how often a coalition is traced, by its size, with 95 percent intervals; dashed the size that the code is made for."""
    rows = [
        {"size": size, "rate": 100 * one.rate, "low": 100 * one.low, "high": 100 * one.high}
        for size, one in rates.items()
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X(
            "size:Q",
            scale=alt.Scale(domain=[0.5, max(rates) + 0.5]),
            axis=alt.Axis(title="colluding receivers", values=sorted(rates), **axis_labels()),
        )
    )
    bars = base.mark_rule(color=RELEASE, strokeWidth=1.5).encode(
        y=alt.Y("low:Q", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(title="traced, %", **axis_labels())),
        y2="high:Q",
    )
    points = base.mark_point(color=RELEASE, filled=True, size=60).encode(y="rate:Q")
    line = alt.Chart(alt.Data(values=[{"at": designed + 0.5}])).mark_rule(color=INK, strokeDash=[4, 3]).encode(x="at:Q")
    return styled(alt.layer(line, bars, points).properties(width=420, height=230))


def boundary_chart(found: HonestMap, *, here: tuple[float, float]) -> Any:
    """Draw where honest forwarding is an equilibrium: cells found by the game, the line by the formula, a cross for the settings.

    Parameters
    ----------
    found
        The map.
    here
        Chance of tracing and penalty of the settings.
    """
    wide, high = 0.5 / len(found.tracing), 0.5 * float(found.penalties[0]) / 0.5
    top = float(found.penalties[-1]) + high
    cells = [
        {
            "x": t - wide, "x2": t + wide, "y": f - high, "y2": f + high,
            "is": "honest forwarding is an equilibrium" if found.is_honest[i, j] else "it is not",
        }
        for i, f in enumerate(found.penalties.tolist())
        for j, t in enumerate(found.tracing.tolist())
    ]  # fmt: skip
    names = ["honest forwarding is an equilibrium", "it is not"]
    x_axis, y_axis = (alt.Axis(title=title, **axis_labels()) for title in ("chance of being traced", "penalty"))
    drawn = alt.Chart(alt.Data(values=cells)).mark_rect().encode(
        x=alt.X("x:Q", scale=alt.Scale(domain=[0, 1]), axis=x_axis),
        x2="x2:Q",
        y=alt.Y("y:Q", scale=alt.Scale(domain=[0, top], nice=False), axis=y_axis),
        y2="y2:Q",
        color=alt.Color(
            "is:N", scale=alt.Scale(domain=names, range=[RELEASE_FILL, ORIGINAL]), legend=alt.Legend(title=None, orient="top")
        ),
    )  # fmt: skip
    # Between the points of the map the boundary is a power of the chance, which is drawn where it is on the picture.
    scale = next(
        (t * f for t, f in zip(found.tracing.tolist(), found.boundary.tolist(), strict=True) if math.isfinite(f)), None
    )
    layers = [drawn]
    if scale:
        rows = [{"t": scale / (top * part), "f": top * part} for part in _parts(scale / top)]
        layers.append(
            alt.Chart(alt.Data(values=rows)).mark_line(color=INK, strokeWidth=2).encode(x="t:Q", y="f:Q", order="t:Q")
        )
    if here[1] <= top:
        cross = alt.Chart(alt.Data(values=[{"t": here[0], "f": here[1]}]))
        layers.append(cross.mark_point(shape="cross", color=INK, filled=True, size=110).encode(x="t:Q", y="f:Q"))
    return styled(alt.layer(*layers).properties(width=440, height=280))


def _parts(least: float) -> list[float]:
    """Shares of the height at which the line is drawn, from where it enters the picture."""
    return [least + (1 - least) * i / 60 for i in range(61)] if least < 1 else []


def rounds_chart(rounds: Sequence[MulticastRound], short: Sequence[MulticastRound], names: tuple[str, str]) -> Any:
    """Draw, round by round, who forwards with marks, how many copies leak, and what all expect; one panel for each code.

    Parameters
    ----------
    rounds, short
        The multicast, and the same with another code.
    names
        What the two are called.
    """
    shown = {"forward with marks": "marked", "expect to be traced": "belief", "found copies traced": "traced"}
    panels = []
    for given, title in zip((rounds, short), names, strict=True):
        rows = [
            {"round": i, "figure": name, "share": 100 * getattr(one, of)}
            for i, one in enumerate(given, 1)
            for name, of in shown.items()
            if math.isfinite(getattr(one, of))
        ]
        panels.append(
            alt.Chart(alt.Data(values=rows))
            .mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=26))
            .encode(
                x=alt.X("round:O", axis=alt.Axis(title="round", labelAngle=0, **axis_labels())),
                y=alt.Y("share:Q", scale=alt.Scale(domain=[0, 100]), axis=alt.Axis(title="share, %", **axis_labels())),
                color=alt.Color(
                    "figure:N",
                    scale=alt.Scale(domain=list(shown), range=list(_COLOURS[: len(shown)])),
                    legend=alt.Legend(title=None, orient="top", symbolType="stroke"),
                ),
                strokeDash=alt.StrokeDash(
                    "figure:N", scale=alt.Scale(domain=list(shown), range=list(_DASHES[: len(shown)])), legend=None
                ),
            )
            .properties(width=290, height=220, title=title)
        )
    return styled(alt.hconcat(*panels, spacing=40))

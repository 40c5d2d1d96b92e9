"""Pictures of announcing cars: figures along one setting, lies by scheme, and the map of where helping pays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from tacita.games.vehicles.effects import AnnouncementEffect
from tacita.report.style import INK, ORIGINAL, RELEASE, axis_labels, styled

__all__ = ["figures_along", "lies_by_scheme", "ratio_map"]

_COLOURS = (RELEASE, "#c2570c", "#3f7d20", "#8a3a8f")
_DASHES = ([1, 0], [6, 2], [2, 2], [8, 3, 2, 3])
_LARGEST = 32.0
"""Ratios above it are drawn as this one: functionality would have to count that much more than privacy."""
_SIZE = (300, 220)


def figures_along(effects: Sequence[AnnouncementEffect], setting: str, *, title: str) -> Any:
    """Draw how announcements in time, warned cars, believed lies and privacy change with one setting.

    Parameters
    ----------
    effects
        Simulations that differ in the setting.
    setting
        Its name.
    title
        What stands below.
    """
    shares = {"announced in time": "functionality", "cars warned": "warned", "lies believed": "believed"}
    rows = [
        {"at": effect.settings[setting], "figure": name, "share": 100 * getattr(effect, of)}
        for effect in effects
        for name, of in shares.items()
        if math.isfinite(getattr(effect, of))
    ]
    bits = {"reads the message": "entropy", "listens at the place": "listener_entropy"}
    private = [
        {"at": effect.settings[setting], "figure": name, "bits": getattr(effect, of)}
        for effect in effects
        for name, of in bits.items()
        if math.isfinite(getattr(effect, of))
    ]
    left = _lines(rows, "share", list(shares), x=title, y="share, %", domain=[0, 100])
    right = _lines(private, "bits", list(bits), x=title, y="entropy of an announcer, bits")
    return styled(alt.hconcat(left, right, spacing=40).resolve_scale(color="independent", strokeDash="independent"))


def lies_by_scheme(effects: Sequence[AnnouncementEffect], names: Mapping[tuple[str, str], str]) -> Any:
    """Draw the share of lies that are believed along the share of malicious cars, one line for each scheme.

    Parameters
    ----------
    effects
        Simulations by ``malicious``, ``scheme`` and ``attackers``.
    names
        For each pair of scheme and attackers what it is called.
    """
    rows = [
        {
            "at": 100 * effect.settings["malicious"],
            "figure": names[effect.settings["scheme"], effect.settings["attackers"]],
            "share": 100 * effect.believed,
        }
        for effect in effects
        if math.isfinite(effect.believed)
    ]
    chart = _lines(rows, "share", list(names.values()), x="malicious cars, %", y="lies believed, %", domain=[0, 100])
    return styled(chart.properties(width=460, height=240))


def ratio_map(effects: Sequence[AnnouncementEffect], across: str, down: str, *, titles: tuple[str, str]) -> Any:
    """Draw the smallest ratio of weights with general coprivacy for two settings: grey where none, a cross where insecure.

    Parameters
    ----------
    effects
        Simulations by both settings.
    across, down
        Their names.
    titles
        What stands below and at the left.
    """
    rows = [
        {
            "x": effect.settings[across],
            "y": effect.settings[down],
            "ratio": min(effect.ratio, _LARGEST) if math.isfinite(effect.ratio) else None,
            "shown": _short(effect),
            "is_dark": math.isfinite(effect.ratio) and effect.ratio < 2.0,
        }
        for effect in effects
    ]
    base = alt.Chart(alt.Data(values=rows)).encode(
        x=alt.X("x:O", axis=alt.Axis(title=titles[0], labelAngle=0, **axis_labels())),
        y=alt.Y("y:O", sort="descending", axis=alt.Axis(title=titles[1], **axis_labels())),
    )
    scale = alt.Scale(type="log", domain=[0.25, _LARGEST], range=[RELEASE, "#e4eef7"], clamp=True)
    # The number stands in each cell; a legend of colours would carry ids that Vega counts up from picture to picture.
    ratio = alt.Color("ratio:Q", scale=scale, legend=None)
    cells = base.transform_filter("datum.ratio !== null").mark_rect().encode(color=ratio)
    none = base.transform_filter("datum.ratio === null").mark_rect(color=ORIGINAL)
    light = base.transform_filter("datum.is_dark").mark_text(color="white").encode(text="shown:N")
    dark = base.transform_filter("!datum.is_dark").mark_text(color=INK).encode(text="shown:N")
    return styled(alt.layer(none, cells, dark, light).properties(width=460, height=260))


def _short(effect: AnnouncementEffect) -> str:
    shown = f"{effect.ratio:.2g}" if effect.ratio < 10 else f"{effect.ratio:.0f}"
    told = shown if math.isfinite(effect.ratio) else "none"
    return told if effect.is_secure else f"{told} ×"


def _lines(
    rows: Sequence[Mapping[str, Any]],
    of: str,
    names: Sequence[str],
    *,
    x: str,
    y: str,
    domain: list[float] | None = None,
) -> Any:
    scale = alt.Scale(domain=list(names), range=list(_COLOURS[: len(names)]))
    return alt.Chart(alt.Data(values=list(rows))).mark_line(strokeWidth=1.8, point=alt.OverlayMarkDef(size=26)).encode(
        x=alt.X("at:Q", axis=alt.Axis(title=x, **axis_labels())),
        y=alt.Y(
            f"{of}:Q",
            scale=alt.Scale(domain=domain) if domain else alt.Scale(zero=True),
            axis=alt.Axis(title=y, **axis_labels()),
        ),
        color=alt.Color("figure:N", scale=scale, legend=alt.Legend(title=None, orient="top", symbolType="stroke")),
        strokeDash=alt.StrokeDash(
            "figure:N", scale=alt.Scale(domain=list(names), range=list(_DASHES[: len(names)])), legend=None
        ),
    ).properties(width=_SIZE[0], height=_SIZE[1])  # fmt: skip

"""The risk-utility map of policies: what each leaves of a workload, and what an attacker gains."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import altair as alt

from tacita.core.errors import ParameterError
from tacita.query.steward import PolicyMap, PolicyRow
from tacita.report.style import CANDIDATE, INK, ORIGINAL_EDGE, RELEASE, axis_labels, styled
from tacita.report.words import fixed, plain_text

__all__ = ["policies_chart"]

_WIDTH, _HEIGHT = 560, 340
_Box: TypeAlias = tuple[float, float, float, float]
_LOWER = " – lower is better"
_LETTER, _LINE = 6.4, 14.0
"""Width of a letter and height of a line of a name, in pixels."""


def policies_chart(found: PolicyMap, *, title: str = "Policies") -> Any:
    """Draw policies by the loss of their workload and the gain of the best linear attacker; the lower left corner is best.

    A vertical line through a point is the 95 % interval of the gain; the hollow mark below it, where there is one, is what
    the same answers tell about people who are not in the data: the way between the two is what being in the data costs.
    Policies that no other beats in both are dark and joined by steps.

    Parameters
    ----------
    found
        What :func:`tacita.query.steward.compare_policies` found.
    title
        What stands above the picture.

    Returns
    -------
    altair.Chart
        Shows itself in a notebook; ``.save("policies.svg")`` writes it. It is for the steward: it tells which attacks
        succeed.

    Raises
    ------
    ParameterError
        When there is no policy.
    """
    if not found.rows:
        raise ParameterError("policies_chart: the map must have at least one policy, got none.")
    best = {row.policy for row in found.frontier}
    rows = _rows(found, best)
    x = alt.X("loss:Q", scale=alt.Scale(domain=[0, 1]), axis=_axis("loss of the workload" + _LOWER))
    y = alt.Y("gain:Q", scale=alt.Scale(domain=[0, 1]), axis=_axis("gain of the linear attacker" + _LOWER))
    color = alt.Color("on:N", scale=alt.Scale(domain=["yes", "no"], range=[RELEASE, CANDIDATE]), legend=None)
    tooltip = ["policy:N", "shown:N", "answered:N", alt.Tooltip("lost:N", title="loss")]
    base = alt.Chart(alt.Data(values=rows))
    steps = [{"loss": row.utility.loss, "gain": row.risk.gain} for row in found.frontier]
    line = alt.Chart(alt.Data(values=steps)).mark_line(
        interpolate="step-after", color=INK, opacity=0.5, strokeWidth=1.5
    )
    layers = [
        line.encode(x=x, y=y, order=alt.Order("loss:Q")),
        base.mark_rule(strokeWidth=1.5).encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=color),
        base.transform_filter("datum.outsider !== null")
        .mark_point(shape="diamond", size=45, filled=False, color=ORIGINAL_EDGE, opacity=1)
        .encode(x=x, y=alt.Y("outsider:Q"), tooltip=tooltip),
        base.mark_point(shape="circle", size=110, filled=True, opacity=1).encode(
            x=x, y=y, color=color, tooltip=tooltip
        ),
    ]
    for side, labels in _labels(found).items():
        text = alt.Chart(alt.Data(values=labels)).encode(x=x, y=y, text="policy:N")
        mark = {"fontSize": 12, "limit": 260, **_SIDES[side].mark}
        layers += [text.mark_text(stroke="white", strokeWidth=4, **mark), text.mark_text(**mark)]
    words = alt.TitleParams(plain_text(title) or "Policies", subtitle=_legend(found), offset=12)
    return styled(alt.layer(*layers).properties(width=_WIDTH, height=_HEIGHT, title=words))


class _Side(NamedTuple):
    """A place for a name beside its point: how the text is aligned, and how far from the point, in pixels."""

    align: str
    dx: float
    dy: float

    @property
    def mark(self) -> dict[str, Any]:
        return {"align": self.align, "baseline": "middle", "dx": self.dx, "dy": self.dy}

    def box(self, x: float, y: float, width: float) -> _Box:
        """The room that a name takes, from left to right and from top to bottom."""
        start = x + self.dx - (width if self.align == "right" else 0)
        return start, y + self.dy - _LINE / 2, start + width, y + self.dy + _LINE / 2


_SIDES = {
    "right": _Side("left", 10, 0),
    "above right": _Side("left", 9, -13),
    "below right": _Side("left", 9, 13),
    "left": _Side("right", -10, 0),
    "above left": _Side("right", -9, -13),
    "below left": _Side("right", -9, 13),
}


def _labels(found: PolicyMap) -> dict[str, list[dict[str, Any]]]:
    """Names by the side of the point on which they stand: the first side where they cover nothing, or least.

    Policies at the same place share one name.
    """
    names: dict[tuple[float, float], list[str]] = {}
    for row in found.rows:
        names.setdefault((round(row.utility.loss, 2), round(row.risk.gain, 2)), []).append(plain_text(row.policy))
    taken = [*(box for row in found.rows for box in _drawn(row)), *_steps(found)]
    placed: dict[str, list[dict[str, Any]]] = {}
    for (loss, gain), here in sorted(names.items(), reverse=True):  # on the right edge there is least room
        words = ", ".join(here)
        x, y, width = loss * _WIDTH, (1 - gain) * _HEIGHT, _LETTER * len(words)
        boxes = {side: place.box(x, y, width) for side, place in _SIDES.items()}
        side = min(boxes, key=lambda s: _covered(boxes[s], taken))  # of equal ones the first
        taken.append(boxes[side])
        placed.setdefault(side, []).append({"policy": words, "loss": loss, "gain": gain})
    return placed


def _drawn(row: PolicyRow) -> list[_Box]:
    """What is drawn for a policy besides its name: the point, its interval, and the mark of outsiders."""
    x, gain, outsider = row.utility.loss * _WIDTH, row.risk.gain, row.risk.outsider
    marks = [(gain, 7.0)] if outsider is None else [(gain, 7.0), (outsider, 5.0)]
    boxes = [(x - r, (1 - at) * _HEIGHT - r, x + r, (1 - at) * _HEIGHT + r) for at, r in marks]
    return [*boxes, (x - 2, (1 - row.risk.high) * _HEIGHT, x + 2, (1 - row.risk.low) * _HEIGHT)]


def _steps(found: PolicyMap) -> list[_Box]:
    """The line of the policies that no other beats: from each to the right, then down to the next."""
    places = [(row.utility.loss * _WIDTH, (1 - row.risk.gain) * _HEIGHT) for row in found.frontier]
    boxes = []
    for (x, y), (right, below) in pairwise(places):
        boxes += [(x, y - 2, right, y + 2), (right - 2, y, right + 2, below)]
    return boxes


def _covered(box: _Box, taken: list[_Box]) -> float:
    """How much of what is there a name would cover, and how much of it would lie outside of the picture."""
    inside = sum(
        max(0.0, min(box[2], other[2]) - max(box[0], other[0]))
        * max(0.0, min(box[3], other[3]) - max(box[1], other[1]))
        for other in taken
    )
    outside = max(0.0, -box[0]) + max(0.0, box[3] - _HEIGHT) + max(0.0, -box[1])
    beside = max(0.0, box[2] - _WIDTH)  # to the right of the plot there is room, but inside is better
    return inside + 10 * _LINE * outside + 0.3 * beside


def _axis(title: str) -> alt.Axis:
    return alt.Axis(title=title, tickCount=6, **axis_labels())


def _rows(found: PolicyMap, best: set[str]) -> list[dict[str, Any]]:
    return [
        {
            "policy": plain_text(row.policy),
            "loss": row.utility.loss,
            "gain": row.risk.gain,
            "low": row.risk.low,
            "high": row.risk.high,
            "outsider": row.risk.outsider,
            "on": "yes" if row.policy in best else "no",
            "shown": f"{fixed(row.risk.gain, 2)} ({fixed(row.risk.low, 2)} to {fixed(row.risk.high, 2)})",
            "answered": f"{fixed(100 * row.utility.answered, 0)}\u00a0%",
            "lost": fixed(row.utility.loss, 2),
        }
        for row in found.rows
    ]


def _legend(found: PolicyMap) -> list[str]:
    risk = found.rows[0].risk
    what = plain_text(risk.target if risk.of is None else f"{risk.target} = {risk.of}")
    return [
        f"attacker: all other variables known, finds {what}; line: 95 % interval",
        "diamond: the same gain about people who are not in the data",
    ]

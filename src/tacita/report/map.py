"""The risk-utility map of a search: a page to explore it in a browser, and a chart for notebooks and papers.

The page is one file: its script and style stand in it, and its security policy forbids it to ask anybody for anything.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import altair as alt

from tacita.compare.parts import CountedPart, find_measure, points_that_add_up
from tacita.compare.search.constraint import Condition
from tacita.compare.search.search_point import SearchPoint, Spread
from tacita.compare.search.search_result import Choice, SearchResult
from tacita.core.errors import MeasureError
from tacita.core.parameters import as_plain
from tacita.report.charts import label_places, label_width
from tacita.report.markup import Html, html_table, join, tag
from tacita.report.style import INK, axis_labels, styled
from tacita.report.words import fixed, names_in_words, plain_text, quantity, spread_words

__all__ = ["search_chart", "search_page"]

_SIZE = (620, 380)
"""Of the chart, in pixels."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
_WIDE = 5.0
"""Where the largest loss exceeds the middle one by more than this factor, the map opens on a logarithmic scale."""


def search_page(result: SearchResult) -> str:
    """Write the map as a page: hover for the method, click for its scorecard, switch families, choose the axes.

    Parameters
    ----------
    result
        What :func:`tacita.search` found.

    Returns
    -------
    str
        A whole page that opens without a network. The same result gives the same text. It shows what was tried and how
        risky it was, so it stays inside.
    """
    choice = _best(result)
    facts = json.dumps(_facts(result, choice), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    css, script = (_asset(name) for name in ("map.css", "map.js"))
    body = tag(
        "main",
        tag("h1", "Risk-utility map"),
        tag("p", tag("span", "Internal. What was tried and how risky it was must stay inside.", class_="inside")),
        tag("p", _lead(result), class_="lead"),
        _known(result),
        _choice_words(result, choice),
        _controls(),
        _board(result),
        _list(result),
        _troubles(result),
        tag("footer", tag("p", f"Tacita {version('tacita')}. The same search gives the same page, byte for byte.")),
    )
    # In a script element only "<" could end it; JSON can spell the letter out.
    data = facts.replace("<", "\\u003c")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n<link rel="icon" href="data:,">\n'
        f"<title>Risk-utility map</title>\n<style>\n{css}</style>\n</head>\n<body>\n{body}\n"
        f'<script type="application/json" id="facts">{data}</script>\n<script>\n{script}</script>\n</body>\n</html>\n'
    )


def _asset(name: str) -> str:
    return files("tacita.report").joinpath(name).read_text(encoding="utf-8")


def _best(result: SearchResult) -> Choice | None:
    try:
        return result.best()
    except MeasureError:
        return None


# --- what the script is given ---------------------------------------------------------------------------------------------


def _facts(result: SearchResult, choice: Choice | None) -> dict[str, Any]:
    names = list(dict.fromkeys(name for point in result.points for name in point.measures))
    labels = [point.label for point in result.points]
    kinds = {name: find_measure(name) for name in names}
    return {
        "axes": {
            "loss": {"title": result.loss.words, "unit": result.loss.unit},
            "risk": {"title": result.risk.words, "unit": result.risk.unit},
        },
        "measures": {
            name: {
                "title": m.title,
                "kind": m.kind,
                "unit": m.traits.unit,
                "better": m.traits.better,
                "what": m.summary(),
            }
            for name, m in kinds.items()
        },
        "upper": {"risk": result.risk.upper, **{name: m.traits.upper for name, m in kinds.items()}},
        "families": [plain_text(family) for family in result.families],
        "score": result.score.formula(),
        "scenario": result.scenario,
        "constraint": str(result.constraint if choice is None else choice.constraint),
        "limits": [_limit(limit, result) for limit in result.constraint.limits],
        "best": None if choice is None else labels.index(choice.label),
        "log": _opens_in_logarithms(result),
        "points": [_point(point, result) for point in result.points],
    }


def _limit(limit: Condition, result: SearchResult) -> dict[str, Any]:
    # An axis that is a single measure is shown under the name of the axis.
    alone = {axis.measures[0]: axis.kind for axis in (result.loss, result.risk) if len(axis.measures) == 1}
    return {"name": alone.get(limit.name, limit.name), "bound": limit.bound, "words": str(limit)}


def _point(point: SearchPoint, result: SearchResult) -> dict[str, Any]:
    spreads = {name: point.spread(name) for name in ("loss", "risk", "score", *point.measures)}
    has_score = spreads["score"] is not None
    parts = point.score_parts() if has_score else ()
    return {
        "label": plain_text(point.label),
        "family": result.families.index(point.family),
        "frontier": point.is_on_frontier,
        "seeds": len(point.trials),
        "parameters": _parameters(point),
        "values": {name: _numbers(spread) for name, spread in spreads.items() if spread is not None},
        "parts": [_part(part, shown) for part, shown in zip(parts, points_that_add_up(parts), strict=True)],
        "total": fixed(point["score"], 2) if has_score else "",
        "notes": [plain_text(note, longest=500) for note in point.notes],
        "recipe": point.candidate.text,
    }


def _part(part: CountedPart, points: float) -> dict[str, str]:
    unit = find_measure(part.measure).traits.unit
    return {
        "measure": part.measure,
        "range": "bounded" if part.is_bounded else "unbounded",
        "value": quantity(part.value, unit),
        "weight": f"{part.weight:g}",
        "points": fixed(points, 2),
    }


def _parameters(point: SearchPoint) -> list[list[str]]:
    """Return the parameters that were given, in words; with several steps each under the name of its mask."""
    several = len(point.recipe) > 1
    return [
        [plain_text(f"{step.name}: {name}" if several else name), plain_text(_words(value))]
        for step in point.recipe
        for name, value in step.to_plain().items()
    ]


def _words(value: Any) -> str:
    plain = as_plain(value)
    if isinstance(plain, list):
        return names_in_words([_words(entry) for entry in plain], limit=6)
    return f"{plain:g}" if isinstance(plain, float) else str(plain)


def _numbers(spread: Spread) -> list[float | None]:
    """Return mean, deviation and ends with digits enough for every eye."""
    return [_digits(value) for value in (spread.mean, spread.sd, spread.low, spread.high)]


def _digits(value: float | None) -> float | None:
    if value is None or value == 0:
        return value
    return round(value, 8 - 1 - math.floor(math.log10(abs(value))))


# --- the parts of the page ------------------------------------------------------------------------------------------------


def _lead(result: SearchResult) -> str:
    seeds = max((len(point.trials) for point in result.points), default=0)
    return (
        f"{len(result.points)} candidates of {len(result.families)} families, up to {seeds} seeds each. The lower left corner "
        "is best. The line is the frontier: the candidates that no other beats in both loss and risk. Thin crosses show "
        "how far a point moved between seeds."
    )


def _known(result: SearchResult) -> Html:
    """Say what the intruder knows, how risky the original is, and what no candidate touches."""
    parts = [tag("strong", "Scenario"), f": {result.scenario or 'not said'}."]
    if result.before:
        told = ", ".join(
            f"{find_measure(n).titled()} {quantity(v, find_measure(n).traits.unit)}" for n, v in result.before.items()
        )
        parts.append(f" The original as it is: {told}.")
    return tag("div", tag("p", *parts), *(tag("p", note, class_="note") for note in result.notes))


def _choice_words(result: SearchResult, choice: Choice | None) -> Html:
    if choice is None:
        try:
            result.best()
        except MeasureError as error:
            return tag("p", str(error), class_="best")
    if choice is None:
        return tag("p", "The map names no best candidate.", class_="best quiet")
    shown = [
        f"{n} {_with_unit(result, n, choice.point.spread(n))}"
        for n in (choice.constraint.goal, *(x.name for x in choice.constraint.limits))
    ]
    words = [f"Best for “{choice.constraint}”: ", tag("strong", choice.label), f" with {', '.join(shown)}. "]
    if choice.constraint.limits:
        words.append(f"{100 * choice.share:.0f}\u00a0% of its seeds meet every limit.")
    else:
        words.append(
            "No limit was set: it is recommended by its score alone, which says nothing of what your rules allow."
        )
    return tag("p", join(words), class_="best")


def _spread(spread: Spread | None) -> str:
    return "–" if spread is None else spread_words(spread.mean, spread.sd)


def _with_unit(result: SearchResult, name: str, spread: Spread | None) -> str:
    unit = _unit(result, name)
    return f"{_spread(spread)}\u00a0{unit}" if unit and spread is not None else _spread(spread)


def _unit(result: SearchResult, name: str) -> str:
    """Return the unit of what a map shows by this name: an axis, the score or a measure."""
    axes = {"loss": result.loss.unit, "risk": result.risk.unit, "score": "points"}
    return axes[name] if name in axes else find_measure(name).traits.unit


def _controls() -> Html:
    log = Html('<label class="check"><input type="checkbox" id="log"> logarithmic loss</label>')
    return tag(
        "div",
        tag("label", "information loss (across)", Html('<select id="loss"></select>')),
        tag("label", "disclosure risk (up)", Html('<select id="risk"></select>')),
        log,
        class_="controls",
    )


def _board(result: SearchResult) -> Html:
    spoken = (
        f"Risk-utility map of {len(result.points)} candidates; arrow keys move between points, Enter opens a scorecard"
    )
    picture = tag("svg", class_="map", id="map", viewBox="0 0 860 560", role="group", aria_label=spoken)
    legend = tag("ul", id="legend", class_="legend", aria_label="Families; press to hide or show")
    tip = Html('<div class="tip" id="tip" role="status" hidden></div>')
    stage = tag("div", legend, tag("div", picture, tip, id="stage", class_="stage"))
    card = tag("section", id="card", class_="card", aria_live="polite", aria_label="Scorecard", tabindex="0")
    return tag("div", stage, card, class_="board")


def _list(result: SearchResult) -> Html:
    """Return all points as a table, which also serves those who cannot use the picture."""
    scored = list(dict.fromkeys((*result.loss.measures, *result.risk.measures, *result.score.measures)))
    heads = [f"{find_measure(name).titled()}, {find_measure(name).traits.unit}" for name in scored]
    head = ["Candidate", "Family", "Seeds", *heads, "Score, points", "Frontier"]
    rows = []
    for point in sorted(result.points, key=lambda p: (not p.is_on_frontier, p["loss"])):
        figures = [_spread(point.spread(name)) for name in (*scored, "score")]
        cells = [point.family, str(len(point.trials)), *figures, "yes" if point.is_on_frontier else ""]
        marked = [
            tag("td", text, class_="number") if 1 <= i <= len(figures) + 1 else tag("td", text)
            for i, text in enumerate(cells)
        ]
        state = {"class_": "on-frontier"} if point.is_on_frontier else {}
        rows.append(tag("tr", tag("th", point.label, scope="row"), *marked, data_label=point.label, **state))
    words = (
        f"Means over seeds ± standard deviation; the frontier first. Score = {result.score.formula()}. "
        f"Scenario: {result.scenario or 'not said'}."
    )
    numbers = range(2, len(scored) + 4)
    content = html_table(words, head, rows, numbers=numbers)
    return tag("section", tag("h2", "All candidates"), content, class_="chapter", id="points")


def _troubles(result: SearchResult) -> Html:
    parts: list[Html] = []
    if result.failed:
        rows = [[f.label, "" if f.seed is None else str(f.seed), f.reason] for f in result.failed]
        parts.append(html_table("Candidates that failed", ("Candidate", "Seed", "Reason"), rows))
    if result.left:
        parts.append(tag("p", f"{len(result.left)} trials were left untried when the time was over."))
    return tag("section", tag("h2", "What is not on the map"), *parts, class_="chapter") if parts else Html("")


# --- the chart ------------------------------------------------------------------------------------------------------------

_COLOURS = (
    "#0b6bb5",
    "#d1480c",
    "#0a8f6a",
    "#a93a9c",
    "#a97700",
    "#0f8fb8",
    "#c22f55",
    "#6a4fd0",
    "#7d5a32",
    "#5a656f",
)
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left")


def search_chart(result: SearchResult) -> Any:
    """Draw the map of a search: families by colour and shape, the frontier as a line.

    Returns
    -------
    altair.Chart
        Shows itself in a notebook, with the method under the mouse; ``.save("map.svg")`` writes it.
    """
    families = [plain_text(family) for family in result.families]
    values = [
        {
            "candidate": plain_text(point.label),
            "family": plain_text(point.family),
            "loss": point["loss"],
            "risk": point["risk"],
            "on": point.is_on_frontier,
        }
        for point in result.points
    ]
    front = [{"loss": point["loss"], "risk": point["risk"]} for point in result.frontier]
    lower = " – lower is better"
    across, upward = _scale_of(result, "loss", is_log=_opens_in_logarithms(result)), _scale_of(result, "risk")
    x_axis = alt.Axis(title=_title("information loss", result.loss) + lower, **axis_labels())
    y_axis = alt.Axis(title=_title("disclosure risk", result.risk) + lower, **axis_labels())
    x, x_from = (alt.X(f"{name}:Q", scale=across.drawn(), axis=x_axis) for name in ("loss", "from_loss"))
    y, y_from = (alt.Y(f"{name}:Q", scale=upward.drawn(), axis=y_axis) for name in ("risk", "from_risk"))
    count = max(len(families), 1)
    colours = alt.Scale(domain=families, range=[_COLOURS[i % len(_COLOURS)] for i in range(count)])
    shapes = alt.Scale(domain=families, range=[_SHAPES[i % len(_SHAPES)] for i in range(count)])
    line = alt.Chart(alt.Data(values=front)).mark_line(
        interpolate="step-after", color=INK, opacity=0.5, strokeWidth=1.5
    ).encode(x=x, y=y, order=alt.Order("loss:Q"))  # fmt: skip
    dots = alt.Chart(alt.Data(values=values)).mark_point(filled=True, strokeWidth=1).encode(
        x=x,
        y=y,
        color=alt.Color("family:N", scale=colours, legend=alt.Legend(title="family")),
        shape=alt.Shape("family:N", scale=shapes),
        size=alt.condition("datum.on", alt.value(110), alt.value(55)),
        opacity=alt.condition("datum.on", alt.value(1), alt.value(0.45)),
        tooltip=["candidate:N", "family:N", alt.Tooltip("loss:Q", format=".4g"), alt.Tooltip("risk:Q", format=".4g")],
    )  # fmt: skip
    named = alt.Data(values=_names(result, across, upward))
    names = alt.Chart(named).mark_text(align="left", baseline="middle", fontSize=11, color=INK)
    names = names.encode(x=x, y=y, text="name:N")
    leaders = alt.Chart(named).mark_rule(color=INK, opacity=0.35, strokeWidth=0.7)
    leaders = leaders.encode(x=x_from, y=y_from, x2="to_loss:Q", y2="to_risk:Q")
    known = f"Scenario: {result.scenario}" if result.scenario else ""
    title = alt.Title(known, anchor="start", fontSize=11, fontWeight="normal", orient="bottom", limit=_SIZE[0] + 120)
    return styled(alt.layer(leaders, line, dots, names)).properties(width=_SIZE[0], height=_SIZE[1], title=title)


@dataclass(frozen=True)
class _Scale:
    """From values to pixels and back, as the chart draws them."""

    low: float
    high: float
    is_log: bool

    def drawn(self) -> alt.Scale:
        return alt.Scale(domain=[self.low, self.high], nice=False, type="log" if self.is_log else "linear")

    def share(self, value: float) -> float:
        """Return where on the axis a value lies, from 0 to 1."""
        if self.is_log:
            return math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def value(self, share: float) -> float:
        """Return the value at a place of the axis."""
        if self.is_log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)


def _scale_of(result: SearchResult, axis: str, *, is_log: bool = False) -> _Scale:
    values = [point[axis] for point in result.points]
    most = max(values, default=0.0)
    return _Scale(0.8 * min(values), 1.3 * most, True) if is_log else _Scale(0.0, 1.06 * most or 1.0, False)


def _opens_in_logarithms(result: SearchResult) -> bool:
    """Whether a few large losses would press all others into a corner."""
    losses = sorted(point["loss"] for point in result.points)
    return bool(losses) and losses[0] > 0 and losses[-1] > _WIDE * losses[len(losses) // 2]


def _names(result: SearchResult, across: _Scale, upward: _Scale) -> list[dict[str, Any]]:
    """Return names of the best candidate and of the frontier where there is room, with a line to each point."""
    choice = _best(result)
    best = None if choice is None else choice.point
    order = sorted(result.points, key=lambda p: (p is not best, not p.is_on_frontier, p["loss"]))
    texts = [
        plain_text(f"{'best: ' if point is best else ''}{point.label}", longest=44)
        if point is best or point.is_on_frontier
        else ""
        for point in order
    ]
    width, height = _SIZE
    pixels = [(width * across.share(point["loss"]), height * (1 - upward.share(point["risk"]))) for point in order]
    found = []
    for point, (px, py), text, at in zip(order, pixels, texts, label_places(pixels, texts, _SIZE), strict=True):
        if at is None:
            continue
        left, line = at
        end = min(max(px, left), left + label_width(text)), min(max(py, line - 6), line + 6)
        found.append(
            {
                "name": text,
                "loss": across.value(left / width),
                "risk": upward.value(1 - line / height),
                "from_loss": point["loss"],
                "from_risk": point["risk"],
                "to_loss": across.value(end[0] / width),
                "to_risk": upward.value(1 - end[1] / height),
            }
        )
    return found


def _title(what: str, axis: Any) -> str:
    return f"{what} ({axis.words}{f', {axis.unit}' if axis.unit else ''})"

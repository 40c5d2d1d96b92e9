"""The page of a trace: the scores of all recipients, from which score one is named, and what the leaked file told."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import altair as alt

from tacita._version import __version__
from tacita.release.recipients.tracing import LeakTrace, chance_in_words
from tacita.report.markup import Html, html_table, page, tag
from tacita.report.render import svg_inline, unchecked
from tacita.report.style import INK, ORIGINAL, RELEASE, axis_labels, styled

__all__ = ["trace_chart", "trace_page"]

_SHOWN = 20
_BY: Mapping[str, str] = {"order": "in their order", "nearest": "by the nearest record"}


def trace_page(found: LeakTrace) -> str:
    """Write what a leaked file told as one page; it names people and stays inside. The same trace gives the same text."""
    css = files("tacita.report").joinpath("report.css").read_text(encoding="utf-8")
    rows = [
        (s.name, f"{s.score:.2f}", chance_in_words(s.chance), "named" if s.name in found.named else "")
        for s in found.suspects[:_SHOWN]
    ]
    facts = [
        ("Records of the leaked file", f"{found.records:,}"),
        (f"of which found in the release, {_BY[found.by]}", f"{found.found:,}"),
        ("Marked columns that it has", ", ".join(found.columns)),
        ("Symbols of the code that it tells of", f"{found.symbols:,}"),
        ("Greatest chance of naming anybody innocent", f"{found.false_accusation:g}"),
        ("Score from which a recipient is named", f"{found.threshold:.2f}"),
    ]
    shown = min(len(found.suspects), _SHOWN)
    with unchecked():
        picture = svg_inline(
            trace_chart(found),
            name="scores",
            describe=f"The scores of the {shown} recipients who have the highest, and from which score one is named.",
        )
    caption = "The dashed line is the score from which a recipient is named."
    figure = tag("figure", Html(picture), tag("figcaption", caption), class_="wide")
    body = tag(
        "main",
        tag("h1", "Trace of a leaked file"),
        tag("p", "Internal form. It names recipients and must stay inside.", class_="form internal"),
        tag("section", tag("h2", "What came of it"), tag("p", found.words()), figure, class_="chapter"),
        tag(
            "section",
            tag("h2", "Recipients"),
            html_table(
                f"The {shown} highest scores, in standard deviations of an innocent recipient's",
                ("Recipient", "Score", "Chance if all are innocent", ""),
                rows,
                numbers=[1, 2],
            ),
            tag(
                "p",
                "The chance is a bound that is proven for this very file: whatever was done to it, the marks of an innocent "
                "recipient are independent of it.",
                class_="note",
            ),
            class_="chapter",
        ),
        tag(
            "section",
            tag("h2", "What the file told"),
            html_table("The leaked file", ("What", ""), facts),
            class_="chapter",
        ),
        tag("footer", tag("p", f"Tacita {__version__}. The same input gives the same page, byte for byte.")),
    )
    return page("Trace of a leaked file", css, body)


def trace_chart(found: LeakTrace) -> Any:
    """Draw the highest scores as bars, the score from which a recipient is named as a line."""
    values = [
        {"recipient": s.name, "score": s.score, "is": "named" if s.name in found.named else "not named"}
        for s in found.suspects[:_SHOWN]
    ]
    order = [entry["recipient"] for entry in values]
    bars = (
        alt.Chart(alt.Data(values=values))
        .mark_bar(size=12)
        .encode(
            x=alt.X("score:Q", axis=alt.Axis(title="score, in standard deviations", **axis_labels())),
            y=alt.Y("recipient:N", sort=order, axis=alt.Axis(title=None, labelLimit=220)),
            color=alt.Color(
                "is:N",
                scale=alt.Scale(domain=["named", "not named"], range=[RELEASE, ORIGINAL]),
                legend=alt.Legend(title=None, orient="top"),
            ),
        )
    )
    rule = (
        alt.Chart(alt.Data(values=[{"at": found.threshold}])).mark_rule(color=INK, strokeDash=[4, 3]).encode(x="at:Q")
    )
    layers = [bars, rule] if found.threshold < float("inf") else [bars]
    return styled(alt.layer(*layers)).properties(width=460, height=alt.Step(18))

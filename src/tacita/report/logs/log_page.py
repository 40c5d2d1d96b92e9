"""The report on an anonymised query log, in an internal and in an external form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import altair as alt

from tacita._version import __version__
from tacita.compare.logs.judge_log import LogVerdict
from tacita.compare.logs.measure_log import LogCard
from tacita.core import registry
from tacita.release.log_release import LogRelease
from tacita.report.markup import Content, Html, html_table, page, tag
from tacita.report.measures import Form
from tacita.report.render import svg_inline, unchecked
from tacita.report.style import INK, RELEASE, axis_labels, styled
from tacita.report.words import NOTHING, fixed

__all__ = ["levels_chart", "log_page"]

_REMAIN = "semantic_remain"
"""The measure whose levels are drawn."""
_FORM_WORDS: Mapping[Form, str] = {
    "internal": "Internal form. It holds facts about the original log and must stay inside.",
    "external": "External form. It goes with the log. Figures are rounded.",
}


def log_page(release: LogRelease, card: LogCard, verdict: LogVerdict, *, form: Form = "internal") -> str:
    """Write the report on a release of a log as one page that opens without a network.

    The internal form has verdict, parameters and every figure. The external form goes with the log: it names the method and what
    it promises, and has the measures in round numbers; how many users and lines there were, what did not leave, parameters and
    limits stay inside. The same input gives the same text.
    """
    css = files("tacita.report").joinpath("report.css").read_text(encoding="utf-8")
    is_inside = form == "internal"
    with unchecked():
        chapters = [
            *([_verdict(verdict), _release(release)] if is_inside else [_promise(release)]),
            _levels(card, rounded=not is_inside),
            [tag("h2", "Measures"), _measures(card, rounded=not is_inside)],
            *([_removed(release), _parts(card)] if is_inside else []),
        ]
    body = tag(
        "main",
        tag("h1", "Query log report"),
        tag("p", _FORM_WORDS[form], class_=f"form {form}"),
        *(tag("section", *parts, class_="chapter") for parts in chapters if parts),
        tag("footer", tag("p", f"Tacita {__version__}. The same input gives the same page, byte for byte.")),
    )
    return page("Query log report", css, body)


def levels_chart(levels: Sequence[tuple[int, float]], bound: float | None) -> Any:
    """Draw how much of the interests remains at each level, with the bound of the paper as a line."""
    values = [{"level": level, "remain": value} for level, value in levels]
    bars = alt.Chart(alt.Data(values=values)).mark_bar(color=RELEASE, size=28).encode(
        x=alt.X("level:O", axis=alt.Axis(title="level of the directory", labelAngle=0, **axis_labels())),
        y=alt.Y(
            "remain:Q",
            scale=alt.Scale(domain=[0, 100]),
            axis=alt.Axis(title="semantic remain, %", **axis_labels()),
        ),
    )  # fmt: skip
    layers = [bars]
    if bound is not None:
        rule = alt.Chart(alt.Data(values=[{"bound": bound}])).mark_rule(color=INK, strokeDash=[4, 3])
        layers.append(rule.encode(y="bound:Q"))
    return styled(alt.layer(*layers)).properties(width=380, height=220)


# --- chapters -------------------------------------------------------------------------------------------------------------


def _verdict(verdict: LogVerdict) -> list[Content]:
    parts: list[Content] = [
        tag("h2", "Verdict"),
        tag(
            "p",
            tag("strong", verdict.state.capitalize()),
            Html(". "),
            *(tag("span", f"{reason} ") for reason in verdict.reasons),
            class_=f"verdict {verdict.state.replace(' ', '-')}",
        ),
    ]
    if verdict.because:
        parts.append(tag("p", f"Written nevertheless, because: {verdict.because}", class_="note"))
    return parts


def _release(release: LogRelease) -> list[Content]:
    made, reading = release.anonymised, release.original.reading
    rows = [
        ("Lines", f"{len(release.original):,}", f"{len(made.log):,}"),
        ("Users, profiles", f"{len(release.original.users):,}", f"{len(made.log.users):,}"),
        ("Different queries", f"{len(release.original.texts):,}", f"{len(made.log.texts):,}"),
    ]
    parts: list[Content] = [
        tag("h2", "What was released"),
        html_table("The log before and after", ("What", "Original", "Release"), rows, numbers=[1, 2]),
        tag("p", f"Method: {made.method}."),
    ]
    if release.directory_of:
        parts.append(tag("p", f"Topics: {release.directory_of}."))
    if reading is not None:
        parts.append(tag("p", reading.words()))
    return [*parts, *(tag("p", note, class_="note") for note in made.notes)]


def _promise(release: LogRelease) -> list[Content]:
    made = release.anonymised
    name = made.method.partition("(")[0]
    title = registry.find("anonymiser", name).title
    promised = made.certificate is not None and made.certificate.holds
    words = (
        f"Each profile stands for at least {made.certificate.k} users."
        if promised and made.certificate
        else ("The method promises no number of users behind a profile.")
    )
    return [
        tag("h2", "What was released"),
        tag(
            "p",
            f"A query log of {len(made.log):,} lines in {len(made.log.users):,} profiles. Method: {title} ({name}).",
        ),
        tag("p", words),
        tag("p", "A path such as 'Sports: Soccer' in the place of a search stands for searches about it."),
    ]


def _levels(card: LogCard, *, rounded: bool) -> list[Content]:
    if _REMAIN not in card:
        return []
    named = [(name.removeprefix("level_"), value) for name, value in card.figures[_REMAIN].parts.items()]
    # The bars of a picture are as exact as a printed figure.
    levels = [(int(name), round(value) if rounded else value) for name, value in named if name.isdigit()]
    if not levels:
        return []
    line = (
        ""
        if card.bound is None
        else f" The dashed line is 1/k, {card.bound:.0f} %: what is left where users share nothing."
    )
    said = ", ".join(f"level {level}: {value:.0f} %" for level, value in levels)
    picture = svg_inline(levels_chart(levels, card.bound), name="levels", describe=f"Semantic remain by level. {said}.")
    caption = f"Share of the topics of a user's searches that the profile has too, by level of the directory.{line}"
    return [
        tag("h2", "Interests that are left"),
        tag("figure", Html(picture), tag("figcaption", caption), class_="wide"),
    ]


def _measures(card: LogCard, *, rounded: bool) -> Content:
    rows = [
        (
            f"{measure.title} ({name})",
            fixed(card[name], 0 if rounded else 2),
            measure.traits.unit,
            f"{measure.traits.better} is better",
            "risk" if measure.traits.is_risk else "loss",
        )
        for name, measure in card.measures.items()
    ]
    if not rounded:
        rows += [(name, NOTHING, "", "not measured", "") for name in card.absent]
    return html_table("All measures that apply", ("Measure", "Value", "Unit", "Direction", "Kind"), rows, numbers=[1])


def _parts(card: LogCard) -> list[Content]:
    rows = [(name, part, fixed(value, 2)) for name, one in card.figures.items() for part, value in one.parts.items()]
    return [tag("h2", "Parts"), html_table("Parts of the measures", ("Measure", "Part", "Value"), rows, numbers=[2])]


def _removed(release: LogRelease) -> list[Content]:
    total = max(len(release.original), 1)
    rows = [
        (reason, f"{count:,}", fixed(100 * count / total, 1)) for reason, count in release.anonymised.removed.items()
    ]
    if not rows:
        return []
    return [
        tag("h2", "What did not leave"),
        html_table("Lines that did not leave", ("Reason", "Lines", "% of all"), rows, numbers=[1, 2]),
    ]

"""The page of a campaign: the verdict, every attack beside guessing, and what holds the attacks that came through."""

from __future__ import annotations

from typing import Any, cast

import altair as alt

from tacita.attack.attacker import Attacker
from tacita.attack.judge.campaign import Campaign
from tacita.attack.judge.grade import Grade
from tacita.core import registry
from tacita.report.study_page import PageFigure, PageTable, study_page
from tacita.report.style import INK, ORIGINAL, RELEASE, axis_labels, styled

__all__ = ["GRADE_HEADS", "campaign_chart", "campaign_page", "campaign_tables", "grade_row"]

GRADE_HEADS = (
    "attack",
    "verdict",
    "told rightly",
    "by guessing",
    "95 % interval",
    "for sure",
    "victims",
    "questions",
    "time",
)
_NUMBERS = ("told rightly", "by guessing", "for sure", "victims", "questions", "time")


def campaign_page(found: Campaign, title: str = "Red team") -> str:
    """Write a campaign as one page that opens without a network.

    Parameters
    ----------
    found
        What came out of the attacks.
    title
        Heading of the page.

    Returns
    -------
    str
        A whole page; the same result gives the same text.
    """
    figures = []
    if found.run:
        describe = "; ".join(
            f"{one.attack}: {100 * one.success:.1f} % against {100 * one.baseline:.1f} %" for one in found.run
        )
        caption = "Share of the victims that each attack tells rightly, beside what a guess gets right, in percent."
        figures.append(PageFigure("attacks", caption, describe, campaign_chart(found)))
    notes = [
        "Internal: this page says how the release can be attacked. It stays inside.",
        found.words(),
        f"What the attackers know: {found.scenario}." if found.scenario else "",
        f"An attack breaks the target when it is right more than {100 * found.margin:g} points more often than a guess. Few "
        "victims who are told for sure are for a person to look at (partly).",
        *found.notes,
    ]
    return study_page(title, notes=[note for note in notes if note], figures=figures, tables=campaign_tables(found))


def campaign_tables(found: Campaign) -> tuple[PageTable, ...]:
    """Return all attacks with their grades, what to do, what each knows and learned, and what was not run and why."""
    tried = [one for one in found.grades if one.standing not in ("not run", "not worded")]
    left = [one for one in found.grades if one.standing in ("not run", "not worded")]
    rows = [grade_row(one)[:-1] for one in tried]  # a page is the same for the same attacks, however long they took
    tables = [PageTable("Attacks", GRADE_HEADS[:-1], rows, _NUMBERS)]
    hurt = [one for one in tried if one.standing in ("broken", "partly")]
    if hurt:
        rows = [(one.attack, one.learned or "see the figures", _held_by(one)) for one in hurt]
        tables.append(
            PageTable("What came through, and what is known to hold it", ("attack", "learned", "held by"), rows)
        )
    if tried:
        had = [(one.attack, one.knows, _stopped(one), _figures(one)) for one in tried]
        heads = ("attack", "the attacker has", "refused by", "further figures")
        tables.append(PageTable("What each attacker had, and what stopped him", heads, had))
    if left:
        why = [(one.attack, one.standing, one.reason or "; ".join(one.not_worded)) for one in left]
        tables.append(PageTable("Not tried: this is no proof that they are held", ("attack", "", "why"), why))
    return tuple(tables)


def grade_row(one: Grade) -> tuple[str, ...]:
    """Return a grade as texts under :data:`GRADE_HEADS`."""
    return (
        one.attack,
        one.standing,
        f"{100 * one.success:.1f} %",
        f"{100 * one.baseline:.1f} %",
        f"{100 * one.low:.1f} to {100 * one.high:.1f} %",
        str(one.affected),
        str(one.victims) if one.victims == one.of else f"{one.victims} of {one.of}",
        str(one.queries),
        f"{one.seconds:.1f} s",
    )


def campaign_chart(found: Campaign) -> Any:
    """Draw for each attack a bar of what it tells rightly, and a mark where guessing stands."""
    values = [
        {"attack": one.attack, "share": 100 * one.success, "guess": 100 * one.baseline, "order": number}
        for number, one in enumerate(found.run)
    ]
    base = alt.Chart(alt.Data(values=values)).encode(
        y=alt.Y(
            "attack:N", sort=None, axis=alt.Axis(title=None, domain=False, ticks=False, labelColor=INK, labelLimit=260)
        )
    )
    bars = base.mark_bar(height=9, color=RELEASE).encode(
        x=alt.X(
            "share:Q",
            scale=alt.Scale(domain=[0, 100]),
            axis=alt.Axis(title="% of the victims told rightly (bar); by guessing (mark)", **axis_labels()),
        )
    )
    marks = base.mark_tick(color=ORIGINAL, thickness=3, height=14).encode(x="guess:Q")
    return styled(alt.layer(bars, marks)).properties(width=460, height=alt.Step(18))


def _held_by(one: Grade) -> str:
    return cast(type[Attacker], registry.find("attack", one.attack)).traits.held_by


def _stopped(one: Grade) -> str:
    return ", ".join(f"{rule} ({count})" for rule, count in sorted(one.refused.items()))


def _figures(one: Grade) -> str:
    return "; ".join(f"{name} {value:.4g}" for name, value in one.figures.items())

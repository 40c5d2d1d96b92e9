"""Scorecards on the screen."""

from __future__ import annotations

from tacita.cli import output
from tacita.compare.outliers import OutlierCards
from tacita.compare.parts import points_that_add_up
from tacita.compare.scorecard import Scorecard

__all__ = ["show_beside", "show_card", "show_outlier_cards", "show_score"]


def show_card(card: Scorecard, title: str = "Scorecard") -> None:
    """Print a scorecard: every measure, what was skipped and why, and the score with its parts."""
    rows = [
        (
            str(row["kind"]),
            f"{row['title']} ({row['measure']})",
            output.number(row["value"]),
            str(row["unit"]),
            str(row["what"]),
            str(row["note"]),
        )
        for row in card.rows()
    ]
    output.table(title, ("kind", "measure", "value", "unit", "what it says", "note"), rows, right=("value",))
    _remarks(card)


def show_outlier_cards(cards: OutlierCards) -> None:
    """Print every measure for the whole file and beside it for the outliers; then the score of the whole file."""
    rows = [
        (
            str(row["kind"]),
            f"{row['title']} ({row['measure']})",
            output.number(row["whole"]),
            output.number(row["outliers"]),
            str(row["unit"]),
            str(row["what"]),
        )
        for row in cards.rows()
    ]
    heads = ("kind", "measure", "whole file", "outliers", "unit", "what it says")
    output.table("Scorecard", heads, rows, right=("whole file", "outliers"))
    output.say(f"Outliers: the {cards.records} records farthest from the average record, {100 * cards.share:g} %.")
    for name, reason in cards.outliers.skipped.items():
        if name not in cards.whole.skipped:
            output.say(f"Not computed for the outliers: {name}. {reason}")
    _remarks(cards.whole)


def _remarks(card: Scorecard) -> None:
    """Say how records were paired, what was skipped and why, and what the score is."""
    show_beside(card)
    output.say(f"Records paired: {card.pairing_words}.")
    if card.strongest is not None:
        sampled = f", at most {card.strongest.upper:.1f} % by a sample" if card.strongest.is_sampled else ""
        output.say(
            f"Strongest attack: {card.strongest.measure}, {card.strongest.value:.1f} % of the records{sampled}. "
            f"The intruder knows {card.strongest.knows.removeprefix('intruder knows ')}."
        )
    for note in card.notes:
        output.say(f"Note: {note}")
    for remark in card.remarks:
        output.say(f"Note: {remark}")
    for reason, names in card.reasons.items():
        output.say(f"Not computed: {', '.join(names)}. {reason}")
    show_score(card)


def show_beside(card: Scorecard) -> None:
    """Print the risk of the original beside that of the release."""
    rows = [
        (row.what, output.number(row.before), "–" if row.after is None else output.number(row.after), row.unit)
        for row in card.beside
    ]
    if rows:
        output.table("Risk of the keys", ("what", "before", "after", "unit"), rows, right=("before", "after"))


def show_score(card: Scorecard) -> None:
    """Print the score with its parts, which add up to it, or why there is none."""
    if card.score is None:
        output.say(card.score_note)
        output.say(f"Scenario: {card.scenario_words}.")
        return
    parts = card.score_parts()
    points = " + ".join(
        f"{value:.2f} {part.measure}" for part, value in zip(parts, points_that_add_up(parts), strict=True)
    )
    output.say(f"Score {card.score:.2f} = {points.replace('+ -', '- ')}")
    output.say(f"  ({card.scoring.formula()}; lower is better; read it beside its parts)")
    output.say(f"  Scenario: {card.scenario_words}.")

"""Scorecards on the screen."""

from __future__ import annotations

from tacita.cli import output
from tacita.compare.scorecard import PAIRING_WORDS, SCORE_WEIGHTS, Scorecard

__all__ = ["show_card"]


def show_card(card: Scorecard, title: str = "Scorecard") -> None:
    """Print a scorecard: every measure, what was skipped and why, and the score with its parts."""
    rows = [
        (
            str(row["kind"]),
            str(row["measure"]),
            output.number(row["value"]),
            str(row["unit"]),
            str(row["what"]),
            str(row["note"]),
        )
        for row in card.rows()
    ]
    output.table(title, ("kind", "measure", "value", "", "what it says", "note"), rows, right=("value",))
    output.say(f"Records paired: {PAIRING_WORDS[card.pairing]}.")
    for name, reason in card.skipped.items():
        output.say(f"Not computed: {name}. {reason}")
    if card.score is not None:
        parts = " + ".join(f"{weight:g} {name}" for name, weight in SCORE_WEIGHTS.items())
        output.say(f"Score {card.score:.2f} = {parts} (lower is better; read it beside its parts).")

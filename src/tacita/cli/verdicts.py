"""Verdicts on the screen and as exit status."""

from __future__ import annotations

from typing import Annotated

import typer

from tacita.cli import output
from tacita.compare.verdict import Verdict
from tacita.data.limits import PRESETS

__all__ = ["EXIT", "Because", "Insist", "LimitsOption", "show_verdict"]

EXIT = {"passed": 0, "failed": 3, "not judged": 4}
"""Exit status of a verb that judges; 1 and 2 are errors, as everywhere."""

LimitsOption = Annotated[
    str | None,
    typer.Option(
        "--limits",
        help=f"What a release must keep to leave: {', '.join(PRESETS)}, or a TOML file with [limits].",
        show_default=False,
    ),
]

Insist = Annotated[bool, typer.Option("--insist", help="Write a release although it failed; --because must say why.")]
Because = Annotated[str, typer.Option(help="Why a failed release is written; it is recorded.")]


def show_verdict(verdict: Verdict) -> None:
    """Print the verdict and its reasons."""
    named = f" (limits: {verdict.preset})" if verdict.preset else ""
    output.say(f"\nVerdict: {verdict.state.upper()}{named}")
    for finding in verdict.findings:
        output.say(f"  {finding}")
    for obstacle in verdict.obstacles:
        output.say(f"  {obstacle}")
    if not verdict.findings:
        output.say("  No limits were stated; give --limits, or the recipe a [limits] table.")
    if verdict.because:
        output.say(f"  Written nevertheless, because: {verdict.because}")

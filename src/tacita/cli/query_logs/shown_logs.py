"""What the commands of ``tacita logs`` say: the stages and their time, the card, the verdict and what became of the release."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.cli import output

if TYPE_CHECKING:
    from tacita.compare.logs.judge_log import LogVerdict
    from tacita.compare.logs.measure_log import LogCard
    from tacita.data.query_log.query_log import QueryLog
    from tacita.logs.anonymiser import AnonymisedLog

__all__ = ["say_fate", "say_release", "show_log_card", "show_stages", "stage"]


@contextmanager
def stage(seconds: dict[str, float], name: str) -> Iterator[None]:
    """Note how long a stage took."""
    begin = time.perf_counter()
    yield
    seconds[name] = time.perf_counter() - begin


def say_release(
    original: QueryLog, made: AnonymisedLog, card: LogCard, verdict: LogVerdict, seconds: Mapping[str, float]
) -> None:
    """Say what was read, what left, how long it took, and what was measured."""
    if original.reading is not None:
        output.say(original.reading.words())
    output.say(
        f"{len(original):,} lines of {len(original.users):,} users became {len(made.log):,} lines in "
        f"{len(made.log.users):,} profiles."
    )
    for reason, count in made.removed.items():
        output.say(f"  did not leave, {reason}: {count:,} lines")
    for note in made.notes:
        output.say(f"Note: {note}")
    show_stages({**seconds, **{f"  {name}": value for name, value in made.stages.items()}})
    show_log_card(card)
    output.say(f"\nVerdict: {verdict.state.upper()}")
    for reason in verdict.reasons:
        output.say(f"  {reason}")


def show_stages(seconds: Mapping[str, float]) -> None:
    """Print the time of each stage."""
    rows = [(name, f"{value:.2f}") for name, value in seconds.items()]
    output.table("Time of each stage", ("stage", "seconds"), rows, right=("seconds",))


def show_log_card(card: LogCard) -> None:
    """Print the measures of a log."""
    heads = ("kind", "measure", "value", "unit", "better", "parts")
    rows = [
        (
            "risk" if one.traits.is_risk else "loss",
            one.titled(),
            output.number(card[name]),
            one.traits.unit,
            one.traits.better,
            ", ".join(
                f"{part} {output.number(value, 3)}" for part, value in list(card.figures[name].parts.items())[:6]
            ),
        )
        for name, one in card.measures.items()
    ]
    output.table("Measures", heads, rows, right=("value",))
    for name, why in card.absent.items():
        output.say(f"Not measured: {name}. {why}")
    if card.bound is not None:
        output.say(
            f"1/k, which the paper's formula (5) gives where users of a group share nothing: {card.bound:.1f} %."
        )


_FATES = {
    "passed": "public/ keeps its limits and may leave, after your own review",
    "failed": "public/ FAILED",
    "not judged": "public/ was NOT JUDGED, so nothing here says that it is safe",
}


def say_fate(directory: Path | None, verdict: LogVerdict, seed: int | None) -> None:
    """Say what was written, and what its verdict means."""
    if directory is None:
        output.say(
            '\nNothing was written. Change the method, or give --insist --because "..." to write it nevertheless.'
        )
        return
    if seed is not None and seed < 2**64:
        output.say(
            "\nThe seed was given and is short: whoever guesses it can undo what was drawn. Leave --seed out for a real release."
        )
    output.say(
        f"\nRelease written to {directory}: {_FATES[verdict.state]}; internal/ (seed, profiles of users, full report) must stay."
    )

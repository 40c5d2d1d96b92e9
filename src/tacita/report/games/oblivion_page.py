"""The page of forwarded content: who is traced, when honest forwarding pays, who forwards how, and the protocol played once."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tacita.games.oblivion.multicast import MulticastRound
from tacita.games.oblivion.oblivion_study import OblivionStudy
from tacita.report.games.oblivion_charts import boundary_chart, rounds_chart, tracing_chart
from tacita.report.study_page import PageFigure, PageTable, study_page

__all__ = ["ROUND_HEADS", "oblivion_figures", "oblivion_page", "round_rows", "tracing_rows"]

ROUND_HEADS = (
    "round",
    "expected, %",
    "reached, %",
    "marked, %",
    "bare, %",
    "leaked",
    "found",
    "traced, %",
    "wrongly, %",
)
"""Heads of a table of rounds."""
TRACING_HEADS = ("colluders", "traced, %", "from", "to", "somebody innocent, %")
"""Heads of the table of coalitions."""


def oblivion_page(study: OblivionStudy) -> str:
    """Write the page; the same study gives the same text.

    Parameters
    ----------
    study
        What :func:`tacita.games.oblivion.oblivion_study.study_oblivion` found.
    """
    tree = study.tree
    notes = [
        f"{tree.receivers:,} receivers in a tree that branches into {tree.branching}. The code of a hop has {tree.code_length:,} "
        f"positions and is made for {tree.coalition} colluders.",
        study.coprivacy.words(),
        *study.coprivacy.reasons[:1],
        _protocol(study),
    ]
    tables = [
        PageTable("What was found", ("Figure", "Value"), oblivion_figures(study), ("Value",)),
        PageTable("Coalitions", TRACING_HEADS, tracing_rows(study), TRACING_HEADS),
        PageTable("Rounds", ROUND_HEADS, round_rows(study.rounds), ROUND_HEADS),
        PageTable("Rounds with a short code", ROUND_HEADS, round_rows(study.with_short_code), ROUND_HEADS),
    ]
    return study_page("Forwarded content with an expiry date", notes=notes, figures=_figures(study), tables=tables)


def oblivion_figures(study: OblivionStudy) -> list[tuple[str, str]]:
    """Return what was found in words."""
    last = study.rounds[-1]
    return [
        ("chance that the code names a leaker, %", _percent(study.settings.tracing)),
        ("honest forwarding is an equilibrium", "yes" if study.is_honest else "no"),
        ("penalty that it takes", f"{study.penalty:.3g}" if math.isfinite(study.penalty) else "none is enough"),
        ("penalty as set", f"{study.settings.penalty:.3g}"),
        ("forwarders who mark in the first round, %", _percent(study.rounds[0].marked)),
        ("forwarders who mark in the last round, %", _percent(last.marked)),
        ("copies leaked in the first and the last round", f"{study.rounds[0].leaked:,}, {last.leaked:,}"),
    ]


def tracing_rows(study: OblivionStudy) -> list[tuple[str, ...]]:
    """Return a row for each size of coalition."""
    return [
        (str(size), _percent(one.rate), _percent(one.low), _percent(one.high), _percent(one.innocent))
        for size, one in study.rates.items()
    ]


def round_rows(rounds: Sequence[MulticastRound]) -> list[tuple[str, ...]]:
    """Return a row for each round."""
    return [
        (
            str(i), _percent(one.belief), _percent(one.reached), _percent(one.marked), _percent(one.bare),
            f"{one.leaked:,}", f"{one.found:,}", _percent(one.traced), _percent(one.innocent),
        )
        for i, one in enumerate(rounds, 1)
    ]  # fmt: skip


def _figures(study: OblivionStudy) -> list[PageFigure]:
    rates = "; ".join(f"{size} colluders: {_percent(one.rate)} %" for size, one in study.rates.items())
    full, short = (
        f"code of {length:,} positions" for length in (study.tree.code_length, max(study.tree.code_length // 4, 8))
    )
    told = "; ".join(
        f"round {i}: {_percent(a.marked)} and {_percent(b.marked)} %"
        for i, (a, b) in enumerate(zip(study.rounds, study.with_short_code, strict=True), 1)
    )
    boundary = ", ".join(
        f"{t:.2f}: {f:.3g}"
        for t, f in zip(study.honest_map.tracing.tolist(), study.honest_map.boundary.tolist(), strict=True)
    )
    return [
        PageFigure(
            "tracing",
            "How often somebody of a coalition is named, measured with the real code, with 95 percent intervals. The dashed line "
            "is the size that the code is made for.",
            f"Traced: {rates}.",
            tracing_chart(study.rates, study.tree.coalition),
        ),
        PageFigure(
            "boundary",
            "Where honest forwarding is an equilibrium. Each cell was decided by looking for deviations in the game, the line is "
            "the formula of the boundary, the cross stands for the settings.",
            f"The smallest penalty by chance of being traced is {boundary}.",
            boundary_chart(study.honest_map, here=(study.settings.tracing, study.settings.penalty)),
        ),
        PageFigure(
            "rounds",
            "Who forwards when: all expect to be traced as often as the record says. With a code that is too short for the "
            "coalition the record stays poor, and most forward bare.",
            f"Forwarders who mark, with either code, {told}.",
            rounds_chart(study.rounds, study.with_short_code, (full, short)),
        ),
    ]


def _protocol(study: OblivionStudy) -> str:
    run = study.protocol
    names = ", ".join(name or "nobody" for name in run.resolved)
    return (
        f"The protocol was played once, with {run.transfers:,} transfers: copies that {', '.join(run.names)} leaked were traced "
        f"to {names}; one that was forwarded bare to {run.bare or 'nobody'}; one used past its date to {run.late or 'nobody'}. "
        f"A client refused the content the day after its date: {run.refused}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f}" if math.isfinite(share) else "–"

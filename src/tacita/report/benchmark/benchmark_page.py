"""The page of a benchmark: the ranking over all sets, and for each set the points of every mask as bars and in a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from tacita.compare.benchmark.benchmark_change import BenchmarkChanges
from tacita.compare.benchmark.benchmark_result import BenchmarkResult, SetResult
from tacita.compare.parts import find_measure
from tacita.compare.search.search_point import Spread
from tacita.report.study_page import PageFigure, PageTable, study_page
from tacita.report.style import INK, ORIGINAL, RELEASE, axis_labels, styled
from tacita.report.words import NOTHING, fixed

__all__ = ["benchmark_chart", "benchmark_page", "benchmark_tables"]

_KINDS = ("loss", "risk")
_MOST_CHANGES = 200


def benchmark_page(result: BenchmarkResult, changes: BenchmarkChanges | None = None) -> str:
    """Write a benchmark as one page that opens without a network.

    Parameters
    ----------
    result
        What :func:`tacita.benchmark` found.
    changes
        What changed since an earlier one, to be shown as well.

    Returns
    -------
    str
        A whole page; the same result gives the same text.
    """
    figures = [
        PageFigure(found.name, _caption(found), _described(found), benchmark_chart(found))
        for found in result.sets
        if found.entries
    ]
    tables = [*benchmark_tables(result), *([] if changes is None else [_change_table(changes)])]
    return study_page("Benchmark of masks", notes=_notes(result, changes), figures=figures, tables=tables)


def benchmark_chart(found: SetResult) -> Any:
    """Draw the best entry of each family as a bar: points for losses and for risks, together the score."""
    values = [
        {
            "mask": entry.candidate,
            "kind": kind,
            "order": order,
            "points": sum(points for name, points in entry.parts.items() if find_measure(name).kind == kind),
        }
        for entry in found.best()
        for order, kind in enumerate(_KINDS)
    ]
    bars = alt.Chart(alt.Data(values=values)).mark_bar(height=9).encode(
        y=alt.Y("mask:N", sort=None, axis=alt.Axis(title=None, domain=False, ticks=False, labelColor=INK, labelLimit=320)),
        x=alt.X("points:Q", stack="zero", axis=alt.Axis(title="points of the score – lower is better", **axis_labels())),
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=list(_KINDS), range=[ORIGINAL, RELEASE]),
            legend=alt.Legend(title=None, orient="top"),
        ),
        order=alt.Order("order:Q"),
    )  # fmt: skip
    layers = [bars]
    if found.untouched is not None:
        rule = alt.Chart(alt.Data(values=[{"score": found.untouched}])).mark_rule(color=INK, strokeDash=[4, 3])
        layers.append(rule.encode(x="score:Q"))
    return styled(alt.layer(*layers)).properties(width=420, height=alt.Step(14))


def benchmark_tables(result: BenchmarkResult) -> tuple[PageTable, ...]:
    """Return the ranking over all sets, then the best of each mask on every set, then what was not tried and why."""
    names = tuple(found.name for found in result.sets)
    rows = [
        (
            *(str(number), place.family, fixed(place.place, 1), str(len(place.scores))),
            *(fixed(place.scores.get(name), 2) for name in names),
        )
        for number, place in enumerate(result.ranking(), 1)
    ]
    heads = ("number", "mask", "mean place, % (0 best)", "sets", *(f"score on {name}" for name in names))
    ranked = PageTable("Masks over all sets, each with its best parameters", heads, rows, (heads[0], *heads[2:]))
    return ranked, *(_set_table(found) for found in result.sets), _left_table(result)


def _set_table(found: SetResult) -> PageTable:
    parts = tuple(dict.fromkeys(name for entry in found.entries for name in entry.parts))
    heads = (
        "place", "mask", "seeds", "score", *(f"points of {part}" for part in parts), "strongest attack, %", "which attack"
    )  # fmt: skip
    rows = [
        (
            str(place),
            entry.candidate,
            str(entry.seeds),
            _spread(entry.figures["score"], 2),
            *(fixed(entry.parts.get(part), 2) for part in parts),
            _spread(entry.figures.get("strongest"), 1),
            entry.attack or NOTHING,
        )
        for place, entry in enumerate(found.best(), 1)
    ]
    return PageTable(f"{found.name}: the best of each mask", heads, rows, (heads[0], *heads[2:-1]))


def _left_table(result: BenchmarkResult) -> PageTable:
    rows = [(name, "the whole set", reason) for name, reason in result.absent.items()]
    for found in result.sets:
        rows += [(found.name, mask, reason) for mask, reason in (*found.misfits.items(), *found.failed.items())]
        rows += [(found.name, f"{found.left} trials", "The time limit left them.")] if found.left else []
    return PageTable("Not tried, or failed", ("set", "what", "reason"), rows)


def _change_table(changes: BenchmarkChanges) -> PageTable:
    heads = ("set", "mask", "figure", "before", "now", "noise", "better")
    rows = [
        (
            c.set,
            c.candidate,
            c.figure,
            fixed(c.before, 2),
            fixed(c.after, 2),
            fixed(c.noise, 2),
            "yes" if c.is_better else "no",
        )
        for c in changes.changes[:_MOST_CHANGES]
    ]
    return PageTable("Changed beyond noise", heads, rows, heads[3:6])


def _notes(result: BenchmarkResult, changes: BenchmarkChanges | None) -> Sequence[str]:
    settings = result.settings
    found = [
        f"Masks on open data under one scenario: at most {settings.get('size')} records of each set, {settings.get('seeds')} "
        f"seeds from {settings.get('seed')} on for masks that draw at random. Compare places of masks of the same sets.",
        "Of each mask a few strengths are tried and its other parameters are the defaults. No score does justice to all methods, "
        "and a mask of numbers leaves the keys as they were: read the score beside its parts.",
        *(
            f"{entry.name}: {entry.about}; {entry.records} records, {entry.columns} columns. Score = {entry.score}. "
            f"Scenario: {entry.scenario}."
            for entry in result.sets
            if entry.entries
        ),
    ]
    if changes is not None:
        found.append(
            f"Compared with an earlier benchmark: {len(changes.changes)} of {changes.compared} figures changed beyond noise."
        )
        found += changes.remarks
    return found


def _caption(found: SetResult) -> str:
    line = (
        ""
        if found.untouched is None
        else f" The dashed line is the score of the data as they are, {found.untouched:.1f}."
    )
    return f"{found.name}: points of losses (grey) and risks (blue) of the best parameters of each mask.{line}"


def _described(found: SetResult) -> str:
    best = "; ".join(f"{entry.candidate} {entry.score:.1f}" for entry in found.best()[:5])
    return f"Scores on {found.name}, lower is better. The best are: {best}."


def _spread(spread: Spread | None, decimals: int) -> str:
    if spread is None:
        return NOTHING
    return fixed(spread.mean, decimals) + (f" ± {fixed(spread.sd, decimals)}" if spread.sd else "")

"""The study ``querylog``: the experiments of Erola and others (2011) again, beside rivals and beside what safety costs."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study
from tacita.study.query_logs.material import CATEGORIES, DEEPEST, LEVELS, LogMaterial, material
from tacita.study.query_logs.pages import write_querylog
from tacita.study.query_logs.remain import SIZES, WAYS, Remain, remain
from tacita.study.query_logs.rivals import RivalRow, figure, rivals

__all__ = ["querylog"]

RANKED_FIRST = 80.0
"""Percent of topical queries whose true category must come first."""
_RANK_LEVEL = 2


@study(
    "querylog",
    summary="Query logs: Figures 2, 3 and 4 of semantic microaggregation, its rivals, and what a safe release costs.",
    reference="Erola, Castella-Roca, Navarro-Arribas & Torra (2011)",
    replicates=3,
    takes_data=True,
    writes=True,
)
def querylog(options: StudyOptions) -> StudyResult:
    """Classify, group and measure; then the same log by the other methods."""
    seed = options.seed if isinstance(options.seed, int) else 1
    # A log of the user's is what it is: only the draws are repeated.
    logs = [material(options.data, seed + r) for r in range(1 if options.data else options.replicates)]
    runs = [remain(logs[min(r, len(logs) - 1)], seed + r) for r in range(options.replicates)]
    found = Remain(*(np.mean([getattr(run, name) for run in runs], axis=0) for name in _FIELDS))
    shares = np.mean([_shares(log) for log in logs], axis=0)
    findings = [*_classified(shares, logs), *_remains(found), *_sizes(runs)]
    rows = rivals(logs[0], seed)
    tables = (_levels_table(found), _rivals_table(rows))
    notes = (
        _about(logs, options),
        "Semantic remain is expression (4) by users: lines of a category that are in the log and in the profile, over those in "
        "the log. 1/k is bound (5).",
        "Groups at random and groups by spelling have the aggregation of the paper, and differ in the groups alone.",
        "Queries of one person are lines whose text one user alone asked. Linkage is by all that somebody searched for.",
        *(f"{row.words}: {row.note}" for row in rows if row.note),
    )
    files = () if options.output is None else write_querylog(options.output, shares, found, findings, tables, notes)
    return StudyResult(tuple(findings), notes, tables, files)


_FIELDS = ("by_level", "seconds", "all_levels", "smallest")


def _shares(log: LogMaterial) -> FloatArray:
    """Return for every level the percentage of queries with a category there, each counted as often as it was asked."""
    whole = log.classified[CATEGORIES[-1]][0]
    asked = np.bincount(log.log.query[log.log.query >= 0], minlength=len(log.log.texts))
    return 100 * whole.share(asked)


def _about(logs: list[LogMaterial], options: StudyOptions) -> str:
    lines = np.mean([len(log.log) for log in logs])
    users = np.mean([len(log.log.users) for log in logs])
    whose = "the log that was given" if options.data else f"{len(logs)} made logs"
    size = f"{users:,.0f} users and {lines:,.0f} lines (paper: 1000 and 55 666)"
    return f"Means over {options.replicates} replicates of {whose}: {size}."


def _classified(shares: FloatArray, logs: list[LogMaterial]) -> list[StudyFinding]:
    found = [
        StudyFinding(
            quantity=f"queries classified up to level {level}",
            setting="five categories of each term",
            ours=(float(shares[level - 1]),),
            paper="57 %" if level == LEVELS else "",
            unit="%",
            is_range=False,
        )
        for level in (1, LEVELS, DEEPEST)
    ]
    ranked = [share for log in logs if (share := log.ranked_first(_RANK_LEVEL)) is not None]
    if ranked:
        found.append(
            StudyFinding(
                quantity=f"topical queries whose true category of level {_RANK_LEVEL} comes first",
                setting="the index of the small directory",
                ours=(float(np.mean(ranked)),),
                required=f"at least {RANKED_FIRST:g} %",
                met=float(np.mean(ranked)) >= RANKED_FIRST,
                unit="%",
                is_range=False,
            )
        )
    return found


def _remains(found: Remain) -> list[StudyFinding]:
    findings = []
    paper, chance, better, safe = found.all_levels
    for j, k in enumerate(SIZES):
        lowest = np.concatenate([found.by_level[:, j].ravel(), paper[j]])
        findings.append(
            StudyFinding(
                quantity="lowest semantic remain over levels and categories",
                setting=f"as published, k = {k}",
                ours=(float(lowest.min()),),
                paper=f"above {100 / k:.0f} %",
                required=f"above {100 / k:.1f} %",
                met=float(lowest.min()) > 100 / k,
                unit="%",
                is_range=False,
            )
        )
        findings.append(
            StudyFinding(
                quantity="gain over groups at random, lowest over levels",
                setting=f"as published, k = {k}, in points",
                ours=(float((paper[j] - chance[j]).min()),),
                required="above 0",
                met=float((paper[j] - chance[j]).min()) > 0,
                is_range=False,
            )
        )
    k5, deepest = SIZES.index(5), LEVELS - 1
    gain = found.by_level[1, k5] - found.by_level[0, k5]
    pairs = (
        ("gain of five categories over one, L = 5, k = 5, in points", gain[deepest], "about 10"),
        ("gain of five categories over one, L = 1, k = 5, in points", gain[0], "none"),
        ("gain of the improved partition, mean over levels, k = 5, in points", (better - paper)[k5].mean(), ""),
        ("cost of the safe mode, mean over levels, k = 5, in points", (better - safe)[k5].mean(), ""),
        ("time with five categories as a multiple of that with one", found.seconds[1].mean() / found.seconds[0].mean(), "3"),
    )  # fmt: skip
    findings += [
        StudyFinding(quantity=words, setting="", ours=(float(value),), paper=paper_says, is_range=False)
        for words, value, paper_says in pairs
    ]
    return findings


def _sizes(runs: list[Remain]) -> list[StudyFinding]:
    smallest = np.min([run.smallest for run in runs], axis=0)
    return [
        StudyFinding(
            quantity="fewest users behind a profile",
            setting=f"k = {k}, all ways",
            ours=(float(smallest[j]),),
            required=f"at least {k}",
            met=bool(smallest[j] >= k),
            unit="count",
            is_range=False,
        )
        for j, k in enumerate(SIZES)
    ]


def _levels_table(found: Remain) -> StudyTable:
    heads = ("way", "k", "1/k, %", *(f"level {level}, %" for level in range(1, LEVELS + 1)))
    rows = tuple(
        (words, str(k), f"{100 / k:.1f}", *(f"{value:.1f}" for value in found.all_levels[way, j]))
        for way, (words, _, _) in enumerate(WAYS)
        for j, k in enumerate(SIZES)
    )
    return StudyTable("Semantic remain at each level, five levels and five categories", heads, rows, heads[1:])


def _rivals_table(rows: list[RivalRow]) -> StudyTable:
    heads = (
        "method", "remain level 1, %", f"remain level {LEVELS}, %", "lines, %", "frequency correlation", "linkage, %",
        "queries of one person, %",
    )  # fmt: skip
    cells = [
        (
            row.words,
            *(
                "–" if np.isnan(value) else f"{value:.{digits}f}"
                for value, digits in (
                    (figure(row, "semantic_remain", "level_1"), 1),
                    (figure(row, "semantic_remain", f"level_{LEVELS}"), 1),
                    (figure(row, "lines_kept"), 1),
                    (figure(row, "query_frequency_correlation"), 2),
                    (figure(row, "profile_linkage"), 1),
                    (figure(row, "lonely_queries"), 1),
                )
            ),
        )
        for row in rows
    ]
    return StudyTable("Methods side by side, the same log and directory", heads, tuple(cells), heads[1:])

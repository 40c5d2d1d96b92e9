"""The tables and figures of the census study, as data: ours beside those of the paper."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.study.base import StudyTable
from tacita.study.census_attacks import AVERAGES, SPLITS
from tacita.study.census_counts import CountPairs
from tacita.study.census_material import BOUNDS, DESIGNS, VARIANCE
from tacita.study.census_paper import (
    PAPER_DISTRIBUTIONS,
    PAPER_FREQUENCIES,
    PAPER_LARGEST,
    PAPER_MEANS,
    PAPER_SAFE,
    RESULTS,
)
from tacita.study.census_round import CensusRound
from tacita.tables.perturbation.transition_matrix import TransitionMatrix

__all__ = ["LARGER", "REACH", "census_tables", "class_words", "design_matrix", "design_shares"]

COUNTS = tuple(range(1, 9))
LARGER = tuple(range(9, 17))
"""Counts of Figure 1a."""
REACH = 7
"""The largest deviation of Figure 1a."""


def design_matrix(design: str, D: int) -> TransitionMatrix:
    """Return the matrix of a design with variance 2."""
    if design == "published":
        return TransitionMatrix.published(D=D, V=VARIANCE)
    return TransitionMatrix.maximum_entropy(D=D, V=VARIANCE)


def census_tables(found: CensusRound) -> tuple[StudyTable, ...]:
    """Return all tables of the study."""
    return (
        _transitions(found),
        _figure_1a(found),
        _figure_1b(found),
        _largest(found),
        *(_distribution(found, design) for design in DESIGNS),
        _told(found),
        _sets(found),
        _undone(found),
        _averages(found),
        _differences(found),
    )


def _words(design: str) -> str:
    return design.replace("_", " ")


def _share(value: float) -> str:
    return f"{value:.3f}" if value else "."


# --- Table 1 and the figures -----------------------------------------------------------------------------------------------


def design_shares(design: str, D: int, count: int, results: Sequence[int]) -> list[float]:
    """Return the probabilities of some results of a count; the last row of a matrix serves all larger counts."""
    noise = design_matrix(design, D).noise
    row = noise[min(count, len(noise) - 1)]
    return [float(row[j - count + D]) if abs(j - count) <= D else 0.0 for j in results]


def _transitions(found: CensusRound) -> StudyTable:
    heads = ("matrix", "count", *(str(j) for j in RESULTS), f"{RESULTS[-1] + 1}+")
    rows = []
    for D in BOUNDS:
        for design in DESIGNS:
            made = ((i, design_shares(design, D, i, RESULTS)) for i in COUNTS)
            rows += [(f"{_words(design)}, D = {D}", str(i), *map(_share, row), ".") for i, row in made]
            rows += _observed(f"{_words(design)}, D = {D}, additive, observed", found.test[design, f"additive D={D}"])
    rows += _observed("SAFE, observed", found.controlled)
    rows += [("SAFE, paper", str(i), *map(_share, PAPER_SAFE[i]), ".") for i in COUNTS]
    return StudyTable("Table 1: transition probabilities, by design and as observed", heads, tuple(rows), heads[1:])


def _observed(words: str, pairs: CountPairs) -> list[tuple[str, ...]]:
    """Return a row for each count: what became of its cells."""
    places = [*RESULTS, RESULTS[-1] + 1]
    made = ((i, pairs.results(i, RESULTS[-1])[places]) for i in COUNTS)
    return [(words, str(i), *map(_share, row.tolist())) for i, row in made]


def _figure_1a(found: CensusRound) -> StudyTable:
    noise = [
        (_words(design), design_shares(design, 5, LARGER[0], range(LARGER[0] - REACH, LARGER[0] + REACH + 1)))
        for design in DESIGNS
    ]
    lines = [(f"SAFE, {i}", found.controlled.within(i, i).deviations(REACH).tolist()) for i in LARGER]
    named = [*lines, *((f"{words}, D = 5", shares) for words, shares in noise)]
    heads = ("deviation", *(words for words, _ in named))
    rows = tuple(
        (f"{d:+d}" if d else "0", *(_share(shares[d + REACH]) for _, shares in named)) for d in range(-REACH, REACH + 1)
    )
    title = "Figure 1a: deviations of SAFE in controlled tables for counts 9 to 16, and of noise"
    return StudyTable(title, heads, rows, heads)


# --- tables that are not controlled ----------------------------------------------------------------------------------------


def class_words(low: int, high: float) -> str:
    """Name a class of counts."""
    return f"{low}-{high:.0f}" if np.isfinite(high) else f"{low} and more"


def _figure_1b(found: CensusRound) -> StudyTable:
    classes = {ends: found.free.within(*ends) for ends in PAPER_LARGEST}
    reach = max((pairs.largest for pairs in classes.values()), default=0)
    heads = ("deviation", *(class_words(*ends) for ends in classes))
    shares = [pairs.deviations(reach) for pairs in classes.values()]
    rows = tuple(
        (f"{d:+d}" if d else "0", *(_share(float(share[d + reach])) for share in shares))
        for d in range(-reach, reach + 1)
    )
    title = "Figure 1b: deviations of SAFE in tables of four variables, which are not controlled, by count"
    return StudyTable(title, heads, rows, heads)


def _largest(found: CensusRound) -> StudyTable:
    heads = ("count", "cells", "mean deviation", "largest deviation", "paper")
    rows = []
    for ends, paper in PAPER_LARGEST.items():
        pairs = found.free.within(*ends)
        ours = (f"{pairs.mean:.2f}", str(pairs.largest)) if len(pairs) else ("", "")
        rows.append((class_words(*ends), str(len(pairs)), *ours, str(paper)))
    title = "Table 4: largest deviation of SAFE in tables of four variables, which are not controlled"
    return StudyTable(title, heads, tuple(rows), heads[1:])


# --- Tables 5 and 6 ----------------------------------------------------------------------------------------------------------


def _distribution(found: CensusRound, design: str) -> StudyTable:
    """Return a row for each method; the paper's matrices stand beside its own figures, the others alone."""
    ours = {way: found.test["" if way == "SAFE" else design, way] for way in PAPER_DISTRIBUTIONS}
    most = max(*(pairs.largest for pairs in ours.values()), len(PAPER_DISTRIBUTIONS["SAFE"]) - 1)
    heads = ("method", *map(str, range(most + 1)), "mean")
    rows = []
    for way, pairs in ours.items():
        rows.append((way, *(f"{share:.2f}" for share in pairs.distribution(most).tolist()), f"{pairs.mean:.2f}"))
        if design == DESIGNS[0]:
            printed = PAPER_DISTRIBUTIONS[way]
            shares = [f"{printed[size]:.2f}" if size < len(printed) else "" for size in range(most + 1)]
            rows.append((f"{way}, paper", *shares, f"{PAPER_MEANS[way]:.2f}"))
    cells = len(ours["SAFE"])
    title = f"Table 5: {cells} cells that somebody is in, by absolute deviation, percent; noise: {_words(design)}"
    return StudyTable(title, heads, tuple(rows), heads[1:])


def _told(found: CensusRound) -> StudyTable:
    ways = (*found.told, "SAFE, paper")
    tables = {**found.told, "SAFE, paper": PAPER_FREQUENCIES}
    heads = ("deviation", *(name for way in ways for name in (way, f"{way}: told")))
    rows = []
    for d in sorted({d for table in tables.values() for d in table}):
        pairs = (tables[way].get(d) for way in ways)
        rows.append((str(d), *(str(x) if pair else "" for pair in pairs for x in (pair or ("", "")))))
    title = "Table 6: cells by deviation, and by the deviation that is told to users"
    return StudyTable(title, heads, tuple(rows), heads)


# --- several tables at once ------------------------------------------------------------------------------------------------


def _sets(found: CensusRound) -> StudyTable:
    heads = (
        "tables of", "method", "cells", "mean deviation", "largest mean of a level", "largest deviation",
        "shared cells", "of these differ", "sums that do not hold",
    )  # fmt: skip
    rows = tuple(
        (
            one.name, one.way, str(one.cells), f"{one.mean:.2f}", f"{one.level:.2f}", str(one.largest),
            str(one.shared), str(one.differ), str(one.sums_off),
        )
        for one in found.sets
    )  # fmt: skip
    title = "Sets of tables, D = 3: regions in a hierarchy, grid squares, households and dwellings"
    return StudyTable(title, heads, rows, heads[2:])


# --- attackers -----------------------------------------------------------------------------------------------------------------


def _undone(found: CensusRound) -> StudyTable:
    heads = ("method", "ones and twos", "known to be one or two", "known exactly", "exactly, %")
    rows = tuple(
        (way, str(u.small), str(u.known_small), str(u.exact), f"{100 * u.exact / max(u.small, 1):.2f}")
        for way, u in found.undone.items()
    )
    title = "Undone by linear programmes: who knows D, or SAFE's largest deviation, and the sums of one table"
    return StudyTable(title, heads, rows, heads[1:])


def _averages(found: CensusRound) -> StudyTable:
    heads = ("tables", "last split by", *AVERAGES)
    rows = tuple(
        (str(t), name, *(f"{value:.2f}" for value in row))
        for t, (name, row) in enumerate(zip(SPLITS, found.averaged.tolist(), strict=True), 1)
    )
    title = "Averages over tables, D = 3: mean distance to the truth, or to the noisy count"
    return StudyTable(title, heads, rows, ("tables", *AVERAGES))


def _differences(found: CensusRound) -> StudyTable:
    heads = ("method", "mean distance", "ones and twos found, %", "empty where 0, %", "empty at all, %")
    rows = tuple(
        (way, f"{one.mean:.2f}", f"{one.exact_small:.1f}", f"{one.empty_told:.1f}", f"{one.empty:.1f}")
        for way, one in found.differenced.items()
    )
    title = "Differences of a table with and without one region, D = 3"
    return StudyTable(title, heads, rows, heads[1:])

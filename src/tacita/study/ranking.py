"""The overview's ranking of methods by score: rank swapping with p about 15 and MDAV by three columns do well."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tacita.compare.parts import find_measure
from tacita.compare.score import Score
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.data.pairing import Pair, pair_records
from tacita.mask.base import Mask
from tacita.mask.microaggregation.individual_ranking import IndividualRanking
from tacita.mask.microaggregation.mdav import Mdav
from tacita.mask.microaggregation.projection import Projection
from tacita.numeric.compiled.threads import in_threads
from tacita.risk.linkage import DistanceLinkage
from tacita.risk.probabilistic_linkage import ProbabilisticLinkage
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study
from tacita.study.datasets import StudyData, study_data
from tacita.study.outliers import FAMILIES, masked_as_published

__all__ = ["RankedMethod", "candidates", "ranking"]

_MOST_KNOWN = 7
_LEVELS = (1.0, 4.0, 16.0)
"""Levels of agreement for probabilistic linkage, in percent of the ranks: few, because each case is fitted anew."""
_GROUP_SIZES = tuple(range(3, 21))
_SWAPPED, _THREE = "Rank swapping", "MDAV, three columns at a time"
_SHOWN = 25


@dataclass(frozen=True)
class RankedMethod:
    """A method with a parameter."""

    family: str
    parameter: float
    made: Callable[[tuple[str, ...], float], Mask]
    is_random: bool = False


_KINDS: dict[str, Callable[[tuple[str, ...], float], Mask]] = {
    "MDAV, two columns at a time": lambda c, k: Mdav(columns=c, k=int(k), groups=2),
    _THREE: lambda c, k: Mdav(columns=c, k=int(k), groups=3),
    "MDAV, four columns at a time": lambda c, k: Mdav(columns=c, k=int(k), groups=4),
    "Individual ranking": lambda c, k: IndividualRanking(columns=c, k=int(k)),
    "Projection, first component": lambda c, k: Projection(columns=c, k=int(k), axis="component", cut="fixed"),
    "Projection, sum of z-scores": lambda c, k: Projection(columns=c, k=int(k), axis="z_scores", cut="fixed"),
}
"""Further kinds of microaggregation: fewer columns at a time, one at a time, and by a projection on one axis."""


def candidates() -> tuple[RankedMethod, ...]:
    """Return what is ranked: the methods and parameters of the outlier study, and more kinds of microaggregation."""
    of_paper = [
        RankedMethod("MDAV, all columns" if f.letter == "M" else f.name, p, f.made, f.is_random)
        for f in FAMILIES
        for p in f.parameters
    ]
    return (*of_paper, *(RankedMethod(name, k, made) for name, made in _KINDS.items() for k in _GROUP_SIZES))


@study(
    "ranking",
    summary="Masks and parameters ranked by the overview's score.",
    reference='Domingo-Ferrer (2007), Statistical databases, section "Score construction", after Domingo-Ferrer and Torra (2001)',
    replicates=5,
    takes_data=True,
)
def ranking(options: StudyOptions) -> StudyResult:
    """Mask with every candidate, score it, and say where the overview's two good performers stand."""
    score = Score.named("overview")
    sets = study_data(options.data, options.columns, default=("census",))
    findings: list[StudyFinding] = []
    tables: list[StudyTable] = []
    for entry in sets:
        rows = _ranked(entry, score, options.replicates, options.seed)
        findings += _findings(entry.name, rows)
        tables += _tables(entry.name, rows, score)
    notes = (
        f"Score = {score.formula()}; "
        f"{f'means over {options.replicates} seeds' if options.replicates > 1 else 'one seed'} for methods that draw at random.",
        f"Both linkages are averaged over an intruder who knows the first 1, 2, ..., {_MOST_KNOWN} columns of the file. "
        "pld is the classical method with its weights from free pairs, values agreeing within 1, 4 or 16 % of the ranks.",
        "No score does justice to all methods: read it beside its parts.",
    )
    return StudyResult(tuple(findings), notes, tuple(tables))


@dataclass(frozen=True)
class _Row:
    """A candidate with its mean measures and score."""

    candidate: RankedMethod
    values: dict[str, float]
    score: float


def _ranked(entry: StudyData, score: Score, replicates: int, seed: Seed) -> list[_Row]:
    """Measure every candidate; the best comes first."""
    listed = candidates()
    jobs = [(i, r) for i, c in enumerate(listed) for r in range(replicates if c.is_random else 1)]
    with task(f"Masking and measuring {entry.name}", len(jobs)) as running:

        def run(job: tuple[int, int]) -> list[float]:
            chosen = listed[job[0]]
            label = (entry.name, chosen.family, f"{chosen.parameter:g}", str(job[1]))
            drawn = Streams(seed).stream("study", "ranking", *label).integers(2**63)
            masked = masked_as_published(chosen.made(entry.columns, chosen.parameter), entry.data, int(drawn))
            pair = pair_records(entry.data, masked, "link")
            found = [_measured(name, pair, entry.columns) for name in score.measures]
            running.advance()
            return found

        results = in_threads(run, jobs)
    rows = []
    for i, chosen in enumerate(listed):
        mean = np.mean([result for (j, _), result in zip(jobs, results, strict=True) if j == i], axis=0)
        values = dict(zip(score.measures, mean.tolist(), strict=True))
        rows.append(_Row(chosen, values, score.of(values)))
    return sorted(rows, key=lambda row: row.score)


def _measured(name: str, pair: Pair, columns: tuple[str, ...]) -> float:
    """Take one part of the score; both linkages have the intruder who knows the first columns."""
    most = min(_MOST_KNOWN, len(columns))
    if name == "dld":
        return DistanceLinkage(columns=columns, knows="first", most=most).of_pair(pair).value
    if name == "pld":
        known = (columns[:m] for m in range(1, most + 1))
        cases = [ProbabilisticLinkage(columns=c, matches="free", widths=_LEVELS).of_pair(pair).value for c in known]
        return float(np.mean(cases))
    return find_measure(name)(columns=columns).of_pair(pair).value


def _findings(name: str, rows: Sequence[_Row]) -> list[StudyFinding]:
    """Say where the two good performers of the overview stand among all candidates."""
    quarter = len(rows) / 4
    places = {
        "rank swapping with p = 15": _place(rows, _SWAPPED, 15.0),
        "MDAV by three columns, best k": _place(rows, _THREE),
    }
    return [
        StudyFinding(
            f"place of {what}",
            f"{name}, {len(rows)} candidates",
            (float(place),),
            "among the good performers",
            f"in the best quarter, 1 to {quarter:.0f}" if name == "census" else "",
            place <= quarter if name == "census" else None,
            "count",
        )
        for what, place in places.items()
    ]


def _place(rows: Sequence[_Row], family: str, parameter: float | None = None) -> int:
    return next(
        i
        for i, row in enumerate(rows, 1)
        if row.candidate.family == family and parameter in (None, row.candidate.parameter)
    )


def _tables(name: str, rows: Sequence[_Row], score: Score) -> list[StudyTable]:
    """Return the best candidates, and the best and the worst of every family."""
    heads = ("place", "method", "parameter", "score", *score.measures)
    numbers = ("place", "score", *score.measures)

    def cells(place: int) -> tuple[str, ...]:
        row = rows[place - 1]
        parts = (f"{row.values[measure]:.1f}" for measure in score.measures)
        return str(place), row.candidate.family, f"{row.candidate.parameter:g}", f"{row.score:.2f}", *parts

    best = tuple(cells(place) for place in range(1, min(_SHOWN, len(rows)) + 1))
    families = dict.fromkeys(row.candidate.family for row in rows)
    of_each = tuple(cells(_place(rows, family)) for family in families)
    return [
        StudyTable(f"{name}: the best {len(best)} of {len(rows)}", heads, best, numbers),
        StudyTable(f"{name}: the best of each method", heads, of_each, numbers),
    ]

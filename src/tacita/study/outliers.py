"""The outlier study of Mateo-Sanz, Sebe and Domingo-Ferrer (2004): how five families of masks treat extreme records."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tacita.compare.outliers import outlier_records
from tacita.core.arrays import FloatArray
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.data.measure import Measure
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair, pair_records
from tacita.loss.mean_variation import Il1, Il1s
from tacita.mask.base import Mask
from tacita.mask.microaggregation.mdav import Mdav
from tacita.mask.noise.additive_noise import AdditiveNoise
from tacita.mask.randomise.jpeg import Jpeg
from tacita.mask.randomise.resampling import Resampling
from tacita.mask.swap.rank_swap import RankSwap
from tacita.numeric.compiled.threads import in_threads
from tacita.risk.intervals import RankIntervals, SdIntervals
from tacita.risk.linkage import DistanceLinkage
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, replicate_notes, study
from tacita.study.datasets import StudyData, study_data
from tacita.study.outlier_claims import Figures, Judged, Line, judge_statements, read_statements

__all__ = ["FAMILIES", "MEASURES", "Family", "masked_as_published", "outlier_figures", "outlier_study"]


_LEAST_SHARE = 85.0


@dataclass(frozen=True)
class Family:
    """A masking method and the parameters to try."""

    letter: str
    name: str
    parameters: tuple[float, ...]
    made: Callable[[tuple[str, ...], float], Mask]
    is_random: bool

    def labels(self) -> tuple[str, ...]:
        """Return the labels along the abscissa: letter and parameter."""
        return tuple(f"{self.letter}{p:g}" for p in self.parameters)


FAMILIES = (
    Family("J", "JPEG", tuple(range(10, 101, 5)), lambda c, p: Jpeg(columns=c, quality=int(p)), False),
    Family("R", "Rank swapping", tuple(range(1, 21)), lambda c, p: RankSwap(columns=c, p=p), True),
    Family(
        "N",
        "Additive noise",
        tuple(round(0.02 * i, 2) for i in range(1, 11)),
        lambda c, p: AdditiveNoise(columns=c, sd_ratio=p),
        True,
    ),
    Family("RS", "Resampling", (1, 2, 3), lambda c, p: Resampling(columns=c, times=int(p)), True),
    Family("M", "Microaggregation", tuple(range(3, 21)), lambda c, p: Mdav(columns=c, k=int(p)), False),
)
"""The masks of section 2 with the parameters that the paper tried."""

MEASURES: dict[str, type[Measure]] = {
    "il1": Il1,
    "il1s": Il1s,
    "dld": DistanceLinkage,
    "rid": RankIntervals,
    "sdid": SdIntervals,
}
"""The measures of section 3, in the order of the figures."""

_FIRST = "dld by the first columns"
_MOST_KNOWN = 7
"""The paper does not say what its intruder knows. Linkage averaged over the first 1, 2, ..., 7 columns reproduces published
figures on census in another paper of the field; the statements are counted under that reading too, for comparison."""


@study(
    "outliers",
    summary="Loss and risk of the 5 % outliers beside the whole file under five families of masks.",
    reference="Mateo-Sanz, Sebe and Domingo-Ferrer (2004), Outlier protection in continuous microdata masking, sections 5 and 6",
    replicates=10,
    takes_data=True,
    writes=True,
)
def outlier_study(options: StudyOptions) -> StudyResult:
    """Mask every data set with every method, measure file and outliers, and judge the paper's statements."""
    sets = study_data(options.data, options.columns, default=("census", "eia"))
    figures = outlier_figures(sets, replicates=options.replicates, seed=options.seed)
    statements = read_statements()
    judged = judge_statements(statements, figures)
    tables = (_statement_table("Statements that do not hold", [j for j in judged if not j.holds]),) if judged else ()
    notes = _notes(sets, options, judged)
    findings = (
        _findings(judged, judge_statements(statements, _by_first_columns(figures)))
        if judged
        else _summary(sets, figures)
    )
    written: tuple[Path, ...] = ()
    if options.output is not None:
        from tacita.study.outlier_pages import write_pages

        every = (*tables, _statement_table("All statements", judged)) if judged else ()
        written = write_pages(options.output, sets, figures, findings, every, notes)
    return StudyResult(findings, notes, tables, written)


def outlier_figures(sets: Sequence[StudyData], *, replicates: int, seed: Seed) -> Figures:
    """Measure every method on every data set; methods that draw random numbers are averaged over ``replicates`` runs."""
    jobs = [
        _Job(number, family, p, replicate)
        for number in range(len(sets))
        for family in FAMILIES
        for p in family.parameters
        for replicate in range(replicates if family.is_random else 1)
    ]
    far = [outlier_records(entry.data, columns=entry.columns) for entry in sets]
    with task("Masking and measuring", len(jobs)) as running:

        def run(job: _Job) -> FloatArray:
            entry = sets[job.number]
            label = (entry.name, job.family.letter, f"{job.parameter:g}", str(job.replicate))
            drawn = Streams(seed).stream("study", "outliers", *label).integers(2**63)
            masked = masked_as_published(job.family.made(entry.columns, job.parameter), entry.data, int(drawn))
            pair = pair_records(entry.data, masked, "link")
            part = pair.among(far[job.number])
            found = np.array([_measured(both, entry.columns) for both in (pair, part)])
            running.advance()
            return found

        results = in_threads(run, jobs)
    return _averaged(sets, jobs, results)


def masked_as_published(mask: Mask, data: Microdata, seed: Seed) -> Microdata:
    """Mask as the papers did: values are not rounded, and nobody is told that a weak parameter is weak."""
    options = {"decimals": "any", "dominance": 100.0}
    exact = replace(mask, **{p.name: options[p.name] for p in mask.parameters() if p.name in options})
    return exact.transform(data, exact.own(Streams(seed), data))


def _measured(pair: Pair, columns: tuple[str, ...]) -> list[float]:
    """Take the five measures with everything known, then linkage by the first columns."""
    found = [kind(columns=columns).of_pair(pair).value for kind in MEASURES.values()]
    by_first = DistanceLinkage(columns=columns, knows="first", most=min(_MOST_KNOWN, len(columns)))
    return [*found, by_first.of_pair(pair).value]


@dataclass(frozen=True)
class _Job:
    """One masking of one data set."""

    number: int
    family: Family
    parameter: float
    replicate: int


def _averaged(sets: Sequence[StudyData], jobs: Sequence[_Job], results: Sequence[FloatArray]) -> Figures:
    runs: dict[tuple[int, str, float], list[FloatArray]] = {}
    for job, result in zip(jobs, results, strict=True):
        runs.setdefault((job.number, job.family.letter, job.parameter), []).append(result)
    figures: dict[tuple[str, str], dict[str, Line]] = {}
    for number, entry in enumerate(sets):
        for family in FAMILIES:
            # parameters x (file, outliers) x measures
            means = np.stack([np.mean(runs[number, family.letter, p], axis=0) for p in family.parameters])
            for m, measure in enumerate([*MEASURES, _FIRST]):
                line = Line(np.array(family.parameters, dtype=np.float64), means[:, 0, m], means[:, 1, m])
                figures.setdefault((entry.name, measure), {})[family.letter] = line
    return figures


def _by_first_columns(figures: Figures) -> Figures:
    """Return the figures with the other reading of linkage in the place of dld."""
    return {
        (data, measure): figures[data, _FIRST] if measure == "dld" else lines
        for (data, measure), lines in figures.items()
    }


def _findings(judged: Sequence[Judged], otherwise: Sequence[Judged]) -> tuple[StudyFinding, ...]:
    """Count what holds, for each data set and over all, then under the other reading of linkage."""
    found = []
    names = tuple(dict.fromkeys(j.statement.data for j in judged))
    for name in names:
        part = [j for j in judged if j.statement.data == name]
        found.append(_share(name, part))
    total = _share(" and ".join(names), judged)
    met = total.ours[0] >= _LEAST_SHARE
    found.append(
        StudyFinding(total.quantity, total.setting, total.ours, "all", f"at least {_LEAST_SHARE:.0f} %", met, unit="%")
    )
    checks = [check for j in judged for check in j.checks]
    share = 100 * sum(check.holds for check in checks) / len(checks)
    found.append(
        StudyFinding("single claims that hold", f"{sum(c.holds for c in checks)} of {len(checks)}", (share,), unit="%")
    )
    other = _share(" and ".join(names), otherwise)
    words = f"statements that hold, linkage by the first 1 to {_MOST_KNOWN} columns"
    found.append(StudyFinding(words, other.setting, other.ours, "all", unit="%"))
    return tuple(found)


def _share(name: str, judged: Sequence[Judged]) -> StudyFinding:
    holding = sum(j.holds for j in judged)
    setting = f"{name}: {holding} of {len(judged)}"
    return StudyFinding("statements that hold", setting, (100 * holding / len(judged),), "all", unit="%")


def _summary(sets: Sequence[StudyData], figures: Figures) -> tuple[StudyFinding, ...]:
    """For data that the paper does not speak of: the means of each family, file and outliers."""
    return tuple(
        StudyFinding(
            f"{measure}: whole file, outliers",
            f"{entry.name}, {family.name}",
            (line.mean, float(line.outliers.mean())),
            is_range=False,
        )
        for entry in sets
        for measure in MEASURES
        for family in FAMILIES
        for line in [figures[entry.name, measure][family.letter]]
    )


def _statement_table(title: str, judged: Sequence[Judged]) -> StudyTable:
    rows = tuple(
        (
            j.statement.section,
            j.statement.data,
            j.statement.measure,
            j.statement.sense,
            "yes" if j.holds else "no",
            j.why_not or "; ".join(f"{check.who}: {check.found}" for check in j.checks),
        )
        for j in judged
    )
    return StudyTable(title, ("section", "data", "measure", "the paper says", "holds", "found"), rows)


def _notes(sets: Sequence[StudyData], options: StudyOptions, judged: Sequence[Judged]) -> tuple[str, ...]:
    sizes = "; ".join(
        f"{entry.name}: {len(entry.data):,} records, {len(entry.columns)} columns, "
        f"{int(outlier_records(entry.data, columns=entry.columns).sum())} outliers"
        for entry in sets
    )
    random = ", ".join(family.name.lower() for family in FAMILIES if family.is_random)
    notes = [
        f"{sizes}.",
        f"Means over {options.replicates} seeds for {random}; the others draw nothing at random."
        if options.replicates > 1
        else f"One seed for {random}; the others draw nothing at random.",
        *replicate_notes(options.replicates),
    ]
    if not judged:
        notes.append("The paper speaks of census and eia only, so no statement is judged for these data.")
    elif len({j.statement.data for j in judged}) < 2 or len(sets) < 2:
        notes.append("Statements that compare both data sets are judged only when census and eia are run together.")
    return tuple(notes)

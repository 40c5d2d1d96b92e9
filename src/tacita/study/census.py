"""Census tables after Giessing and Hoehne (2011): SAFE against cell keys with D = 3, 4, 5, before and after additivity."""

from __future__ import annotations

from pathlib import Path

from tacita.core.errors import ParameterError
from tacita.core.progress import track
from tacita.data.samples.census_places import MOST_REGIONS
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, study
from tacita.study.census_material import BOUNDS, DESIGNS
from tacita.study.census_paper import PAPER_MEANS
from tacita.study.census_round import CensusRound, joined_rounds, one_round
from tacita.study.census_tables import census_tables

__all__ = ["census"]

_PERSONS, _FEWEST, _MOST = 30_000, 1000, 2_000_000
_PERSONS_A_REGION = 50
"""Persons in a municipality of the sets of tables where their number is not given."""
_MOST_LARGEST, _MOST_TOLD = 8, 2


@study(
    "census",
    summary="Census tables under SAFE and under cell keys, before and after additivity, and what attackers undo.",
    reference="Giessing and Hoehne (2011), Eliminating small cells from census counts tables, sections 5 to 7 and Table 1",
    replicates=1,
    takes_data=True,
    writes=True,
)
def census(options: StudyOptions) -> StudyResult:
    """Protect a register in all ways, and compare with the paper; ``data`` are the numbers of persons and of regions."""
    persons, regions = _sizes(options)
    rounds = [one_round(persons, options.seed + r, regions) for r in track(range(options.replicates), "Registers")]
    found = joined_rounds(rounds)
    findings, tables = tuple(_findings(found, rounds)), census_tables(found)
    notes = _notes(found, persons, regions, options)
    written: tuple[Path, ...] = ()
    if options.output is not None:
        from tacita.study.census_pages import write_census

        written = write_census(options.output, found, findings, tables, notes)
    return StudyResult(findings, notes, tables, written)


def _sizes(options: StudyOptions) -> tuple[int, int]:
    """Return the size of the register that was asked for, and the number of regions of the sets of tables."""
    if options.columns:
        raise ParameterError("The study 'census' has columns of its own; leave out 'columns'.")
    given = options.data or (str(_PERSONS),)
    most = (_MOST, MOST_REGIONS)
    if len(given) > 2 or not all(text.isdecimal() for text in given) or not _FEWEST <= int(given[0]) <= most[0]:
        raise ParameterError(
            f"The study 'census' makes its own register: 'data' must be a number of persons from {_FEWEST} to {_MOST}, and "
            f"one of regions after it where it should be another than usual, got {', '.join(given)}."
        )
    regions = int(given[1]) if len(given) > 1 else min(max(int(given[0]) // _PERSONS_A_REGION, 1), most[1])
    if not 1 <= regions <= most[1]:
        raise ParameterError(f"The study 'census': the number of regions must be from 1 to {most[1]}, got {regions}.")
    return int(given[0]), regions


# --- what was found --------------------------------------------------------------------------------------------------------


def _findings(found: CensusRound, rounds: list[CensusRound]) -> list[StudyFinding]:
    small = found.controlled.small_shown + found.free.small_shown + sum(p.small_shown for p in found.test.values())
    small += sum(one.small for one in found.sets)
    at_once = [one for one in found.sets if one.way == "additive and consistent"]
    apart = sum(one.differ + one.sums_off for one in at_once)
    one_by_one = sum(one.differ for one in found.sets if one.way == "additive, one by one")
    told = max(abs(n - m) for one in rounds for table in one.told.values() for n, m in table.values())
    return [
        StudyFinding("ones and twos published", "all methods", (float(small),), "0", "0", small == 0, "count"),
        StudyFinding(
            "sums that do not hold", "additive noise", (float(found.sums_off),), "0", "0", not found.sums_off, "count"
        ),
        StudyFinding(
            "shared cells that differ, or sums that do not hold",
            "additive and consistent sets",
            (float(apart),),
            "",
            "0",
            not apart,
            "count",
        ),
        StudyFinding("shared cells that differ", "additive noise, one by one", (float(one_by_one),), unit="count"),
        StudyFinding(
            "largest deviation",
            "SAFE, controlled tables",
            (float(found.largest),),
            "7",
            f"at most {_MOST_LARGEST}",
            found.largest <= _MOST_LARGEST,
            "count",
        ),
        StudyFinding("largest deviation", "SAFE, four variables", (float(found.free.largest),), "30", unit="count"),
        *(finding for D in BOUNDS for finding in _reach(found, D)),
        *(finding for design in DESIGNS for finding in _means(found, design)),
        StudyFinding(
            "largest change of a frequency of deviations",
            "told to users",
            (float(told),),
            "2",
            f"at most {_MOST_TOLD}",
            told <= _MOST_TOLD,
            "count",
        ),
        *(
            StudyFinding(
                "ones and twos known exactly",
                way,
                (100 * one.exact / max(one.small, 1),),
                "relatively rare" if way.startswith("noise") else "",
                unit="%",
            )
            for way, one in found.undone.items()
        ),
    ]


def _reach(found: CensusRound, D: int) -> list[StudyFinding]:
    made = []
    for way in ("noise", "additive"):
        largest = max(found.test[design, f"{way} D={D}"].largest for design in DESIGNS)
        made.append(
            StudyFinding(
                "largest deviation", f"{way} D={D}", (float(largest),), str(D), f"at most {D}", largest <= D, "count"
            )
        )
    return made


def _means(found: CensusRound, design: str) -> list[StudyFinding]:
    """Mean deviations, and by how much additivity raises them; only the rise can be held against the paper."""
    words = design.replace("_", " ")
    safe, printed = found.test["", "SAFE"].mean, PAPER_MEANS
    made = []
    if design == DESIGNS[0]:
        made.append(StudyFinding("mean deviation", "SAFE", (safe,), f"{printed['SAFE']:.2f}"))
    for D in BOUNDS:
        noise, additive = (found.test[design, f"{way} D={D}"].mean for way in ("noise", "additive"))
        most = printed[f"additive D={D}"] - printed[f"noise D={D}"]
        is_paper_s = design == DESIGNS[0]
        made += [
            StudyFinding(
                "mean deviation",
                f"{way} D={D}, {words}",
                (mean,),
                f"{printed[f'{way} D={D}']:.2f}" if is_paper_s else "",
            )
            for way, mean in (("noise", noise), ("additive", additive))
        ]
        made.append(
            StudyFinding(
                "rise of the mean deviation by additivity",
                f"D={D}, {words}",
                (additive - noise,),
                f"{most:+.2f}" if is_paper_s else "",
                f"at most {most:+.2f}",
                additive - noise <= most + 1e-9,
            )
        )
    return made


def _notes(found: CensusRound, persons: int, regions: int, options: StudyOptions) -> tuple[str, ...]:
    cells = len(found.test["", "SAFE"])
    return (
        f"{options.replicates} register(s) of {persons:,} persons; SAFE on six variables, all tables of up to three of them "
        f"controlled. The test table is municipality by age by sex, {cells:,} cells that somebody is in.",
        "Means depend on how many cells have which count, so that only their differences can be held against the paper's.",
        *(_order(found, design) for design in DESIGNS),
        f"The sets of tables are of a register of the same size in {regions:,} municipalities, districts and provinces.",
        "Attackers by linear programmes see municipality by country of birth by sex; together they see municipality by marital "
        "status by education and by sex. Averages are of municipality by marital status, split by eight other variables; "
        "differences are of country of birth by marital status, twelve regions.",
        *found.notes,
    )


def _order(found: CensusRound, design: str) -> str:
    """Say whether the order of the paper holds: SAFE above additive noise above noise."""
    safe, words = found.test["", "SAFE"].mean, design.replace("_", " ")
    means = {D: [found.test[design, f"{way} D={D}"].mean for way in ("noise", "additive")] for D in BOUNDS}
    holds = [D for D, (noise, additive) in means.items() if safe > additive > noise]
    if len(holds) == len(BOUNDS):
        return f"The paper's order of mean deviations, SAFE over additive noise over noise, holds with {words} noise for every D."
    below = [D for D, (noise, additive) in means.items() if additive <= noise]
    parts = [f"The paper's order of mean deviations holds with {words} noise for D in {holds or 'none'}."]
    if below:
        parts.append(
            f"For D in {below} additive counts are as near to the truth as noisy ones, or nearer: sums that must hold take "
            "out a part of the noise."
        )
    above = [D for D, (_, additive) in means.items() if additive >= safe]
    if above:
        parts.append(
            f"For D in {above} SAFE is nearer to the truth than additive noise: it looks for small deviations."
        )
    return " ".join(parts)

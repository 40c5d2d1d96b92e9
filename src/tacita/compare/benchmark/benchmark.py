"""Benchmark: mask the same open data with every mask, measure all of it under one scenario, and rank."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from tacita.compare.benchmark.benchmark_result import BenchmarkEntry, BenchmarkResult, SetResult, entry_of
from tacita.compare.benchmark.benchmark_sets import BenchmarkSet, find_sets
from tacita.compare.benchmark.mask_grid import masks_for
from tacita.compare.evaluate import evaluate
from tacita.compare.score import Score
from tacita.compare.search.candidates import Candidates
from tacita.compare.search.search import search
from tacita.compare.search.search_result import SearchResult
from tacita.core.errors import ColumnError, ParameterError, TacitaError
from tacita.core.parameters import Interval, coerce
from tacita.core.selectors import numeric
from tacita.core.streams import Seed, check_seed
from tacita.data.microdata import Microdata
from tacita.data.scenario import LINKED_BY, Scenario, ScenarioLike

__all__ = ["benchmark"]


def benchmark(
    sets: Sequence[str] | Mapping[str, Microdata] | None = None,
    *,
    masks: Sequence[str] | None = None,
    recipes: Candidates | None = None,
    scenario: ScenarioLike = None,
    score: str | Path | Score | None = None,
    size: int = 300,
    seeds: int = 2,
    seed: Seed = 1,
    time_limit: float | None = None,
    resume: str | Path | None = None,
    processes: int | None = None,
) -> BenchmarkResult:
    """Try masks on open data under one scenario, and rank them by score, its parts and the strongest attack.

    Parameters
    ----------
    sets
        Names of sets (``households``, ``businesses``, ``persons``, ``census``, ``eia``, ``tarragona``, ``adult``), or data of
        one's own by name; by default all sets that are there. Reference files that are not there are named with the reason.
    masks
        Registered names of masks; by default all, those that the user registered among them. An empty list leaves
        only ``recipes``.
    recipes
        Recipes and masks of one's own to be ranked with them, as for :func:`tacita.search`; best by name. Those that say columns
        by a rule, such as ``numeric columns``, fit every set.
    scenario
        What the intruder knows, the same for all: a scenario, its words or a file. Sets that lack a column of it are left out.
    score
        How the score is made, as for :func:`tacita.evaluate`; by default the one that fits the columns of each set.
    size
        Records of each set at most, at least 20.
    seeds, seed
        Seeds for each candidate that draws at random, and the first of them; samples are made by the first as well.
    time_limit
        Seconds for the whole run; what is left over is counted in the result.
    resume
        A directory with a journal for each set: what is finished there is not made again.
    processes
        How many processes make trials; by default as :func:`tacita.search` finds best.

    Returns
    -------
    BenchmarkResult
        Every set with its entries, best first, and the ranking over all sets.

    Raises
    ------
    ParameterError, UnknownMethodError
        When an argument is not what it may be; nothing has been tried then.
    DataError
        When there is no set to run on.

    Complexity
    ----------
    Sets times candidates (about 100) times seeds, each a masking and its attacks. The default takes two or three minutes on two
    cores.

    Notes
    -----
    Of each mask a few strengths are tried, and its other parameters are the defaults, so a ranking is one of defaults, not of
    what an expert could do. No score does justice to all methods, and a mask of numbers leaves keys as they were: read the parts.
    Without a time limit the same arguments give the same result, with however many processes.

    References
    ----------
    Domingo-Ferrer (2007), Statistical databases, section "Future", which asks for such a collection; Brand, Domingo-Ferrer and
    Mateo-Sanz (2002), Reference data sets to test and compare SDC methods.

    Examples
    --------
    >>> import tacita as tc
    >>> found = tc.benchmark(["households"], masks=["rank_swap", "mdav"], size=100, seeds=1, processes=1)
    >>> found
    BenchmarkResult (6 candidates measured on 1 sets)
    >>> sorted(place.family for place in found.ranking())
    ['mdav', 'rank_swap']
    """
    check_seed(seed, owner="benchmark")
    size = coerce(size, Annotated[int, Interval(20)], owner="benchmark", name="size")
    coerce(seeds, Annotated[int, Interval(1)], owner="benchmark", name="seeds")
    coerce(time_limit, Annotated[float, Interval(0, closed="neither")] | None, owner="benchmark", name="time_limit")
    known = Scenario.of(scenario)
    if masks is not None and not masks and recipes is None:
        raise ParameterError("benchmark: there is nothing to try; name masks, or give recipes.")
    chosen, absent = find_sets(sets, size=size, seed=seed)
    fitting = _fitting(chosen, known, absent)
    if not fitting:
        reason = next(iter(absent.values()), "none was named.")
        raise ParameterError(f"benchmark: there is no set to run on: {reason}")
    options = {"scenario": known, "score": score, "seeds": seeds, "seed": seed, "processes": processes}
    end = None if time_limit is None else time.monotonic() + time_limit
    found = []
    for number, entry in enumerate(fitting):
        # What one set leaves of its share goes to those after it.
        share = None if end is None else max((end - time.monotonic()) / (len(fitting) - number), 1e-9)
        journal = None if resume is None else Path(resume) / f"{entry.name}.jsonl"
        found.append(_run_set(entry, masks, recipes, {**options, "time_limit": share, "resume": journal}))
    settings = {"size": size, "seeds": seeds, "seed": seed, "scenario": known.to_plain()}
    return BenchmarkResult(tuple(found), absent, settings)


def _fitting(sets: Sequence[BenchmarkSet], scenario: Scenario, absent: dict[str, str]) -> list[BenchmarkSet]:
    """Return the sets that have all columns of the scenario; the others are put among the absent."""
    kept = []
    for entry in sets:
        try:
            scenario.check(entry.data.schema)
        except ColumnError as error:
            absent[entry.name] = f"The scenario does not fit: {error}"
        else:
            kept.append(entry)
    return kept


def _run_set(
    entry: BenchmarkSet, masks: Sequence[str] | None, recipes: Candidates | None, options: dict[str, Any]
) -> SetResult:
    tried, misfits = masks_for(entry.data, masks)
    listed: list[Candidates] = [tried, *([] if recipes is None else [recipes])]
    untouched = _untouched(entry.data, options)
    common: dict[str, Any] = {
        "name": entry.name,
        "about": entry.about,
        "records": len(entry.data),
        "columns": len(entry.data.names),
        "fingerprint": entry.data.fingerprint(),
        "untouched": untouched,
        "misfits": misfits,
    }
    if not tried and recipes is None:
        return SetResult(**common, score="", scenario="", entries=())
    found = search(entry.data, listed, **options)
    entries, failed = _entries(found)
    return SetResult(
        **common,
        score=found.score.formula(),
        scenario=found.scenario,
        entries=entries,
        failed=failed,
        left=len(found.left),
    )


def _entries(found: SearchResult) -> tuple[tuple[BenchmarkEntry, ...], dict[str, str]]:
    failed = {failure.label: failure.reason for failure in found.failed}
    entries = []
    for point in found.points:
        entry = entry_of(point)
        if entry is None:
            reasons = (point.skipped[name] for name in found.score.measures if name in point.skipped)
            failed[point.label] = next(reasons, "Its score could not be formed.")
        else:
            entries.append(entry)
    return tuple(sorted(entries, key=lambda entry: (entry.score, entry.candidate))), failed


def _untouched(data: Microdata, options: dict[str, Any]) -> float | None:
    """Return the score of the data as they are: what a mask must improve on.

    Columns that a mask works on are taken as known, so here all numbers are, unless the scenario says what is known.
    """
    scenario: Scenario = options["scenario"]
    if scenario.known == LINKED_BY:
        scenario = replace(scenario, known=numeric())
    try:
        return evaluate(data, data, scenario=scenario, score=options["score"]).score
    except TacitaError:
        return None

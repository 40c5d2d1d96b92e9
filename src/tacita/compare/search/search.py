"""Search: try many recipes with several seeds each, and find those worth choosing from."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Annotated

from tacita.compare.evaluate import AskedMeasures, score_pairing
from tacita.compare.score import Score, fitting_score
from tacita.compare.search.candidates import Candidate, Candidates, list_candidates
from tacita.compare.search.constraint import ConstraintLike, parse_constraint
from tacita.compare.search.default_grid import default_candidates
from tacita.compare.search.frontier import Axis, choose_axes
from tacita.compare.search.journal import Journal, measuring_hash
from tacita.compare.search.search_point import SearchPoint, with_frontier
from tacita.compare.search.search_result import Failure, SearchResult
from tacita.compare.search.trial import Trial, TrialPlan
from tacita.compare.search.workers import TrialTask, can_travel, in_processes, in_this_process
from tacita.core.errors import ColumnError, MeasureError
from tacita.core.parameters import Columns, Interval, coerce
from tacita.core.progress import task
from tacita.core.streams import Seed, check_seed
from tacita.data.measure import Measure
from tacita.data.microdata import Microdata
from tacita.data.scenario import Scenario, ScenarioLike
from tacita.mask.base import check_data
from tacita.risk.file_risk import FileRisk
from tacita.risk.strongest import Strongest

__all__ = ["search"]

_PROBES = 4
"""Trials made here before it is decided whether further processes pay."""
_WORTH = 12.0
"""Seconds of work left from which on they do; starting one takes two or three."""

Key = tuple[str, Seed]


def search(
    data: Microdata,
    candidates: Candidates | None = None,
    *,
    measures: Sequence[str | Measure] | None = None,
    columns: Columns | None = None,
    scenario: ScenarioLike = None,
    score: str | Path | Score | None = None,
    loss: str | Sequence[str] | None = None,
    risk: str | Sequence[str] | None = None,
    seeds: int = 3,
    seed: Seed = 1,
    constraint: ConstraintLike = None,
    time_limit: float | None = None,
    resume: str | Path | None = None,
    processes: int | None = None,
) -> SearchResult:
    """Try every candidate with several seeds, measure each, and find the risk-utility frontier.

    A point of the map is the mean over seeds of a loss and of a risk. The frontier holds the candidates that no other
    beats in both. Which of them to take is a decision: give the limits that your rules set, and
    :meth:`SearchResult.best` names the one with the least loss among those that meet them.

    Parameters
    ----------
    data
        The original data.
    candidates
        Masks, recipes, grids (:func:`tacita.grid`), lists of them, or such by name; by default a grid over eight
        families for all numeric columns, and where categories are keys, recipes that mask the keys too.
    measures
        Measures to take, by name or with parameters; by default those that stand on every card. What score, axes and
        constraint need is taken as well.
    columns
        The columns that are measured, for measures given by name, and that the default candidates mask.
    scenario
        What the intruder knows, as for :func:`tacita.evaluate`; the same for all candidates.
    score
        How the score is made, as for :func:`tacita.evaluate`.
    loss, risk
        The measures that span the map, each the mean of those named; by default the losses and risks of the score, so
        that the risk is that of the strongest attack on each candidate.
    seeds
        How many seeds each candidate gets. A mask that draws no random numbers is tried once.
    seed
        The first seed; the others follow it. The same seeds give the same result, with however many processes.
    constraint
        What :meth:`SearchResult.best` looks for by default: ``"il1s lowest subject to dld <= 5 and rid <= 40"``, or
        upper limits by name.
    time_limit
        Seconds after which no further trial is begun; what is left over is listed in the result.
    resume
        A journal file. Finished trials are written to it and are not made again by the next search with the same file,
        data and measures; candidates and seeds may be added. It stays inside.
    processes
        How many processes make trials; by default this one, and one for each core when enough work is left.

    Returns
    -------
    SearchResult
        Every point with mean and spread over seeds, the frontier, the best under a constraint, and what failed.

    Raises
    ------
    ParameterError, ColumnError, UnknownMethodError
        When an argument is not what it may be; nothing has been tried then.
    FileError
        When the journal is damaged or belongs to another search.

    Complexity
    ----------
    The number of candidates times seeds times the cost of masking and measuring; each process holds the data once.

    Notes
    -----
    Trials run seed by seed, so that under a time limit every candidate has been tried at least once before any is tried
    twice. A candidate that fails is listed in ``failed`` with the reason. Masks defined in a script or notebook run in this
    process only.

    References
    ----------
    Duncan, Keller-McNulty and Stokes (2001), Disclosure risk vs. data utility: the R-U confidentiality map.
    Domingo-Ferrer (2007), Statistical databases, section "R-U maps".

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> money = ["earnings", "savings"]
    >>> swaps = tc.grid(tc.mask.RankSwap, columns=money, p=[5, 20])
    >>> groups = tc.grid(tc.mask.Mdav, columns=money, k=[3, 10])
    >>> found = tc.search(data, [swaps, groups], columns=money, measures=["il", "dld", "rid"], seeds=2)
    >>> len(found), found.families
    (4, ('rank_swap', 'mdav'))
    >>> found.best({"rid": 90}).point["rid"] <= 90
    True
    """
    check_data(data, owner="search")
    _check_numbers(seeds, time_limit, processes)
    first = check_seed(seed, owner="search")
    if columns is not None:
        data.schema.resolve(columns, owner="search")
    known = AskedMeasures(columns, Scenario.of(scenario), data.schema)
    known.scenario.check(data.schema)
    tried = list_candidates(default_candidates(data, columns) if candidates is None else candidates)
    is_synthetic = any(candidate.is_synthetic for candidate in tried)  # one scale for all: what needs no pairs
    scoring = fitting_score(score, data.schema, columns, known.scenario, is_synthetic=is_synthetic)
    wanted = parse_constraint(constraint)
    chosen = known.measures(measures, scoring, is_synthetic=is_synthetic)
    axes = choose_axes(scoring, loss, risk, [measure.name for measure in chosen])
    further = [*axes[0].measures, *axes[1].measures, *wanted.measures]
    asked = {m if isinstance(m, str) else m.name for m in measures or ()} | (
        set() if score is None else {*scoring.measures}
    )
    taken = tuple(replace(m, search=True) if isinstance(m, Strongest) else m for m in _with(chosen, further, known))
    plan = TrialPlan(taken, score_pairing("auto", scoring), tuple(sorted(asked | set(further))))
    work = _Work(data, plan, {candidate.fingerprint: candidate for candidate in tried})
    keys = work.keys(first, seeds)
    journal = None
    if resume is not None:
        measuring = measuring_hash(plan.measures, plan.pairing, plan.as_asked)
        journal = Journal(resume, data=data, measuring=measuring, candidates=work.candidates.keys())
    trials = {} if journal is None else dict(journal.trials)
    trials |= work.make([key for key in keys if key not in trials], processes, time_limit, journal)
    points, failed = _points(trials, keys, work.candidates, scoring, axes)
    left = tuple((work.candidates[mark].label, s) for mark, s in keys if (mark, s) not in trials)
    return SearchResult(
        points,
        failed,
        left,
        *axes,
        scoring,
        wanted,
        known.scenario.words(data.schema),
        _of_original(data, taken),
        data._frame_kind,
    )


def _of_original(data: Microdata, taken: Sequence[Measure]) -> dict[str, float]:
    """Return the risks that the original carries by itself, for what candidates leave as it was."""
    found = {}
    for measure in taken:
        if isinstance(measure, FileRisk):
            with suppress(MeasureError, ColumnError):  # such as households where there are none
                found[measure.name] = float(measure.assess(data).value)
    return found


def _check_numbers(seeds: object, time_limit: object, processes: object) -> None:
    coerce(seeds, Annotated[int, Interval(1)], owner="search", name="seeds")
    coerce(processes, Annotated[int, Interval(1)] | None, owner="search", name="processes")
    coerce(time_limit, Annotated[float, Interval(0, closed="neither")] | None, owner="search", name="time_limit")


def _with(chosen: Sequence[Measure], further: Sequence[str], known: AskedMeasures) -> tuple[Measure, ...]:
    """Return the measures and those further ones that are not among them yet."""
    found = {measure.name: measure for measure in chosen}
    for name in further:
        found.setdefault(name, known.build(name))
    return tuple(found.values())


# --- making trials --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Work:
    """The trials of one search; a trial is known by the fingerprint of its candidate and its seed."""

    data: Microdata
    plan: TrialPlan
    candidates: Mapping[str, Candidate]

    def keys(self, first: Seed, seeds: int) -> list[Key]:
        """Return all trials, seed by seed; a mask that draws nothing needs one."""
        return [
            (mark, first + i) for i in range(seeds) for mark, c in self.candidates.items() if i == 0 or c.is_stochastic
        ]

    def make(
        self, keys: Sequence[Key], processes: int | None, time_limit: float | None, journal: Journal | None
    ) -> dict[Key, Trial]:
        """Make trials and write each to the journal as it ends."""
        end = None if time_limit is None else time.monotonic() + time_limit
        made: dict[Key, Trial] = {}
        with task("Searching", len(keys)) as running:
            for key, trial in self._run(keys, processes, end):
                if journal is not None:
                    journal.add(key[0], trial)
                made[key] = trial
                running.advance(note=self.candidates[key[0]].label)
        return made

    def _run(self, keys: Sequence[Key], processes: int | None, end: float | None) -> Iterator[tuple[Key, Trial]]:
        coming = self._tasks(keys, end)
        if processes == 1 or not can_travel((c.recipe for c in self.candidates.values()), self.plan):
            yield from in_this_process(self.data, self.plan, coming)
            return
        if processes is None:
            seconds: list[float] = []
            for key, trial in in_this_process(self.data, self.plan, islice(coming, _PROBES)):
                seconds.append(trial.seconds)
                yield key, trial
            cores, left = os.cpu_count() or 1, len(keys) - len(seconds)
            # The first trials load and compile; their median is nearer to what the others will take.
            if cores == 1 or not seconds or median(seconds) * left < _WORTH:
                yield from in_this_process(self.data, self.plan, coming)
                return
            processes = min(cores, left)
        yield from in_processes(self.data, self.plan, coming, processes)

    def _tasks(self, keys: Sequence[Key], end: float | None) -> Iterator[tuple[Key, TrialTask]]:
        for mark, seed in keys:
            if end is not None and time.monotonic() >= end:
                return
            yield (mark, seed), TrialTask(self.candidates[mark].recipe, seed)


# --- from trials to points ------------------------------------------------------------------------------------------------


def _points(
    trials: Mapping[Key, Trial],
    keys: Sequence[Key],
    candidates: Mapping[str, Candidate],
    scoring: Score,
    axes: tuple[Axis, Axis],
) -> tuple[tuple[SearchPoint, ...], tuple[Failure, ...]]:
    """Gather the trials of each candidate; one that failed or cannot be placed is listed with the reason."""
    asked: dict[str, list[Trial]] = {mark: [] for mark in candidates}
    for key in keys:
        if key in trials:
            asked[key[0]].append(trials[key])
    points: list[SearchPoint] = []
    failed: list[Failure] = []
    for mark, candidate in candidates.items():
        failed += [Failure(candidate.label, trial.seed, trial.problem) for trial in asked[mark] if trial.problem]
        good = tuple(trial for trial in asked[mark] if not trial.problem)
        if not good:
            continue
        point = SearchPoint(candidate, good, scoring, *axes)
        lacking = next((n for axis in axes for n in axis.measures if point.spread(n) is None), None)
        if lacking is None:
            points.append(point)
        else:
            reason = point.skipped.get(lacking, "no reason was given.")
            failed.append(Failure(candidate.label, None, f"It has no place on the map without '{lacking}': {reason}"))
    return with_frontier(points), tuple(failed)

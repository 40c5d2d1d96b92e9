"""Verdict: whether a release keeps the limits that were stated for it, so that it may leave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from tacita.compare.scorecard import Scorecard
from tacita.core.errors import ColumnError, MeasureError, ParameterError, ReleaseError
from tacita.data.limits import Limit, Limits, LimitsLike
from tacita.data.measure import Measure, Measured
from tacita.data.pairing import Pair, pair_records
from tacita.data.scenario import Scenario, ScenarioLike
from tacita.release.release import Release
from tacita.risk.strongest import AttackedMeasured

__all__ = ["Finding", "State", "Verdict", "judge"]

State = Literal["passed", "failed", "not judged"]
_UNKNOWN = (
    "The masks that made the file are not known, so the attacks that use them were not run; judge the release itself, or "
    "give its recipe."
)


@dataclass(frozen=True)
class Finding:
    """One limit compared with what was measured.

    Parameters
    ----------
    limit
        The limit.
    holds
        Whether it is kept; None where the measure could not be computed.
    value
        What was measured.
    counted
        What was compared with the limit: the value, or the upper end of its 95 % interval where it comes from a sample.
    note
        Which attack was the strongest, or why the measure could not be computed.
    """

    limit: Limit
    holds: bool | None
    value: float | None = None
    counted: float | None = None
    note: str = ""

    def __str__(self) -> str:
        if self.holds is None:
            return f"Not computed: {self.limit.what}. {self.note}"
        unit = f" {self.limit.unit}" if self.limit.unit else ""
        shown = f"{self.counted:.4g}{unit}"
        if self.counted != self.value:
            shown = f"{self.value:.4g}{unit}, at the upper end of its 95 % interval {shown}"
        note = f" ({self.note})" if self.note else ""
        return f"{'Kept' if self.holds else 'Exceeded'}: {self.limit}; it is {shown}{note}."

    def as_plain(self) -> dict[str, Any]:
        """Return the finding ready for JSON."""
        return {
            **self.limit.to_plain(),
            "holds": self.holds,
            "value": self.value,
            "counted": self.counted,
            "note": self.note,
        }


@dataclass(frozen=True)
class Verdict:
    """Whether a release may leave: *passed*, *failed* or *not judged*.

    Parameters
    ----------
    state
        ``passed``: every limit is kept. ``failed``: at least one is exceeded. ``not judged``: no limits were stated, or none
        is exceeded but something could not be judged.
    findings
        Each limit with what was measured.
    obstacles
        What else keeps a release from being passed: columns that no limit looks at and that single out records.
    preset
        Name of the preset of limits; empty where there is none.
    because
        Why a failed release is written nevertheless; empty where it is not.
    """

    state: State
    findings: tuple[Finding, ...] = ()
    obstacles: tuple[str, ...] = ()
    preset: str = ""
    because: str = ""

    @property
    def has_passed(self) -> bool:
        """Whether the release may leave."""
        return self.state == "passed"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the verdict is what it is: what was exceeded or could not be judged; what was kept where it passed."""
        if not self.findings:
            return ("No limits were stated.",)
        wanted = {"passed": (True,), "failed": (False, None), "not judged": (None,)}[self.state]
        return (*(str(finding) for finding in self.findings if finding.holds in wanted), *self.obstacles)

    def __str__(self) -> str:
        named = f" by the limits '{self.preset}'" if self.preset else ""
        return f"Verdict{named}: {self.state.upper()}. {' '.join(self.reasons)}"

    def insisting(self, because: str) -> Verdict:
        """Return the verdict with the reason why a failed release is written nevertheless.

        Raises
        ------
        ReleaseError
            When there is no reason in words.
        """
        if not isinstance(because, str) or not because.strip():
            raise ReleaseError(
                "Who insists on a failed release must say why: give 'because' a sentence; it is recorded."
            )
        return replace(self, because=" ".join(because.split())) if self.state == "failed" else self

    def as_plain(self) -> dict[str, Any]:
        """Return the verdict ready for JSON; internal, because it has what was measured."""
        return {
            "state": self.state,
            "preset": self.preset,
            "limits": [finding.as_plain() for finding in self.findings],
            "reasons": list(self.reasons),
            "insisted": bool(self.because),
            "because": self.because,
        }


def judge(
    subject: Scorecard | Release,
    limits: LimitsLike = None,
    *,
    card: Scorecard | None = None,
    scenario: ScenarioLike = None,
) -> Verdict:
    """Compare a release with the limits that were stated for it.

    Parameters
    ----------
    subject
        A release, or the scorecard of one.
    limits
        Limits, the name of a preset (``public-use``, ``scientific-use``, ``internal``), a TOML file, or largest values by
        measure (``{"dld": 5}``). By default those of the release's recipe.
    card
        A scorecard of the release that is there already; what it has measured is not measured again.
    scenario
        What the intruder knows, for limits that name no columns of their own; by default that of the card.

    Returns
    -------
    Verdict
        *passed*, *failed* or *not judged*, with its reasons.

    Raises
    ------
    ParameterError
        When the limits cannot be understood.
    UnknownMethodError
        When a limit names no measure.

    Notes
    -----
    A measure that cannot be computed never makes a release pass: the verdict is then *not judged*, or *failed* where another
    limit is exceeded. A risk that was measured on a sample counts by the upper end of its 95 % interval. A limit with
    ``columns`` has a scenario of its own: what the intruder knows. The columns that :func:`evaluate` measures do not enter. A
    release in which a column without a role is unique or nearly so is not passed either, because no limit looks there.

    Where several copies leave together, each limit is compared with every copy and with what they tell together (the mean of a
    record's values, or all drawn records as one file); what is worst counts.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> release = tc.Recipe([tc.mask.RankSwap(columns=["income"], p=10)]).apply(data, seed=7)
    >>> tc.judge(release).state
    'not judged'
    >>> tc.judge(release, "public-use").state
    'failed'
    >>> tc.judge(release, {"rid": 100}).state
    'passed'
    """
    if not isinstance(subject, (Scorecard, Release)):
        raise ParameterError(f"judge: a Scorecard or a Release must be given, got {type(subject).__name__}.")
    asked = Limits.of(limits)
    if limits is None and isinstance(subject, Release):
        asked = subject.limits
    if not asked:
        return Verdict("not judged")
    if isinstance(subject, Release) and subject.others:
        findings = _findings_of_copies(subject, asked, card, scenario)
    else:
        case = _Case.of(subject, card, scenario)
        findings = tuple(case.finding(limit) for limit in asked.all)
    traces = subject.traces if isinstance(subject, Release) else ()
    obstacles = tuple(f"No limit looks at it: {trace}" for trace in traces if trace.kind == "unique")
    return Verdict(_state(findings, obstacles), findings, obstacles, asked.preset)


def _findings_of_copies(
    release: Release, limits: Limits, card: Scorecard | None, scenario: ScenarioLike
) -> tuple[Finding, ...]:
    """Return for each limit the worst finding of all copies and of what they tell together."""
    known = card.scenario if card is not None and scenario is None else scenario
    together = replace(release, data=release.together, others=())
    named = [
        *((f"copy {copy.number}", replace(copy, others=())) for copy in release.copies),
        ("all copies together", together),
    ]
    cases = [(words, _Case.of(one, card if one.data is release.data else None, known)) for words, one in named]
    found = []
    for limit in limits.all:
        each = [(case.finding(limit), words) for words, case in cases]
        worst, words = max(each, key=lambda pair: _badness(pair[0]))
        found.append(replace(worst, note=f"{words}: {worst.note}" if worst.note else words))
    return tuple(found)


def _badness(finding: Finding) -> tuple[int, float]:
    """Return what is worst: a limit that is exceeded, then one that could not be judged, then the largest value."""
    rank = {False: 2, None: 1, True: 0}[finding.holds]
    return rank, finding.counted if finding.counted is not None else 0.0


def _state(findings: Iterable[Finding], obstacles: tuple[str, ...]) -> State:
    held = [finding.holds for finding in findings]
    if False in held:
        return "failed"
    return "not judged" if None in held or obstacles else "passed"


@dataclass(frozen=True, eq=False)
class _Case:
    """What is judged: paired files, with the masks that made one of the other, and what was measured already."""

    pair: Pair
    known: tuple[tuple[Measure, Measured], ...]
    scenario: Scenario

    @classmethod
    def of(cls, subject: Scorecard | Release, card: Scorecard | None, scenario: ScenarioLike) -> _Case:
        given = subject if isinstance(subject, Scorecard) else card
        chosen = given.scenario if given is not None and scenario is None else Scenario.of(scenario)
        if isinstance(subject, Release):
            pair = pair_records(subject.original, subject.data, "auto")
            return cls(pair, () if card is None or card.pairing != pair.how else tuple(card.results.values()), chosen)
        how: Any = subject.pairing
        return cls(pair_records(subject.original, subject.masked, how), tuple(subject.results.values()), chosen)

    def finding(self, limit: Limit) -> Finding:
        try:
            measured = self._measured(limit.build(self.scenario, self.pair.original.schema))
            value = _value(limit, measured)
        except (MeasureError, ColumnError) as error:
            return Finding(limit, None, note=str(error))
        counted = value if limit.of != "file" or measured.upper is None else max(value, measured.upper)
        holds: bool | None = counted <= limit.at_most
        if not isinstance(measured, AttackedMeasured):
            return Finding(limit, holds, value, counted)
        if holds and not self.pair.steps:
            return Finding(limit, None, note=_UNKNOWN)
        return Finding(limit, holds, value, counted, f"the strongest attack is {measured.attacks[0].attack.measure}")

    def _measured(self, measure: Measure) -> Measured:
        known = next((found for taken, found in self.known if taken == measure), None)
        return measure.of_pair(self.pair) if known is None else known


def _value(limit: Limit, measured: Measured) -> float:
    if limit.of == "file":
        return float(measured.value)
    if measured.per_record is None or not len(measured.per_record):
        raise MeasureError(f"The measure '{limit.measure}' has no value for single records here; it may be a sample.")
    return float(np.nanmax(measured.per_record))

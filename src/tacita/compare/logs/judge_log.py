"""Verdict on an anonymised log: whether its promises hold, and whether it keeps the limits that were stated for it."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from tacita.compare.logs.measure_log import LogCard
from tacita.compare.verdict import State
from tacita.core import registry
from tacita.core.errors import ParameterError, ReleaseError
from tacita.logs.log_measure import LogMeasure
from tacita.logs.safety.log_certificate import LogCertificate

__all__ = ["LogFinding", "LogLimit", "LogVerdict", "judge_log", "log_limits"]

_LIMIT = re.compile(r"\s*([a-z_]+)\s*(<=|>=|=<|=>)\s*(-?\d+(?:\.\d+)?)\s*%?\s*")


@dataclass(frozen=True)
class LogLimit:
    """The largest or smallest value that a measure of a release may have.

    Examples
    --------
    >>> print(LogLimit.parse("profile_linkage <= 20 %"))
    profile_linkage <= 20 %
    """

    measure: str
    sign: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> LogLimit:
        """Read a limit such as ``profile_linkage <= 20``.

        Raises
        ------
        ParameterError
            When it is no limit, or asks for what is worse.
        UnknownMethodError
            When there is no such measure.
        """
        found = _LIMIT.fullmatch(text)
        if found is None:
            raise ParameterError(f"A limit must be written as 'profile_linkage <= 20', got '{text[:60]}'.")
        name, sign, number = found.groups()
        return cls(name, {"=<": "<=", "=>": ">="}.get(sign, sign), float(number))

    def __post_init__(self) -> None:
        kind = cast(type[LogMeasure], registry.find("log_measure", self.measure))
        if not math.isfinite(self.bound):
            raise ParameterError(f"Limit of '{self.measure}': the bound must be a finite number.")
        wanted = "<=" if kind.traits.better == "lower" else ">="
        if self.sign != wanted:
            raise ParameterError(
                f"Limit of '{self.measure}': {kind.traits.better} is better, so write '{self.measure} {wanted} ...'."
            )

    def holds(self, value: float) -> bool:
        """Whether a value keeps the limit; a value that is no number keeps none."""
        return bool((operator.le if self.sign == "<=" else operator.ge)(value, self.bound))

    @property
    def unit(self) -> str:
        """The unit of the measure."""
        return cast(type[LogMeasure], registry.find("log_measure", self.measure)).traits.unit

    def __str__(self) -> str:
        return f"{self.measure} {self.sign} {self.bound:g} {self.unit}".rstrip()


@dataclass(frozen=True)
class LogFinding:
    """One limit compared with what was measured; ``holds`` is None where the measure does not apply."""

    limit: LogLimit
    holds: bool | None
    value: float | None = None
    note: str = ""

    def __str__(self) -> str:
        if self.holds is None:
            return f"Not computed: {self.limit}. {self.note}"
        shown = f"{self.value:.4g} {self.limit.unit}".rstrip()
        return f"{'Kept' if self.holds else 'Exceeded'}: {self.limit}; it is {shown}."


@dataclass(frozen=True)
class LogVerdict:
    """Whether an anonymised log may leave: *passed*, *failed* or *not judged*.

    Parameters
    ----------
    state
        ``passed``: the promises were recounted and hold, and every limit is kept. ``failed``: a promise is broken or a limit is
        exceeded. ``not judged``: no limits were stated, nothing was recounted, or something could not be measured.
    certificate
        What the recount found; None where the method has no promises.
    findings
        Each limit with what was measured.
    because
        Why a failed release is written nevertheless; empty where it is not.
    """

    state: State
    certificate: LogCertificate | None = None
    findings: tuple[LogFinding, ...] = ()
    because: str = ""

    @property
    def has_passed(self) -> bool:
        """Whether the log may leave."""
        return self.state == "passed"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why the verdict is what it is."""
        told = [str(finding) for finding in self.findings] or ["No limits were stated."]
        recount = (
            "The method makes no promise that could be recounted."
            if self.certificate is None
            else self.certificate.words()
        )
        return (recount, *told)

    def __str__(self) -> str:
        return f"Verdict: {self.state.upper()}. {' '.join(self.reasons)}"

    def insisting(self, because: str) -> LogVerdict:
        """Return the verdict with the reason why a failed release is written nevertheless."""
        if not isinstance(because, str) or not because.strip():
            raise ReleaseError(
                "Who insists on a failed release must say why: give 'because' a sentence; it is recorded."
            )
        return replace(self, because=" ".join(because.split())) if self.state == "failed" else self

    def as_plain(self) -> dict[str, Any]:
        """Return the verdict ready for JSON; internal, because it has what was measured."""
        return {
            "state": self.state,
            "certificate": None if self.certificate is None else self.certificate.as_plain(),
            "limits": [
                {"limit": str(one.limit), "holds": one.holds, "value": one.value, "note": one.note}
                for one in self.findings
            ],
            "reasons": list(self.reasons),
            "insisted": bool(self.because),
            "because": self.because,
        }


def log_limits(given: Iterable[str | LogLimit] | Mapping[str, float] | None) -> tuple[LogLimit, ...]:
    """Return limits from what a user may give: texts, limits, or bounds by measure, which are taken in the better sense."""
    if given is None:
        return ()
    if isinstance(given, Mapping):
        found = []
        for name, bound in given.items():
            kind = cast(type[LogMeasure], registry.find("log_measure", name))
            found.append(LogLimit(name, "<=" if kind.traits.better == "lower" else ">=", float(bound)))
        return tuple(found)
    if isinstance(given, str):
        return (LogLimit.parse(given),)
    return tuple(one if isinstance(one, LogLimit) else LogLimit.parse(one) for one in given)


def judge_log(
    card: LogCard,
    certificate: LogCertificate | None,
    limits: Iterable[str | LogLimit] | Mapping[str, float] | None = None,
) -> LogVerdict:
    """Hold a card against limits, and the recount against its promises.

    Parameters
    ----------
    card
        What :func:`measure_log` found.
    certificate
        The recount of what the method promises; None where it promises nothing.
    limits
        Texts such as ``profile_linkage <= 20``, or bounds by measure.
    """
    findings = []
    for limit in log_limits(limits):
        if limit.measure not in card:
            why = card.absent.get(limit.measure, "It was not among the measures.")
            findings.append(LogFinding(limit, None, note=why))
            continue
        figure = card.figures[limit.measure]
        # Of a sample the worse end of its interval counts.
        ends = [figure.parts[name] for name in ("95 % interval from", "95 % interval to") if name in figure.parts]
        value = (max if limit.sign == "<=" else min)([figure.value, *ends])
        findings.append(LogFinding(limit, limit.holds(value), value))
    held = [finding.holds for finding in findings]
    state: State = "passed"
    if False in held or (certificate is not None and not certificate.holds):
        state = "failed"
    elif not findings or None in held or certificate is None:
        state = "not judged"
    return LogVerdict(state, certificate, tuple(findings))

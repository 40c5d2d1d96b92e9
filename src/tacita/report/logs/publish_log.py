"""Publish a query log: measure, judge, and write both sides with their reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tacita.compare.logs.judge_log import LogLimit, LogVerdict, judge_log
from tacita.compare.logs.measure_log import LogCard, measure_log
from tacita.data.directory.classified import Classified
from tacita.data.formats.formulas import Formulas
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.release.log_release import LogRelease

__all__ = ["PublishedLog", "publish_log"]


@dataclass(frozen=True, eq=False)
class PublishedLog:
    """What became of a release: where it stands (None where it failed and nothing was written), its card and its verdict."""

    directory: Path | None
    card: LogCard
    verdict: LogVerdict


def publish_log(
    log: QueryLog,
    anonymised: AnonymisedLog,
    directory: str | Path,
    *,
    topics: Classified | None = None,
    topics_from: str = "",
    limits: Iterable[str | LogLimit] | Mapping[str, float] | None = None,
    because: str = "",
    format: str = "tsv",
    overwrite: bool = False,
    report: bool = True,
    formulas: Formulas = "warn",
    inputs: Sequence[str | Path] = (),
) -> PublishedLog:
    """Measure a release of a log, judge it, and write it unless it failed.

    Parameters
    ----------
    log
        The original.
    anonymised
        What an anonymiser made of it.
    directory
        Where ``public/`` and ``internal/`` are made.
    topics
        What a topic directory says of the texts of the original, for the measures that go by topics.
    topics_from
        What the topics come from, in a few words; it is recorded.
    limits
        What the release must keep, such as ``["profile_linkage <= 20"]``.
    because
        Why a failed release is written nevertheless; it is recorded. Empty: a failed release is not written.
    format, overwrite, formulas, inputs
        As for :meth:`LogRelease.write`.
    report
        Whether pages are written too.
    """
    from tacita.report.logs.log_page import log_page

    release = LogRelease(log, anonymised, topics_from)
    card = measure_log(log, anonymised, topics)
    verdict = judge_log(card, anonymised.certificate, limits)
    if because:
        verdict = verdict.insisting(because)
    if verdict.state == "failed" and not verdict.because:
        return PublishedLog(None, card, verdict)
    pages = {"public/report.html": "external", "internal/report.html": "internal"} if report else {}
    documents = {
        place: log_page(release, card, verdict, form=form).encode("utf-8")  # type: ignore[arg-type]
        for place, form in pages.items()
    }
    written = release.write(
        directory,
        format=format,
        overwrite=overwrite,
        documents=documents,
        verdict=verdict.as_plain(),
        formulas=formulas,
        inputs=inputs,
    )
    return PublishedLog(written, card, verdict)

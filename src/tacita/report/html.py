"""The report as one HTML file that opens anywhere: no script, no font, no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from tacita.compare.scorecard import Scorecard
from tacita.compare.verdict import Verdict
from tacita.core.errors import ParameterError
from tacita.release.release import Release
from tacita.report import panels, sections
from tacita.report.facts import Facts, external_facts, internal_facts
from tacita.report.markup import Html, page, tag
from tacita.report.measures import Form, map_axes, map_points
from tacita.report.render import unchecked

__all__ = ["report_pages", "scorecard_html"]


def scorecard_html(
    card: Scorecard,
    *,
    release: Release | None = None,
    form: Form = "internal",
    candidates: Mapping[str, Scorecard] | None = None,
    verdict: Verdict | None = None,
) -> str:
    """Write the report on a release.

    The internal form has everything: parameters, seed, hashes, original and release side by side, the riskiest records.
    The external form goes with the data. It shows the release alone, without ends of columns and without anything that
    stands for fewer than ten records; of the original it has the measures in round numbers and nothing else; methods are
    named, their parameters, the seed and hashes are not.

    Parameters
    ----------
    card
        What :func:`tacita.evaluate` found.
    release
        The release, for recipe and provenance; None for a masked file of unknown origin.
    form
        ``internal`` or ``external``.
    candidates
        Cards of earlier releases of the same data by name, for the map; the external form leaves them out.
    verdict
        What :func:`tacita.judge` found; without it the report says *not judged*.

    Returns
    -------
    str
        A whole page. The same input gives the same text: it holds no time, path or name of a machine.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> release = tc.Recipe([tc.mask.RankSwap(columns=["savings"], p=10)]).apply(data, seed=7)
    >>> text = scorecard_html(tc.evaluate(data, release), release=release, form="external")
    >>> text.startswith("<!DOCTYPE html>")
    True
    """
    return report_pages(card, release, (form,), candidates, verdict)[0]


def report_pages(
    card: Scorecard,
    release: Release | None,
    forms: Sequence[Form],
    candidates: Mapping[str, Scorecard] | None = None,
    verdict: Verdict | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> list[str]:
    """Write several forms of one report; what is costly to compute is computed once."""
    for form in forms:
        if form not in ("internal", "external"):
            raise ParameterError(f"report: 'form' must be 'internal' or 'external', got '{form}'.")
    axes = map_axes(card)
    points = [] if axes is None else map_points(card, axes, candidates)
    gather = {"internal": internal_facts, "external": external_facts}
    with unchecked():
        # All are gathered before the first is written: what draws the pictures stays in memory, and gathering takes much of it.
        gathered = [gather[form](card, release, axes, points, verdict, provenance) for form in forms]
        return [_page(facts) for facts in gathered]


def _page(facts: Facts) -> str:
    chapters = _chapters(facts)
    css = files("tacita.report").joinpath("report.css").read_text(encoding="utf-8")
    footer = tag("footer", tag("p", f"Tacita {facts.version}. The same input gives the same report, byte for byte."))
    body = tag(
        "main",
        sections.heading(facts, [(name, title) for name, title, _ in chapters]),
        *(sections.section(name, title, content) for name, title, content in chapters),
        footer,
    )
    return page(f"Disclosure control report ({facts.form})", css, body)


def _chapters(facts: Facts) -> list[tuple[str, str, Html]]:
    """Return name, title and content of every chapter that the form has."""
    chapters = [
        ("verdict", "Verdict", sections.verdict_section(facts)),
        ("released", "What was released", sections.released(facts)),
        ("rules", "Rules and parameters", sections.rules(facts)),
        ("measures", "Measures", sections.measures(facts)),
        *([("tables", "Tables of one and two columns", sections.tables(facts))] if facts.tables else []),
        *([("keys", "Risk of the keys", sections.key_risks(facts))] if facts.beside else []),
        ("score", "Score", sections.score(facts)),
        ("map", "Risk-utility map", sections.risk_map(facts)),
        ("variables", "Variables", panels.pictures(facts)),
        ("summary", "Summary of the variables", panels.summaries(facts)),
    ]
    if facts.risks:
        chapters.append(("at-risk", "Records at risk", sections.at_risk(facts)))
    if facts.provenance:
        chapters.append(("provenance", "Provenance", sections.provenance(facts)))
    return chapters

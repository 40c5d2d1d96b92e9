"""Publish: write a release with its reports, and a card's pictures as files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from tacita.compare.evaluate import evaluate
from tacita.compare.scorecard import Scorecard
from tacita.compare.verdict import Verdict, judge
from tacita.core.errors import ReleaseError
from tacita.data.atomic import atomic_directory, new_file
from tacita.data.disk.outputs import check_directory
from tacita.data.formats.formulas import Formulas
from tacita.data.limits import Limits, LimitsLike
from tacita.data.measure import Measure
from tacita.release.release import KIND, Release
from tacita.report.charts import measure_chart, risk_utility_map
from tacita.report.distributions import draw
from tacita.report.facts import external_facts, internal_facts
from tacita.report.html import report_pages
from tacita.report.measures import Form, map_axes, map_points
from tacita.report.render import png_bytes, svg_bytes

__all__ = ["publish", "write_pictures"]

_PICTURES = "directory of pictures"


def publish(
    release: Release,
    directory: str | Path,
    *,
    format: str = "csv",
    shuffle: bool = True,
    renumber: bool = True,
    overwrite: bool = False,
    measures: Sequence[str | Measure] | None = None,
    card: Scorecard | None = None,
    candidates: Mapping[str, Scorecard] | None = None,
    limits: LimitsLike = None,
    insist: bool = False,
    because: str = "",
    verdict: Verdict | None = None,
    formulas: Formulas = "warn",
    inputs: Sequence[str | Path] = (),
) -> Path:
    """Measure a release, judge it, and write it with both reports.

    A release that fails against its limits is not written, unless somebody insists and says why.

    ``public/`` gets the data, their schema and the external report; ``internal/`` gets recipe, provenance, the link, the
    internal report and the scorecard as JSON.

    Parameters
    ----------
    release
        What a recipe made.
    directory
        Where ``public/`` and ``internal/`` are made.
    format
        Ending of the data file: csv, tsv, parquet, feather, sav or dta.
    shuffle
        Put the rows in random order; without it the position of a row links it to its original.
    renumber
        Give households, clusters and the like new numbers, drawn at random; without it the numbers of the original leave,
        which is recorded.
    overwrite
        Replace an earlier release in the same directory, but nothing else; see :meth:`Release.write`.
    measures
        Measures to take, by name or with parameters; by default every applicable one.
    card
        A scorecard of this release that is there already; it is not measured again then.
    candidates
        Cards of earlier releases of the same data by name; they stand on the map of the internal report.
    limits
        What the release must keep to leave, as for :func:`tacita.judge`, besides the limits of its recipe. Without any
        limits the release is *not judged*, and both reports say so.
    insist
        Write a release although it failed; ``because`` must say why. Verdict and reason are recorded in the provenance, in
        the ledger and in the internal report.
    because
        Why a failed release is written.
    verdict
        A verdict on this release that is there already; it is not judged again then.
    formulas
        What a CSV file does about texts that a spreadsheet would run: ``"keep"``, ``"warn"`` or ``"neutralise"``; see
        :func:`tacita.data.write.write`.
    inputs
        Files that the release was made from, besides those that the data were read from; a directory that holds one of
        them is not replaced.

    Returns
    -------
    Path
        The directory.

    Raises
    ------
    ReleaseError
        When the card is that of another release, a direct identifier would leave, or the release failed and nobody insists.
    FileError
        When the directory exists or cannot be written; nothing is left half-written.
    """
    check_directory(directory, KIND, overwrite=overwrite, inputs=(*release.original.files, *inputs))
    if card is None:
        card = evaluate(release.original, release, measures=measures)
    elif measures is not None:
        raise ReleaseError("Give either 'measures' or a finished 'card', not both.")
    else:
        _check_same(card, release)
    if verdict is None:
        verdict = judge(release, release.limits.joined(Limits.of(limits)), card=card)
    elif limits is not None:
        raise ReleaseError("Give either 'limits' or a finished 'verdict', not both.")
    verdict = _decided(verdict, insist=insist, because=because)
    judged = verdict.as_plain()
    provenance = release.provenance(shuffle=shuffle, renumber=renumber, verdict=judged)
    forms: tuple[Form, Form] = ("internal", "external")
    internal, external = report_pages(card, release, forms, candidates, verdict, provenance)
    scorecard = json.dumps(card.as_plain(), indent=2, ensure_ascii=False) + "\n"
    documents = {
        "public/report.html": external.encode("utf-8"),
        "internal/report.html": internal.encode("utf-8"),
        "internal/scorecard.json": scorecard.encode("utf-8"),
    }
    return release.write(
        directory,
        format=format,
        shuffle=shuffle,
        renumber=renumber,
        overwrite=overwrite,
        documents=documents,
        verdict=judged,
        formulas=formulas,
        inputs=inputs,
    )


def _decided(verdict: Verdict, *, insist: bool, because: str) -> Verdict:
    """Refuse a failed release, or take down why it is written."""
    if insist:
        return verdict.insisting(because)
    if because:
        raise ReleaseError("'because' is the reason to insist on a failed release; it goes with 'insist'.")
    if verdict.state == "failed" and not verdict.because:
        raise ReleaseError(
            f"The release failed and nothing was written. {' '.join(verdict.reasons)} Mask more, or insist and say why."
        )
    return verdict


def _check_same(card: Scorecard, release: Release) -> None:
    """Refuse a card of other data: its numbers would be published as those of this release."""
    same = card.original is release.original or card.original.same_content(release.original)
    is_ours = card.masked is release.data or card.masked.same_content(release.data)
    if not same or not (is_ours or card.masked.same_content(release.public)):
        raise ReleaseError("The card was made for other data than this release; evaluate the release again.")


def write_pictures(
    card: Scorecard, directory: str | Path, *, form: Form = "internal", overwrite: bool = False
) -> list[Path]:
    """Write the pictures of a report as SVG and PNG files: the measures, the map and one for each variable.

    Parameters
    ----------
    card
        What :func:`tacita.evaluate` found.
    directory
        A directory that is made for them.
    form
        ``internal`` pictures show the original beside the release and must stay inside; ``external`` ones may be
        published.
    overwrite
        Replace a directory of pictures that is there, but nothing else.

    Returns
    -------
    list of Path
        The files, in the order of the report.

    Notes
    -----
    Only the owner may look at internal pictures (0700 and 0600, whatever the umask).
    """
    check_directory(directory, _PICTURES, overwrite=overwrite)
    axes = map_axes(card)
    points = [] if axes is None else map_points(card, axes)
    facts = (internal_facts if form == "internal" else external_facts)(card, None, axes, points)
    charts = {"measures": measure_chart(facts.measures)}
    if axes is not None:
        charts["risk-utility-map"] = risk_utility_map(
            facts.points, loss_title=axes.loss_title, risk_title=axes.risk_title, risk_upper=axes.risk_upper
        )
    for position, variable in enumerate(facts.drawn, 1):
        if variable.picture is not None:
            name = variable.column.name
            charts[f"variable-{position:02d}-{_file_word(name)}"] = draw(variable.picture, title=name)
    target = Path(directory)
    is_private = form == "internal"
    with atomic_directory(target, overwrite, kind=_PICTURES, private=["."] if is_private else []) as made:
        for word, chart in charts.items():
            for ending, drawn in (("svg", svg_bytes), ("png", png_bytes)):
                with new_file(made / f"{word}.{ending}", private=is_private) as file:
                    file.write(drawn(chart))
    return [target / f"{word}{ending}" for word in charts for ending in (".svg", ".png")]


def _file_word(name: str) -> str:
    """Return a column's name with only what every file system takes."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower()[:40] or "column"

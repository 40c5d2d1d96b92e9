"""Facts: everything that one report shows, gathered before a word of it is written.

The two forms are gathered by two functions. The page is made from the facts alone, so what :func:`external_facts` does
not take up cannot leave: it reads the release and, of the original, nothing but the rounded values of the measures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from typing import Any

from tacita.compare.assess import riskiest_combinations
from tacita.compare.assessment import Combination
from tacita.compare.before_after import BesideRow, risk_beside
from tacita.compare.scorecard import Scorecard
from tacita.compare.verdict import Finding, Verdict
from tacita.core.parameters import as_plain
from tacita.core.selectors import Selector
from tacita.data.measure import find_measure
from tacita.data.microdata import Microdata
from tacita.data.public_side import as_public
from tacita.data.scenario import Scenario
from tacita.data.schema import Column, Schema
from tacita.mask.base import Mask
from tacita.release.recipe import Recipe
from tacita.release.release import Release
from tacita.release.traces import weight_trace
from tacita.report.bins import Picture, picture
from tacita.report.measures import (
    Form,
    MapAxes,
    MapPoint,
    MeasureRow,
    RiskCounts,
    ShownScore,
    measure_rows,
    risk_counts,
    rounded_points,
    score_of,
    synthetic_words,
)
from tacita.report.synthetic.tables_map import TableRatios, table_ratios
from tacita.report.variables import (
    CategorySummary,
    NumberSummary,
    PublicSummary,
    changed_shares,
    public_summary,
    reported_columns,
    summarise_categories,
    summarise_numbers,
)
from tacita.report.words import NOTHING, figure, plain_text, quantity

__all__ = ["MOST_PANELS", "Facts", "RiskyCombinations", "Step", "VariableFacts", "external_facts", "internal_facts"]

MOST_PANELS = 24
"""Pictures of single variables in one report."""
Summary = NumberSummary | CategorySummary | PublicSummary


@dataclass(frozen=True)
class Step:
    """One step of the recipe in words; ``parameters`` is None where they are not published.

    ``rule`` is how the columns were chosen, where they were not named one by one; ``promises`` is what the step proves.
    """

    title: str
    name: str
    what: str
    columns: tuple[str, ...]
    rule: str
    parameters: tuple[tuple[str, str, str], ...] | None
    promises: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class VariableFacts:
    """One released column: its picture, and its summary in the original (None: not shown) and in the release."""

    column: Column
    is_masked: bool
    picture: Picture | None
    before: Summary | None
    after: Summary
    changed: float | None = None


@dataclass(frozen=True)
class RiskyCombinations:
    """The riskiest combinations of key values in one file: its name, the keys, and a row of texts for each."""

    file: str
    keys: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, eq=False)
class Facts:
    """What a report shows."""

    form: Form
    records: int
    columns: Schema
    steps: tuple[Step, ...] | None
    pairing: str
    measures: list[MeasureRow]
    skipped: tuple[tuple[str, str], ...]
    score: ShownScore | None
    axes: MapAxes | None
    points: list[MapPoint]
    variables: list[VariableFacts]
    version: str
    verdict: tuple[str, str]
    scenario: str
    synthetic: str = ""
    """What is said of synthetic records on the first screen; empty where records come from people."""
    beside: tuple[BesideRow, ...] = ()
    """The risk of the keys; of the original in the internal form only."""
    remarks: tuple[str, ...] = ()
    scored: tuple[str, ...] = ()
    # What follows is filled in the internal form only.
    original_records: int | None = None
    score_note: str = ""
    identifiers: tuple[str, ...] = ()
    risks: list[RiskCounts] = field(default_factory=list)
    provenance: dict[str, Any] | None = None
    findings: tuple[Finding, ...] = ()
    because: str = ""
    riskiest: tuple[RiskyCombinations, ...] = ()
    tables: TableRatios | None = None

    @property
    def drawn(self) -> list[VariableFacts]:
        """The variables that get a picture: changed ones first, each part in the order of the file."""
        possible = [v for v in self.variables if v.picture is not None]
        return sorted(possible, key=lambda v: not v.is_masked)[:MOST_PANELS]


def internal_facts(
    card: Scorecard,
    release: Release | None,
    axes: MapAxes | None,
    points: Sequence[MapPoint],
    verdict: Verdict | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> Facts:
    """Gather everything."""
    masked, judged = card.masked, verdict or Verdict("not judged")
    traces = () if release is None else release.traces
    if provenance is None and release is not None:
        provenance = release.provenance(verdict=judged.as_plain())
    # What is as long as a large file is counted first, and forgotten.
    masked.forget()
    remarks, riskiest, beside, risks = card.remarks, _riskiest(card), card.beside, risk_counts(card)
    masked.forget()
    changed = changed_shares(card)
    return Facts(
        form="internal",
        records=len(masked),
        columns=masked.schema.public(),
        steps=_steps(release, publish_parameters=True),
        pairing=card.pairing_words,
        measures=measure_rows(card, "internal"),
        skipped=_why_skipped(card),
        score=score_of(card, "internal"),
        axes=axes,
        points=list(points),
        variables=[
            _variable(column, card.original, masked, changed[column.name]) for column in reported_columns(masked)
        ],
        version=version("tacita"),
        verdict=(
            judged.state,
            " ".join((f"Limits: {judged.preset}." if judged.preset else "", *judged.reasons)).strip(),
        ),
        scenario=card.scenario_words,
        synthetic=synthetic_words(card, "internal"),
        beside=beside,
        remarks=(*card.notes, *remarks, *map(str, traces)),
        scored=card.scoring.measures,
        original_records=len(card.original),
        score_note=card.score_note,
        identifiers=card.original.schema.identifiers,
        risks=risks,
        provenance=None if provenance is None else dict(provenance),
        findings=judged.findings,
        because=judged.because,
        riskiest=riskiest,
        tables=table_ratios(card),
    )


def external_facts(
    card: Scorecard,
    release: Release | None,
    axes: MapAxes | None,
    points: Sequence[MapPoint],
    verdict: Verdict | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> Facts:
    """Gather what goes with the data: the release itself, names of methods, measures in round numbers, the bare verdict.

    Left out: parameters, seed, hashes, the number of original records, anything of the original's columns, notes and
    reasons (they may count original records), earlier candidates, records at risk, risky combinations, limits and what was
    measured against them, old numbers of households and the like, categories that no record has any more.
    """
    del provenance  # none of it goes out
    masked = as_public(card.masked) if release is None else release.leaving
    trace, beside = weight_trace(masked, masked), _public_risk(card, masked)
    steps = _steps(release, publish_parameters=False)
    named = {name for step in steps or () for name in step.columns}
    return Facts(
        form="external",
        records=len(masked),
        columns=masked.schema,
        steps=steps,
        pairing=card.pairing_words,
        measures=measure_rows(card, "external"),
        skipped=tuple((_titled(name), "could not be computed for these data") for name in card.skipped),
        score=score_of(card, "external"),
        axes=axes,
        points=[] if axes is None else rounded_points(points, axes),
        variables=[_public_variable(column, column.name in named, masked) for column in reported_columns(masked)],
        version=version("tacita"),
        verdict=_public_verdict(verdict or Verdict("not judged")),
        scenario=card.scenario.words(card.original.schema, within=masked.schema),
        synthetic=synthetic_words(card, "external"),
        beside=beside,
        remarks=() if trace is None else (str(replace(trace, kept=None)),),
        scored=card.scoring.measures,
    )


def _public_risk(card: Scorecard, public: Microdata) -> tuple[BesideRow, ...]:
    """Return what everybody who has the file can count in it; nothing of the original enters."""
    names = tuple(name for name in card.scenario.key_names(card.original.schema) if name in public.schema)
    if not names:
        return ()
    rows = risk_beside(public, public, Scenario(keys=names, knows_sample=card.scenario.knows_sample))
    return tuple(replace(row, before=None) for row in rows)


def _riskiest(card: Scorecard) -> tuple[RiskyCombinations, ...]:
    """Return the riskiest combinations of both files under the scenario of the card."""
    names = tuple(name for name in card.scenario.key_names(card.original.schema) if name in card.masked.schema)
    found = []
    for word, data in (("original", card.original), ("release", card.masked)):
        if names and len(data):
            riskiest = riskiest_combinations(data, names, knows_sample=card.scenario.knows_sample)
            rows = tuple((*_figures(one), *_labels(data, names, one.values)) for one in riskiest)
            found.append(RiskyCombinations(word, names, rows))
    return tuple(found)


def _figures(one: Combination) -> tuple[str, str, str]:
    return quantity(one.risk, "%"), figure(one.frequency), figure(one.population)


def _labels(data: Microdata, names: Sequence[str], values: Sequence[Any]) -> list[str]:
    """Return values as a reader knows them: by their labels where the file has labels."""
    return [
        NOTHING if value is None else plain_text(data.schema[name].shown(value), longest=40)
        for name, value in zip(names, values, strict=True)
    ]


def _why_skipped(card: Scorecard) -> tuple[tuple[str, str], ...]:
    """Return each reason once, with the measures that it holds for."""
    return tuple((", ".join(map(_titled, names)), reason) for reason, names in card.reasons.items())


def _titled(name: str) -> str:
    return find_measure(name).titled()


def _public_verdict(verdict: Verdict) -> tuple[str, str]:
    """Return state and words that may be read outside: which limits there were and what was measured is not said."""
    if verdict.state == "passed":
        named = f" '{verdict.preset}'" if verdict.preset else ""
        return verdict.state, f"The release keeps all limits{named} that were set for it."
    if verdict.state == "failed":
        return verdict.state, "The release exceeds a limit that was set for it. It was written by an explicit decision."
    return verdict.state, "The release was not, or not completely, compared with limits."


def _variable(column: Column, original: Microdata, masked: Microdata, changed: float | None) -> VariableFacts:
    name = column.name
    return VariableFacts(
        column=column,
        is_masked=changed != 0,
        picture=picture(original, masked, name),
        before=_summary(original, name) if name in original.schema else None,
        after=_summary(masked, name),
        changed=changed,
    )


def _summary(data: Microdata, name: str) -> Summary:
    return summarise_numbers(data, name) if data.schema[name].scale == "numeric" else summarise_categories(data, name)


def _public_variable(column: Column, is_masked: bool, masked: Microdata) -> VariableFacts:
    return VariableFacts(
        column=column,
        is_masked=is_masked,
        picture=picture(None, masked, column.name),
        before=None,
        after=public_summary(masked, column.name),
    )


# --- the recipe in words --------------------------------------------------------------------------------------------------


def _steps(release: Release | None, *, publish_parameters: bool) -> tuple[Step, ...] | None:
    if release is None:
        return None
    made = []
    for step in Recipe.from_toml(release.recipe):
        columns = step.worked_on(release.original.schema)
        if not publish_parameters:
            columns = tuple(name for name in columns if name in release.data.schema.public())
        chosen = getattr(step, "columns", ())
        rule = chosen.text if publish_parameters and isinstance(chosen, Selector) else ""
        parameters = _parameters(step) if publish_parameters else None
        made.append(
            Step(
                title=step.title,
                name=step.name,
                what=step.summary(),
                columns=columns,
                rule=rule,
                parameters=parameters,
                promises=step.promises(release.original.schema) if publish_parameters else (),
            )
        )
    return tuple(made)


def _parameters(step: Mask) -> tuple[tuple[str, str, str], ...]:
    """Return name, value and meaning of the parameters that say something; switches that are off do not."""
    shown = []
    for parameter in step.parameters():
        value = getattr(step, parameter.name)
        if parameter.name == "columns" or value is None or value is False or value in ((), {}, ""):
            continue
        shown.append((parameter.name, _value_in_words(value), parameter.words))
    return tuple(shown)


def _value_in_words(value: Any) -> str:
    plain = as_plain(value)
    if isinstance(plain, dict):
        return "; ".join(f"{name}: {_value_in_words(entry)}" for name, entry in plain.items())
    if isinstance(plain, list):
        return ", ".join(map(_value_in_words, plain))
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    return f"{plain:g}" if isinstance(plain, float) else str(plain)

"""What a page says about an answer: the numbers as texts, the notes, the downloads, the pictures, the citation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request

from tacita.query.answer import Answer
from tacita.query.camouflage.model_intervals import IntervalModel
from tacita.query.forms.answer_forms import offered_forms
from tacita.query.models.correlate import CorrelationOutcome
from tacita.query.models.model_result import FittedModel
from tacita.report.words import fixed, significant
from tacita.web.engine.port import DatasetFacts
from tacita.web.pages.addresses import address_of
from tacita.web.pages.citation import Citation
from tacita.web.pages.model_view import shown_correlations, shown_intervals, shown_model
from tacita.web.pages.table_view import ShownTable, shown_table
from tacita.web.pages.wording import Labels, equation_words, question_words, universe_words

__all__ = ["FORMATS", "result_of"]

FORMATS = {"csv": "CSV", "json": "JSON", "arrow": "Arrow", "sdmx-csv": "SDMX-CSV"}
"""What the forms of downloads are called."""

_SPOKEN_CELLS = 12


def result_of(answer: Answer, facts: DatasetFacts, server: str, request: Request) -> dict[str, Any]:
    """Return what the template of results shows.

    Parameters
    ----------
    answer
        What was answered.
    facts
        The data set.
    server
        Title of the server.
    request
        The request for the page, which the address of the answer is taken from.
    """
    labels = Labels(facts.variables)
    words = question_words(answer.request, labels)
    place = f"/explore/answer/{answer.id}"
    offered = offered_forms(answer)
    found: dict[str, Any] = {
        "id": answer.id,
        "words": words,
        "headline": words.partition(". Universe: ")[0],
        "universe": universe_words(answer.request.get("where") or {}, labels),
        "place": place,
        "notes": answer.notes,
        "version": facts.version,
        "parts": answer.parts,
        "table": None,
        "model": None,
        "downloads": [
            (name, FORMATS[name], f"/answers/{answer.id}?format={name}") for name in FORMATS if name in offered
        ],
        "citation": Citation(
            dataset=facts.title,
            question=words,
            server=server,
            id=answer.id,
            version=facts.version,
            accessed=datetime.now(UTC).date(),
            address=str(request.base_url).rstrip("/") + place,
        ),
        "change": address_of(facts.name, answer.request, edit="1"),
    }
    return found | _content(answer, labels, facts, place)


def _content(answer: Answer, labels: Labels, facts: DatasetFacts, place: str) -> dict[str, Any]:
    """What is special to the kind of the answer."""
    request = answer.request
    if answer.table is not None:
        table = shown_table(answer, labels)
        return {"kind": "table", "table": table, "chart": f"{place}/chart.svg", "alt": _spoken(table, answer, labels)}
    if answer.plots is not None:
        alt = (
            f"Residual plots of {equation_words(request)}: one panel for the fitted values and one for each predictor."
        )
        return {"kind": "plots", "chart": f"{place}/residuals.svg", "alt": alt}
    if isinstance(answer.model, CorrelationOutcome):
        named = _names(answer.model.names, labels)
        lines = shown_correlations(answer.model)
        return {"kind": "correlations", "columns": answer.model.names, "lines": lines, "names": named}
    if isinstance(answer.model, (FittedModel, IntervalModel)):
        plots = None
        if "residuals" in facts.requests:
            plots = address_of(facts.name, {**request, "kind": "residuals"})
        effects = [one if isinstance(one, str) else one["variable"] for one in request.get("predictors", ())]
        named = _names([request.get("response", ""), *effects], labels)
        model = answer.model
        shown = shown_model(model) if isinstance(model, FittedModel) else shown_intervals(model)
        return {"kind": "model", "model": shown, "plots": plots, "names": named}
    if answer.quantiles is not None:
        return {"kind": "quantiles", "lines": list(map(_quantile, answer.quantiles["quantiles"]))}
    return {"kind": "number", "value": _number(answer)}


def _names(names: Iterable[str], labels: Labels) -> list[tuple[str, str]]:
    """The variables whose label says more than their name, each once."""
    return [(name, labels[name]) for name in dict.fromkeys(names) if labels[name] != name]


def _number(answer: Answer) -> str:
    if answer.interval is not None:
        return f"between {significant(answer.interval[0], 5)} and {significant(answer.interval[1], 5)}"
    value = answer.value
    return "no value" if value is None else fixed(value, 0) if value == int(value) else significant(value, 5)


def _quantile(row: Mapping[str, Any]) -> tuple[str, str, str]:
    return f"{row['level']:g}", row["bin"], significant(row["value"], 4) if "value" in row else ""


def _spoken(table: ShownTable, answer: Answer, labels: Labels) -> str:
    """The picture in words: every number of a small table, and else what it is a picture of."""
    said = f"Chart: {question_words({**answer.request, 'where': {}}, labels).removesuffix('. Universe: everybody')}."
    if table.cells > _SPOKEN_CELLS:
        return f"{said} The table above has the same numbers."
    listed = []
    for block in table.blocks:
        for row in block.rows:
            for column, cell in zip(table.columns, row.cells, strict=True):
                words = [
                    row.head,
                    *([column] if table.column_title else []),
                    *([block.heading] if block.heading else []),
                ]
                listed.append(f"{', '.join(words)} {'no value' if cell.text == '·' else cell.text}")
    return f"{said} {'; '.join(listed)}."

"""Which forms an answer can be taken away in, by the names that users give them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tacita.core.errors import ParameterError
from tacita.query.answer import Answer
from tacita.query.forms.arrow_form import table_arrow
from tacita.query.forms.csv_form import correlations_csv, model_csv, number_csv, quantiles_csv, table_csv
from tacita.query.forms.sdmx_csv import table_sdmx_csv
from tacita.query.models.correlate import CorrelationOutcome

__all__ = ["FORMS", "AnswerForm", "offered_forms"]


class AnswerForm(NamedTuple):
    """A form of answers.

    Parameters
    ----------
    media_type
        What HTTP calls it.
    suffix
        How the name of its file ends.
    write
        Gives the bytes; called with the answer, the name of its data set and the version of the data.
    """

    media_type: str
    suffix: str
    write: Callable[[Answer, str, str], bytes]


def offered_forms(answer: Answer) -> tuple[str, ...]:
    """Return the names of the forms that an answer can have.

    Examples
    --------
    >>> offered_forms(Answer(status="answered", value=7.0)), offered_forms(Answer(status="refused"))
    (('json', 'csv'), ('json',))
    """
    if answer.status != "answered" or answer.plots is not None:
        return ("json",)
    return tuple(FORMS) if answer.table is not None else ("json", "csv")


def _json(answer: Answer, _dataset: str, _version: str) -> bytes:
    return answer.to_json().encode("utf-8")


def _csv(answer: Answer, _dataset: str, _version: str) -> bytes:
    _check(answer, "csv")
    if answer.table is not None:
        return table_csv(answer.table)
    if answer.quantiles is not None:
        return quantiles_csv(answer.quantiles)
    if isinstance(answer.model, CorrelationOutcome):
        return correlations_csv(answer.model)
    return number_csv(answer.value, answer.interval) if answer.model is None else model_csv(answer.model)


def _sdmx(answer: Answer, dataset: str, version: str) -> bytes:
    _check(answer, "sdmx-csv")
    return table_sdmx_csv(answer, dataset=dataset, version=version)


def _arrow(answer: Answer, _dataset: str, _version: str) -> bytes:
    _check(answer, "arrow")
    return table_arrow(answer.table)


def _check(answer: Answer, name: str) -> None:
    offered = offered_forms(answer)
    if name not in offered:
        raise ParameterError(f"This answer has no form '{name}'; ask for {' or '.join(offered)}.")


FORMS: Mapping[str, AnswerForm] = {
    "json": AnswerForm("application/json", ".json", _json),
    "csv": AnswerForm("text/csv; charset=utf-8; header=present", ".csv", _csv),
    "sdmx-csv": AnswerForm("application/vnd.sdmx.data+csv; version=2.0.0; labels=both", ".sdmx.csv", _sdmx),
    "arrow": AnswerForm("application/vnd.apache.arrow.stream", ".arrows", _arrow),
}
"""Every form by its name."""

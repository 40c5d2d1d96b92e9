"""A table as SDMX-CSV 2.0: what statistical offices exchange, one row an observation."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from tacita.core.errors import ParameterError
from tacita.query.answer import Answer
from tacita.query.forms.sdmx_ids import class_ids, component_ids, sdmx_version
from tacita.query.tables.cell_table import CellTable

__all__ = ["table_sdmx_csv"]

_TERMS = ("STRUCTURE", "STRUCTURE_ID", "STRUCTURE_NAME", "ACTION", "SERIES_KEY", "OBS_KEY")
_MEASURES = {
    "OBS_VALUE": "Observation value",
    "OBS_STATUS": "Observation status",
    "CONF_STATUS": "Confidentiality status",
    "UNIT_MEASURE": "Unit of measure",
    "STD_ERROR": "Standard error",
}
_OF_WHAT = {"STATISTIC": "Statistic", "RESPONSE": "Response variable", "COUNTED_UNIT": "Unit that is counted"}
_STATUS = {"A": "Normal value", "U": "Low reliability", "O": "Missing value", "Q": "Missing value; suppressed"}
_FREE = ("F", "Free (free for publication)")
_UNITS = {"count": ("PN", "Pure number"), "weighted_count": ("PN", "Pure number"), "percent": ("PT", "Percent")}
_AGENCY = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z][A-Za-z0-9_-]*)*")


def table_sdmx_csv(
    answer: Answer | CellTable | Mapping[str, Any],
    *,
    dataset: str = "table",
    version: str = "",
    agency: str = "TACITA",
    labels: Literal["both", "id"] = "both",
) -> bytes:
    r"""Return a table as an SDMX-CSV 2.0 data message.

    Parameters
    ----------
    answer
        An answer with a table, its JSON form, or a table alone; then nothing is known of the response.
    dataset
        Name of the data set, from which the id of the dataflow is made.
    version
        Version of the data.
    agency
        Id of who maintains the dataflow.
    labels
        ``both``: ids with the names that they stand for (``SEX: sex``, ``f: f``); ``id``: ids alone.

    Returns
    -------
    bytes
        UTF-8, a header and one line for each cell, comma-separated as in RFC 4180.

    Raises
    ------
    ParameterError
        When the answer has no table, or a parameter cannot be what it is for.

    Notes
    -----
    Choices where the standard leaves one:

    * ``STRUCTURE`` is ``dataflow``; ``ACTION`` is ``I`` (information). A table has the dimensions that it was asked by and not
      all of the data set, which the standard allows where they identify the observations.
    * Dimensions behind those of the table say what is measured: ``STATISTIC``, and ``RESPONSE`` and ``COUNTED_UNIT`` where the
      answer tells them. The universe of the question does not stand in the message: keep the answer beside it.
    * Ids are made of names and classes (accents go, other signs become underscores, what is then equal is numbered). They begin
      with a letter, a digit or an underscore, so no field is a formula to a spreadsheet. A version that is none of SDMX
      becomes the extension of 1.0.0.
    * ``OBS_STATUS`` (CL_OBS_STATUS): ``A`` normal; ``U`` low reliability, where the value is marked for its relative standard
      error of 25 % or more; ``O`` no value; ``Q`` suppressed, for the parts of a table that were refused.
      ``CONF_STATUS`` (CL_CONF_STATUS) is ``F`` where there is a value: what is answered has passed the policy.
    * ``UNIT_MEASURE`` (CL_UNIT) is ``PN`` for counts and ``PT`` for percentages; means and totals are in the unit of their
      response, which is not known here, and the field is empty. ``STD_ERROR`` is there where the answer has standard errors.

    References
    ----------
    SDMX Technical Working Group (2021), SDMX-CSV 2.0 field guide; code lists CL_OBS_STATUS and CL_CONF_STATUS of SDMX,
    CL_UNIT of the IMF.

    Examples
    --------
    >>> table = CellTable(("sex",), {"sex": ("f", "m")}, "count", np.array([7.0, np.nan]))
    >>> print(table_sdmx_csv(table, dataset="survey", version="2.0.0", labels="id").decode().replace("\r", ""), end="")
    STRUCTURE,STRUCTURE_ID,ACTION,SEX,STATISTIC,OBS_VALUE,OBS_STATUS,CONF_STATUS,UNIT_MEASURE
    dataflow,TACITA:SURVEY(2.0.0),I,f,COUNT,7,A,F,PN
    dataflow,TACITA:SURVEY(2.0.0),I,m,COUNT,,O,,PN
    """
    if labels not in ("both", "id"):
        raise ParameterError("table_sdmx_csv: 'labels' must be 'both' or 'id'.")
    if not _AGENCY.fullmatch(agency):
        raise ParameterError("table_sdmx_csv: 'agency' must be letters, digits, _ and -, a letter first.")
    table, request, refused = _parts_of(answer)
    shown = _Shown(labels == "both")
    flow = f"{agency}:{component_ids([dataset])[0]}({sdmx_version(version)})"
    head = ("dataflow", shown.named(flow, dataset), "I")
    ids = component_ids(table.by, (*_TERMS, *_OF_WHAT, *_MEASURES))
    names = [shown.named(word, name) for word, name in zip(ids, table.by, strict=True)]
    of_what = _of_what(table.statistic, request, shown)
    columns = _observed(table, refused, shown)
    classes = [
        [shown.named(word, name) for word, name in zip(class_ids(table.classes[by]), table.classes[by], strict=True)]
        for by in table.by
    ]
    places = np.indices(table.shape).reshape(len(table.by), -1)
    dimensions = [[words[place] for place in row] for words, row in zip(classes, places.tolist(), strict=True)]
    made = io.StringIO(newline="")
    writer = csv.writer(made, lineterminator="\r\n")
    writer.writerow((*_TERMS[:2], "ACTION", *names, *of_what, *columns))
    fixed = tuple(of_what.values())
    for place, cell in zip(zip(*dimensions, strict=True), zip(*columns.values(), strict=True), strict=True):
        writer.writerow((*head, *place, *fixed, *cell))
    return made.getvalue().encode("utf-8")


class _Shown:
    """How ids are written: with their names, or alone."""

    def __init__(self, has_names: bool) -> None:
        self.has_names = has_names

    def named(self, word: str, name: str) -> str:
        return f"{word}: {name}" if self.has_names else word

    def coded(self, code: tuple[str, str] | None) -> str:
        return "" if code is None else self.named(*code)


def _parts_of(answer: Answer | CellTable | Mapping[str, Any]) -> tuple[CellTable, Mapping[str, Any], Mapping[str, Any]]:
    """The table, what was asked, and the parts of the table that were refused."""
    if isinstance(answer, CellTable):
        return answer, {}, {}
    found = answer if isinstance(answer, Answer) else Answer.from_plain(answer)
    if not isinstance(found.table, CellTable):
        raise ParameterError("table_sdmx_csv: the answer must have a table; other answers have no SDMX form.")
    return found.table, found.request, found.parts or {}


def _of_what(statistic: str, request: Mapping[str, Any], shown: _Shown) -> dict[str, str]:
    """The dimensions that say what is measured; each has one class in a table."""
    found = {"STATISTIC": shown.named(statistic.upper(), statistic.replace("_", " "))}
    response = request.get("response")
    if isinstance(response, str):
        found["RESPONSE"] = shown.named(component_ids([response])[0], response)
    unit = request.get("unit")
    if isinstance(unit, str):  # persons where it is left out
        found["COUNTED_UNIT"] = shown.named(unit.upper(), unit)
    return {shown.named(word, _OF_WHAT[word]): value for word, value in found.items()}


def _observed(table: CellTable, parts: Mapping[str, Any], shown: _Shown) -> dict[str, list[Any]]:
    """Columns of the value and its attributes."""
    values = table.to_plain()["values"]
    held = _is_refused(table, parts)
    flags = table.flags or [""] * len(values)
    status = [
        ("Q" if is_held else "O") if value is None else "U" if flag else "A"
        for value, flag, is_held in zip(values, flags, held, strict=True)
    ]
    unit = shown.coded(_UNITS.get(table.statistic))
    columns: dict[str, list[Any]] = {
        "OBS_VALUE": values,
        "OBS_STATUS": [shown.named(word, _STATUS[word]) for word in status],
        "CONF_STATUS": [shown.coded(None if value is None else _FREE) for value in values],
        "UNIT_MEASURE": [unit] * len(values),
    }
    if table.errors is not None:
        columns["STD_ERROR"] = table.to_plain()["standard_errors"]
    return {shown.named(word, _MEASURES[word]): column for word, column in columns.items()}


def _is_refused(table: CellTable, parts: Mapping[str, Any]) -> list[bool]:
    """Whether each cell belongs to a part of the table that was refused."""
    each = parts.get("each")
    if each not in table.by:
        return [False] * table.values.size
    hit = np.array([word in parts["refused"] for word in table.classes[each]])
    axis = table.by.index(each)
    along = hit.reshape([-1 if i == axis else 1 for i in range(len(table.by))])
    return [bool(is_hit) for is_hit in np.broadcast_to(along, table.shape).ravel()]

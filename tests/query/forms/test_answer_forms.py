"""The forms by their names: each answer in those that it has, and no other."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.query.answer import Answer
from tacita.query.database import Database
from tacita.query.forms import FORMS, offered_forms, table_csv, table_sdmx_csv
from tacita.query.requests import Correlate, Quantiles, Regress, Residuals, Statistic, Tabulate
from tacita.query.restrictions import TableSize
from tests.query.builders import opened, policy_of, survey

TABLE_FORMS, CSV_FORMS, ONE = ("json", "csv", "sdmx-csv", "arrow"), ("json", "csv"), ("json",)
REQUESTS = [
    (Tabulate(by=["sex", "health"]), TABLE_FORMS, "sex,health,count"),
    (Tabulate(by=["sex"], statistic="mean", response="income"), TABLE_FORMS, "sex,mean,standard_error,flag"),
    (Statistic(response="income", statistic="mean"), CSV_FORMS, "value"),
    (Quantiles(response="income"), CSV_FORMS, "response,level,bin,value"),
    (Correlate(columns=["income", "age"]), CSV_FORMS, "variable,income,age"),
    (Regress(response="income", predictors=["sex"]), CSV_FORMS, "label,estimate,error,statistic,p_value"),
    (Residuals(response="income", predictors=["sex"]), ONE, ""),
    (Tabulate(by=["nobody"]), ONE, ""),
]


@pytest.fixture(scope="module")
def database() -> Database:
    return opened(survey(), policy_of(TableSize()), cutpoints=tc.query.cutpoints.FixedWidth(minimum=100))


@pytest.mark.parametrize(("request_", "forms", "head"), REQUESTS, ids=lambda value: getattr(value, "kind", None))
def test_answers_have_their_forms(database: Database, request_: Tabulate, forms: tuple[str, ...], head: str) -> None:
    answer = database.ask(request_)
    assert offered_forms(answer) == forms
    for name, form in FORMS.items():
        if name in forms:
            assert form.write(answer, "survey", "1")
        else:
            with pytest.raises(ParameterError, match=f"no form '{name}'"):
                form.write(answer, "survey", "1")
    if head:
        assert FORMS["csv"].write(answer, "", "").split(b"\r\n")[0].decode() == head


def test_forms_are_what_they_say(database: Database) -> None:
    answer = database.ask(Tabulate(by=["sex"]))
    made = {name: form.write(answer, "survey", "3.0.0") for name, form in FORMS.items()}
    assert json.loads(made["json"]) == answer.to_plain()
    assert made["csv"] == table_csv(answer.table)
    assert made["sdmx-csv"] == table_sdmx_csv(answer, dataset="survey", version="3.0.0")
    assert pa.ipc.open_stream(made["arrow"]).read_all().num_rows == 2


def test_media_types_and_suffixes() -> None:
    assert tuple(FORMS) == TABLE_FORMS
    for media_type, suffix, _ in FORMS.values():
        assert "/" in media_type.partition(";")[0]
        assert suffix.startswith(".")
    assert len({form.suffix for form in FORMS.values()}) == 4


def test_an_interval_is_csv() -> None:
    made = FORMS["csv"].write(Answer(status="answered", interval=(1.0, 2.0)), "", "")
    assert made == b"low,high\r\n1.0,2.0\r\n"

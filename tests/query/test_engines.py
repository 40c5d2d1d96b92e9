"""The same golden answers from DuckDB and from a PostgreSQL server that the tests start themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.query.database import Database
from tacita.query.requests import Correlate, Quantiles, Regress, Statistic, Tabulate
from tacita.query.requests.request import QueryRequest
from tacita.query.universe import Universe
from tests.postgres import Server
from tests.query.builders import opened, survey

REQUESTS: dict[str, QueryRequest] = {
    "table": Tabulate(by=["sex", "urban"]),
    "weighted table": Tabulate(by=["region"], statistic="weighted_count"),
    "percent": Tabulate(by=["sex"], statistic="percent", where={"urban": "city"}),
    "households": Tabulate(by=["household_size"], unit="households"),
    "mean": Tabulate(by=["sex"], response="income", statistic="mean"),
    "mean of a complex universe": Tabulate(
        by=["sex"], response="tax", statistic="mean", where=Universe({"urban": "town"}) | Universe({"sex": "female"})
    ),
    "regression": Regress(response="income", predictors=["age", "sex", "education"]),
    "correlation": Correlate(columns=["age", "income"]),
    "quantiles": Quantiles(response="income"),
    "sum": Statistic(response="income", statistic="sum"),
    "refusal": Tabulate(by=["sex"], where={"birth_country": "Brazil"}),
    "unknown": Tabulate(by=["sexx"]),
}
POLICIES = ("mas", "tables", "audited", "internal")


@pytest.fixture(scope="module")
def shuffled() -> Microdata:
    """The survey, not in the order of its ids."""
    data = survey()
    return data.take(np.random.default_rng(5).permutation(len(data)))


@pytest.fixture(scope="module")
def sources(postgres_server: Server, shuffled: Microdata, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("engines")
    tc.write(shuffled, folder / "survey.duckdb")
    postgres_server.write(shuffled.to_arrow(), "query_survey")
    return {"duckdb": folder / "survey.duckdb", "postgresql": postgres_server.url()}


def _opened(sources: dict[str, Any], engine: str, policy: str) -> Database:
    table = {"table": "query_survey"} if engine == "postgresql" else {}
    return opened(sources[engine], policy, schema=survey().schema, record_id="person_id", **table)


@pytest.mark.parametrize("policy", POLICIES)
def test_answers_do_not_depend_on_the_engine(sources: dict[str, Any], policy: str) -> None:
    answers = {}
    for engine in sources:
        db = _opened(sources, engine, policy)
        answers[engine] = {name: db.ask(request).to_json() for name, request in REQUESTS.items()}
    assert answers["postgresql"] == answers["duckdb"]
    statuses = {'"status":"answered"' in text for text in answers["duckdb"].values()}
    assert statuses == {True, False}


def test_the_version_is_the_same_whatever_the_engine(sources: dict[str, Any]) -> None:
    one, other = (_opened(sources, engine, "tables") for engine in sources)
    assert one.version.id == other.version.id
    assert one.catalogue == other.catalogue


def test_a_journal_of_one_engine_goes_on_with_the_other(sources: dict[str, Any], tmp_path: Path) -> None:
    asked = Statistic(response="income", statistic="sum", where={"sex": "female"})
    table = {"table": "query_survey"}
    common = {"schema": survey().schema, "record_id": "person_id", "journal": tmp_path / "journal.jsonl"}
    first = opened(sources["duckdb"], "audited", **common).ask(asked)
    second = opened(sources["postgresql"], "audited", **common, **table)
    assert second.history.answered == 1
    assert second.ask(asked).to_json() == first.to_json()

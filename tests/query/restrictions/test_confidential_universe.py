"""Confidential universes: no set of records is picked by what is to be protected."""

from __future__ import annotations

import pytest

from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.request import QueryRequest
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.confidential_universe import ConfidentialUniverse
from tests.query.builders import judged, opened, survey

RULE = ConfidentialUniverse()
DB = opened(survey(), "audited")
BIN = DB.catalogue["income"].classes[3]


@pytest.mark.parametrize(
    "request_",
    [
        Statistic(response="tax", statistic="mean", where={"income": BIN}),
        Statistic(response="income", statistic="mean", where={"income": BIN}),
        Tabulate(by=["health"]),
        Tabulate(by=["sex", "income"]),
        Statistic(where={"victim": "theft"}),
    ],
    ids=["another's value", "its own value", "a table", "a table of bins", "a count"],
)
def test_what_is_confidential_picks_nobody(request_: QueryRequest) -> None:
    assert judged(RULE, DB, request_).decision == "deny"
    assert DB.ask(request_).reasons == ("confidential_universe",)


def test_what_is_known_anyway_may_pick() -> None:
    assert judged(RULE, DB, Statistic(response="income", statistic="mean", where={"sex": "female"})).decision == "allow"
    assert judged(RULE, DB, Tabulate(by=["sex", "age"])).decision == "allow"


def test_a_response_without_the_role_picks_nobody_either() -> None:
    data = survey()
    data = data.with_schema(data.schema.change("income", roles=("other",)))
    db = opened(data, "audited")
    assert judged(RULE, db, Statistic(response="income", statistic="mean", where={"income": BIN})).decision == "deny"
    assert judged(RULE, db, Statistic(response="tax", statistic="mean", where={"income": BIN})).decision == "allow"


def test_quantiles_are_a_table_of_bins_of_the_response() -> None:
    assert judged(RULE, DB, Quantiles(response="income")).decision == "deny"

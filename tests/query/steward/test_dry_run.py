"""Dry runs: what a request is worth before it is asked, on a stand-in, for nothing."""

from collections.abc import Mapping

import pytest

from tacita.query import Combinations, Correlate, Quantiles, Regress, Statistic, Tabulate
from tacita.query.requests import QueryRequest
from tacita.query.restrictions import SetSize, TableSize
from tacita.query.steward.dry_run import dry_run
from tacita.query.steward.stand_in import stand_in
from tests.query.builders import opened, policy_of, survey

REAL = opened(survey(2000), "mas")
RULES = (TableSize(dimensions=2), Combinations(never=[["region", "occupation"]]), SetSize(k=10**6))
POLICY = policy_of(*RULES, requests=["tabulate", "regress", "correlate", "quantiles", "statistic"])
LIKE = opened(stand_in(survey(2000), seed=7, catalogue=REAL.catalogue), POLICY, catalogue=REAL.catalogue)


@pytest.mark.parametrize(
    ("request_", "part", "shape"),
    [
        (Tabulate(by=["sex", "urban"], where={"region": "Corrin"}), "table", (2, 3)),
        (Regress(response="income", predictors=["age", "sex"]), "model", (3,)),
        (Correlate(columns=["age", "income", "savings"]), "model", (3, 3)),
        (Quantiles(response="income", levels=[0.5]), "quantiles", (1,)),
        (Statistic(response="income", statistic="mean"), "value", ()),
    ],
)
def test_the_shape_is_that_of_the_real_answer(request_: QueryRequest, part: str, shape: tuple[int, ...]) -> None:
    """A rule on records would refuse all of these: it is not asked."""
    found = dry_run(LIKE, request_)
    assert (found.is_well_formed, found.part, found.shape, found.reasons) == (True, part, shape, ())
    if part in ("table", "model"):
        real = getattr(REAL.ask(request_), part)
        assert real is None or part == "model" or real.shape == shape
    assert dry_run(LIKE, request_.to_json()) == found


def test_labels_of_coefficients_are_those_of_the_answer() -> None:
    found = dry_run(LIKE, Regress(response="income", predictors=["age", "urban"]))
    assert found.columns[:2] == ("(intercept)", "age")
    assert {label.partition("[")[0] for label in found.columns[2:]} == {"urban"}


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        (Tabulate(by=["sexx"]), "unknown_variable"),
        (Tabulate(by=["sex"], where={"sex": "x"}), "unknown_class"),
        (Regress(response="region", predictors=["age"]), "variable_use"),
        (Tabulate(by=["sex", "urban", "region"]), "table_size"),
        (Tabulate(by=["region", "occupation"]), "combinations"),
        ({"kind": "residuals", "response": "income", "predictors": ["age"]}, "not_offered"),
        ('{"kind": "tabulate"}', "request_form"),
        ("no json", "request_form"),
    ],
)
def test_what_is_wrong_is_named(given: QueryRequest | Mapping[str, object] | str, rule: str) -> None:
    found = dry_run(LIKE, given)
    assert not found.is_well_formed
    assert found.reasons == (rule,)
    assert found.to_plain()["reasons"] == (rule,)


def test_hints_help() -> None:
    assert "Did you mean 'sex'?" in dry_run(LIKE, Tabulate(by=["sexx"])).hint


def test_it_costs_nothing() -> None:
    before = LIKE.journal.head()
    for _ in range(3):
        dry_run(LIKE, Tabulate(by=["sex"]))
    assert LIKE.journal.head() == before
    assert LIKE.history.answered == 0

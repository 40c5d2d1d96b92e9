"""Related models: how many of one response, and how many that are nearly the same."""

from __future__ import annotations

from tacita.query.requests.regress import Regress
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.related_models import RelatedModels
from tests.query.builders import asked, judged, opened, policy_of, survey

DATA = survey()


def _model(*predictors: str, where: object = None, response: str = "income") -> Regress:
    return Regress(response=response, predictors=list(predictors), where=where)


def test_a_response_has_so_many_models_and_no_more() -> None:
    db = opened(DATA, policy_of(RelatedModels(models=2, terms=0)))
    assert db.ask(_model("age"), user="ann").status == "answered"
    assert db.ask(_model("sex"), user="bob").status == "answered"
    assert db.ask(_model("urban"), user="eve").reasons == ("related_models",)
    assert db.ask(_model("urban", response="tax")).status == "answered"
    assert db.ask(_model("age"), user="eve").status == "answered", "what was answered is free"


def test_closely_related_models_are_limited() -> None:
    rule = RelatedModels(related=2, terms=1)
    db = opened(DATA, policy_of(rule))
    for names in (("age",), ("age", "sex")):
        assert db.ask(_model(*names)).status == "answered"
    found = judged(rule, db, _model("age", "urban"))
    assert found.decision == "allow", "one term apart from the first, two from the second"
    assert db.ask(_model("age", "urban")).status == "answered"
    found = judged(rule, db, _model("age", "sex", "urban"))
    assert (found.decision, found.detail.split(":")[0]) == ("deny", "closely_related")


def test_universes_that_differ_in_few_records_are_refused() -> None:
    rule = RelatedModels(records=300)
    db = opened(DATA, policy_of(rule))
    regions = db.catalogue["region"].classes
    assert db.ask(_model("age")).status == "answered"
    found = judged(rule, db, _model("age", where={"region": list(regions[1:])}))
    assert (found.decision, found.detail.split(":")[0]) == ("deny", "close_universes")
    assert judged(rule, db, _model("age", where={"region": list(regions[6:])})).decision == "allow"


def test_only_models_are_its_business() -> None:
    rule = RelatedModels()
    db = opened(DATA, policy_of(rule))
    assert not rule.applies(asked(db, Tabulate(by=["sex"])))
    assert rule.applies(asked(db, _model("age")))

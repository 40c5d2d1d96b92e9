"""Recodes come from the steward's list: variables of a catalogue that are made from a column of another name."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.query import Catalogue, Tabulate, Variable
from tacita.query.cutpoints.bins import Bins

KEY = b"0123456789abcdef"
PEOPLE = tc.samples.household_survey(1200, seed=4)
DRAFT = tc.query.open(PEOPLE, policy="internal", key=KEY).catalogue
WORK = Variable(
    name="works",
    of="employment",
    groups=(("yes", ("employee", "self-employed")), ("no", ("other", "retired", "student", "unemployed"))),
    classes=("yes", "no"),
    has_missing=DRAFT["employment"].has_missing,
    uses=("universe", "table", "predictor"),
)
ADULT = Variable(
    name="adult",
    of="age",
    bins=Bins(cuts=[17], whole=True),
    classes=Bins(cuts=[17], whole=True).labels,
    is_numeric=True,
    uses=("universe", "table"),
)
WITH = Catalogue((*DRAFT.variables, WORK, ADULT))


def test_a_recode_puts_classes_together() -> None:
    db = tc.query.open(PEOPLE, policy="internal", key=KEY, catalogue=WITH)
    whole = db.ask(Tabulate(by=["employment"])).table
    works = db.ask(Tabulate(by=["works"])).table
    assert works[{"works": "yes"}] == sum(whole[{"employment": word}] for word in ("employee", "self-employed"))


def test_a_recode_of_numbers_has_its_own_bins() -> None:
    db = tc.query.open(PEOPLE, policy="internal", key=KEY, catalogue=WITH)
    found = db.ask(Tabulate(by=["adult"])).table
    assert found.values[1] == np.sum(PEOPLE.float("age") > 17)


def test_the_file_keeps_recodes() -> None:
    assert Catalogue.from_plain(WITH.to_plain()) == WITH


def test_a_recode_of_what_is_confidential_is_confidential() -> None:
    ill = Variable(
        name="ill",
        of="health",
        groups=(("ill", ("very bad", "bad")), ("well", ("fair", "good", "very good"))),
        classes=("ill", "well"),
        has_missing=DRAFT["health"].has_missing,
        uses=("universe", "table"),
    )
    db = tc.query.open(PEOPLE, policy="audited", key=KEY, catalogue=Catalogue((*DRAFT.variables, ill)))
    asked = tc.query.Statistic(response="income", statistic="sum", where={"ill": ["ill"]})
    assert db.ask(asked).reasons == ("confidential_universe",)


def test_a_recode_that_forgets_a_class_is_refused() -> None:
    lacking = Variable(
        name="works", of="employment", groups=(("yes", ("employee",)),), classes=("yes",), uses=("table",)
    )
    with pytest.raises(DataError, match="'works' has values that are in no class"):
        tc.query.open(PEOPLE, policy="internal", key=KEY, catalogue=Catalogue((lacking,)))


@pytest.mark.parametrize(
    "changes",
    [
        {"of": ""},
        {"classes": ("yes",)},
        {"groups": (("yes", ("employee",)), ("no", ("employee",)))},
        {"groups": (("yes", ("employee",)), ("no", ()))},
    ],
    ids=["of nothing", "other classes", "twice", "an empty group"],
)
def test_what_is_no_recode_is_said(changes: dict[str, object]) -> None:
    facts = {"name": "works", "of": "employment", "groups": WORK.groups, "classes": WORK.classes, "uses": ("table",)}
    with pytest.raises(ParameterError, match="Variable 'works'"):
        Variable(**{**facts, **changes})  # type: ignore[arg-type]

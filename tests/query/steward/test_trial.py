"""Trials: the answers of the database itself, and nothing counted."""

import numpy as np

from tacita.query import Policy, Regress, Statistic, Tabulate, Waits
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.restrictions import TableSize
from tacita.query.steward.trial import exact_policy, trial_of
from tests.query.builders import opened, policy_of, survey


def test_a_trial_has_the_answers_of_the_database_and_leaves_no_trace() -> None:
    db = opened(survey(400), policy_of(TableSize(), cells=CellKeyNoise(), requests=["tabulate"]))
    before, asked = db.journal.head(), Tabulate(by=["sex", "region"])
    tried = trial_of(db).ask(asked)
    assert db.journal.head() == before
    assert db.history.answered == 0
    assert np.array_equal(tried.table.values, db.ask(asked).table.values)


def test_nobody_waits_in_a_trial() -> None:
    db = opened(survey(400), policy_of(TableSize(), Waits(most=1, window=3600.0)))
    requests = [Tabulate(by=[name]) for name in ("sex", "region", "urban")]
    assert {trial_of(db).ask(request).status for request in requests} == {"answered"}
    trial = trial_of(db)
    assert [trial.ask(request).status for request in requests] == ["answered"] * 3
    real = opened(survey(400), db.policy, now=lambda: 0.0)
    assert [real.ask(request).status for request in requests] == ["answered", "refused", "refused"]


def test_the_exact_policy_answers_what_others_refuse_and_changes_nothing() -> None:
    db = opened(survey(400), "mas")
    exact = trial_of(db, exact_policy(db.policy))
    one = exact.ask(Statistic(response="income", statistic="maximum"))
    assert one.value == np.nanmax(db.version.values("income"))
    table = exact.ask(Tabulate(by=["sex"])).table
    assert table.values.tolist() == np.bincount(db.version.codes("sex")).tolist()
    assert exact.ask(Regress(response="income", predictors=["age"])).status == "answered"


def test_limits_on_models_are_kept_and_protection_is_not() -> None:
    policy = Policy.preset("mas")
    made = exact_policy(policy)
    assert made.parts.get("models") == policy.parts.get("models")
    assert not {"subsample", "cells", "numbers", "input", "camouflage", "privacy"} & set(made.parts)

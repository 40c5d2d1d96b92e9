"""Differential privacy as a policy: noise of the stated size, public metadata only, bounded contributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.cutpoints.given import Given
from tacita.query.cutpoints.partitioned import Partitioned
from tacita.query.database import Database
from tacita.query.noise.dp.privacy import DifferentialPrivacy
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.budget import PrivacyBudget
from tests.query.builders import asked, opened, policy_of, survey
from tests.query.noise.dp.public_survey import public_survey


def _opened(data: Any = None, *, cutpoints: Any = None, **settings: Any) -> Database:
    privacy = DifferentialPrivacy(**{"budget": 1000.0, "price": 1.0, **settings})
    policy = policy_of(PrivacyBudget(), requests=("tabulate", "statistic"), privacy=privacy)
    return opened(public_survey() if data is None else data, policy, cutpoints=cutpoints)


def _many(db: Database, request: Tabulate | Statistic, times: int) -> np.ndarray[Any, Any]:
    """Ask the part itself often: the database would give the same answer again."""
    privacy, question = db.policy.part("privacy"), asked(db, request)
    if isinstance(request, Statistic):
        return np.array([privacy.number(question, request) for _ in range(times)])
    return np.array([privacy.table(question, request).values.ravel() for _ in range(times)])


@pytest.mark.parametrize(("price", "measure"), [(1.0, "pure"), (0.5, "zcdp")])
def test_noise_of_counts_has_the_stated_variance(price: float, measure: str) -> None:
    """Discrete Laplace: 2 a / (1 - a)**2 with a = exp(-epsilon); discrete Gaussian: 1 / (2 rho). 400 draws, 30 % apart."""
    drawn = _many(_opened(price=price, measure=measure), Statistic(), 400)
    a = np.exp(-price)
    stated = 2 * a / (1 - a) ** 2 if measure == "pure" else 1 / (2 * price)
    assert abs(drawn.mean() - 2000) < 4 * np.sqrt(stated / 400)
    assert 0.7 < drawn.var() / stated < 1.3


def test_an_answer_is_drawn_anew_by_every_database_with_the_same_key() -> None:
    found = {_opened().ask(Tabulate(by=["education"])).to_json() for _ in range(3)}
    assert len(found) == 3


def test_means_lie_within_the_public_range() -> None:
    db = _opened(price=0.001)
    drawn = _many(db, Statistic(response="tax", statistic="mean", where={"education": "doctorate"}), 100)
    assert drawn.min() >= 0
    assert drawn.max() <= 20_000


def test_a_mean_is_near_the_truth_with_a_large_budget() -> None:
    db = _opened(price=50.0)
    truth = np.nanmean(np.clip(public_survey().float("tax"), 0, 20_000))
    assert _many(db, Statistic(response="tax", statistic="mean"), 20).mean() == pytest.approx(truth, rel=0.01)


def test_an_empty_universe_is_answered_like_any_other() -> None:
    """A refusal would tell for certain that nobody is there."""
    db = _opened(price=0.5)
    empty = {"education": "doctorate", "household_size": "6"}
    assert len(asked(db, Statistic(where=empty)).members) == 0
    answer = db.ask(Statistic(where=empty))
    assert answer.status == "answered"
    assert answer.value is not None
    assert db.ask(Statistic(response="tax", statistic="mean", where=empty)).status == "answered"


@pytest.mark.parametrize(
    ("request_", "what"),
    [
        (Tabulate(by=["urban"]), "urban"),
        (Tabulate(by=["region"]), "region"),
        (Statistic(where={"marital": "single"}), "marital"),
        (Statistic(response="income", statistic="sum"), "bounds of income"),
    ],
    ids=["classes not listed", "not public", "in the universe", "no bounds"],
)
def test_what_was_made_from_the_data_is_refused(request_: Any, what: str) -> None:
    db = _opened()
    assert db.policy.part("privacy").check_public(asked(db, request_)) == what
    assert db.ask(request_).reasons == ("privacy_budget",)


def test_cutpoints_made_from_the_data_are_refused_and_given_ones_are_not() -> None:
    data = public_survey()
    data = data.with_schema(data.schema.change("age", public=True))
    made = _opened(data, cutpoints={"age": Partitioned(minimum=50)})
    assert made.ask(Tabulate(by=["age"])).reasons == ("privacy_budget",)
    given = _opened(data, cutpoints={"age": Given(edges=(17, 64), whole=True)})
    assert given.ask(Tabulate(by=["age"])).status == "answered"


def test_households_are_counted_once_where_they_are_the_unit() -> None:
    db = _opened(price=100.0, unit="household", most=1)
    households = len(np.unique(db.version.households))
    assert db.ask(Statistic()).value == pytest.approx(households, abs=2)
    two = _opened(price=100.0, unit="household", most=2)
    sizes = np.bincount(two.version.households)
    assert two.ask(Statistic()).value == pytest.approx(np.minimum(sizes, 2).sum(), abs=2)


def test_more_records_of_a_unit_mean_more_noise() -> None:
    one, five = (_many(_opened(unit="household", most=m), Statistic(), 300).std() for m in (1, 5))
    assert 3.0 < five / one < 8.0


def test_no_household_changes_sums_by_more_than_its_records_that_count() -> None:
    """Taking away a whole household changes the records that count by at most ``most``."""
    db = _opened(unit="household", most=2)
    privacy = db.policy.part("privacy")
    rows = privacy.rows(asked(db, Statistic()))
    assert np.bincount(db.version.households[rows]).max() == 2


@pytest.mark.parametrize("statistic", ["variance", "median", "maximum"])
def test_statistics_without_a_bounded_sensitivity_are_refused(statistic: str) -> None:
    request = Statistic(response="tax", statistic=statistic)  # type: ignore[arg-type]
    assert _opened().ask(request).reasons == ("privacy_budget",)


def test_percentages_weights_and_counts_of_households_are_refused() -> None:
    for request in (
        Tabulate(by=["sex"], statistic="percent"),
        Tabulate(by=["sex"], statistic="weighted_count"),
        Tabulate(by=["sex"], unit="households"),
    ):
        assert _opened().ask(request).reasons == ("privacy_budget",)


def test_counts_are_never_below_zero() -> None:
    assert _many(_opened(price=0.05), Tabulate(by=["education"]), 50).min() == 0


@pytest.mark.parametrize(
    "settings", [{"price": 2.0, "budget": 1.0}, {"unit": "person", "most": 2}, {"budget": 0.0}, {"step": 0.0}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(ParameterError, match="DifferentialPrivacy"):
        DifferentialPrivacy(**settings)


def test_values_beyond_the_bounds_are_moved_to_them() -> None:
    db = _opened(price=1000.0, budget=10_000.0)
    truth = np.nansum(np.clip(survey().float("tax"), 0, 20_000))
    assert truth < np.nansum(survey().float("tax"))
    assert db.ask(Statistic(response="tax", statistic="sum")).value == pytest.approx(truth, rel=0.001)

"""The best linear attacker: known-weak policies are broken, a slow attacker agrees, nothing answered gains nothing."""

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.query import Statistic, Tabulate
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.restrictions import SumAudit, TableSize
from tacita.query.steward import linear_attacker
from tacita.query.steward.equations import equations_of
from tacita.query.steward.linear_attacker import policy_risk
from tacita.query.steward.trial import exact_policy, trial_of
from tacita.query.steward.workload import Workload, random_workload
from tests.query.builders import opened, people, policy_of, ring, survey


def test_exact_answers_about_sets_that_overlap_give_everything() -> None:
    db = opened(ring(40), exact_policy())
    rng = np.random.default_rng(1)
    sets = [[f"r{i:02d}" for i in np.flatnonzero(rng.random(40) < 0.5)] for _ in range(60)]
    asked = [Statistic(response="wage", statistic="sum", where={"who": chosen}) for chosen in sets]
    found = policy_risk(db, asked, target="wage")
    assert found.gain > 0.999
    assert found.low <= found.gain <= found.high
    assert found.equations == 60
    assert policy_risk(db, asked[:10], target="wage").gain < 0.7


def test_nothing_answered_gains_nothing() -> None:
    db = opened(survey(300), policy_of(TableSize(), requests=["statistic"]))
    found = policy_risk(db, [Tabulate(by=["sex", "victim"])], target="victim", of="no")
    assert (found.gain, found.low, found.high, found.outsider, found.equations) == (0.0, 0.0, 0.0, 0.0, 0)
    assert found.precision == pytest.approx(found.prior)
    assert found.excess == 0.0


def test_noise_is_worth_something_and_more_of_it_more() -> None:
    plain = opened(survey(300), policy_of(TableSize(dimensions=9)))
    asked = random_workload(plain.catalogue, 80, seed=2, kinds=["table"], about="health")
    gains = [policy_risk(plain, asked, target="health", of="good").gain]
    for noise in (
        CellKeyNoise(bound=3, variance=1.0),
        CellKeyNoise(bound=10, variance=9.0),
        CellKeyNoise(bound=25, variance=20.0),
    ):
        db = opened(survey(300), policy_of(TableSize(dimensions=9), cells=noise, requests=["tabulate"]))
        gains.append(policy_risk(db, asked, target="health", of="good").gain)
    assert gains == sorted(gains, reverse=True)
    assert gains[0] > 0.9
    assert gains[-1] < 0.3


def test_it_is_damped_least_squares_by_a_slow_attacker() -> None:
    """The estimate and the outsider's, from dense matrices, each record left out one after the other."""
    db = opened(survey(60), exact_policy())
    asked = random_workload(db.catalogue, 12, seed=3, kinds=["table"], about="health", cells=60)
    exact = trial_of(db)
    answers = [(request, exact.ask(request)) for request, _ in asked]
    equations = equations_of(db.version, answers, target="health", of="good")
    a = np.zeros((len(equations), 60))
    a[equations.rows, equations.columns] = equations.coefficients
    truth = equations.truth
    guess, spread = truth.mean(), truth.std()
    z = (truth - guess) / spread
    gain, outside = 0.0, 0.0
    for noise in linear_attacker._NOISES:
        hat = a.T @ np.linalg.inv(a @ a.T + noise**2 * np.eye(len(a)))
        gain = max(gain, 1 - ((z - hat @ (a @ z)) ** 2).mean())
        absent = np.zeros(60)
        for i in range(60):
            rest = np.delete(a, i, axis=1)
            solved = np.linalg.solve(rest @ rest.T + noise**2 * np.eye(len(a)), rest @ np.delete(z, i))
            absent[i] = a[:, i] @ solved
        outside = max(outside, 1 - ((z - absent) ** 2).mean())
    found = policy_risk(db, asked, target="health", of="good")
    assert found.gain == pytest.approx(gain, abs=1e-6)
    assert found.outsider == pytest.approx(outside, abs=1e-4)


def test_many_records_are_solved_by_iteration_with_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    db = opened(survey(200), exact_policy())
    asked = random_workload(db.catalogue, 30, seed=4, kinds=["table"], about="health")
    dense = policy_risk(db, asked, target="health")
    monkeypatch.setattr(linear_attacker, "_MOST_DENSE", 0)
    sparse = policy_risk(db, asked, target="health")
    assert sparse.gain == pytest.approx(dense.gain, abs=0.02)
    assert sparse.outsider is None
    assert sparse.excess is None


def test_what_groups_tell_is_no_disclosure() -> None:
    """Two groups with two wages: the mean of each tells nearly everything, about people who are not there as well."""
    rng = np.random.default_rng(1)
    groups = {("north",): 100, ("south",): 100}
    pay = np.concatenate([rng.normal(100, 1, 100), rng.normal(200, 1, 100)])
    data = people(groups, ("region",), pay=pay)
    db = opened(data, exact_policy())
    request = Tabulate(by=["region"], response="pay", statistic="mean")
    found = policy_risk(db, [request], target="pay")
    assert found.gain > 0.99
    assert found.excess == pytest.approx(0, abs=0.001)


def test_the_interval_covers_what_other_records_give() -> None:
    """The same policy on other people of the same country: most gains lie in the interval of one of them."""
    import tacita as tc

    def risk(seed: int) -> linear_attacker.PolicyRisk:
        db = opened(
            tc.samples.household_survey(300, seed=seed),
            policy_of(TableSize(dimensions=9), cells=CellKeyNoise(), requests=["tabulate"]),
        )
        asked = [Tabulate(by=["sex", "urban", "victim"]), Tabulate(by=["region", "urban", "victim"])]
        return policy_risk(db, asked, target="victim", of="no")

    several = [risk(seed) for seed in range(12)]
    middle = np.mean([found.gain for found in several])
    covered = sum(found.low - 0.02 <= middle <= found.high + 0.02 for found in several)
    assert covered >= 9


def test_the_auditor_keeps_him_from_single_values() -> None:
    """Sums of all pairs of neighbours on a line of records, and of odd sets: solvable, unless they are audited."""
    sets = [[f"r{i:02d}", f"r{i + 1:02d}"] for i in range(39)] + [[f"r{i:02d}" for i in range(3)]]
    asked = [Statistic(response="wage", statistic="sum", where={"who": chosen}) for chosen in sets]
    plain = policy_risk(opened(ring(40), exact_policy()), asked, target="wage")
    audited = policy_risk(opened(ring(40), policy_of(SumAudit(limit=3))), asked, target="wage")
    assert plain.gain > 0.999
    assert audited.gain < 0.3


def test_the_target_may_be_left_open() -> None:
    db = opened(survey(300), exact_policy())
    found = policy_risk(db, [Tabulate(by=["sex"])])
    assert (found.target, found.of) == ("earnings", None)
    named = policy_risk(db, [Tabulate(by=["sex", "victim"])], target="victim")
    assert named.of == "no"
    assert named.to_plain()["target"] == "victim"


def test_a_variable_without_differences_cannot_be_found_out() -> None:
    db = opened(people({("f",): 5}, ("sex",), pay=[3.0] * 5), exact_policy())
    with pytest.raises(DataError, match="all records have the same value"):
        policy_risk(db, Workload([Statistic(response="pay", statistic="sum")]), target="pay")

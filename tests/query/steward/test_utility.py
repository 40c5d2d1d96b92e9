"""Utility: denied is suppressed, perturbed is perturbed; by hand on small answers, and on policies."""

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query import Answer, Correlate, Quantiles, Regress, Statistic, Tabulate, Waits
from tacita.query.noise.cell_key import CellKeyNoise
from tacita.query.restrictions import SetSize, TableSize
from tacita.query.steward.trial import exact_policy
from tacita.query.steward.utility import cells_of, policy_utility, true_answers, utility_of_answers
from tacita.query.steward.workload import Workload, random_workload
from tacita.query.tables.cell_table import CellTable
from tests.query.builders import opened, policy_of, survey


def table(*values: float) -> Answer:
    classes = {"a": tuple(str(i) for i in range(len(values)))}
    return Answer(status="answered", table=CellTable(("a",), classes, "count", np.array(values)))


REFUSED = Answer(status="refused", reasons=("set_size",))
ASKED = Workload([Tabulate(by=["a"]), Tabulate(by=["b"]), Tabulate(by=["c"])], [2, 1, 1])


def test_by_hand() -> None:
    answers = [table(12, 1, 4), REFUSED, Answer(status="review", reasons=("combinations",))]
    found = utility_of_answers(ASKED, answers, [table(10, 0, 4), table(3), table(5)])
    # errors 2/10, 1 (of nothing something was made) and 0: mean 0.4, with half of the weight
    assert found.relative_error == pytest.approx(0.4)
    assert found.perturbed == pytest.approx(2 / 3)
    assert found.cells == 3
    assert (found.answered, found.refused, found.review) == (0.5, 0.25, 0.25)
    assert found.loss == pytest.approx(0.5 * 0.4 + 0.25 + 0.25)
    assert found.utility == pytest.approx(0.3)
    assert found.rules == {"combinations": 0.25, "set_size": 0.25}
    assert found.to_plain()["loss"] == found.loss


def test_a_wrong_cell_is_never_worse_than_a_suppressed_one() -> None:
    asked = Workload([Tabulate(by=["a"])])
    wild = utility_of_answers(asked, [table(1000.0)], [table(1.0)])
    assert wild.loss == 1.0
    assert utility_of_answers(asked, [REFUSED], [table(1.0)]).loss == 1.0


def test_half_the_width_of_an_interval_is_its_error() -> None:
    asked = Workload([Statistic(response="x", statistic="sum")])
    found = utility_of_answers(
        asked, [Answer(status="answered", interval=(80.0, 120.0))], [Answer(status="answered", value=90.0)]
    )
    assert found.loss == pytest.approx(20 / 90)


def test_cells_of_every_kind_of_answer() -> None:
    db = opened(survey(2000), exact_policy())
    kinds = {
        Tabulate(by=["sex"]): 2,
        Statistic(response="income", statistic="mean"): 1,
        Correlate(columns=["age", "earnings", "income"]): 3,
        Regress(response="income", predictors=["age"]): 2,
    }
    for request, count in kinds.items():
        assert len(cells_of(db.ask(request))) == count, request.kind
    cut = opened(survey(600), "tables")
    quantiles = set(cells_of(cut.ask(Quantiles(response="income"))))
    assert ("quantile", 0.5) in quantiles <= {("quantile", q) for q in (0.25, 0.5, 0.75)}  # an open bin has no value
    assert cells_of(REFUSED) == {}


def test_an_exact_policy_loses_nothing_and_noise_loses_something() -> None:
    exact = opened(survey(600), policy_of(TableSize(dimensions=9)))
    asked = random_workload(exact.catalogue, 25, seed=1, kinds=["table"])
    clean = policy_utility(exact, asked)
    assert (clean.loss, clean.perturbed, clean.answered) == (0.0, 0.0, 1.0)
    noisy = policy_utility(
        opened(survey(600), policy_of(TableSize(dimensions=9), cells=CellKeyNoise(), requests=["tabulate"])), asked
    )
    wilder = policy_utility(
        opened(
            survey(600),
            policy_of(TableSize(dimensions=9), cells=CellKeyNoise(bound=10, variance=9.0), requests=["tabulate"]),
        ),
        asked,
    )
    assert 0 < noisy.loss < wilder.loss
    assert noisy.perturbed > 0.1  # empty cells stay empty


def test_refusals_are_counted_by_their_rules() -> None:
    db = opened(survey(600), policy_of(SetSize(k=550), requests=["tabulate"]))
    asked = [Tabulate(by=["sex"]), Tabulate(by=["sex"], where={"sex": "male"}), Statistic()]
    found = policy_utility(db, asked)
    assert found.rules == pytest.approx({"not_offered": 1 / 3, "set_size": 1 / 3})
    assert found.loss == pytest.approx(2 / 3)


def test_measuring_costs_nothing() -> None:
    db = opened(survey(600), policy_of(TableSize(), Waits(most=1)))
    before = db.journal.head()
    assert policy_utility(db, [Tabulate(by=["sex"]), Tabulate(by=["urban"])]).answered == 1.0
    assert db.journal.head() == before


def test_the_truth_can_be_given() -> None:
    db = opened(survey(600), policy_of(TableSize(), cells=CellKeyNoise(), requests=["tabulate"]))
    asked = [Tabulate(by=["region"]), Tabulate(by=["sex"])]
    assert policy_utility(db, asked, truth=true_answers(db, asked)) == policy_utility(db, asked)
    with pytest.raises(ParameterError, match="as many answers"):
        policy_utility(db, asked, truth=[])
    with pytest.raises(ParameterError, match="must have a question"):
        policy_utility(db, [])

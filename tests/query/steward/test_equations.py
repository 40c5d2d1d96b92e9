"""Equations: with exact answers the true values solve every one of them, whatever the universes are."""

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query import Answer, Statistic, Tabulate, Universe
from tacita.query.catalogue.version import Version
from tacita.query.steward.equations import Equations, equations_of
from tacita.query.steward.trial import exact_policy, trial_of
from tacita.query.steward.workload import Workload, random_workload
from tests.query.builders import opened, people, survey

DB = opened(survey(400), "tables")


def found(requests: Workload, target: str, of: str | None = None) -> Equations:
    exact = trial_of(DB, exact_policy())
    return equations_of(DB.version, [(r, exact.ask(r)) for r, _ in requests], target=target, of=of)


def residuals(equations: Equations) -> np.ndarray:
    values = equations.coefficients * equations.truth[equations.columns]
    return np.bincount(equations.rows, values, len(equations)) - equations.totals


@pytest.mark.parametrize(
    ("target", "of"), [("health", "good"), ("sex", "male"), ("victim", "(missing)"), ("age", None)]
)
def test_counts_hold_for_the_truth(target: str, of: str | None) -> None:
    asked = random_workload(DB.catalogue, 120, seed=1, kinds=["table"])
    of = DB.catalogue[target].classes[0] if of is None else of
    equations = found(asked, target, of)
    assert len(equations) > 20
    assert np.abs(residuals(equations)).max() < 1e-9


def test_a_universe_that_names_the_variable_itself_is_an_equation_too() -> None:
    male = Universe({"sex": "male"})
    asked = Workload(
        [
            Tabulate(by=["urban"], where=male),  # counts of men by town
            Tabulate(by=["urban"], where=male | Universe({"urban": "city"})),  # all of the city, men elsewhere
            Tabulate(by=["urban"], where={"sex": "female"}),  # a count of women is one of men with the sign changed
            Statistic(where={"sex": "male", "urban": "town"}),
            Tabulate(by=["urban"]),  # tells nothing about sex
        ]
    )
    equations = found(asked, "sex", "male")
    assert len(equations) == 3 + 2 + 3 + 1
    assert np.abs(residuals(equations)).max() == 0
    assert set(np.unique(equations.coefficients)) == {-1.0, 1.0}


def test_cells_that_are_no_linear_equation_are_left_out() -> None:
    """Of three classes a universe takes one other: the count is of the class and of something unknown beside it."""
    asked = Workload([Tabulate(by=["sex"], where={"urban": ["city", "town"]})])
    assert len(found(asked, "urban", "city")) == 0
    both = Workload([Tabulate(by=["sex"], where={"urban": ["rural", "town"]})])
    assert len(found(both, "urban", "city")) == 2


def test_weighted_counts_means_totals_and_sums_hold() -> None:
    weighted = Workload([Tabulate(by=["region", "health"], statistic="weighted_count")])
    equations = found(weighted, "health", "good")
    assert np.abs(residuals(equations)).max() < 1e-6
    assert len(np.unique(equations.coefficients)) > 2
    numbers = random_workload(DB.catalogue, 60, seed=2, kinds=["mean", "sum"], about="income")
    totals = Workload(
        [
            Tabulate(by=["region"], response="income", statistic="total"),
            Statistic(response="income", statistic="mean"),
            Tabulate(by=["region"], response="tax", statistic="total"),
        ]
    )
    for asked in (numbers, totals):
        equations = found(asked, "income")
        assert len(equations) > 10
        scale = np.abs(equations.totals).max()
        assert np.abs(residuals(equations)).max() < 1e-6 * scale


def test_what_was_refused_says_nothing_and_intervals_say_their_middle() -> None:
    data = people({("f",): 6, ("m",): 6}, ("sex",))
    version: Version = opened(data, exact_policy()).version
    request = Statistic(response="wage", statistic="sum")
    said = [(request, Answer(status="refused")), (request, Answer(status="answered", interval=(1.0, 5.0)))]
    equations = equations_of(version, said, target="wage")
    assert equations.totals.tolist() == [3.0]


def test_bad_targets() -> None:
    with pytest.raises(ParameterError, match="'of' must name a class"):
        found(Workload([Tabulate(by=["sex"])]), "urban")
    with pytest.raises(ParameterError, match="no class 'x'"):
        found(Workload([Tabulate(by=["sex"])]), "sex", "x")

"""Size of cells: means and totals of few records."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.cell_size import CellSize
from tests.query.builders import asked, judged, opened, people, policy_of, survey

RULE = CellSize(least=3)


@pytest.mark.parametrize(("alone", "decision"), [(0, "allow"), (1, "deny"), (2, "deny"), (3, "allow")])
@pytest.mark.parametrize("statistic", ["mean", "total"])
def test_a_cell_of_one_or_two_records_is_refused(alone: int, decision: str, statistic: str) -> None:
    counts = {("a", "x"): 20, ("b", "x"): 9, ("a", "y"): 5, ("b", "y"): alone}
    db = opened(people({k: n for k, n in counts.items() if n}, ("v", "w")), policy_of(RULE))
    request = Tabulate(by=["v", "w"], response="wage", statistic=statistic)  # type: ignore[arg-type]
    assert judged(RULE, db, request).decision == decision


def test_records_without_a_value_do_not_make_a_cell_larger() -> None:
    data = people({("a",): 20, ("b",): 4}, ["v"])
    wage = data.float("wage").copy()
    wage[[20, 21]] = np.nan
    db = opened(data.with_numbers({"wage": wage}), policy_of(RULE))
    assert judged(RULE, db, Tabulate(by=["v"], response="wage", statistic="mean")).decision == "deny"


def test_counts_are_not_its_business() -> None:
    db = opened(people({("a",): 20, ("b",): 1}, ["v"]), policy_of(RULE))
    assert not RULE.applies(asked(db, Tabulate(by=["v"])))


def test_under_mas_no_mean_is_the_value_of_one_record() -> None:
    """The attack that the two rules on universes and Drop q leave open: many classes, one record in a cell."""
    data = survey()
    request = Tabulate(by=["region", "occupation", "sex"], response="income", statistic="mean")
    assert "cell_size" in opened(data, "mas").ask(request).reasons
    policy = opened(data, "mas").policy
    loose = policy_of(
        *(r for r in policy.restrictions if r.name not in ("cell_size", "sparsity", "row_audit")), **policy.parts
    )
    shown = opened(data, loose).ask(request).table.values
    values = set(data.float("income")[~np.isnan(data.float("income"))].tolist())
    alone = [value for value in shown.ravel().tolist() if value in values]
    assert len(alone) > 100, "without the rule hundreds of incomes stand in the table as they are"

"""No marginal 1 or 2: totals of the unfiltered table of the universe's variables."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.query.requests.tabulate import Tabulate
from tacita.query.restrictions.small_marginals import SmallMarginals
from tacita.query.universe import Universe
from tests.query.builders import PAPER_BINS, judged, opened, opened_paper, people, policy_of

RULE = SmallMarginals()
EXAMPLE = Universe({"gender": "female", "income": PAPER_BINS[3]}) | Universe(
    {"gender": "male", "income": list(PAPER_BINS[1:3])}
)
"""Examples (1) and (2) of the paper."""


def _decision(male: tuple[int, ...], female: tuple[int, ...], universe: Universe = EXAMPLE) -> str:
    return judged(RULE, opened_paper(male, female, RULE), Tabulate(by=["gender"], where=universe)).decision


@pytest.mark.parametrize(
    ("male", "female", "decision"),
    [
        ((70, 30, 20, 60), (80, 40, 15, 50), "allow"),
        ((70, 30, 1, 60), (80, 40, 0, 50), "deny"),  # n(.,3) = 1
        ((70, 30, 1, 60), (80, 40, 1, 50), "deny"),  # n(.,3) = 2
        ((70, 30, 1, 60), (80, 40, 2, 50), "allow"),  # n(.,3) = 3, cells of 1 and 2 are no marginals
        ((70, 30, 0, 60), (80, 40, 0, 50), "allow"),  # n(.,3) = 0
        ((1, 0, 1, 0), (80, 40, 15, 50), "deny"),  # n(1,.) = 2
        ((2, 70, 1, 60), (0, 40, 15, 50), "deny"),  # n(.,1) = 2, in a bin that the universe does not name
    ],
)
def test_the_paper_s_condition(male: tuple[int, ...], female: tuple[int, ...], decision: str) -> None:
    """(n(i,.) >= 3 or = 0) and (n(.,j) >= 3 or = 0), for all rows and columns."""
    assert _decision(male, female) == decision


def test_with_one_variable_the_marginal_is_the_number_of_all() -> None:
    assert _decision((1, 0, 0, 0), (0, 0, 0, 1), Universe({"gender": "female"})) == "deny"
    assert _decision((1, 0, 0, 0), (0, 0, 0, 2), Universe({"gender": "female"})) == "allow"


def test_everybody_has_no_marginal() -> None:
    assert _decision((1, 0, 0, 0), (0, 0, 0, 1), Universe()) == "allow"


def test_three_variables_have_marginals_of_two() -> None:
    """The total over c of (a1, b1) is 2, though no class of a or b is small."""
    counts = {("a1", "b1", "c1"): 1, ("a1", "b1", "c2"): 1}
    counts |= {(a, b, c): 5 for a in ("a1", "a2") for b in ("b1", "b2") for c in ("c1", "c2") if (a, b) != ("a1", "b1")}
    db = opened(people(counts, ("a", "b", "c")), policy_of(RULE))
    assert judged(RULE, db, Tabulate(by=["a"], where={"a": "a2", "b": "b2", "c": "c1"})).decision == "deny"
    assert judged(RULE, db, Tabulate(by=["a"], where={"a": "a2", "b": "b2"})).decision == "allow"


def test_a_noisy_threshold_is_met_in_its_share_of_tables() -> None:
    """Of totals of 3, thresholds 2, 3 and 4 refuse a third; totals of 1 are refused always."""
    rule = SmallMarginals(at_least=3, noise=1)
    refused = []
    for number in range(90):
        counts = {("a", "x"): 3, ("b", "x"): 90 + number, ("a", "y"): 0, ("b", "y"): 40}
        there = people({k: v for k, v in counts.items() if v}, ("v", "w"))
        db = opened(there, policy_of(rule), key=f"key number {number} of a test".encode())
        refused.append(judged(rule, db, Tabulate(by=["v"], where={"v": "b", "w": "x"})).decision == "deny")
    assert 0.15 < np.mean(refused) < 0.52  # four standard errors around a third
    counts = {("a", "x"): 1, ("b", "x"): 30, ("b", "y"): 30}
    db = opened(people(counts, ("v", "w")), policy_of(rule))
    assert judged(rule, db, Tabulate(by=["v"], where={"v": "b", "w": "x"})).decision == "deny"


def test_the_same_table_meets_the_same_noise() -> None:
    rule = SmallMarginals(at_least=4, noise=2)
    data = people({("a", "x"): 4, ("b", "x"): 30, ("b", "y"): 30}, ("v", "w"))
    found = {
        judged(rule, opened(data, policy_of(rule)), Tabulate(by=["v"], where={"v": c, "w": "x"})).decision for c in "ab"
    }
    assert len(found) == 1

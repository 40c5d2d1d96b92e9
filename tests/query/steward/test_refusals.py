"""Refusals as an oracle: fixed thresholds are found at once, keyed ones are not; each rule's bits by hand and measured."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.data.microdata import Microdata
from tacita.query import Tabulate
from tacita.query.database import Database
from tacita.query.restrictions import Restriction, SetSize, SmallMarginals, TableSize, UniverseGamma
from tacita.query.steward.refusals import refusal_oracle, small_cell, small_piece, small_total, threshold_search
from tests.effort import examples
from tests.query.builders import asked, opened, people, policy_of

GROUPS = [f"g{size:03d}" for size in range(1, 121)]


def sized() -> Microdata:
    """Groups of 1 to 120 people, half of them women."""
    counts = {(f"g{size:03d}", sex): size // 2 + (sex == "f") * (size % 2) for size in range(1, 121) for sex in "fm"}
    return people(counts, ("group", "sex"))


def rare(n: int = 240, copies: int = 8) -> Microdata:
    """Many variables, each with a class of 1 to 10 records; other records in each copy."""
    rng = np.random.default_rng(1)
    columns = {}
    for size in range(1, 11):
        for copy in range(copies):
            few = set(rng.permutation(n)[:size].tolist())
            columns[f"v{size:02d}_{copy}"] = ["few" if i in few else "many" for i in range(n)]
    sexes = {("f",): n // 2, ("m",): n // 2}
    return people(sexes, ("sex",), **columns)


RARE = rare()
OF_RARE = [Tabulate(by=["sex"], where={name: "many", "sex": "f"}) for name in RARE.names if name.startswith("v")]


def answered_by(db: Database, group: str) -> bool:
    return db.ask(Tabulate(by=["sex"], where={"group": group})).status == "answered"


def searcher(*restrictions: Restriction) -> Callable[[int], bool]:
    db = opened(sized(), policy_of(*restrictions))
    return lambda i: answered_by(db, GROUPS[i])


# --- thresholds -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gamma", [7, 50, 99])
def test_the_papers_gamma_is_found_exactly_with_a_few_questions(gamma: int) -> None:
    found = threshold_search(searcher(UniverseGamma(gamma=gamma, gamma_star=2)), range(1, 121), checks=0)
    assert found.threshold == gamma
    assert found.is_exact
    assert found.questions <= 7  # 2**7 > 120


def test_a_keyed_gamma_is_not_found() -> None:
    ask = searcher(UniverseGamma(gamma=50, gamma_star=2, noise=20))
    found = threshold_search(ask, range(1, 121), checks=20)
    assert not found.is_exact
    assert found.contradictions >= 3
    assert found.threshold is not None
    assert 30 <= found.threshold <= 70


def test_the_same_set_always_meets_the_same_threshold() -> None:
    rule = UniverseGamma(gamma=50, gamma_star=2, noise=20)
    first, again = (searcher(rule), searcher(rule))
    assert [first(i) for i in range(28, 72)] == [again(i) for i in range(28, 72)]


@pytest.mark.parametrize("at_least", [3, 6])
def test_the_threshold_of_small_marginals_is_found_exactly(at_least: int) -> None:
    db = opened(RARE, policy_of(SmallMarginals(at_least=at_least)))
    firsts = OF_RARE[::8]
    found = threshold_search(lambda i: db.ask(firsts[i]).status == "answered", range(1, 11))
    assert (found.threshold, found.is_exact, found.contradictions) == (at_least, True, 0)


def test_a_keyed_threshold_of_small_marginals_is_not_found() -> None:
    db = opened(RARE, policy_of(SmallMarginals(at_least=5, noise=3)))
    sizes = [1 + i // 8 for i in range(len(OF_RARE))]
    found = threshold_search(lambda i: db.ask(OF_RARE[i]).status == "answered", sizes, checks=40)
    assert not found.is_exact
    assert found.contradictions >= 3


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.integers(1, 60), min_size=1, max_size=40), st.integers(0, 61))
def test_a_fixed_threshold_never_contradicts_itself(sizes: list[int], least: int) -> None:
    asked_for: list[int] = []

    def ask(i: int) -> bool:
        asked_for.append(i)
        return sizes[i] >= least

    found = threshold_search(ask, sizes)
    assert found.contradictions == 0
    assert found.questions == len(asked_for) == len(set(asked_for)) <= len(sizes)
    below, above = [s for s in sizes if s < least], [s for s in sizes if s >= least]
    if below and above:
        assert found.threshold == min(above)
        assert found.is_exact == (min(above) - max(below) == 1)
    else:
        assert (found.threshold, found.is_exact) == (None, False)


def test_without_sets_there_is_no_search() -> None:
    with pytest.raises(ParameterError, match="at least one set"):
        threshold_search(bool, [])


# --- bits -----------------------------------------------------------------------------------------------------------------


def test_the_papers_rule_tells_all_there_is() -> None:
    """A refusal *is* the news that a total of 1 or 2 exists: 2 of 10 sizes, so H(0.2) = 0.722 bits a question."""
    db = opened(RARE, policy_of(SmallMarginals()))
    found = refusal_oracle(db, "small_marginals", OF_RARE)
    assert (found.questions, found.refused, found.prior, found.posterior) == (80, 0.2, 0.2, 1.0)
    assert found.bits == pytest.approx(-(0.2 * math.log2(0.2) + 0.8 * math.log2(0.8)))
    assert found.share == pytest.approx(1.0)
    assert found.posterior_interval is not None
    assert found.posterior_interval[0] > 0.75  # 16 of 16
    assert found.bits_interval[0] < found.bits < found.bits_interval[1]


def test_keyed_thresholds_tell_less() -> None:
    db = opened(RARE, policy_of(SmallMarginals()))
    fixed = refusal_oracle(db, SmallMarginals(at_least=3), OF_RARE)
    keyed = refusal_oracle(db, SmallMarginals(at_least=5, noise=3), OF_RARE)
    assert keyed.bits_interval[1] < fixed.bits
    assert keyed.share < 0.6
    assert keyed.posterior is not None
    assert keyed.prior < keyed.posterior < 0.7


def test_gamma_as_an_oracle_and_with_noise() -> None:
    db = opened(sized(), policy_of(UniverseGamma(gamma=50, gamma_star=2)))
    questions = [Tabulate(by=["sex"], where={"group": group}) for group in GROUPS]
    fixed = refusal_oracle(db, "universe_gamma", questions, event=small_piece(50))
    assert (fixed.prior, fixed.posterior) == (49 / 120, 1.0)
    assert fixed.share == pytest.approx(1.0)
    keyed = refusal_oracle(db, UniverseGamma(gamma=50, gamma_star=2, noise=40), questions, event=small_piece(50))
    assert keyed.share < 0.5
    assert keyed.bits_interval[1] < fixed.bits


def test_events_are_counts_of_the_unfiltered_table() -> None:
    data = people({("a", "x"): 1, ("a", "y"): 9, ("b", "x"): 2, ("b", "y"): 9}, ("one", "two"))
    db = opened(data, policy_of(TableSize()))
    both = asked(db, Tabulate(by=["one"], where={"one": "a", "two": "y"}))
    assert small_cell(3)(both)
    assert not small_total(3)(both)  # totals are 10, 11, 3 and 18
    assert small_total(4)(both)
    assert small_piece(10)(both)
    assert not small_piece(9)(both)
    everybody = asked(db, Tabulate(by=["one"]))
    assert not small_total(99)(everybody)
    assert not small_cell(3)(everybody)


def test_a_rule_that_refuses_nothing_tells_nothing() -> None:
    db = opened(RARE, policy_of(SetSize(k=1)))
    found = refusal_oracle(db, "set_size", OF_RARE)
    assert (found.refused, found.posterior, found.posterior_interval, found.bits, found.share) == (0, None, None, 0, 0)
    assert found.to_plain()["rule"] == "set_size"


def test_nothing_is_entered_and_questions_must_be_understood() -> None:
    db = opened(RARE, policy_of(SmallMarginals()))
    before = db.journal.head()
    refusal_oracle(db, "small_marginals", [*OF_RARE[:3], Tabulate(by=["nobody"])])
    assert db.journal.head() == before
    with pytest.raises(ParameterError, match="at least one question"):
        refusal_oracle(db, "small_marginals", [Tabulate(by=["nobody"])])
    with pytest.raises(ParameterError, match="no rule 'gamma'"):
        refusal_oracle(db, "gamma", OF_RARE)

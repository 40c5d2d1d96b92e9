"""The search finds differencing and averaging by itself, and nothing where noise belongs to sets: a test of policies, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.judge.answers import Answers
from tacita.attack.judge.trial import attack_once
from tacita.attack.queries.attack_search import AttackSearch, fitted_rule
from tacita.study.red_team.queries import oracle
from tests.attack.queries.oracles import oracle_target
from tests.attack.queries.servers import target_of

SMALL = AttackSearch(questions=10, programs=30, generations=25, shadows=60)


def test_exact_answers_are_broken() -> None:
    found = attack_once(SMALL, *oracle_target("exact"), seed=1)
    assert (found.standing, found.success) == ("broken", 1.0)


def test_it_finds_differencing_where_small_sets_are_refused() -> None:
    found = attack_once(replace(SMALL, programs=60, generations=40), *oracle_target("size"), seed=3)
    assert found.standing == "broken"
    assert found.figures["differencing_pairs"] >= 1
    assert "not" in found.learned


def test_it_finds_averaging_where_noise_is_drawn_anew() -> None:
    found = attack_once(SMALL, *oracle_target("anew"), seed=1)
    assert found.standing == "broken"
    assert found.figures["repeats"] >= 1
    assert found.figures["accuracy"] > 0.75  # one answer with noise of 1 is right in 69 of 100


def test_noise_that_belongs_to_sets_holds_it() -> None:
    found = attack_once(SMALL, *oracle_target("keyed"), seed=1)
    assert found.standing == "held"


@pytest.mark.slow
def test_the_policy_tables_holds_it() -> None:
    """Each program is run on servers that were asked nothing, since the auditor of rows remembers."""
    settings = AttackSearch(questions=6, programs=10, generations=3, shadows=20, remembers=True)
    assert attack_once(settings, *oracle(lambda: "tables")(1), seed=1).standing == "held"


@pytest.mark.slow
def test_a_large_search_does_not_break_keyed_noise() -> None:
    large = AttackSearch(questions=30, programs=100, generations=60, shadows=200)
    assert attack_once(large, *oracle_target("keyed"), seed=1).standing == "held"
    assert attack_once(large, *oracle_target("size"), seed=1).success > 0.9


def test_the_rule_separates_a_difference_of_large_counts() -> None:
    rng = np.random.default_rng(1)
    has = np.arange(80) % 2 == 0
    large = rng.integers(300, 900, 80).astype(float)
    answers = np.column_stack([large + has, large, np.full(80, 7.0)])
    rule = fitted_rule(answers, has)
    assert ((rule.scores(answers) > 0) == has).all()
    assert rule.weights[3] == 0


def test_contract() -> None:
    tiny = AttackSearch(questions=3, programs=4, generations=2, shadows=8)
    claims = [tiny.run(oracle_target("exact")[0], np.random.default_rng(1))[0] for _ in range(2)]
    assert claims[0].said.tolist() == claims[1].said.tolist()
    target, _ = oracle_target("exact")
    nobody = target.among(np.array([], np.int64))
    assert attack_once(tiny, nobody, Answers(truth={"ill": np.array([], bool)}), seed=1).standing == "not run"
    assert "program" in tiny.declined(target_of()[0])
    assert "class" in tiny.declined(replace(target, of=""))
    assert tiny.cost(target) > tiny.cost(nobody)

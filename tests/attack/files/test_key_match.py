"""Matching by keys, against all pairs one by one."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import tacita as tc
from tacita.attack.files.compared import NumberPair
from tacita.attack.files.key_match import KeyMatch, windows_of_steps
from tacita.attack.judge.trial import attack_each, attack_once
from tacita.attack.targets import KnownStep
from tests.attack.files.people import file_of, quietly, rng, staged, target_of
from tests.effort import examples
from tests.oracles.attack import file_linkage as oracle

KEYS = ["age", "sex", "marital", "education"]
letters = st.sampled_from(["a", "b", "c", None])
Row = tuple[str | None, str | None]
rows = st.lists(st.tuples(letters, letters), min_size=1, max_size=8)


@settings(max_examples=examples(40))
@given(rows, rows)
def test_matches_are_those_of_all_pairs(victims: list[Row], records: list[Row]) -> None:
    every = [*records, *itertools.product("abc", "abc")]  # a class that nobody shows may have been recoded
    known, released = (
        file_of({"x": [row[0] for row in part], "y": [row[1] for row in part]})
        for part in ([*victims, ("a", "a")], every)
    )
    target = target_of(released, known)
    (claims,) = KeyMatch().run(target, rng())
    for i, victim in enumerate([*victims, ("a", "a")]):
        found = oracle.matches(victim, every)
        assert claims.said[i] in found
        agrees = all(a is None or b is None or a == b for a, b in zip(victim, every[found[0]], strict=True))
        assert claims.is_sure[i] == (len(found) == 1 and agrees)


def test_it_breaks_bands_and_is_held_by_large_diverse_groups() -> None:
    data = tc.samples.household_survey(1200, seed=1).select([*KEYS, "health"])
    weak = tc.mask.GlobalRecode(breaks={"age": [20, 40, 60, 80]})
    strong = tc.mask.LocalRecode(columns=KEYS, k=40, l=3, confidential="health")
    for mask, wanted in ((weak, "broken"), (strong, "held")):
        scene = staged(data, quietly(mask, data), KEYS, wanted=["health"])
        found = attack_once(KeyMatch(), scene.target, scene.answers, seed=1, control=scene.control)
        assert found.standing == wanted


def test_what_all_matches_share_is_told_for_sure_though_the_record_is_not() -> None:
    data = file_of({"k": ["a"] * 3 + ["b"] * 3, "ill": ["yes"] * 3 + ["yes", "no", "no"]}, keys=["k"])
    identity, ill = KeyMatch().run(target_of(data, data.select(["k"]), wanted=("ill",)), rng())
    assert not identity.is_sure.any()
    assert ill.is_sure.tolist() == [True] * 3 + [False] * 3
    assert ill.said.tolist()[:3] == ["yes"] * 3


def test_in_a_sample_a_single_match_is_not_sure() -> None:
    data = file_of({"k": ["a", "b", "c"]}, keys=["k"])
    told = target_of(data, data, steps=(KnownStep("sample"),))
    assert KeyMatch().run(target_of(data, data), rng())[0].is_sure.all()
    assert not KeyMatch().run(told, rng())[0].is_sure.any()


def test_a_gap_contradicts_where_nothing_was_suppressed() -> None:
    known = file_of({"k": ["a", "a"], "m": ["x", "x"]})
    released = file_of({"k": ["a", None], "m": ["x", "x"]})
    step = KnownStep("additive_noise", ("money",))
    assert not KeyMatch().run(target_of(released, known), rng())[0].is_sure.any()
    assert KeyMatch().run(target_of(released, known, steps=(step,)), rng())[0].is_sure.all()


def test_windows_of_documented_steps() -> None:
    pair = NumberPair("x", np.array([0.0]), np.array([10.0, 50.0, np.nan]))
    low, high = windows_of_steps(pair, (KnownStep("rounding", ("x",), {"base": 10.0}),))
    assert (low[:2].round(3).tolist(), high[:2].round(3).tolist()) == ([5.0, 45.0], [15.0, 55.0])
    assert (low[2], high[2]) == (-np.inf, np.inf)
    low, high = windows_of_steps(pair, (KnownStep("top_bottom_code", ("x",), {"top": 50.0}),))
    assert high.tolist() == [10.0, np.inf, np.inf]
    assert windows_of_steps(pair, (KnownStep("rounding", ("y",), {"base": 10.0}),))[0][0] == 10.0


def test_numbers_that_were_rounded_or_cut_still_match() -> None:
    data = file_of({"age": [31, 47, 68, 95], "x": [1.0, 2.0, 3.0, 4.0]}, keys=["age"])
    for mask in (tc.mask.Rounding(columns=["age"], base=10), tc.mask.TopBottomCode(columns=["age"], top=80)):
        scene = staged(data, quietly(mask, data), ["age"], wanted=["x"])
        assert attack_each(KeyMatch(), scene.target, scene.answers, seed=1)[0].success == 1.0
    noisy = staged(data, quietly(tc.mask.AdditiveNoise(columns=["age"]), data), ["age"], wanted=["x"])
    assert "no classes" in KeyMatch().declined(noisy.target)


def test_same_seed_same_claims_and_no_victims() -> None:
    data = tc.samples.household_survey(200, seed=1).select(KEYS)
    target = target_of(data, data.select(["sex"]))
    one, two, other = (KeyMatch().run(target, rng(seed))[0].said for seed in (3, 3, 4))
    assert (one == two).all()
    assert (one != other).any()
    assert len(KeyMatch().run(target.among(np.arange(0)), rng())[0]) == 0


def test_true_keys_may_fit_one_record_though_k_match_it() -> None:
    keys = ["age", "sex", "marital", "education", "employment"]
    data = tc.samples.household_survey(1500, seed=1).select([*keys, "health"])
    alone = {}
    for missing in ("wildcard", "own category"):
        masked = quietly(tc.mask.LocalSuppression(columns=keys, k=3, missing=missing), data)
        assert tc.risk.KAnonymity(columns=keys, k=3, missing=missing).assess(masked).value == 0
        scene = staged(data, masked, keys, wanted=[])
        found = attack_once(KeyMatch(), scene.target, scene.answers, seed=1)
        assert found.sure == found.sure_right
        alone[missing] = found.sure
    assert alone["wildcard"] > 20
    assert alone["own category"] == 0

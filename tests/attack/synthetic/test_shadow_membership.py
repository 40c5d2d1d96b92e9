"""Membership by shadows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.synthetic.shadow_membership import ShadowMembership, against_absence, traces_in
from tacita.core.errors import AttackError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import Mdav
from tacita.numeric.nearest.mixed_points import Points
from tacita.study.red_team.synthetic import by_mask, copied, fresh_people, independent_people, permuted_columns
from tests.attack.synthetic.scenes import attacked, staged

ATTACK = ShadowMembership(shadows=8)


@pytest.mark.parametrize(
    ("generate", "least"), [(copied, 0.95), (permuted_columns, 0.8), (by_mask(Mdav(columns=("age", "savings"))), 0.8)]
)
def test_what_keeps_values_is_broken(generate, least: float) -> None:  # type: ignore[no-untyped-def]
    found = attacked(ATTACK, generate)
    assert (found.standing, found.baseline) == ("broken", 0.5)
    assert found.success > least
    assert found.sure_right >= 0.95 * found.sure > 0


@pytest.mark.parametrize("generate", [fresh_people, independent_people])
def test_what_keeps_none_holds(generate) -> None:  # type: ignore[no-untyped-def]
    found = attacked(ATTACK, generate)
    assert (found.standing, found.affected) == ("held", 0)


def test_files_of_another_size_are_no_trace() -> None:
    """A file of half the size has farther records, of members and of others."""

    def half(data: Microdata, seed: int) -> Microdata:
        return fresh_people(data.take(np.arange(len(data) // 2)), seed)

    assert attacked(ATTACK, half).standing == "held"
    target = staged(copied).target
    few = replace(target, released=target.released.take(np.arange(300)))
    (claims,) = ATTACK.run(few, np.random.default_rng(1))
    assert 0.1 < claims.said.mean() < 0.9


def test_traces_by_hand() -> None:
    none = np.zeros((1, 1), np.int64)
    person = Points(np.array([[1.0]]), none)
    others = Points(np.array([[0.0], [1.0], [5.0]]), np.array([[0], [1], [1]]))
    made = Points(np.array([[1.0], [3.0]]), np.array([[0], [0]]))
    found = traces_in(made, person, others, np.array([1.0]))[0]
    wanted = [np.log(1e-3), np.log(1e-3 / 2), np.log(2), np.log(3), np.log(4 / 2), np.log(2.5 / 3) - np.log(1.5 / 4)]
    np.testing.assert_allclose(found, wanted)


def test_a_shadow_without_somebody_is_not_compared_with_itself() -> None:
    rng = np.random.default_rng(1)
    traces, is_in = rng.normal(size=(5, 7, 2)), rng.random((5, 7)) < 0.4
    is_in[:, 0], is_in[:, 1], is_in[:, 2] = True, np.arange(5) > 0, False
    moved, means = against_absence(traces, is_in)
    for c in range(7):
        out = np.flatnonzero(~is_in[:, c])
        wanted = traces[out, c].mean(axis=0) if len(out) else traces[:, c].mean(axis=0)
        np.testing.assert_allclose(means[c], wanted)
        for s in range(5):
            rest = [t for t in out if t != s]
            base = traces[rest, c].mean(axis=0) if rest else traces[:, c].mean(axis=0)
            np.testing.assert_allclose(moved[s, c], traces[s, c] - base)


def test_a_seed_repeats_it() -> None:
    target = staged(permuted_columns, n=400).target
    one, two = (ShadowMembership(shadows=3).run(target, np.random.default_rng(1))[0].said for _ in range(2))
    assert (one == two).all()


def test_a_file_that_never_changes_tells_nothing() -> None:
    fixed = staged(copied, n=200).target
    (claims,) = ShadowMembership(shadows=2).run(
        replace(fixed, generate=lambda *_: fixed.released), np.random.default_rng(1)
    )
    assert claims.is_sure is not None
    assert not claims.is_sure.any()


def test_what_it_needs() -> None:
    rng = np.random.default_rng(1)
    with pytest.raises(AttackError, match="not for a secret"):
        ATTACK.run(staged(copied, n=100, secret="health").target, rng)
    target = staged(copied, n=100).target
    assert "all columns" in ATTACK.declined(replace(target, candidates=target.candidates.drop(["age"])))
    assert "two synthetic records" in ATTACK.declined(replace(target, released=target.released.take(np.arange(1))))
    with pytest.raises(ParameterError, match="'shadows'"):
        ShadowMembership(shadows=1)


def test_its_cost_counts_the_generator() -> None:
    target = staged(copied, n=200).target
    assert ShadowMembership(shadows=32).cost(target) > 3 * ShadowMembership(shadows=8).cost(target)

    def slow(data: Microdata, seed: int) -> Microdata:
        sum(range(3_000_000))
        return data

    assert ATTACK.cost(replace(target, generate=slow)) > 2 * ATTACK.cost(target)

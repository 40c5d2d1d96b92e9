"""Checks for protectors of tables: what holds for every protector, and one check for each claim of its traits.

What a protector claims about safety is held against attackers who know nothing of the product: linear programmes over the
published cells, and over the records themselves.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

import tacita as tc
from tacita.tables.protect.infeasible import InfeasibleError
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector, make_problem
from tests.conformance.table_examples import Case, verdict_on
from tests.oracles.tables.contributors import Contributors, Records
from tests.oracles.tables.suppression import is_safe_oracle

__all__ = ["CLAIM_CHECKS", "PROTECTOR_CHECKS", "ProtectorCheck"]

Body = Callable[[Protector, Case], None]


@dataclass(frozen=True)
class ProtectorCheck:
    """One check, and the protectors that it is for."""

    name: str
    body: Body
    when: Callable[[Protector], bool] = lambda protector: True  # noqa: ARG005


@cache
def protected(protector: Protector, case: Case) -> Protected | None:
    """What a protector makes of a table, worked out once for all checks."""
    return protected_anew(protector, case)


def protected_anew(protector: Protector, case: Case) -> Protected | None:
    """Protect a table; None where no pattern can, which the slow attacker must find too."""
    unsafe = verdict_on(case.name)
    try:
        return protector.protect(case.table, unsafe)
    except InfeasibleError:
        problem = make_problem(case.table, unsafe)
        assert not is_safe_oracle(problem, problem.unsafe | problem.can_hide)
        return None


def result_has_its_form(protector: Protector, case: Case) -> None:
    """What is published, what it cost and what was done are all there; the result is safe or says where it is not."""
    made = protected(protector, case)
    if made is None:
        return
    n = len(case.table)
    assert made.table is case.table
    assert made.hidden.shape == made.values.shape == (n,)
    assert made.hidden.dtype == bool
    assert np.isfinite(made.values).all()
    assert made.method.startswith(f"{protector.name}(")
    assert 0 <= made.bound <= made.cost * (1 + 1e-6) + 1e-9
    assert made.seconds >= 0
    assert made.is_safe == (not len(made.at_risk))
    assert set(made.at_risk.tolist()) <= set(np.flatnonzero(made.unsafe.cells).tolist())
    assert made.certificate is not None or made.exposed is not None, "somebody must have looked"
    assert len(made.status) == n


def table_is_untouched(protector: Protector, case: Case) -> None:
    """The table that came in is as it was."""
    before = case.table.values.copy()
    protected_anew(protector, case)
    assert np.array_equal(case.table.values, before)


def same_seed_same_result(protector: Protector, case: Case) -> None:
    """With the same parameters, a seed included where there is chance, the same is published."""
    one, other = protected(protector, case), protected_anew(protector, case)
    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert np.array_equal(one.hidden, other.hidden)
        assert np.array_equal(one.values, other.values)


def summary_tells_no_secret(protector: Protector, case: Case) -> None:
    """The summary is JSON, and has no parameter that would undo the protection."""
    made = protected(protector, case)
    if made is None:
        return
    text = json.dumps(made.to_plain(), allow_nan=False)
    assert not any(f"{name}=" in text for name in protector.secret)
    seeds = [p.name for p in protector.parameters() if p.name.endswith("seed")]
    assert set(seeds) <= protector.secret, "whoever has a seed can undo what was drawn"


def readers_see_nothing_else(protector: Protector, case: Case) -> None:
    """What readers get has the published values and no counts that would tell others."""
    made = protected(protector, case)
    if made is not None:
        shown = made.as_published()
        assert np.array_equal(shown.table.values, made.values)
        assert shown.table.counts is None


# --- one check for each claim ------------------------------------------------------------------------------------------


def hides(protector: Protector, case: Case) -> None:
    """Every unsafe cell is hidden, and every value is what it was."""
    made = protected(protector, case)
    if made is not None:
        assert made.hidden[made.unsafe.cells].all()
        assert np.array_equal(made.values, case.table.values)


def changes(protector: Protector, case: Case) -> None:
    """A protector that does not hide publishes every cell."""
    made = protected(protector, case)
    assert made is None or not made.hidden.any()


def safe_for_outsiders(protector: Protector, case: Case) -> None:
    """The interval of every unsafe cell reaches its levels; a changed value lies beyond one of them."""
    made = protected(protector, case)
    if made is None:
        return
    assert made.is_safe
    problem = make_problem(case.table, made.unsafe, seats="none")
    if protector.traits.hides:
        assert is_safe_oracle(problem, made.hidden)
        return
    moved, slack = made.values - case.table.values, 1e-6 * np.maximum(1.0, np.abs(case.table.values))
    asked = (problem.below > 0) | (problem.above > 0)
    up = (problem.above > 0) & (moved >= problem.above - slack)
    down = (problem.below > 0) & (-moved >= problem.below - slack)
    assert (up | down)[problem.unsafe & asked].all()
    assert moved[problem.unsafe].all(), "a published value that is the true one protects nobody"


def safe_for_seats(protector: Protector, case: Case) -> None:
    """No contributor comes too close to another, by the levels and by the records themselves."""
    made = protected(protector, case)
    if made is None:
        return
    assert is_safe_oracle(make_problem(case.table, made.unsafe), made.hidden)
    if case.data is None or (case.table.values < 0).any() or not protector.traits.hides:
        return
    rule = tc.tables.PPercent(p=10).judge(case.table)
    found = _contributors(case).breaches(made.hidden, np.flatnonzero(rule.cells), p=10.0, level="unit")
    assert not found


def _contributors(case: Case) -> Contributors:
    """Everybody who is in a table, by its records."""
    assert case.data is not None
    there = np.flatnonzero(~case.data.is_missing("x"))
    data = case.data.take(there)
    labels = [data.to_arrow(codes=False).column(d.name).to_pylist() for d in case.table.dimensions]
    alone = np.arange(len(there))
    records = Records(labels, data.float("x"), np.ones(len(there)), alone, alone)
    return Contributors(records, case.table.dimensions, case.table.codes)


def additive(protector: Protector, case: Case) -> None:
    """Every sum holds for what is published."""
    made = protected(protector, case)
    assert made is None or not len(case.table.relations.violated(made.values))


def keeps_zeros(protector: Protector, case: Case) -> None:
    """A zero is published as zero, or not at all."""
    made = protected(protector, case)
    assert made is None or not made.values[case.table.values == 0].any()


def leaves_safe_tables(protector: Protector, case: Case) -> None:
    """Where nothing is unsafe, nothing is hidden and nothing changed."""
    made = protector.protect(case.table, tc.tables.Unsafe.none(len(case.table)))
    assert made.is_safe
    assert not made.hidden.any()
    assert np.array_equal(made.values, case.table.values)


CLAIM_CHECKS: dict[str, Body] = {
    "hides": hides,
    "safe_for_outsiders": safe_for_outsiders,
    "safe_for_seats": safe_for_seats,
    "additive": additive,
    "keeps_zeros": keeps_zeros,
    "leaves_safe_tables": leaves_safe_tables,
}


def _claimed(claim: str) -> Callable[[Protector], bool]:
    return lambda protector: bool(getattr(protector.traits, claim))


PROTECTOR_CHECKS = (
    ProtectorCheck("result_has_its_form", result_has_its_form),
    ProtectorCheck("table_is_untouched", table_is_untouched),
    ProtectorCheck("same_seed_same_result", same_seed_same_result),
    ProtectorCheck("summary_tells_no_secret", summary_tells_no_secret),
    ProtectorCheck("readers_see_nothing_else", readers_see_nothing_else),
    ProtectorCheck("changes", changes, lambda protector: not protector.traits.hides),
    *(ProtectorCheck(claim, body, _claimed(claim)) for claim, body in CLAIM_CHECKS.items()),
)

"""Trackers beat set-size control alone, and are stopped by the auditor; ``tacita.query.audit.set_size`` is the weak rule."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tacita.attack.queries.tracker_formulas import double_tracker, general_tracker, individual_tracker
from tacita.query.audit.differences import DifferenceAudit
from tacita.query.audit.set_size import judge_set_size
from tacita.query.audit.sum_auditor import SumAuditor

Ask = Callable[[set[int]], float | None]

N, K = 60, 5
INCOMES = np.random.default_rng(11).integers(100, 9999, size=N).astype(float)
VICTIM = {17}
ATTACKS = {
    "individual": lambda ask: individual_tracker(ask, set(range(10, 30)), {17, 40, 41, 42}),
    "general": lambda ask: general_tracker(ask, VICTIM, set(range(20, 40)), set(range(N))),
    "general, victim inside": lambda ask: general_tracker(ask, VICTIM, set(range(10, 30)), set(range(N))),
    "double": lambda ask: double_tracker(ask, VICTIM, set(range(12, 22)), set(range(8, 30))),
    "double, victim outside": lambda ask: double_tracker(ask, VICTIM, set(range(30, 40)), set(range(28, 50))),
}
every_attack = pytest.mark.parametrize("name", ATTACKS)


def _size_control(members: set[int]) -> float | None:
    if not judge_set_size(len(members), N, k=K).is_allowed:
        return None
    return float(INCOMES[sorted(members)].sum())


def _audited(auditor: SumAuditor) -> Ask:
    def ask(members: set[int]) -> float | None:
        answer = _size_control(members)
        if answer is None or not auditor.judge(sorted(members)).is_allowed:
            return None
        auditor.record(sorted(members))
        return answer

    return ask


def _by_pairs(audit: DifferenceAudit) -> Ask:
    def ask(members: set[int]) -> float | None:
        if not audit.judge(sorted(members)).is_allowed:
            return None
        audit.record(sorted(members))
        return _size_control(members)

    return ask


def test_the_victim_cannot_be_asked_for() -> None:
    assert _size_control(VICTIM) is None
    assert _size_control(set(range(N)) - VICTIM) is None


@every_attack
def test_set_size_control_alone_is_beaten(name: str) -> None:
    assert ATTACKS[name](_size_control) == pytest.approx(INCOMES[17])


@every_attack
@pytest.mark.parametrize("limit", [2, 3])
def test_the_auditor_stops_it(name: str, limit: int) -> None:
    assert ATTACKS[name](_audited(SumAuditor(N, limit=limit, key=b"key of the trackers"))) is None


@every_attack
def test_one_attacker_begins_and_another_ends(name: str) -> None:
    """The auditor is global: whoever asks for the last piece is refused, and repeated pieces stay free."""
    auditor = SumAuditor(N, key=b"key of the trackers")
    first, second = _audited(auditor), _audited(auditor)
    turns = iter([first, second] * 10)

    def ask(members: set[int]) -> float | None:
        return next(turns)(members)

    assert ATTACKS[name](ask) is None
    assert ATTACKS[name](second) is None


@pytest.mark.parametrize("name", ["individual", "general", "double"])
def test_pairs_of_sets_are_enough_against_plain_trackers(name: str) -> None:
    assert ATTACKS[name](_by_pairs(DifferenceAudit(N, limit=3))) is None


def test_three_sets_pass_between_pairs() -> None:
    """q(A and B and the victim) - q(A) - q(B): no two of the sets are near each other. Only the auditor of sums sees it."""
    a, b = set(range(20, 32)), set(range(40, 53))

    def attack(ask: Ask) -> float | None:
        answers = [ask(a | b | VICTIM), ask(a), ask(b)]
        known = [answer for answer in answers if answer is not None]
        return known[0] - known[1] - known[2] if len(known) == 3 else None

    assert attack(_by_pairs(DifferenceAudit(N, limit=3))) == pytest.approx(INCOMES[17])
    assert attack(_audited(SumAuditor(N, key=b"key of the trackers"))) is None

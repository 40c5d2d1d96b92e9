"""The auditor of sums against a linear solver in exact fractions that sees every answer."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import DataError, ParameterError
from tacita.query.audit.sum_auditor import Combinations, SumAuditor
from tests.effort import examples
from tests.query.audit.exact_solver import determines_combination, determines_sum, is_determined, rank, rows_of

KEY = b"a key for the tests"
ORACLES: dict[Combinations, Callable[..., bool]] = {"any": determines_combination, "sums": determines_sum}


def _compare(workload: list[set[int]], n: int, limit: int, combinations: Combinations) -> None:
    """Judge every query of a workload as the solver would, and answer those that are allowed."""
    auditor = SumAuditor(n, limit=limit, combinations=combinations, key=KEY, most_work=10**9)
    answered: list[set[int]] = []
    for members in workload:
        rows = rows_of(answered, n)
        if is_determined(rows, rows_of([members], n)[0]):
            expected = "free"
        else:
            expected = "deny" if ORACLES[combinations]([*answered, members], n, limit) else "allow"
        assert auditor.judge(sorted(members)).outcome == expected
        if expected == "allow":
            assert auditor.record(sorted(members))
            answered.append(members)
    assert auditor.rank == rank(rows_of(answered, n)) == len(answered)
    assert not ORACLES[combinations](answered, n, limit)


workloads = st.lists(st.sets(st.integers(0, 8), min_size=2), min_size=1, max_size=10)


@settings(max_examples=examples(25), deadline=None)
@given(workloads, st.integers(2, 6), st.sampled_from(["any", "sums"]))
def test_every_judgement_is_that_of_the_solver(sets: list[set[int]], limit: int, combinations: Combinations) -> None:
    _compare(sets, 9, limit, combinations)


@pytest.mark.slow
@pytest.mark.parametrize("combinations", ["any", "sums"])
@pytest.mark.parametrize("limit", [2, 3, 4, 5])
def test_many_random_workloads(limit: int, combinations: Combinations) -> None:
    rng = np.random.default_rng(limit)
    for _ in range(40):
        n = int(rng.integers(6, 11))
        density = rng.choice([0.3, 0.5, 0.8])
        sets = [set(np.flatnonzero(rng.random(n) < density).tolist()) for _ in range(14)]
        _compare([members for members in sets if members], n, limit, combinations)


@settings(max_examples=examples(25), deadline=None)
@given(workloads, workloads, st.integers(2, 4))
def test_sets_of_one_answer_are_judged_as_the_solver_would(
    before: list[set[int]], together: list[set[int]], limit: int
) -> None:
    auditor = SumAuditor(9, limit=limit, key=KEY, most_work=10**9)
    for members in before:
        auditor.record(sorted(members))
    rows, state = rows_of(before, 9), _state(auditor)
    if all(is_determined(rows, row) for row in rows_of(together, 9)):
        expected = "free"
    else:
        expected = "deny" if determines_combination([*before, *together], 9, limit) else "allow"
    listed = [sorted(members) for members in together]
    assert auditor.judge_together(listed).outcome == expected
    assert _state(auditor) == state, "nothing is changed"
    if expected != "free":
        assert auditor.judge_together(listed, most_numbers=0).reason == "The audit is full."


def test_a_bad_set_among_several_leaves_the_auditor_as_it_was() -> None:
    auditor = SumAuditor(10, key=KEY)
    auditor.record(range(5))
    before = _state(auditor)
    with pytest.raises(DataError):
        auditor.judge_together([range(3), [4, 4]])
    assert _state(auditor) == before
    assert auditor.numbers == auditor.rank * auditor.atoms == 2


def test_intervals_of_a_line() -> None:
    """Nested intervals: what a prefix less another leaves must have three records."""
    _compare([set(range(end)) for end in (12, 9, 10, 6, 5, 4, 3, 2)], 12, 3, "sums")


def test_a_difference_of_two_records_is_no_sum() -> None:
    sets = [[0, 2, 3, 4], [1, 2, 3, 4]]
    outcomes = {}
    for combinations in ("any", "sums"):
        auditor = SumAuditor(8, limit=3, combinations=combinations, key=KEY)  # type: ignore[arg-type]
        auditor.record(sets[0])
        outcomes[combinations] = auditor.judge(sets[1]).outcome
    assert outcomes == {"any": "deny", "sums": "allow"}


def test_what_a_member_could_find_out_is_refused() -> None:
    """Three records of a limit of four: two of them together would learn the third."""
    for limit, expected in ((3, "allow"), (4, "deny")):
        auditor = SumAuditor(12, limit=limit, key=KEY)
        auditor.record(range(10))
        assert auditor.judge(range(7)).outcome == expected


def test_atoms_are_split_lazily_and_keep_what_is_known() -> None:
    auditor = SumAuditor(100, key=KEY)
    assert (auditor.atoms, auditor.rank) == (1, 0)
    auditor.record(range(50))
    assert (auditor.atoms, auditor.rank) == (2, 1)
    auditor.record(range(25, 75))
    assert (auditor.atoms, auditor.rank) == (4, 2)
    assert auditor.judge(range(50)).outcome == auditor.judge(range(25, 75)).outcome == "free"
    assert not auditor.record(range(25, 75))
    assert (auditor.atoms, auditor.rank) == (4, 2)
    assert auditor.judge(range(25)).outcome == "allow"
    auditor.record(range(25))
    assert auditor.judge(range(25, 50)).outcome == auditor.judge(range(50, 75)).outcome == "free"


def _state(auditor: SumAuditor) -> bytes:
    parts = [auditor._atoms, auditor._sizes]
    for prints in auditor._prints:
        parts += [prints._vectors, prints._space._table, prints._space._place]
        parts.append(np.array([prints._steps, prints._space.rank, prints._space._free]))
    return b"".join(part.tobytes() for part in parts)


def test_judging_changes_nothing() -> None:
    rng = np.random.default_rng(2)
    auditor = SumAuditor(40, key=KEY)
    for _ in range(6):
        auditor.record(rng.random(40) < 0.5)
    before = _state(auditor)
    asked = [rng.random(40) < 0.5 for _ in range(10)]
    first = [auditor.judge(members) for members in asked]
    assert _state(auditor) == before
    assert [auditor.judge(members) for members in asked[::-1]] == first[::-1]
    auditor.record(rng.random(40) < 0.5)
    assert _state(auditor) != before


def test_same_key_same_bytes_and_the_key_decides_nothing() -> None:
    rng = np.random.default_rng(3)
    sets = [np.flatnonzero(rng.random(30) < 0.5) for _ in range(40)]
    states, outcomes = [], []
    for key in (KEY, KEY, b"quite another key"):
        auditor, said = SumAuditor(30, key=key), []
        for members in sets:
            said.append(auditor.judge(members).outcome)
            if said[-1] == "allow":
                auditor.record(members)
        states.append(_state(auditor))
        outcomes.append(said)
    assert states[0] == states[1] != states[2]
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert {"allow", "deny"} <= set(outcomes[0])


def test_a_replayed_journal_judges_as_the_auditor_that_wrote_it() -> None:
    rng = np.random.default_rng(4)
    lived, journal = SumAuditor(50, key=KEY), []
    while lived.rank < 25:
        members = np.flatnonzero(rng.random(50) < 0.5)
        if lived.judge(members).outcome == "allow":
            lived.record(members)
            journal.append(members)
    replayed = SumAuditor(50, key=KEY)
    replayed.replay(journal)
    assert (replayed.rank, replayed.atoms) == (lived.rank, lived.atoms)
    asked = [*journal, *(rng.random(50) < 0.5 for _ in range(30)), *(np.arange(50) < size for size in range(51))]
    assert [replayed.judge(q).outcome for q in asked] == [lived.judge(q).outcome for q in asked]
    replayed.record(asked[25])
    assert replayed.judge(asked[25]).outcome == "free"


def test_after_a_breach_only_what_is_known_is_free() -> None:
    auditor = SumAuditor(20, key=KEY)
    auditor.record([4])
    assert auditor.judge([4]).outcome == "free"
    assert auditor.judge(range(10, 20)).outcome == "deny"


def test_what_cannot_be_proven_is_refused() -> None:
    rng = np.random.default_rng(5)
    sets = [rng.random(40) < 0.5 for _ in range(8)]
    outcomes = []
    for most_work in (1, 10**8):
        auditor = SumAuditor(40, limit=4, key=KEY, most_work=most_work)
        auditor.replay(sets)
        outcomes.append(auditor.judge(rng.random(40) < 0.5))
    assert outcomes[0].outcome == "deny"
    assert "prove" in outcomes[0].reason
    assert outcomes[1].outcome == "allow"


def test_edges() -> None:
    auditor = SumAuditor(5, key=KEY)
    assert auditor.judge([]).outcome == "free"
    assert auditor.judge([0, 1]).outcome == "deny"
    assert auditor.judge(range(5)).outcome == "allow"
    assert SumAuditor(2, key=KEY).judge([0, 1]).outcome == "deny"
    assert SumAuditor(1, key=KEY).judge([0]).outcome == "deny"


def test_only_sets_are_handed_over() -> None:
    """No value can decide, because no value is a parameter."""
    assert list(inspect.signature(SumAuditor.judge).parameters) == ["self", "members"]
    assert list(inspect.signature(SumAuditor.record).parameters) == ["self", "members"]


def test_the_chance_of_a_miss_is_small() -> None:
    auditor = SumAuditor(64, key=KEY)
    auditor.replay([np.arange(64) >> bit & 1 == 1 for bit in range(6)])
    assert auditor.miss_chance == 0.0
    assert auditor._prints[0].prime != auditor._prints[1].prime


def test_nothing_secret_is_shown() -> None:
    auditor = SumAuditor(10, key=KEY)
    assert repr(auditor) == "SumAuditor(limit=3, combinations='any', rank=0)"


@pytest.mark.parametrize(
    ("given_", "names"),
    [
        ({"n_records": 0}, "n_records"),
        ({"n_records": 5, "limit": 1}, "limit"),
        ({"n_records": 5, "combinations": "all"}, "combinations"),
        ({"n_records": 5, "most_work": 0}, "most_work"),
        ({"n_records": 5, "key": b"short"}, "key"),
    ],
)
def test_bad_parameters(given_: dict[str, object], names: str) -> None:
    with pytest.raises(ParameterError, match=names):
        SumAuditor(**{"key": KEY, **given_})  # type: ignore[arg-type]


def test_a_bad_set_leaves_the_auditor_as_it_was() -> None:
    auditor = SumAuditor(10, key=KEY)
    before = _state(auditor)
    for call in (auditor.judge, auditor.record):
        with pytest.raises(DataError):
            call([3, 3])
    assert _state(auditor) == before

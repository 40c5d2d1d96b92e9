"""Differences of two universes: exact answers and cell keys alone are beaten, also from inside; auditors hold them."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.queries.told import victim_set
from tacita.attack.queries.universe_difference import UniverseDifference, subtracted, surroundings
from tacita.study.red_team.queries import cell_keys_alone, size_control
from tests.attack.queries.servers import check_contract, graded, words_of


def test_size_control_alone_is_broken() -> None:
    found = graded(UniverseDifference(pairs=1), size_control())
    assert (found.standing, found.success, found.sure_right) == ("broken", 1.0, 12)


def test_an_insider_breaks_it_too() -> None:
    assert graded(UniverseDifference(pairs=2), size_control(), alone=2).success == 1.0


@pytest.mark.parametrize("alone", [1, 2])
def test_the_auditor_of_sums_holds_it(alone: int) -> None:
    found = graded(UniverseDifference(pairs=2), "audited", alone=alone)
    assert (found.standing, found.success) == ("held", 0.0)
    assert found.refused["sum_audit"] > 0


def test_many_pairs_beat_cell_keys_and_an_auditor_of_rows_holds_them() -> None:
    assert graded(UniverseDifference(pairs=30), cell_keys_alone(), wanted="ill").success > 0.9
    held = graded(UniverseDifference(pairs=5), "tables", wanted="ill")
    assert held.standing == "held"
    assert held.refused["row_audit"] > 0


def test_the_universes_have_the_victim_and_differ_by_him() -> None:
    words = words_of()
    victim = victim_set(words, words.target.known[0])
    for whole in surroundings(words, victim, np.random.default_rng(1), 5):
        assert not victim - whole
        found = subtracted(words, whole, victim)
        assert found is not None
        assert found[0] == 1


def test_contract() -> None:
    check_contract(UniverseDifference(pairs=2))

"""Predicates: conditions on a few columns, counted record by record."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.synthetic.predicates import Clause, count_holding, isolates
from tacita.study.red_team.synthetic import surveyed_people
from tests.oracles.attack.synthetic import holding

DATA = surveyed_people(300)


@pytest.mark.parametrize(
    "predicate",
    [
        (Clause("age", "at least", 60.0),),
        (Clause("age", "at most", 20.0), Clause("sex", "is", "female")),
        (Clause("age", "is", 31.0),),
        (Clause("health", "is missing"),),
        (Clause("education", "is", "tertiary"), Clause("savings", "is missing")),
        (Clause("household_size", "is", "2"), Clause("region", "is", "no such place")),
    ],
)
def test_counts_are_those_of_every_record(predicate: tuple[Clause, ...]) -> None:
    assert count_holding([predicate], DATA).tolist() == [holding(predicate, DATA)]


def test_one_record_and_no_other_is_singled_out() -> None:
    most = float(np.nanmax(DATA.float("earnings")))
    said = np.empty(4, object)
    said[0], said[1], said[2] = (Clause("earnings", "at least", most),), (Clause("sex", "is", "female"),), ()
    said[3] = (Clause("no_column", "is missing"),)
    assert isolates(said, DATA).tolist() == [True, False, False, False]
    assert isolates(np.full(2, None, object), DATA).tolist() == [False, False]

"""The scene of a generator: who is dealt to whom, and the truth stays behind."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.attack.judge.stage_generator import stage_generator
from tacita.core.errors import AttackError, ColumnError
from tacita.data.microdata import Microdata
from tacita.study.red_team.synthetic import copied, surveyed_people


def ages(n: int = 1000) -> Microdata:
    """People of whom everybody has another number."""
    data = surveyed_people(n)
    return data.with_numbers({"savings": np.arange(n, dtype=np.float64)})


def test_members_are_in_the_data_and_others_are_not() -> None:
    staged = stage_generator(ages(), copied)
    target, truth = staged.target, staged.answers.truth["membership"]
    inside, candidates = set(target.released.float("savings")), target.candidates.float("savings")
    assert [number in inside for number in candidates] == truth.tolist()
    assert (len(candidates), truth.mean()) == (400, 0.5)
    reference = set(target.reference.float("savings"))
    assert not reference & (inside | set(candidates))
    assert (len(inside), len(reference)) == (400, 400)


def test_what_singles_out_is_tested_on_the_data_and_on_others() -> None:
    from tacita.attack.synthetic.predicates import Clause

    staged = stage_generator(ages(), copied)
    said = np.empty(2, object)
    for i, file in enumerate((staged.target.released, staged.target.reference)):
        said[i] = (Clause("savings", "is", float(file.float("savings")[0])),)
    assert staged.answers.right("singled", said).tolist() == [True, False]
    assert staged.control[1].right("singled", said).tolist() == [False, True]


def test_a_secret_is_kept_and_its_control_was_not_in_the_data() -> None:
    staged = stage_generator(ages(), copied, secret="savings")
    target, answers = staged.target, staged.answers
    assert "savings" not in target.candidates.schema
    assert set(answers.truth) == {"savings"}
    inside = set(target.released.float("savings"))
    assert set(answers.truth["savings"]) == inside
    control, others = staged.control
    assert "savings" not in control.candidates.schema
    assert not set(others.truth["savings"]) & (inside | set(target.reference.float("savings")))


def test_who_stands_apart_is_in_another_order() -> None:
    data = ages()
    staged = stage_generator(data, copied, apart=["savings", "health"])
    for target, answers in ((staged.target, staged.answers), staged.control):
        assert target.apart is not None
        assert not set(target.apart.names) & set(target.candidates.names)
        rows = answers.truth["link"]
        assert (rows != np.arange(len(rows))).any()
        of = target.apart.float("savings")[rows].astype(int)
        assert (data.float("age")[of][:50] == target.candidates.float("age")[:50]).sum() >= 48  # gaps are not equal
        assert answers.guess("link") == 1 / len(rows)


def test_households_stay_together() -> None:
    data = tc.samples.household_survey(1000, seed=1)
    staged = stage_generator(data, copied)
    assert "person_id" not in staged.target.candidates.schema
    homes = [
        {part.codes("household").categories[j] for j in set(part.codes("household").values.tolist())}
        for part in (staged.target.released, staged.target.reference)
    ]
    assert not homes[0] & homes[1]


def test_nothing_is_linked_to_the_inside() -> None:
    data = surveyed_people(500)
    staged = stage_generator(data, lambda d, s: tc.mask.Mdav(columns=["age"]).apply(d, seed=s))
    parts = (staged.target.released, staged.target.candidates, staged.target.reference)
    assert len({part.source for part in (data, *parts)}) == 4
    assert all(part.has_all_rows and part.history == () for part in parts)


def test_seeds_repeat_the_scene() -> None:
    one, two, other = (
        stage_generator(ages(), copied, seed=s).target.released.float("savings").tolist() for s in (1, 1, 2)
    )
    assert one == two != other


def test_what_cannot_be_staged() -> None:
    with pytest.raises(AttackError, match="not for both"):
        stage_generator(ages(), copied, secret="savings", apart=["health"])
    with pytest.raises(AttackError, match="20 people at least, got 10"):
        stage_generator(ages(10), copied)
    with pytest.raises(ColumnError):
        stage_generator(ages(), copied, secret="nothing")
    same = Microdata.from_frame(pa.table({"home": [1] * 30, "age": list(range(30))}), household="home")
    with pytest.raises(AttackError, match="too few households"):
        stage_generator(same, copied)

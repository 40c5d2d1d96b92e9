"""The scene of a file: the attacker gets what left and what the scenario says, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.attack.judge.stage_file import as_it_leaves, family_of, stage_file, true_values
from tacita.core.errors import AttackError, ColumnError, TacitaWarning


def files(n: int = 200) -> tuple[tc.Microdata, tc.Microdata]:
    data = tc.samples.household_survey(n, seed=1)
    return data, tc.mask.RankSwap(columns=["earnings", "tax"], p=10).apply(data, seed=7)


def test_he_has_the_columns_of_the_scenario_and_no_other() -> None:
    staged = stage_file(*files(), scenario=tc.Scenario(keys=["sex", "age"], known=["earnings"]))
    assert staged.target.known.names == ("sex", "age", "earnings")
    assert "health" in staged.target.wanted
    assert not set(staged.target.wanted) & set(staged.target.known.names)
    assert [step.name for step in staged.target.steps] == ["rank_swap"]
    assert staged.target.steps[0].columns == ("earnings", "tax")
    assert staged.target.steps[0].parameters["p"] == 10


def test_what_he_has_is_not_linked_to_the_original() -> None:
    data, masked = files()
    staged = stage_file(data, masked)
    sources = {part.source for part in (data, masked)}
    for part in (staged.target.released, staged.target.known):
        assert part.source not in sources
        assert part.has_all_rows
        assert part.history == ()


def test_the_truth_is_the_row_of_each_victim() -> None:
    data, masked = files()
    staged = stage_file(data, masked, scenario=tc.Scenario(keys=["sex", "age"]))
    rows = staged.answers.truth["identity"]
    assert sorted(rows) == list(range(len(masked)))
    released, known = staged.target.released, staged.target.known
    assert (released.numbers("age")[rows] == known.numbers("age")).all()
    np.testing.assert_array_equal(released.numbers("savings")[rows], staged.answers.truth["savings"])
    assert (rows != np.arange(len(masked))).any()


def test_a_control_has_victims_who_are_not_there() -> None:
    staged = stage_file(*files())
    target, answers = staged.control
    assert target.victims == 100
    assert len(target.released) == len(staged.target.released) - 100
    assert (answers.truth["identity"] == -1).all()


def test_seeds_repeat_the_scene() -> None:
    one, two, other = (stage_file(*files(), seed=seed).answers.truth["identity"] for seed in (1, 1, 2))
    assert (one == two).all()
    assert (one != other).any()


def test_files_that_cannot_be_paired_and_intruders_who_know_nothing() -> None:
    data, masked = files()
    with pytest.raises(AttackError, match="nobody can say who was found"):
        stage_file(data, as_it_leaves(masked.take(np.arange(150))))
    with pytest.raises(AttackError, match="knows no column"):
        stage_file(data, masked, scenario=tc.Scenario(keys=[], known=[]))
    with pytest.raises(ColumnError):
        stage_file(data, masked, wanted=["nothing"])


def test_a_missing_class_is_no_word() -> None:
    data = tc.samples.household_survey(200, seed=1)
    words = true_values(data, "health")
    assert (words == "").sum() == data.is_missing("health").sum()
    assert true_values(data, "savings").dtype == np.float64


def test_mates_are_of_the_group_and_no_victim_is_in_the_reference() -> None:
    data = tc.samples.household_survey(60, seed=1)
    with pytest.warns(TacitaWarning):
        masked = tc.mask.Mdav(columns=["age", "savings"], k=3, unit=False).apply(data)
    known = tc.Scenario(keys=["sex"], known=["age"])
    staged = stage_file(data, masked, scenario=known, wanted=["savings"], mates=2)
    target, released = staged.target, staged.target.released
    groups = released.groups(["age", "savings"])
    assert len(set(groups[staged.answers.truth["identity"]])) == target.victims
    assert len(target.reference) + target.victims <= len(data)
    assert target.mates.shape == (target.victims, 2)
    wholly = {tuple(row) for row in zip(target.reference.float("age"), target.reference.float("savings"), strict=True)}
    assert len(wholly) > 10
    with pytest.raises(AttackError, match="not both"):
        stage_file(data, masked, scenario=known, mates=2, reference=data)


def test_columns_of_other_releases_may_be_known_and_the_method_is_judged() -> None:
    data, masked = files()
    staged = stage_file(data, masked.drop(["age"]), scenario=tc.Scenario(keys=["age"], known=["tax"]), earlier=[masked])
    assert staged.target.known.names == ("age", "tax")
    assert set(staged.answers.truth["method"]) == {"swap"}
    assert staged.answers.guess("method") == 1.0
    assert "method" not in staged.control[1].truth
    assert family_of(()) == "none"

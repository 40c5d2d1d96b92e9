"""Singling out: what holds for one synthetic record."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.attack.judge.stage_file import as_it_leaves
from tacita.attack.synthetic.predicates import Clause, count_holding
from tacita.attack.synthetic.singling_out import SinglingOut
from tacita.attack.targets import GeneratorTarget
from tacita.core.errors import AttackError, ParameterError
from tacita.data.microdata import Microdata
from tacita.mask import RecordResampling
from tacita.study.red_team.synthetic import by_mask, copied, fresh_people, permuted_columns
from tests.attack.synthetic.scenes import attacked, staged


@pytest.mark.parametrize("predicates", ["both", "univariate", "multivariate"])
def test_a_copy_is_broken_and_fresh_people_are_held(predicates: str) -> None:
    attack = SinglingOut(predicates=predicates)
    weak, strong = attacked(attack, copied), attacked(attack, fresh_people)
    assert (weak.standing, weak.success) == ("broken", 1.0)
    assert strong.standing == "held"
    assert abs(strong.advantage) < 0.05 < strong.baseline + 0.05


def test_records_drawn_twice_are_not_singled_out_but_the_others_are() -> None:
    assert attacked(SinglingOut(), by_mask(RecordResampling())).success > 0.7


def test_shuffled_columns_are_broken_by_single_numbers_alone() -> None:
    assert attacked(SinglingOut(predicates="univariate"), permuted_columns).success > 0.9
    assert attacked(SinglingOut(predicates="multivariate"), permuted_columns).standing == "held"


@pytest.mark.parametrize("predicates", ["univariate", "multivariate"])
def test_every_predicate_holds_for_one_synthetic_record(predicates: str) -> None:
    target = staged(copied, n=500).target
    (claims,) = SinglingOut(predicates=predicates).run(target, np.random.default_rng(1))
    said = [predicate for predicate in claims.said if predicate]
    assert len(set(said)) == len(said) == claims.figures["predicates"] > 20
    assert (count_holding(said, target.released) == 1).all()


def test_ends_single_classes_and_the_only_gap() -> None:
    table = pa.table({"x": [1.0, 1.0, 2.0, 9.0, None], "c": ["a", "a", "b", "b", "z"]})
    file = as_it_leaves(Microdata.from_frame(table))
    many = file.take(np.tile(np.arange(5), 20))
    target = GeneratorTarget(released=file, generate=copied, candidates=many, reference=file)
    (claims,) = SinglingOut(predicates="univariate").run(target, np.random.default_rng(1))
    assert {p for p in claims.said if p} == {
        (Clause("x", "is missing"),),
        (Clause("x", "is", 2.0),),
        (Clause("x", "is", 9.0),),
        (Clause("x", "at least", 9.0),),
        (Clause("c", "is", "z"),),
    }


def test_a_seed_repeats_it() -> None:
    target = staged(copied, n=500).target
    one, two, other = (SinglingOut().run(target, np.random.default_rng(s))[0].said.tolist() for s in (1, 1, 2))
    assert one == two != other


def test_it_needs_two_records_and_no_secret() -> None:
    target = staged(copied, n=100, secret="health").target
    assert "not for a secret" in SinglingOut().declined(target)
    with pytest.raises(AttackError, match="not for a secret"):
        SinglingOut().run(target, np.random.default_rng(1))
    with pytest.raises(ParameterError, match="'conditions' must be"):
        SinglingOut(conditions=0)

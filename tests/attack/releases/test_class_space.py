"""Classes of a measure: smallest classes, and the same people in the classes of another measure."""

from __future__ import annotations

import numpy as np

from tacita.attack.releases.class_space import ClassSpace
from tacita.attack.releases.plain_table import PlainDimension, PlainTable

FINE = PlainDimension("place", ("all", "n", "s", "n1", "n2"), {"all": ("n", "s"), "n": ("n1", "n2")})
COARSE = PlainDimension.flat("place", ["n", "s"], total="all")


def space(*dimensions: PlainDimension) -> ClassSpace:
    made = ClassSpace()
    codes = np.zeros((1, len(dimensions)), np.int64)
    made.take([(0, PlainTable(release="one", dimensions=dimensions, codes=codes, values=np.ones(1)))], [])
    return made


def test_groups_are_named_by_their_smallest_classes() -> None:
    fine = space(FINE)
    table = PlainTable(release="one", dimensions=(FINE,), codes=np.array([[1], [0]]), values=np.ones(2))
    assert fine.group(table, 0, 0) == {"place": {"n1", "n2"}}
    assert fine.atoms(fine.group(table, 0, 0)).tolist() == [1, 2]
    assert fine.atoms({}).tolist() == [0, 1, 2]
    assert [fine.group_of_atom(atom)["place"] for atom in range(3)] == [{"s"}, {"n1"}, {"n2"}]


def test_the_same_people_in_other_classes() -> None:
    fine, coarse = space(FINE), space(COARSE)
    assert fine.holding({"place": frozenset({"n"})}, coarse) == ({"place": {"n1", "n2"}}, True)
    assert coarse.holding({"place": frozenset({"n1", "n2"})}, fine) == ({"place": {"n"}}, True)
    assert coarse.holding({"place": frozenset({"n1"})}, fine) == ({"place": {"n"}}, False)  # the fewest that hold them
    assert coarse.holding({"place": frozenset({"s", "n1", "n2"})}, fine) == ({}, True)  # everybody


def test_a_variable_that_one_side_does_not_have() -> None:
    sex = PlainDimension.flat("sex", ["f", "m"])
    both, one = space(COARSE, sex), space(COARSE)
    assert one.holding({"place": frozenset({"n"}), "sex": frozenset({"f"})}, both) == ({"place": {"n"}}, False)
    assert both.holding({"place": frozenset({"n"})}, one) == ({"place": {"n"}}, True)


def test_all_who_are_in_no_class_that_was_named() -> None:
    told = PlainTable.of_answers("server", [({"place": ["n"]}, 3.0)])
    answers = ClassSpace()
    answers.take([(0, told)], [])
    assert answers.size == 2
    others = next(answers.group_of_atom(i)["place"] for i in range(2) if answers.group_of_atom(i)["place"] != {"n"})
    found, is_same = space(COARSE).holding({"place": others}, answers)
    assert (found, is_same) == ({"place": {"s"}}, False)

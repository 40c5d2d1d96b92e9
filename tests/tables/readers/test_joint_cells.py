"""Tables side by side: shared cells are one, cells that are not listed are 0."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.tables.model.dimension import Dimension
from tacita.tables.readers.joint_cells import cell_numbers, published_counts, read_tables

DATA = tc.samples.person_register(300, seed=1)
ONE, TWO = (tc.tabulate(DATA, ["sex", name]) for name in ("marital", "disability"))


def test_shared_cells_are_one() -> None:
    joint = read_tables([ONE, TWO], owner="test")
    assert len(joint) == len(ONE) + len(TWO) - 3
    assert (joint.least == joint.most).all()
    assert not len(joint.relations.violated(joint.most.astype(float)))
    assert len(joint.relations) == len(ONE.relations) + len(TWO.relations)


def test_tables_that_differ_are_seen() -> None:
    values = TWO.values.copy()
    values[TWO.find({"sex": "male", "disability": "Total"})] += 2
    joint = read_tables([ONE, TWO.with_values(values)], owner="test")
    assert (joint.most - joint.least).sum() == 2


def test_cells_that_are_not_listed_are_empty() -> None:
    declared = tc.tables.declare(tc.samples.census_register(300, seed=1, regions=9), [["municipality", "tenure"]])
    (table,) = declared.tables
    joint = read_tables([table], owner="test")
    assert len(joint) == np.prod([len(dimension.codes) for dimension in table.dimensions]) > len(table)
    assert np.array_equal(joint.counts([table]), joint.most)
    assert (joint.most > 0).sum() == (table.values > 0).sum()


def test_counts_of_tables_with_further_variables() -> None:
    """Of a table that has a variable more, the cells at its total are those that are asked for."""
    joint = read_tables([ONE], owner="test")
    assert np.array_equal(joint.counts([tc.tabulate(DATA, ["sex", "marital", "disability"])]), joint.most)
    assert np.array_equal(joint.counts([ONE, TWO]), joint.most)


def test_a_variable_that_a_table_lacks_is_at_its_total() -> None:
    every = (*ONE.dimensions, TWO.dimensions[1])
    assert len(np.unique(cell_numbers(every, ONE.dimensions, ONE.codes))) == len(ONE)
    with pytest.raises(ParameterError, match="'disability' has other codes"):
        cell_numbers(ONE.dimensions, TWO.dimensions, TWO.codes)
    bare = Dimension("kind", ("a", "b"))
    with pytest.raises(ParameterError, match="'kind' has no total"):
        cell_numbers((*every, bare), ONE.dimensions, ONE.codes)


def test_bad_input() -> None:
    with pytest.raises(ParameterError, match="at least one table"):
        read_tables([], owner="test")
    other = tc.tabulate(DATA, [Dimension.flat("sex", ["female", "male"], total="All")])
    with pytest.raises(ParameterError, match="'sex' has different codes"):
        read_tables([ONE, other], owner="test")
    with pytest.raises(DataError, match="whole numbers"):
        published_counts(ONE.with_values(ONE.values + 0.5))
    rules = tc.tables.MinimumFrequency(at_least=30)
    hidden = tc.tables.Suppress().protect(ONE, rules.judge(ONE))
    assert hidden.hidden.any()
    with pytest.raises(DataError, match="cells are hidden"):
        published_counts(hidden)

"""One system of all releases: the same group is the same cell, sums hold for the truth, and what does not fit is said."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.releases.joint_system import joint_system
from tacita.attack.releases.plain_table import PlainDimension, PlainTable
from tacita.core.errors import AttackError
from tests.attack.releases.pairs import AGE, SEX, crossed, inner, safe_pair


def test_what_is_the_same_group_is_the_same_cell() -> None:
    one, two, counts = safe_pair()
    system = joint_system([one, two])
    target = system.target
    assert target.names == ("spring", "autumn")
    assert target.tables.relations.shape == (16, 9 + 16)
    assert len(system.victims) == target.victims == 7  # four and four, of which one is the same
    whole = target.together([0, 1])
    truth = np.where(np.isnan(whole.shown), 0.0, whole.shown)
    truth[:9] = counts.ravel()
    truth[9:] = target.tables.relations[:, :9] @ truth[:9]
    assert np.abs(target.tables.relations @ truth).max() < 1e-9
    shown = ~np.isnan(whole.shown)
    np.testing.assert_allclose(whole.shown[shown], truth[shown])


def test_a_table_of_fewer_variables_stands_at_their_totals() -> None:
    by_age = PlainTable(
        release="ages",
        dimensions=(AGE,),
        codes=np.array([[0], [1]]),
        values=np.array([inner().sum(), inner()[0].sum()]),
    )
    target = joint_system([crossed("both", inner(), []), by_age]).target
    assert target.shows[1].cells.tolist() == [target.shows[0].cells[0], target.shows[0].cells[4]]


def test_codes_that_are_broken_down_elsewhere() -> None:
    fine = PlainDimension("place", ("all", "n", "s", "n1", "n2"), {"all": ("n", "s"), "n": ("n1", "n2")})
    coarse = PlainDimension.flat("place", ["n", "s"], total="all")
    one = PlainTable(release="fine", dimensions=(fine,), codes=np.array([[3], [4]]), values=np.array([2.0, 3.0]))
    two = PlainTable(release="coarse", dimensions=(coarse,), codes=np.array([[0], [1]]), values=np.array([9.0, np.nan]))
    system = joint_system([one, two])
    assert not system.left_out
    assert system.target.tables.relations.shape == (4, 3 + 4)
    other = PlainDimension.flat("place", ["hill", "valley"], total="all")
    three = PlainTable(release="other", dimensions=(other,), codes=np.array([[1]]), values=np.array([4.0]))
    mixed = joint_system([one, two, three])
    assert mixed.left_out == ("'place' of other has other classes than before; it counts as another variable.",)
    assert mixed.target.tables.relations.shape[1] == 6 + 5


def test_too_many_combinations_are_said() -> None:
    wide = PlainDimension.flat("street", [f"s{i}" for i in range(50)])
    table = PlainTable(release="streets", dimensions=(wide,), codes=np.array([[1]]), values=np.array([4.0]))
    system = joint_system([*safe_pair()[:2], table], most_atoms=100)
    assert system.left_out == ("streets: with it there are too many combinations of classes.",)
    assert system.target.names == ("spring", "autumn")
    with pytest.raises(AttackError, match="could be used"):
        joint_system([])


def test_measures_have_atoms_of_their_own() -> None:
    counts = PlainTable(release="one", dimensions=(SEX,), codes=np.array([[0]]), values=np.array([9.0]))
    wages = PlainTable(release="one", measure="wage", dimensions=(SEX,), codes=np.array([[0]]), values=np.array([9.0]))
    target = joint_system([counts, wages]).target
    assert target.tables.relations.shape == (
        2 + 4,
        4 + 2 + 4,
    )  # and the four atoms as cells, to be held against each other
    assert target.is_counted.sum() == 2 + 1 + 2
    assert not target.tables.is_count
    alone = joint_system([wages]).target
    assert alone.tables.relations.shape == (1, 2 + 1)

"""Counts and totals in one system: empty groups, means, groups of one, and what a contributor of several releases sees."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack import AcrossReleases, PlainDimension, PlainTable, hurting_releases, joint_system
from tacita.attack.releases.joint_bounds import joint_table, solved
from tacita.attack.targets import Seat

PLACE = PlainDimension.flat("place", ["a", "b", "c"])
CODES = np.arange(4)[:, None]
GAP = np.nan


def shown(release: str, values: list[float], measure: str = "", **more: object) -> PlainTable:
    """Return a table of total, a, b and c."""
    return PlainTable(
        release=release, measure=measure, dimensions=(PLACE,), codes=CODES, values=np.array(values), **more
    )  # type: ignore[arg-type]


def run(*tables: PlainTable) -> dict[str, float]:
    """Return what is known of each hidden cell of the totals, by its class."""
    system = joint_system(tables)
    claims = AcrossReleases().run(system.target, np.random.default_rng(1))[0]
    told = zip(system.victims, claims.said.tolist(), strict=True)
    return {tables[i].cell(at)["place"][0]: value for (i, at), value in told if i >= 0 and tables[i].measure}


TOTALS = shown("totals", [100, GAP, GAP, 60], "wage")


def test_where_nobody_is_there_is_no_total() -> None:
    assert all(np.isnan(value) for value in run(TOTALS, shown("counts", [7, 2, 2, 3])).values())
    assert run(TOTALS, shown("counts", [7, 0, 4, 3])) == {"a": 0.0, "b": 40.0}


def test_that_nobody_is_there_may_follow_from_other_counts() -> None:
    counts = shown("counts", [7, GAP, GAP, 3])
    more = PlainTable.of_answers("server", [({"place": ["b", "c"]}, 7.0)])
    found = run(TOTALS, counts, more)
    assert found["a"] == pytest.approx(0.0)
    assert found["b"] == pytest.approx(40.0)
    assert [one.releases for one in hurting_releases(joint_system([TOTALS, shown("counts", [7, 0, 4, 3])]).target)] == [
        ("totals", "counts")
    ]


def test_where_there_is_a_total_there_is_somebody() -> None:
    counts = shown("counts", [4, GAP, GAP, 3])
    totals = shown("totals", [100, 40, GAP, GAP], "wage", wanted=np.zeros(4, bool))
    system = joint_system([counts, totals])
    claims = solved(system.target, range(2), 0.001)
    cells = {
        counts.cell(at)["place"][0]: value for (i, at), value in zip(system.victims, claims.said, strict=True) if i == 0
    }
    assert cells == {"a": 1.0, "b": 0.0}
    assert np.isnan(solved(system.target, [0], 0.001).said[:2]).all()


def test_a_total_of_nothing_does_not_say_that_nobody_is_there() -> None:
    counts = shown("counts", [4, GAP, GAP, 3])
    totals = shown("totals", [60, 0, 0, 60], "wage", wanted=np.zeros(4, bool))
    assert not np.isfinite(solved(joint_system([counts, totals]).target, range(2), 0.001).said[:2]).any()


def test_a_mean_times_a_count_is_a_total() -> None:
    means = shown("means", [GAP, 10, GAP, GAP], "wage", statistic="mean")
    assert np.isnan(list(run(TOTALS, means).values())).all()
    found = run(TOTALS, means, shown("counts", [7, 2, GAP, GAP]))
    assert found == {"a": pytest.approx(20.0), "b": pytest.approx(20.0)}
    rounded = replace(means, reach=np.full(4, 0.5))
    system = joint_system([TOTALS, rounded, shown("counts", [7, 2, GAP, GAP])])
    claims = solved(system.target, range(3), 0.0)
    assert claims.low is not None
    assert claims.high is not None
    cell = system.victims.index((0, 1))
    assert (claims.low[cell], claims.high[cell]) == (pytest.approx(19.0), pytest.approx(21.0))


def test_the_total_of_a_group_of_one_is_what_a_person_has() -> None:
    """Seven and eight people, 70 and 95 of wages: the eighth has 25. Neither release says it."""
    groups: list[dict[str, list[str]]] = [{"place": ["a"]}, {"place": ["a", "b"]}]
    counts = PlainTable.of_answers("counts", list(zip(groups, [7.0, 8.0], strict=True)))
    totals = PlainTable.of_answers("totals", list(zip(groups, [70.0, 95.0], strict=True)), measure="wage")
    system = joint_system([counts, totals])
    assert [i for i, _ in system.victims] == [-1]
    assert solved(system.target, range(2), 0.001).said.tolist() == [pytest.approx(25.0)]
    for alone in range(2):
        assert np.isnan(solved(system.target, [alone], 0.001).said).all()
    (found,) = hurting_releases(system.target)
    assert found.words() == "counts and totals together tell what 1 person has that they do not tell alone."
    rounded = replace(counts, reach=np.full(2, 2.0))
    assert not joint_system([rounded, totals]).victims


def test_amounts_below_zero_say_nothing_of_each_other() -> None:
    totals = replace(TOTALS, has_negative=True)
    system = joint_system([totals, shown("counts", [7, 0, 4, 3])])
    claims = solved(system.target, range(2), 0.001)
    assert np.isnan(claims.said).sum() == 0  # nobody is in a, whatever the sign
    alone = joint_table(system.target, [0])
    assert alone is not None
    assert np.isneginf(alone.lower[np.isnan(alone.shown) & ~system.target.is_counted]).any()


# --- from the seats -------------------------------------------------------------------------------------------------------

A, B = (
    Seat(np.array([0, 1]), np.array([100.0, 100.0]), who="one"),
    Seat(np.array([0, 2]), np.array([90.0, 90.0]), who="two"),
)


def version(release: str, hidden: list[int]) -> PlainTable:
    """Return turnover of four branches: {100, 1}, {90, 1}, {30, 20} and {30, 30}; the first two are unsafe."""
    branch = PlainDimension.flat("branch", ["a", "b", "c", "d"])
    true = np.array([302.0, 101, 91, 50, 60])
    values = np.where(np.isin(np.arange(5), hidden), np.nan, true)
    return PlainTable(
        release=release,
        measure="turnover",
        dimensions=(branch,),
        codes=np.arange(5)[:, None],
        values=values,
        wanted=np.isin(np.arange(5), [1, 2]),
        seats=(A, B),
        sought=("", "one", "two", "", ""),
    )


def test_a_contributor_uses_what_he_has_in_both_releases() -> None:
    """The first hides c and the second d, so that a + b follows from both: from the seat of the 90, a is at most 102."""
    system = joint_system([version("spring", [1, 2, 3]), version("autumn", [1, 2, 4])])
    assert len(system.target.tables.seats) == 2
    cells, people = AcrossReleases().run(system.target, np.random.default_rng(1))
    assert np.isnan(cells.said).all()  # an outsider learns nothing
    assert people.about == "contributor"
    assert people.said.tolist() == [pytest.approx(102.0), pytest.approx(92.0)]
    guards = 1.05 * np.array([100.0, 90.0])
    assert hurting_releases(system.target) == ()
    (found,) = hurting_releases(system.target, guards=guards)
    assert found.releases == ("spring", "autumn")
    assert found.words() == (
        "spring and autumn together tell a contributor too much of the largest contributors of 2 cells, "
        "which they do not do alone."
    )


def test_the_same_pattern_twice_tells_a_contributor_no_more() -> None:
    system = joint_system([version("spring", [1, 2, 3]), version("autumn", [1, 2, 3])])
    assert hurting_releases(system.target, guards=1.05 * np.array([100.0, 90.0])) == ()


def test_releases_that_are_told_apart_are_named_only_with_the_next() -> None:
    tables = [version("spring", [1, 2, 3]), version("autumn", [1, 2, 4]), version("winter", [1, 2, 3])]
    guards = 1.05 * np.array([100.0, 90.0])
    found = hurting_releases(joint_system(tables).target, guards=guards, next_release="winter")
    assert [one.releases for one in found] == [("autumn", "winter")]

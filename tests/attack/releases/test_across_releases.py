"""Across releases: safe alone and not together, by successive versions, files, answers and three at once; the pairs are named."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.attack import AcrossReleases, HiddenCells, attack_once
from tacita.attack.judge.answers import Answers
from tacita.attack.releases.across_releases import hurting_releases
from tacita.attack.releases.joint_system import JointSystem, joint_system
from tacita.attack.releases.plain_table import PlainDimension, PlainTable
from tacita.core.errors import AttackError
from tests.attack.releases.pairs import AGE, JOB, crossed, inner, safe_pair

RNG = np.random.default_rng
RECTANGLE = [("young", "a"), ("young", "b"), ("middle", "a"), ("middle", "b")]


def answers_of(system: JointSystem, tables: list[PlainTable], counts: np.ndarray) -> Answers:
    """Return the truth about hidden inner cells."""
    places = [tables[i].codes[place] - 1 for i, place in system.victims]
    return Answers(truth={"cell": np.array([counts[tuple(p)] for p in places])}, baseline={"cell": 0.0}, near=0.0)


def test_versions_that_hide_other_cells_break_each_other() -> None:
    one, two, counts = safe_pair()
    system = joint_system([one, two])
    for release in (0, 1):  # each is safe alone
        alone = system.target.together([release])
        assert not HiddenCells().run(alone, RNG(1))[0].is_sure[np.isnan(alone.shown[alone.wanted])].any()  # type: ignore[index]
    found = attack_once(AcrossReleases(), system.target, answers_of(system, [one, two], counts), seed=1)
    assert (found.standing, found.success) == ("broken", 1.0)
    assert found.figures["known_together"] >= 1
    assert "spring and autumn together tell " in found.learned


def test_the_same_pattern_twice_holds() -> None:
    counts = inner()
    one, two = crossed("spring", counts, RECTANGLE), crossed("autumn", counts, RECTANGLE)
    system = joint_system([one, two])
    found = attack_once(AcrossReleases(), system.target, answers_of(system, [one, two], counts), seed=1)
    assert (found.standing, found.sure) == ("held", 0)
    assert hurting_releases(system.target) == ()


def test_tables_by_other_dimensions_that_share_a_margin() -> None:
    """By age and job, and by age and sex: the second shows an age of people in one job only, whom the first hides."""
    counts = inner()
    first = crossed("jobs", counts, RECTANGLE)
    sex = PlainDimension.flat("sex", ["f", "m"])
    women = np.stack([counts.sum(1) - 2, np.full(3, 2.0)], axis=1)
    second = crossed("sexes", women, [("young", "f"), ("young", "m"), ("old", "f"), ("old", "m")], (AGE, sex))
    third = PlainTable(  # and one number: the young of job a
        release="note", dimensions=(AGE, JOB), codes=np.array([[1, 1]]), values=counts[:1, 0]
    )
    system = joint_system([first, second, third])
    pairs = hurting_releases(system.target)
    assert [one.releases for one in pairs] == [("jobs", "note")]
    assert len(pairs[0].victims) == 3  # the cell itself the note tells alone
    assert "jobs and note together tell 3 cells" in pairs[0].words()


def test_a_file_with_open_categories_pins_down_a_hidden_cell() -> None:
    counts = inner()
    rows = [
        (AGE.codes[i + 1], JOB.codes[j + 1])
        for i, j in itertools.product(range(3), repeat=2)
        for _ in range(int(counts[i, j]))
    ]
    frame = pa.table({"age": [row[0] for row in rows], "job": [row[1] for row in rows]})
    file = PlainTable.of_file("file", tc.Microdata.from_frame(frame), ["age", "job"])
    coarse = PlainTable.of_file("coarse file", tc.Microdata.from_frame(frame), ["age"])
    table = crossed("table", counts, RECTANGLE)
    system = joint_system([table, file])
    claims = AcrossReleases().run(system.target, RNG(1))[0]
    np.testing.assert_allclose(claims.said, answers_of(system, [table, file], counts).truth["cell"])
    assert claims.figures["known_alone"] == 4  # the file alone tells them
    held = joint_system([table, coarse])
    assert AcrossReleases().run(held.target, RNG(1))[0].figures["known"] == 0


def test_answers_of_a_database_complete_a_table() -> None:
    counts = inner()
    table = crossed("table", counts, RECTANGLE)
    told = PlainTable.of_answers(
        "server", [({"age": ["young", "old"], "job": ["a", "c"]}, counts[[0, 0, 2, 2], [0, 2, 0, 2]].sum())]
    )
    system = joint_system([table, told])
    found = hurting_releases(system.target)
    assert [one.releases for one in found] == [("table", "server")]
    assert len(found[0].victims) == 4
    claims = AcrossReleases().run(system.target, RNG(1))[0]
    np.testing.assert_allclose(claims.said, answers_of(system, [table, told], counts).truth["cell"])


def test_three_that_are_needed_and_what_is_to_leave_next() -> None:
    counts = inner()
    block = [(a, j) for a in ("young", "middle", "old") for j in ("a", "b", "c")]
    table = crossed("table", counts, block)
    numbers = [((0, 0), "one"), ((0, 1), "two"), ((1, 0), "three"), ((1, 1), "four")]
    single = [
        PlainTable(release=name, dimensions=(AGE, JOB), codes=np.array([[i + 1, j + 1]]), values=counts[i : i + 1, j])
        for (i, j), name in numbers
    ]
    system = joint_system([table, *single])
    found = hurting_releases(system.target)
    assert {"table"} < set(found[-1].releases)
    assert all(len(one.releases) > 2 for one in found)
    assert hurting_releases(system.target, next_release="four")
    assert all("four" in one.releases for one in hurting_releases(system.target, next_release="four"))
    with pytest.raises(AttackError, match="no release 'five'"):
        hurting_releases(system.target, next_release="five")


def test_releases_of_other_people_contradict_each_other() -> None:
    one = crossed("one", inner(1), RECTANGLE)
    two = crossed("two", inner(2), RECTANGLE)
    with pytest.raises(AttackError, match="one and two contradict each other"):
        AcrossReleases().run(joint_system([one, two]).target, RNG(1))


def test_noise_with_a_bound_is_taken_as_such() -> None:
    counts = inner()
    true = crossed("true", counts, RECTANGLE)
    noisy = crossed("noisy", counts + 1, [])
    noisy = replace(noisy, reach=np.full(len(noisy), 20.0), wanted=np.zeros(len(noisy), bool))
    assert AcrossReleases().run(joint_system([true, noisy]).target, RNG(1))[0].figures["known"] == 0
    close = replace(noisy, reach=np.where(np.arange(len(noisy)) == 5, 0.4, 99.0), values=noisy.values - 0.9)
    assert (
        AcrossReleases().run(joint_system([true, close]).target, RNG(1))[0].figures["known_together"] == 3
    )  # one the noisy table tells alone


def test_what_it_declines_and_nobody() -> None:
    one, two, counts = safe_pair()
    assert "one release" in AcrossReleases().declined(joint_system([one]).target)
    assert AcrossReleases().declined(1)
    system = joint_system([one, two])
    empty = np.zeros(0, np.int64)
    answers = answers_of(system, [one, two], counts)
    assert attack_once(AcrossReleases(), system.target.among(empty), answers.among(empty), seed=1).standing == "not run"
    assert AcrossReleases().cost(system.target) > AcrossReleases().cost(system.target.among(np.arange(2))) > 0

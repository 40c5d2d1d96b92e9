"""Groups of one person: a count of one, two counts that differ by one in one variable, and nothing else."""

from __future__ import annotations

from tacita.attack.releases.class_space import PeopleGroup
from tacita.attack.releases.single_people import single_groups


def group(**classes: str) -> PeopleGroup:
    return {name: frozenset(words.split()) for name, words in classes.items()}


def test_a_count_of_one_and_a_difference_of_one() -> None:
    counts = [
        (group(age="old"), 7.0),
        (group(age="old middle"), 8.0),
        (group(age="young"), 1.0),
        (group(age="old", job="a"), 6.0),
        (group(job="a"), float("nan")),
    ]
    assert list(single_groups(counts)) == [group(age="young"), group(age="middle")]


def test_what_is_left_must_be_a_group() -> None:
    two = [(group(age="old", job="a"), 3.0), (group(age="old middle", job="a b"), 4.0)]
    assert not list(single_groups(two))
    assert not list(single_groups([(group(age="old"), 3.0), (group(age="young"), 4.0)]))
    assert not list(single_groups([(group(age="old"), 0.0), (group(age="old middle"), 1.5)]))

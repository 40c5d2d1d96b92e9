"""Groups of one person that counts show: a count of one, and two counts that differ by one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from tacita.attack.releases.class_space import PeopleGroup

__all__ = ["single_groups"]

MOST_PAIRS = 200_000
"""Pairs of counts that are looked at; those of few people first."""


def single_groups(counts: Sequence[tuple[PeopleGroup, float]]) -> Iterator[PeopleGroup]:
    """Give every group of one person that one count or the difference of two tells.

    Parameters
    ----------
    counts
        Groups and how many people are in each; NaN where that is hidden.

    Notes
    -----
    Of two counts one must be of a part of the other, and the two groups must differ in one variable; what is left is then a group
    again.

    Examples
    --------
    >>> old, both = {"age": frozenset({"old"})}, {"age": frozenset({"old", "middle"})}
    >>> [sorted(group["age"]) for group in single_groups([(old, 7.0), (both, 8.0)])]
    [['middle']]
    """
    of_size: dict[float, list[PeopleGroup]] = defaultdict(list)
    for group, people in counts:
        of_size[people].append(group)
    yield from of_size.get(1.0, [])
    left = MOST_PAIRS
    for people in sorted(size for size in of_size if size > 0):
        for part in of_size[people]:
            for whole in of_size.get(people + 1.0, []):
                left -= 1
                if left < 0:
                    return
                rest = _rest(whole, part)
                if rest is not None:
                    yield rest


def _rest(whole: PeopleGroup, part: PeopleGroup) -> PeopleGroup | None:
    """Return who is in one group and not in another; None where that is no group."""
    names = [name for name in {**whole, **part} if whole.get(name) != part.get(name)]
    if len(names) != 1 or names[0] not in whole or names[0] not in part:
        return None
    left = whole[names[0]] - part[names[0]]
    return {**whole, names[0]: left} if left and part[names[0]] < whole[names[0]] else None

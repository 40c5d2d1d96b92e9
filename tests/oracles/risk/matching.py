"""People and released records with equal keys, by looking at every pair."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

People = Sequence[tuple[Hashable, Hashable]]


def beyond(told: list[tuple[float, float]], count: int) -> float:
    """The share that is told rightly beyond chance, in percent, of (right, chance) for each that is told something."""
    if not told:
        return 0.0
    hit, luck = (sum(pair[i] for pair in told) / len(told) for i in (0, 1))
    return 100 * len(told) / count * (max(0.0, (hit - luck) / (1 - luck)) if luck < 1 else 0.0)


def share_of(value: Hashable, values: Sequence[Hashable]) -> float:
    return sum(other == value for other in values) / len(values)


def citizen_match(people: People, records: People) -> float:
    told = []
    for key, value in records:
        crowd = [theirs for other, theirs in people if other == key]
        if crowd:
            told.append((share_of(value, crowd), share_of(value, [v for _, v in people])))
    return beyond(told, len(records))


def dcap(people: People, records: People) -> float:
    told = []
    for key, value in people:
        said = [theirs for other, theirs in records if other == key]
        if said:
            told.append((share_of(value, said), share_of(value, [v for _, v in people])))
    return beyond(told, len(people))


def tcap(people: People, records: People) -> float:
    told = []
    for key, value in people:
        said = {theirs for other, theirs in records if other == key}
        if len(said) == 1:
            told.append((float(said == {value}), share_of(said.pop(), [v for _, v in people])))
    return beyond(told, len(people))

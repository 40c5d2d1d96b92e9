"""Finding a tracker: sets of published classes of the size that is needed, answered with the rest of everybody."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

import numpy as np

from tacita.attack.queries.class_sets import ClassSet, everybody, people_of
from tacita.attack.queries.words import ServerWords

__all__ = ["MOST_TRACKERS_TRIED", "find_double_tracker", "find_tracker", "find_union_trackers"]

MOST_TRACKERS_TRIED = 200
"""Sets of classes that are tried before the search ends."""
_OF_ONE_SIZE = 8


def find_tracker(words: ServerWords, *, most: int = MOST_TRACKERS_TRIED) -> ClassSet | None:
    """Find T such that both T and the rest of everybody are answered, as near to a half as can be.

    The smallest set that a server answers, k, is not known to the attacker. A general tracker needs ``2k <= |T| <= n - 2k``;
    the one that is nearest to a half has that if any has.

    Parameters
    ----------
    words
        The conversation with the server.
    most
        Sets that are tried.

    Returns
    -------
    ClassSet or None
        The tracker; None where no set was answered together with its rest.

    Complexity
    ----------
    Two questions for each set that is tried.

    References
    ----------
    Denning, Denning & Schwartz (1979), The tracker: a threat to statistical database security.
    """
    best: tuple[float, ClassSet | None] = (np.inf, None)
    for tracker in _candidates(words, most):
        inside = words.look(tracker)
        if inside is None:
            continue
        outside = words.look(everybody(words.domain) - tracker)
        if outside is None:
            continue
        share = _share(inside[0], outside[0])
        if abs(share - 0.5) < best[0]:
            best = abs(share - 0.5), tracker
        if best[0] < 0.1:
            break
    return best[1]


def find_double_tracker(words: ServerWords, *, most: int = MOST_TRACKERS_TRIED) -> tuple[ClassSet, ClassSet] | None:
    """Find T inside U, both answered: U a half of everybody or so, T a part of it by another variable."""
    outer = find_tracker(words, most=most)
    if outer is None:
        return None
    for inner in _candidates(words, most):
        if set(inner.variables) & set(outer.variables):
            continue
        if words.look(inner & outer) is not None:
            return inner & outer, outer
    return None


def find_union_trackers(words: ServerWords, *, most: int = MOST_TRACKERS_TRIED) -> tuple[ClassSet, ...]:
    """Find three and more sets that do not meet and are answered each: the classes of one variable. See :func:`find_tracker`."""
    found: tuple[ClassSet, ...] = ()
    tried = 0
    for name in sorted(_names(words), key=lambda one: -len(words.domain[one])):
        sets = [people_of(words.domain, {name: word}) for word in words.domain[name]][: most - tried]
        tried += len(sets)
        answered = tuple(one for one in sets if words.look(one) is not None)
        if len(answered) > len(found):
            found = answered
        if len(found) > 2:
            break
    return found


def _share(inside: float, outside: float) -> float:
    """Part of everybody that a set has; where nobody is counted, a half is supposed."""
    whole = inside + outside
    return 0.5 if np.isnan(whole) or whole <= 0 else float(inside / whole)


def _names(words: ServerWords) -> list[str]:
    return [name for name, classes in words.domain.items() if name != words.target.wanted and len(classes) > 1]


def _candidates(words: ServerWords, most: int) -> Iterator[ClassSet]:
    """Sets of classes of one variable: half of the classes first, then one more or fewer, then other halves."""
    made = 0
    for name in _names(words):
        classes = words.domain[name]
        half = len(classes) // 2
        for size in sorted(range(1, len(classes)), key=lambda one: abs(one - half)):
            for chosen in islice(combinations(classes, size), _OF_ONE_SIZE):
                if made >= most:
                    return
                made += 1
                yield people_of(words.domain, {name: chosen})

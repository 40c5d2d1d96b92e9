"""Programs of queries: lists of counts about a victim, in a grammar that knows equal, not equal and nothing; no differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.random import Generator

from tacita.attack.queries.class_sets import ClassSet, people_of

__all__ = [
    "ABSENT",
    "EQUAL",
    "UNEQUAL",
    "Program",
    "Query",
    "bred",
    "differencing_pairs",
    "drawn_program",
    "program_words",
    "query_set",
    "repeats",
]

ABSENT, EQUAL, UNEQUAL = 0, 1, 2
"""What a query says of a variable: nothing, the victim's class, or any other."""

Query: TypeAlias = tuple[int, ...]
"""A condition for each known variable, and at the end whether the class that is asked for is one: absent or equal."""
Program: TypeAlias = tuple[Query, ...]


def drawn_program(variables: int, size: int, rng: Generator) -> Program:
    """Draw a program of some queries, every condition with the same chance."""
    return tuple(_drawn(variables, rng) for _ in range(size))


def bred(one: Program, two: Program, rng: Generator, *, mutation: float) -> Program:
    """Return a child of two programs: each of its queries from either, some conditions changed.

    Parameters
    ----------
    one, two
        The parents, of the same size.
    rng
        Random numbers.
    mutation
        Chance that a condition is drawn anew.
    """
    found = []
    for pair in zip(one, two, strict=True):
        query = list(pair[int(rng.integers(2))])
        for place in np.flatnonzero(rng.random(len(query)) < mutation).tolist():
            query[place] = _condition(place == len(query) - 1, rng)
        found.append(tuple(query))
    if rng.random() < 0.5:  # a copy of a query takes the place of another one, perhaps with one condition changed
        copy = list(found[int(rng.integers(len(found)))])
        if rng.random() < 0.5:
            place = int(rng.integers(len(copy)))
            copy[place] = _condition(place == len(copy) - 1, rng)
        found[int(rng.integers(len(found)))] = tuple(copy)
    return tuple(found)


def query_set(
    query: Query, domain: Mapping[str, Sequence[str]], known: Mapping[str, str], wanted: str, of: str
) -> ClassSet | None:
    """Return the people that a query is about, for one victim; None where nobody can be meant."""
    conditions: dict[str, list[str]] = {}
    for condition, (name, word) in zip(query[:-1], sorted(known.items()), strict=True):
        if condition == EQUAL:
            conditions[name] = [word]
        elif condition == UNEQUAL:
            conditions[name] = [other for other in domain[name] if other != word]
    if query[-1] == EQUAL:
        conditions[wanted] = [of]
    found = people_of(domain, conditions)
    return found or None


def differencing_pairs(program: Program, weights: Sequence[float]) -> int:
    """Return how many pairs of queries differ by the victim and are weighed against each other.

    One says nothing of a variable where the other says "not the victim's"; all else is the same. Their difference is the people
    with the victim's class.

    Examples
    --------
    >>> differencing_pairs(((1, 0, 1), (1, 2, 1)), [3.0, -3.0]), differencing_pairs(((1, 0, 1), (1, 2, 1)), [3.0, 3.0])
    (1, 0)
    """
    found = 0
    for (one, a), (two, b) in combinations(zip(program, weights, strict=True), 2):
        apart = [(x, y) for x, y in zip(one, two, strict=True) if x != y]
        found += len(apart) == 1 and set(apart[0]) == {ABSENT, UNEQUAL} and a * b < 0
    return found


def repeats(program: Program, weights: Sequence[float]) -> int:
    """Return how often a query is asked again and weighed the same way: what averages noise.

    Examples
    --------
    >>> repeats(((1, 1), (1, 1), (0, 1)), [0.5, 0.4, 1.0])
    1
    """
    signs = Counter((query, weight > 0) for query, weight in zip(program, weights, strict=True) if abs(weight) > 0)
    return sum(count - 1 for count in signs.values())


def program_words(program: Program, weights: Sequence[float], names: Sequence[str]) -> str:
    """Return a program in words, the heaviest queries first.

    Examples
    --------
    >>> program_words(((1, 2, 1),), [-2.0], ["age", "sex", "ill"])
    '-2.0 count(age =, sex not, ill =)'
    """
    said = []
    for query, weight in sorted(zip(program, weights, strict=True), key=lambda pair: -abs(pair[1])):
        marks = [f"{name} {('', '=', 'not')[c]}" for name, c in zip(names, query, strict=True) if c in (EQUAL, UNEQUAL)]
        said.append(f"{weight:+.1f} count({', '.join(marks) or 'everybody'})")
    return "; ".join(said)


def _condition(is_last: bool, rng: Generator) -> int:
    """A condition of a known variable, or of the class that is asked for, which stands last."""
    return int(rng.integers(2 if is_last else 3))


def _drawn(variables: int, rng: Generator) -> Query:
    return (*(int(c) for c in rng.integers(0, 3, variables)), int(rng.integers(2)))

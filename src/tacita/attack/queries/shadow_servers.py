"""Shadow servers: the server's program on data of the attacker's own, in which he knows what the victim has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from tacita.attack.queries.class_sets import everybody
from tacita.attack.queries.query_programs import Program, Query, query_set
from tacita.attack.queries.words import ServerWords
from tacita.attack.targets import OracleTarget
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import AttackError
from tacita.data.microdata import Microdata

__all__ = ["REFUSED", "ReferencePeople", "Shadows", "answers_of"]

REFUSED = -1.0
"""What stands for a refusal among the answers of a program."""


@dataclass(eq=False)
class Shadows:
    """Servers on shadow data, each with one victim of whom it is known whether he has the class.

    Parameters
    ----------
    target
        What the attacker has.
    domain
        The published classes.
    data
        Shadow data, one for each server.
    known
        The victim of each.
    has
        Whether that victim has the class.
    seeds
        Seeds of the servers.
    remembers
        Whether a server may remember what it was asked: then every program is run on servers that were asked nothing; otherwise
        each query is asked once and kept.
    """

    target: OracleTarget
    domain: Mapping[str, Sequence[str]]
    data: list[Microdata]
    known: list[Mapping[str, str]]
    has: BoolArray
    seeds: list[int]
    remembers: bool
    queries: int = 0
    _kept: dict[tuple[Query, int], FloatArray] = field(default_factory=dict)
    _open: list[ServerWords] = field(default_factory=list)

    @classmethod
    def drawn(
        cls, target: OracleTarget, domain: Mapping[str, Sequence[str]], count: int, rng: Generator, *, remembers: bool
    ) -> Shadows:
        """Draw shadow data from the reference, as large as the server's: half of the victims have the class, half have not."""
        has = rng.permutation(np.arange(count) % 2 == 0)
        victims = [target.known[int(i)] for i in rng.integers(0, target.victims, count)]
        people = ReferencePeople.of(target)
        told = ServerWords(target).count(everybody(domain))
        size = 0 if told is None else max(round(told), 2)
        data = [people.shadow(victim, has=bool(h), rng=rng, size=size) for victim, h in zip(victims, has, strict=True)]
        seeds = [int(seed) for seed in rng.integers(0, 2**31, count)]
        return cls(target, domain, data, list(victims), has, seeds, remembers)

    def answers(self, program: Program) -> FloatArray:
        """Return the answers to a program, a row for each server."""
        if self.remembers:
            rows = []
            for number in range(len(self.data)):
                words = self._server(number)
                rows.append(answers_of(words, program, self.known[number]))
                self.queries += len(program)
            return np.array(rows)
        if not self._open:
            self._open = [self._server(number) for number in range(len(self.data))]
        often: Counter[Query] = Counter()
        columns = []
        for query in program:  # the same query again is asked again: its noise may be another one
            columns.append(self._column(query, often[query]))
            often[query] += 1
        return np.column_stack(columns)

    def _column(self, query: Query, occurrence: int) -> FloatArray:
        key = (query, occurrence)
        if key not in self._kept:
            pairs = zip(self._open, self.known, strict=True)
            self._kept[key] = np.array([answers_of(words, (query,), victim)[0] for words, victim in pairs])
            self.queries += len(self._open)
        return self._kept[key]

    def _server(self, number: int) -> ServerWords:
        return ServerWords(self.target, self.target.serve(self.data[number], self.seeds[number]))


def answers_of(words: ServerWords, program: Program, known: Mapping[str, str]) -> FloatArray:
    """Ask one server a program about one victim."""
    found = np.zeros(len(program))
    listed = {name: known[name] for name in known if name in words.domain}
    for place, query in enumerate(program):
        people = query_set(query, words.domain, listed, words.target.wanted, words.target.of)
        if people is not None:
            told = words.count(people, again=True)
            found[place] = REFUSED if told is None else told
    return found


@dataclass(frozen=True, eq=False)
class ReferencePeople:
    """Other people of the population, ready to be drawn from, with the words of their classes."""

    target: OracleTarget
    words: Mapping[str, Any]

    @classmethod
    def of(cls, target: OracleTarget) -> ReferencePeople:
        """Take the words of every class that is known of a victim, and of the wanted variable."""
        names = {name for known in target.known for name in known if name in target.reference.schema}
        words = {}
        for name in sorted(names | {target.wanted}):
            found = target.reference.codes(name)
            words[name] = np.array([*(str(category) for category in found.categories), "(missing)"])[found.values]
        return cls(target, words)

    def shadow(self, victim: Mapping[str, str], *, has: bool, rng: Generator, size: int = 0) -> Microdata:
        """Draw some of them, two thirds by default, nobody with the victim's classes among them, and add the victim.

        Raises
        ------
        AttackError
            When there is nobody with one of the victim's classes, so that it cannot be written.
        """
        wanted, n = self.target.wanted, len(self.target.reference)
        same, row = np.ones(n, bool), {}
        for name, words in self.words.items():
            is_it = words == (self.target.of if name == wanted else victim[name])
            there = np.flatnonzero(~is_it if name == wanted and not has else is_it)
            if not len(there):
                raise AttackError(f"The reference must have somebody with the victim's class of '{name}'.")
            row[name] = int(there[int(rng.integers(len(there)))])
            same &= is_it | (name == wanted)
        others = np.flatnonzero(~same)
        chosen = np.sort(
            rng.choice(others, min(len(others), n - 1, size - 1 if size > 1 else 2 * n // 3), replace=False)
        )
        left = np.setdiff1d(np.arange(n), chosen)
        own = int(left[int(rng.integers(len(left)))])  # what else he has is that of somebody who is not there
        data = self.target.reference
        for name, whose in row.items():
            places = np.arange(n)
            places[own] = whose
            data = data.with_values_of([name], places)
        return data.take(np.append(chosen, own))

"""Refusals as an oracle: a threshold that depends on data tells, by what is refused, who has a class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import ClassSet, everybody, people_of
from tacita.attack.queries.told import SetAttack, victim_set
from tacita.attack.queries.words import ServerWords
from tacita.core.constraints import Interval
from tacita.core.traits import AttackTraits

__all__ = ["VALUE_FREE", "RefusalReading"]

VALUE_FREE = frozenset(
    ("row_audit", "sum_audit", "decompositions", "overlap", "differences", "related_models", "waits", "across_versions")
)
"""Rules that the documentation of a server calls value-free: they look at what was asked, after those that look at records."""
_MOST_CELLS = 60
"""Small sets that are joined until the server answers; a universe has at most 64 pieces."""
_FEWEST_CELLS, _CLASSES_EACH = 12, 8


@dataclass(frozen=True, kw_only=True)
class RefusalReading(SetAttack):
    """Find sets of people of a class that are refused for being one too few, and look whether the victim makes them enough.

    Small sets are joined in a random order until a question about those of the class among them is answered; the union before the
    last is a base. Where a base with the victim is answered and without him is not, he has the class. Where none of many
    bases is, he has it not. What the answers say is not looked at.

    Parameters
    ----------
    bases
        Bases that are used for each victim.

    Returns
    -------
    Claims
        Whether each victim has the class, or his class of two; sure where a base turned.

    Raises
    ------
    AttackError
        When the server has no words for the class.

    Complexity
    ----------
    O(log c) questions for each base out of c small sets, then one for each base and victim.

    Notes
    -----
    It needs a threshold that looks at the records of the class: size control does. A rule that looks at the known part of a
    universe only, or that lets nobody be named by what is confidential, gives nothing away; keyed thresholds make bases err.

    References
    ----------
    Kenthapadi, K., Mishra, N. and Nissim, K. (2005), Simulatable auditing, PODS, 118-127: denials leak where they depend on data.

    Examples
    --------
    >>> RefusalReading(bases=10).bases
    10
    """

    name = "refusal_reading"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="classes that nobody else has together; nothing but which questions are refused",
        breaks="a fixed least number of records, where the class can be named",
        held_by="rules that look at sets only; nobody named by what is confidential",
    )

    bases: Annotated[int, Interval(1)] = 12

    def declined(self, target: Any) -> str:
        why = super().declined(target)
        return why or ("A class must be asked for, which a number without bins has not." if not target.of else "")

    def cost(self, target: Any) -> float:
        return 0.2 + 0.003 * self.bases * float(target.victims)

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)
        oracle = _Oracle(words)
        turned = np.zeros(target.victims, bool)
        bases = np.zeros(target.victims, np.int64)
        for number, known in enumerate(target.known):
            victim = victim_set(words, known)
            for base in oracle.bases(victim, self.bases, rng):
                bases[number] += 1
                if oracle.is_enough(base | victim):
                    turned[number] = True
                    break
        said = np.array([bool(hit) if n else None for hit, n in zip(turned, bases, strict=True)], dtype=object)
        return (
            Claims(
                about=target.wanted,
                said=said,
                is_sure=turned,
                queries=words.queries,
                refused=dict(words.refused),
                not_worded=tuple(words.not_worded),
                learned=f"{int(turned.sum())} of {len(said)} people turned a refusal into an answer.",
                figures={"bases": float(bases.mean()), "turned": float(turned.mean())} if len(said) else {},
            ),
        )


class _Oracle:
    """Which questions about people of the class are answered; what they say is not looked at."""

    def __init__(self, words: ServerWords) -> None:
        self.words = words
        self.having = people_of(words.domain, {words.target.wanted: words.target.of})
        self._pool: dict[tuple[str, ...], list[ClassSet]] = {}

    def is_enough(self, people: ClassSet) -> bool:
        """Whether the question passes every rule that looks at records: it is answered, or refused by one that looks at sets."""
        having = people & self.having
        if self.words.count(having) is not None:
            return True
        rules = set(self.words.reasons(having))
        return bool(rules) and rules <= VALUE_FREE

    def bases(self, victim: ClassSet, most: int, rng: Generator) -> Iterator[ClassSet]:
        """Give refused unions that the victim is not in: those that were found before, then new ones."""
        pool = self._pool.setdefault(victim.variables, [])
        there = [base for base in pool if not base & victim]
        yield from there[:most]
        cells = self._cells(victim) if len(there) < most else []
        for _ in range(3 * (most - len(there))):  # where one person is enough, many orders have no base
            base = self._base(cells, rng)
            if base is None:
                return  # there is no threshold that so few people reach
            if base:
                there.append(base)
                pool.append(base)
                yield base
            if len(there) >= most:
                return

    def _base(self, cells: Sequence[ClassSet], rng: Generator) -> ClassSet | None:
        """The largest refused union of small sets in a random order, found by halving; nobody where the first is enough.

        None where all of them together are refused.
        """
        order = [cells[i] for i in rng.permutation(len(cells))[:_MOST_CELLS]]
        low, high = 0, len(order)  # none of them is refused for sure, all of them must be answered
        if not order or not self.is_enough(_joined(order)):
            return None
        while high - low > 1:
            middle = (low + high) // 2
            if self.is_enough(_joined(order[:middle])):
                high = middle
            else:
                low = middle
        return _joined(order[:low]) if low else order[0] - order[0]

    def _cells(self, victim: ClassSet) -> list[ClassSet]:
        """Small sets by the victim's variables that he is not in, by as many variables as leave enough of them."""
        found: list[ClassSet] = []
        everyone = self.words.count(everybody(self.words.domain)) or 1000.0
        for size in range(len(victim.variables), 0, -1):
            found = []
            of_each = [self._common(name) for name in victim.variables[:size]]
            for chosen in product(*of_each):
                share = float(np.prod([part for _, _, part in chosen]))
                if share * everyone >= 1.0:
                    cell = people_of(self.words.domain, {name: word for name, word, _ in chosen})
                    found += [] if cell & victim else [cell]
            if len(found) >= _FEWEST_CELLS:
                break
        return found

    def _common(self, name: str) -> list[tuple[str, str, float]]:
        """The largest classes of a variable, with their parts of everybody."""
        shares = self.words.shares(name) or {}
        listed = sorted(shares.items(), key=lambda one: -one[1])[:_CLASSES_EACH]
        return [(name, word, part) for word, part in listed]


def _joined(cells: Sequence[ClassSet]) -> ClassSet:
    return ClassSet(cells[0].domain, tuple(box for cell in cells for box in cell.boxes))

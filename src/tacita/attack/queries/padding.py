"""Padding: both universes are joined with a large region, so that the records that are dropped at random fall there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.queries.class_sets import ClassSet, people_of
from tacita.attack.queries.told import SetAttack, claims_told, victim_set
from tacita.attack.queries.universe_difference import TRIES_EACH
from tacita.attack.queries.words import ServerWords
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.numeric.dropping.apparent import apparent_from_counts
from tacita.numeric.dropping.differencing import apparent_cell, padding_probability

__all__ = ["Padding"]


@dataclass(frozen=True, kw_only=True)
class Padding(SetAttack):
    """Ask for tables of a small universe with and without the victim, each joined with a large region, and subtract.

    Tables are by the region and the wanted variable. Where records are dropped from a universe as a whole, nearly all of them
    come from the large region, and the rows of the small one are exact. A difference that has a single 1 and zeros elsewhere
    is an apparent disclosure.

    Parameters
    ----------
    padded
        The variable whose other classes make the large region; empty for the one known variable with most classes.
    k
        Most records that a universe is supposed to lose, for what formula (5) predicts.
    smallest
        Fewest records that it is supposed to lose; 1 with k = 1 is the Drop 1 rule, 2 with k = 2 the Drop 2 rule.

    Returns
    -------
    Claims
        The class of each victim whose difference is an apparent disclosure; of others the most common one. Figures:
        ``apparent``, the share of them that was seen; ``correct_by_formula``, ``apparent_by_formula`` and ``wrong_by_formula``
        without padding, by (5); ``exact_by_padding``, the probability that the padded rows lost nothing.

    Raises
    ------
    AttackError
        When the variable to pad by is not known of the victims.

    Complexity
    ----------
    O(1) tables a victim.

    Notes
    -----
    It beats Drop q for every k: with a region of 10^6 beside 500 people the small part is exact with probability 0.9975 (k = 3)
    to 0.989 (k = 20). Dropping within every stratum holds it down to formula (5).

    References
    ----------
    Lucero, J. et al. (2011), The Microdata Analysis System at the U.S. Census Bureau, SORT special issue, section 3.1.2, (5).

    Examples
    --------
    >>> Padding(k=3).smallest
    2
    """

    name = "padding"
    traits = AttackTraits(
        against="server",
        learns="value",
        knows="classes that nobody else has together; how many records are dropped",
        breaks="records dropped from each universe as a whole",
        held_by="records dropped within every stratum; an auditor of rows",
    )

    padded: str = ""
    k: Annotated[int, Interval(1, 1000)] = 6
    smallest: Annotated[int, Interval(1)] = 2

    def declined(self, target: Any) -> str:
        why = super().declined(target)
        return why or ("It looks at tables of a variable with classes." if not target.of else "")

    def run(self, target: Any, rng: Generator) -> tuple[Claims, ...]:
        words = ServerWords(target)
        found: list[FloatArray | None] = []
        chances: list[tuple[float, float, float, float]] = []
        seen = 0
        for known in target.known:
            shown = self._difference(words, victim_set(words, known), rng)
            if shown is None:
                found.append(None)
                continue
            difference, small, large = shown
            place = int(apparent_cell(difference))
            seen += place >= 0
            found.append(_found(words, difference if place >= 0 else None))
            chances.append(self._predicted(small, large, place))
        claims = claims_told(target, words, found)
        known_chances = [one for one in chances if not np.isnan(one).any()]
        means = np.mean(known_chances, axis=0) if known_chances else np.full(4, np.nan)
        names = ("correct_by_formula", "wrong_by_formula", "apparent_by_formula", "exact_by_padding")
        figures = dict(zip(names, map(float, means), strict=True))
        figures |= {"answered": float(len(chances)), "apparent": seen / max(len(chances), 1)}
        return tuple(replace(claim, figures=figures) for claim in claims)

    def _difference(
        self, words: ServerWords, victim: ClassSet, rng: Generator
    ) -> tuple[IntArray, IntArray, int] | None:
        """The rows of the small region with the victim less those without, its table, and how many the large region has."""
        known = dict(victim.boxes[0])
        region = self.padded or max(known, key=lambda name: (len(words.domain[name]), name))
        if region not in known:
            raise AttackError(f"'padded' must be a variable that is known of the victims, got '{region}'.")
        own = next(iter(known[region]))
        rest = [name for name in known if name != region]
        for free in [rest[i % len(rest)] for i in rng.permutation(TRIES_EACH)]:
            around = {name: words.domain[name] if name == free else known[name] for name in rest}
            small = people_of(words.domain, {region: own, **around})
            large = people_of(words.domain, {region: [word for word in words.domain[region] if word != own]})
            tables = [_table(words, region, people) for people in (small | large, (small - victim) | large)]
            if tables[0] is not None and tables[1] is not None:
                row = words.domain[region].index(own)
                others = int(np.delete(tables[0], row, axis=0).sum())
                return tables[0][row] - tables[1][row], tables[0][row], others
        return None

    def _predicted(self, small: IntArray, large: int, place: int) -> tuple[float, float, float, float]:
        """What formula (5) says without padding of a table with these counts, and what padding leaves."""
        smallest = min(self.smallest, self.k)
        counts = np.maximum(small, 0)
        target = place if place >= 0 else int(counts.argmax())
        counts[target] = max(counts[target], 1)
        if counts.sum() < 2:
            return (np.nan,) * 4
        plain = apparent_from_counts(counts, self.k, target=target, smallest=smallest)
        exact = np.nan
        if counts.sum() - 1 + large >= self.k:
            exact = padding_probability(int(counts.sum()), large, self.k, smallest=smallest)
        return plain.correct, plain.wrong, plain.apparent, exact


def _found(words: ServerWords, difference: IntArray | None) -> FloatArray:
    """What was found of a victim: the difference; where it shows nobody, the parts of everybody that the classes have."""
    if difference is not None:
        return np.concatenate([[float(difference.sum())], difference])
    shares = words.shares(words.target.wanted) or {}
    return np.array([1.0, *(shares.get(word, 0.0) for word in words.classes)])


def _table(words: ServerWords, region: str, people: ClassSet) -> IntArray | None:
    """The table of a universe by the region and the wanted variable; None where it is refused."""
    answer: Mapping[str, Any] | None = words.asked(
        {"kind": "tabulate", "by": [region, words.target.wanted], "where": people.plain()}
    )
    if answer is None or "table" not in answer:
        return None
    cells = [0.0 if value is None else float(value) for value in answer["table"]["values"]]
    return np.asarray(np.rint(cells), np.int64).reshape(len(words.domain[region]), -1)

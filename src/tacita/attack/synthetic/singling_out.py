"""Singling out: conditions that hold for one record of the synthetic file are said to hold for one person in the data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.synthetic.predicates import Clause, count_holding
from tacita.attack.targets import GeneratorTarget
from tacita.core.arrays import FloatArray, IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.microdata import Microdata
from tacita.data.side_by_side.person_space import columns_of_people

__all__ = ["SinglingOut"]

_TRIES = 20
"""Predicates that are drawn for each one that is wanted, at most."""


@dataclass(frozen=True, kw_only=True)
class SinglingOut(Attacker):
    """Say of conditions that hold for one synthetic record that they hold for one person in the data.

    A predicate joins conditions on a few columns with the values of one synthetic record: a class or a missing value as it is,
    a number with ``at least`` where it lies above the median and with ``at most`` below. Those that hold for no other synthetic
    record are claimed to single out somebody in the data. The judge counts for how many people in the data each holds, and for
    how many of as many people who were not in the data: that is what such conditions get right by chance.

    Parameters
    ----------
    predicates
        ``multivariate``: conditions on several columns. ``univariate``: a class or a number that occurs once, the largest and
        the smallest number of a column, or the only missing value. ``both``: half of them univariate, where there are so many.
    conditions
        On how many columns a multivariate predicate has conditions.

    Complexity
    ----------
    O(m n c) time for m predicates with c conditions on n synthetic records, O(n) memory.

    Notes
    -----
    As many predicates are claimed as the target has candidates; these are not looked at. Where fewer single out a synthetic
    record, nothing is said of the rest. Univariate predicates are drawn without repetition, so that there may be few.

    References
    ----------
    Giomi, M., Boenisch, F., Wehmeyer, C., Tasnádi, B. (2023), A unified framework for quantifying privacy risk in synthetic
    data. Proceedings on Privacy Enhancing Technologies 2023(2), 312-328, section 4.1.
    Cohen, A., Nissim, K. (2020), Towards formalizing the GDPR's notion of singling out. PNAS 117(15), 8344-8352.

    Examples
    --------
    >>> import tacita as tc
    >>> from tacita.attack.judge.stage_generator import stage_generator
    >>> staged = stage_generator(tc.samples.household_survey(500, seed=1), lambda data, seed: data)
    >>> found = tc.attack.attack_once(SinglingOut(), staged.target, staged.answers, seed=1, control=staged.control)
    >>> found.standing, found.success
    ('broken', 1.0)
    """

    name = "singling_out"
    traits = AttackTraits(
        against="generator",
        learns="identity",
        knows="the synthetic file",
        breaks="a copy of the data, or one with repeated records",
        held_by="fresh people of the same population",
    )

    predicates: Literal["both", "univariate", "multivariate"] = "both"
    conditions: Annotated[int, Interval(1)] = 4

    def declined(self, target: GeneratorTarget) -> str:
        if target.secret is not None or target.apart is not None:
            return "It asks whether conditions single out a person, not for a secret or a link."
        return "" if len(target.released) > 1 else "The synthetic file has fewer than two records."

    def cost(self, target: GeneratorTarget) -> float:
        return 1e-4 * target.victims + 4e-9 * target.victims * len(target.released) * 2 * self.conditions

    def run(self, target: GeneratorTarget, rng: Generator) -> tuple[Claims, ...]:
        if why := self.declined(target):
            raise AttackError(why)
        names = columns_of_people(target.released)
        wanted = target.victims
        found: list[tuple[Clause, ...]] = []
        if self.predicates != "multivariate":
            every = _univariate(target.released, names)
            most = wanted if self.predicates == "univariate" else wanted // 2
            found = [every[i] for i in rng.permutation(len(every))[:most]]
        if self.predicates != "univariate":
            found += self._multivariate(target.released, names, wanted - len(found), rng)
        said = np.full(wanted, None, object)
        for i, predicate in enumerate(found):  # a tuple is one entry, not several
            said[i] = predicate
        learned = f"{len(found)} conditions hold for one synthetic record each."
        return (Claims(about="singled", said=said, learned=learned, figures={"predicates": float(len(found))}),)

    def _multivariate(
        self, released: Microdata, names: tuple[str, ...], wanted: int, rng: Generator
    ) -> list[tuple[Clause, ...]]:
        """Draw predicates until enough single out a synthetic record, or too many did not."""
        width, found = min(self.conditions, len(names)), dict[tuple[Clause, ...], None]()
        values = {name: _terms_of(released, name) for name in names}
        for _ in range(_TRIES):
            rows = rng.integers(0, len(released), wanted)
            chosen = rng.permuted(np.tile(np.arange(len(names)), (wanted, 1)), axis=1)[:, :width]
            drawn = list(
                dict.fromkeys(
                    tuple(values[names[j]][row] for j in sorted(columns))
                    for row, columns in zip(rows.tolist(), chosen.tolist(), strict=True)
                )
            )
            counts = count_holding(drawn, released)
            found |= dict.fromkeys(predicate for predicate, count in zip(drawn, counts, strict=True) if count == 1)
            if len(found) >= wanted:
                break
        return list(found)[:wanted]


def _terms_of(released: Microdata, name: str) -> list[Clause]:
    """Return for each record the condition that its value in one column gives."""
    gone = released.is_missing(name)
    if released.schema[name].scale != "numeric":
        found = released.codes(name)
        words = [*(Clause(name, "is", str(c)) for c in found.categories), Clause(name, "is missing")]
        return [words[code] for code in found.values.tolist()]
    values = released.float(name)
    middle = float(np.median(values[~gone])) if not gone.all() else 0.0
    return [
        Clause(name, "is missing") if lost else Clause(name, "at least" if value > middle else "at most", value)
        for value, lost in zip(values.tolist(), gone.tolist(), strict=True)
    ]


def _univariate(released: Microdata, names: tuple[str, ...]) -> list[tuple[Clause, ...]]:
    """Return every condition on one column that holds for one synthetic record."""
    found: list[tuple[Clause, ...]] = []
    for name in names:
        gone = released.is_missing(name)
        if gone.sum() == 1:
            found.append((Clause(name, "is missing"),))
        if released.schema[name].scale == "numeric":
            found += [(term,) for term in _single_numbers(name, released.float(name)[~gone])]
            continue
        codes = released.codes(name)
        once = np.flatnonzero(np.bincount(codes.values[codes.values >= 0], minlength=len(codes.categories)) == 1)
        found += [(Clause(name, "is", str(codes.categories[j])),) for j in once.tolist()]
    return found


def _single_numbers(name: str, values: FloatArray) -> list[Clause]:
    """Return the numbers that occur once, and the ends where one record has them."""
    there, times = np.unique(values, return_counts=True)
    once: IntArray = np.flatnonzero(times == 1)
    terms = [Clause(name, "is", value) for value in there[once].tolist()]
    ends: tuple[tuple[int, Any], ...] = ((0, "at most"), (len(there) - 1, "at least"))
    return [
        *terms,
        *(Clause(name, relation, float(there[j])) for j, relation in ends if len(there) and times[j] == 1),
    ]

"""Links: which released record an attacker takes for each victim, and what he then says of the victim."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.files.compared import ClassPair, NumberPair, compare, is_as_it_was, said_values, shared_names
from tacita.attack.targets import FileTarget
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.numeric.linkage.cheapest import Cheapest, Windows, cheapest_records, class_factors, number_factors
from tacita.numeric.statistics.moments import column_mean, column_sd

__all__ = ["SURE_RATIO", "LinkingAttack", "Links", "claims_of_links", "link_by_cost", "mixed_factors", "values_at"]

SURE_RATIO = 0.1
"""How much nearer than the next one the nearest record must be before the attacker is sure of it: a tenth of the distance."""
_MOST_SHOWN = 64
"""Classes up to which a column enters the product of matrices; one of more classes is compared by itself."""
_PER_PAIR = 6e-9
_PER_FACTOR = 2e-10
"""Seconds of one core for a pair of records, and for each factor of its cost."""

_TRUST = 10.0
"""How much more a column counts that is documented to be as it was."""
_GAP = 1.0
"""What a missing value costs, on either side: half of what two values drawn at random differ by."""

Unequal = tuple[IntArray, IntArray, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class Links:
    """Which released record is taken for each victim.

    Parameters
    ----------
    rows
        Its row, -1 for none.
    is_sure
        Whether the attacker has no doubt.
    figures
        Numbers by name.
    """

    rows: IntArray
    is_sure: BoolArray
    figures: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class LinkingAttack(Attacker):
    """Base of attacks that take one released record for each victim, and its values for his."""

    least_columns: ClassVar[int] = 1

    def declined(self, target: FileTarget) -> str:
        """Return why it cannot be tried: both files must have a column that can be compared."""
        if len(self.linked_by(target)) < self.least_columns:
            return "The released file has no column that he knows and can compare."
        return "" if len(target.released) else "The released file has no record."

    def linked_by(self, target: FileTarget) -> tuple[str, ...]:
        """Return the columns that victims and records are compared by: those that both files have."""
        return shared_names(target.known, target.released)

    def cost(self, target: FileTarget) -> float:
        """Return about how many seconds it takes to compare every victim with every record."""
        factors = 3 * len(self.linked_by(target)) + 20
        return 0.05 + target.victims * len(target.released) * (_PER_PAIR + _PER_FACTOR * factors)

    @abstractmethod
    def links(self, target: FileTarget, rng: Generator) -> Links:
        """Return the record that is taken for each victim."""

    def run(self, target: FileTarget, rng: Generator) -> tuple[Claims, ...]:
        """Link every victim, then say the values of the linked records."""
        return claims_of_links(target, self.links(target, rng))


def claims_of_links(
    target: FileTarget, links: Links, values: Mapping[str, NDArray[np.generic]] | None = None
) -> tuple[Claims, ...]:
    """Return claims of identity, and of every wanted column what the linked records have there, or what is given."""
    share = float((links.rows >= 0).mean()) if len(links.rows) else 0.0
    learned = f"He takes a released record for {100 * share:.0f} % of the victims, for {int(links.is_sure.sum())} without doubt."
    claims = [
        Claims(about="identity", said=links.rows, is_sure=links.is_sure, learned=learned, figures=dict(links.figures))
    ]
    for name in target.wanted:
        if name not in target.released.schema:
            continue
        said = (values or {}).get(name)
        if said is None:
            said = values_at(said_values(target.released, name), links.rows)
        # Of a value that a step changed he cannot be sure, however sure he is of the record.
        sure = links.is_sure if is_as_it_was(target, name) else np.zeros(len(links.rows), bool)
        claims.append(Claims(about=name, said=said, is_sure=sure, learned=learned))
    return tuple(claims)


def values_at(values: NDArray[np.generic], rows: IntArray) -> NDArray[np.generic]:
    """Return the values at some rows; nothing (NaN, an empty text) where the row is -1."""
    nothing: Any = np.nan if values.dtype.kind == "f" else ""
    padded = np.append(values, np.array([nothing], values.dtype))
    return np.asarray(padded[rows])


def mixed_factors(
    numbers: Collection[NumberPair], classes: Collection[ClassPair], trusted: Collection[str] = ()
) -> tuple[FloatArray, FloatArray, tuple[Unequal, ...]]:
    """Return the factors of a distance between records of mixed scales, and the columns that are compared by themselves.

    Numbers count by their squared difference in standard deviations of the released column, of which two records drawn at
    random have 2 on average; that classes do not fit costs as much on average, and a missing value half of it.
    All of that counts ten times in the columns that are ``trusted`` to be as they were.
    """
    left, right, unequal = [], [], []
    if numbers:
        known, released = (np.column_stack([getattr(pair, side) for pair in numbers]) for side in ("known", "released"))
        centre, spread = column_mean(released), column_sd(released)
        spread = np.where(spread > 0, spread, 1.0) / np.sqrt([_weight(pair.name, trusted) for pair in numbers])
        factors = number_factors((known - centre) / spread, (released - centre) / spread, _GAP)
        left.append(factors[0])
        right.append(factors[1])
    for pair in classes:
        often = pair.frequencies()
        weight = _weight(pair.name, trusted)
        dear = 2.0 * weight / max(1.0 - float(often @ often), 0.05)
        if pair.fits is None:
            unequal.append((pair.known, pair.released, dear))
        elif pair.fits.shape[1] > _MOST_SHOWN and _stands_for_itself(pair.fits):
            same = np.append(np.where(pair.fits.any(axis=1), pair.fits.argmax(axis=1), len(often)), -1)
            unequal.append((same[pair.known], pair.released, dear))
        else:
            factors = class_factors(pair.known, pair.released, np.where(pair.fits, 0.0, dear), _GAP * weight)
            left.append(factors[0])
            right.append(factors[1])
    v = len(numbers and next(iter(numbers)).known) or len(classes and next(iter(classes)).known)
    n = len(numbers and next(iter(numbers)).released) or len(classes and next(iter(classes)).released)
    return (
        np.hstack(left) if left else np.zeros((v, 1)),
        np.hstack(right) if right else np.zeros((n, 1)),
        tuple(unequal),
    )


def _weight(name: str, trusted: Collection[str]) -> float:
    return _TRUST if name in trusted else 1.0


def _stands_for_itself(fits: BoolArray) -> bool:
    """Whether no known class fits two released ones."""
    return bool((fits.sum(axis=1) <= 1).all())


def link_by_cost(
    target: FileTarget,
    names: Collection[str],
    rng: Generator,
    *,
    windows: Windows | None = None,
    more: tuple[FloatArray, FloatArray] | None = None,
) -> tuple[Links, Cheapest]:
    """Take for each victim the record at the least distance in some columns; of equally near ones one at random.

    ``windows`` limits which records a victim may have; ``more`` are factors of further costs.
    """
    numbers, classes = compare(target.known, target.released, names, target.steps)
    trusted = [name for name in names if target.steps and is_as_it_was(target, name)]
    left, right, unequal = mixed_factors(numbers, classes, trusted)
    if more is not None:
        is_empty = not (numbers or classes)
        left, right = more if is_empty else (np.hstack([left, more[0]]), np.hstack([right, more[1]]))
    order = rng.permutation(len(target.released))
    found = cheapest_records(left, right, order=order, windows=windows, unequal=unequal)
    near = np.maximum(found.cost, 0.0) <= SURE_RATIO**2 * np.maximum(found.second, 0.0)
    sure = (found.rows >= 0) & (found.ties == 1) & near
    figures = {"victims with one nearest record": float((found.ties == 1).mean()) if len(found.ties) else 0.0}
    return Links(rows=found.rows, is_sure=sure, figures=figures), found

"""Local suppression by a risk rule: values are set missing until no record's risk is above a threshold.

Any registered risk of a file that has a value for each record can be the rule. Nothing is known about how it reacts, so it
is asked: all records above the threshold lose the same keys, those that are safe then keep this, the others lose other keys, in
the order of cost. Afterwards values come back where the rule allows it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np

from tacita.core import registry
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.vocabulary import MissingKeys
from tacita.data.measure import judges_records
from tacita.data.microdata import Microdata

__all__ = ["cells_by_risk", "risk_of_records"]


Assess = Callable[[BoolArray], FloatArray]
"""From the cells that are set missing to the risk of each record."""

_MANY_KEYS, _ROUNDS = 10, 8


def risk_of_records(
    rule: str, data: Microdata, subsets: tuple[tuple[str, ...], ...], missing: MissingKeys, *, owner: str
) -> FloatArray:
    """Return for each record its largest risk over some sets of keys, by a rule that is named as in the registry."""
    found = registry.find("risk", rule)
    if not judges_records(found):
        raise ParameterError(
            f"{owner}: 'rule' must name a risk of a single file with a value for each record, got '{rule}'."
        )
    settings = {"missing": missing} if any(p.name == "missing" for p in found.parameters()) else {}
    largest = np.full(len(data), -np.inf)
    for names in subsets:
        measure: Any = found(**{"columns": names, **settings})
        largest = np.maximum(largest, measure.assess(data).per_record)
    return largest


def cells_by_risk(
    present: BoolArray, price: FloatArray, assess: Assess, threshold: float, *, owner: str = "LocalSuppression"
) -> BoolArray:
    """Return the cells to set missing so that no risk is above the threshold.

    Parameters
    ----------
    present
        (n, d): where a key has a value.
    price
        (d,): cost of a missing value of each key.
    assess
        Gives the risk of each record when some cells are missing.
    threshold
        Largest risk that is safe.

    Raises
    ------
    DataError
        When a record stays above the threshold even without any key.
    """
    cells: BoolArray = np.zeros_like(present)
    for _ in range(_ROUNDS):
        above = ~(assess(cells) <= threshold)  # a risk that is unknown is above
        if not above.any():
            return _given_back(cells, price, assess, threshold)
        for keys in _sets_of_keys(price):
            trial = cells.copy()
            trial[np.ix_(np.flatnonzero(above), np.array(keys))] = True
            trial &= present
            is_safe = above & (assess(trial) <= threshold)
            cells[is_safe] = trial[is_safe]
            above &= ~is_safe
            if not above.any():
                break
        cells[above] = present[above]
    return _given_back(_emptied(cells, present, assess, threshold, owner), price, assess, threshold)


def _emptied(cells: BoolArray, present: BoolArray, assess: Assess, threshold: float, owner: str) -> BoolArray:
    """Take all keys from more and more records, the safest first, so that those who lack everything are many enough."""
    risk, number = assess(cells), 1
    order = np.argsort(risk, kind="stable")
    while not (risk <= threshold).all():  # twice as many records in every turn, until it is all of them
        if number >= 2 * len(order):
            raise DataError(
                f"{owner}: {int((~(risk <= threshold)).sum())} record(s) stay above the threshold of {threshold:g} whatever keys "
                "are suppressed; take a higher 'threshold'."
            )
        cells[order[:number]] = present[order[:number]]
        risk, number = assess(cells), 2 * number
    return cells


def _sets_of_keys(price: FloatArray) -> list[list[int]]:
    """List sets of keys by cost: all of them, or the small ones and the whole where there are many keys."""
    d = len(price)
    sizes = range(1, d + 1) if d <= _MANY_KEYS else (1, 2, d)
    listed = [list(keys) for size in sizes for keys in combinations(range(d), size)]
    return sorted(listed, key=lambda keys: (float(price[keys].sum()), len(keys), keys))


def _given_back(cells: BoolArray, price: FloatArray, assess: Assess, threshold: float) -> BoolArray:
    """Give back the values of one key after the other, dear ones first, to all who stay safe together."""
    for j in np.argsort(-price, kind="stable"):
        wanted = cells[:, j].copy()
        for _ in range(2):  # all at once, then those who were safe in the first trial
            if not wanted.any():
                break
            trial = cells.copy()
            trial[wanted, j] = False
            above = ~(assess(trial) <= threshold)
            if not above.any():
                cells = trial
                break
            wanted &= ~above
    return cells

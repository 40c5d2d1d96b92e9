"""Sparse categories: minimum counts on both sides of every dummy and in every combination, by absorbing into the reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.parameterised import Parameterised
from tacita.query.models.cases import ModelData
from tacita.query.models.design import Categories
from tacita.query.models.terms import ModelSpec
from tacita.query.models.violation import ModelViolation

__all__ = [
    "SparseLimits",
    "absorb_sparse",
    "crossed_variables",
    "is_saturated",
    "most_common_reference",
    "nearly_constant",
    "rarest_class",
    "records_off_mode",
]

_MOST_CELLS = 10**6
"""Combinations of classes that are counted at most; an interaction with more has sparse ones for certain."""

Table: TypeAlias = IntArray


@dataclass(frozen=True, kw_only=True)
class SparseLimits(Parameterised):
    """Fewest records behind a dummy.

    Parameters
    ----------
    count
        Fewest records in a class, outside it, and in each combination of classes that an interaction makes. The paper
        keeps its number secret; 10 is the rule of thumb of output checkers.

    References
    ----------
    Lucero, J. et al. (2011), section 3.2; Bleninger, P. et al. (2011), section 5 (at least 3 positive outcomes).

    Examples
    --------
    >>> SparseLimits().count
    10
    """

    owner = "sparse_rules"
    count: Annotated[int, Interval(1)] = 10


def most_common_reference(counts: IntArray, least: int) -> Categories:
    """Return the most common class as reference (of several, the first) and absorb what has fewer than ``least`` records.

    A dummy must also have so many records outside its class. O(classes).

    Examples
    --------
    >>> most_common_reference(np.array([3, 50, 50, 20, 0]), 10)
    Categories(reference=1, kept=(2, 3), absorbed=(0, 4))
    """
    reference = int(np.argmax(counts)) if len(counts) else 0
    total = int(counts.sum())
    fits = [k for k in range(len(counts)) if k != reference and counts[k] >= least and total - counts[k] >= least]
    sparse = [k for k in range(len(counts)) if k != reference and k not in set(fits)]
    return Categories(reference, tuple(fits), tuple(sparse))


def crossed_variables(spec: ModelSpec, data: ModelData) -> tuple[tuple[str, ...], ...]:
    """Return the sets of two or three categorical variables that interactions combine.

    An interaction of numbers with one categorical variable makes no combination beyond its dummies.
    """
    found = []
    for names in spec.interactions:
        terms = spec.resolved(names) or ()
        crossed = tuple(t.variable for t in terms if data.named(t.variable).kind == "categorical")
        if len(crossed) > 1:
            found.append(crossed)
    return tuple(dict.fromkeys(found))


def absorb_sparse(
    spec: ModelSpec, data: ModelData, limits: SparseLimits, *, absorbed: Mapping[str, tuple[int, ...]] | None = None
) -> tuple[dict[str, Categories], ModelViolation | None]:
    """Absorb classes until every dummy and every combination has enough records.

    First each class with too few records goes to the reference. Then, while a combination of an interaction has too few
    (none counts as too few, because its column would be empty), the rarest class that stands in one of them is absorbed: the one
    with fewest records, of several that of the earlier variable, then the earlier class. Every round absorbs one class, so
    there are at most as many rounds as classes.

    Parameters
    ----------
    spec
        The model.
    data
        Complete cases.
    limits
        Fewest records.
    absorbed
        Codes of classes to absorb beforehand, by variable: how a refused model is tried again with less detail.

    Returns
    -------
    tuple of dict and ModelViolation
        What becomes of the classes of each categorical variable; ``sparse_categories`` where no column is left, or an
        interaction has lost all its columns.

    Complexity
    ----------
    O(n) for each categorical variable and each interaction; the rounds work on tables of counts.

    Notes
    -----
    The paper says that the system *may* suppress a sparse combination and *may* absorb more categories: here it absorbs until
    it need not suppress. A class that nobody is in is listed with the absorbed ones, so that the list does not tell
    empty from sparse.

    References
    ----------
    Lucero, J. et al. (2011), section 3.2.
    """
    names = [name for name in spec.variables if data.named(name).kind == "categorical"]
    counts = {name: _count(data, (name,)) for name in names}
    made = {name: most_common_reference(counts[name], limits.count) for name in names}
    for name, codes in (absorbed or {}).items():
        for code in codes:
            made[name] = made[name].without(code)
    crossed = crossed_variables(spec, data)
    tables = {}
    for group in crossed:
        if np.prod([float(len(counts[name])) for name in group]) > _MOST_CELLS:
            return made, ModelViolation("sparse_categories", "an interaction makes too many combinations of classes")
        tables[group] = _count(data, group)
    for _ in range(sum(len(c.kept) for c in made.values()) + 1):
        rare = _rarest_failing(made, tables, counts, limits.count)
        if rare is None:
            break
        made[rare[0]] = made[rare[0]].without(rare[1])
    inside = {term.variable for group in spec.interactions for term in spec.resolved(group) or ()}
    lost = [name for name in names if name in inside and not made[name].kept]
    if lost or (len(names) == len(spec.variables) and not any(c.kept for c in made.values())):
        return made, ModelViolation("sparse_categories", "absorbing sparse classes leaves nothing of a term")
    return made, None


def rarest_class(made: Mapping[str, Categories], data: ModelData) -> tuple[str, int] | None:
    """Return the dummy with the fewest records, by variable and code, which is the next to be absorbed; None without any."""
    found = [
        (int(count), order, code, name)
        for order, (name, categories) in enumerate(made.items())
        for code, count in enumerate(_count(data, (name,)))
        if code in categories.kept
    ]
    return (min(found)[3], min(found)[2]) if found else None


def nearly_constant(spec: ModelSpec, data: ModelData, limits: SparseLimits) -> ModelViolation | None:
    """Ask that response and numerical predictors differ from their commonest value in enough records.

    A number that is 0 but for one record is a dummy of that record: its coefficient is the record's response, and
    its variance 1/n - 1/n^2 tells that it is alone. A value that more than half of the records have is the median, so it is
    found without sorting. A logistic response needs enough records of both kinds by the same rule.

    Complexity
    ----------
    O(n) for each numerical variable.

    References
    ----------
    Bleninger, P., Drechsler, J. and Ronning, G. (2011), Remote data access and the risk of disclosure from linear
    regression, SORT special issue, (2) and section 4.2, with the sign of 1/n^2 corrected.

    Examples
    --------
    >>> from tacita.query.models.cases import Predictor
    >>> data = ModelData(np.arange(50.0), (Predictor("one", np.arange(50) == 7.0 * np.ones(50)),))
    >>> nearly_constant(ModelSpec.of("y", ["one"]), data, SparseLimits())
    ModelViolation(rule='nearly_constant')
    """
    numbers = [data.named(name) for name in spec.variables]
    for name, values in [(spec.response, data.response), *((p.name, p.values) for p in numbers)]:
        if values is not None and records_off_mode(values) < limits.count:
            return ModelViolation("nearly_constant", f"'{name}' differs from its commonest value in too few records")
    return None


def records_off_mode(values: np.ndarray) -> int:
    """Return how many values differ from the commonest, or a number not below half of them where none is that common."""
    if not len(values):
        return 0
    middle = np.partition(values, len(values) // 2)[len(values) // 2]
    return int(np.count_nonzero(values != middle))


def is_saturated(spec: ModelSpec, data: ModelData, made: Mapping[str, Categories], width: int) -> ModelViolation | None:
    """Refuse a model of dummies alone that has as many parameters as there are combinations with records.

    Its fitted values are the means of these combinations, as in a fully interacted model, whatever its form. One variable
    alone is allowed, as the paper allows it: its classes have enough records.
    """
    if any(data.named(name).kind == "numeric" for name in spec.variables):
        return None
    with_dummies = [name for name in spec.variables if made[name].kept]
    if len(with_dummies) < 2:
        return None
    place = np.zeros(data.size, dtype=np.int64)
    for name in with_dummies:
        codes, kept = data.named(name).codes, made[name].kept
        if codes is None:
            continue
        slot = np.zeros(len(data.named(name).classes), dtype=np.int64)
        slot[list(kept)] = np.arange(1, len(kept) + 1)
        place = place * (len(kept) + 1) + slot[codes]
        if int(place.max(initial=0)) > _MOST_CELLS:  # numbered anew, so that the numbers stay small
            place = np.unique(place, return_inverse=True)[1]
    if width + 1 < np.count_nonzero(np.bincount(place)):
        return None
    return ModelViolation("fully_interacted", "only dummies, as many parameters as combinations with records")


def _rarest_failing(
    made: Mapping[str, Categories],
    tables: Mapping[tuple[str, ...], Table],
    counts: Mapping[str, Table],
    least: int,
) -> tuple[str, int] | None:
    """Return the rarest class of a combination with too few records, as variable and code."""
    order = list(made)
    found = []
    for group, table in tables.items():
        merged = table
        for axis, name in enumerate(group):
            merged = _merge(merged, made[name], axis)
        for cell in np.argwhere(merged < least):
            named = [(name, made[name].kept[place - 1]) for name, place in zip(group, cell, strict=True) if place > 0]
            # Place 0 is the reference; where all are, any class of the interaction makes the combination larger.
            named = named or [(name, code) for name in group for code in made[name].kept]
            found += [(int(counts[name][code]), order.index(name), code, name) for name, code in named]
    if not found:
        return None
    rarest = min(found)
    return rarest[3], rarest[2]


def _merge(table: Table, categories: Categories, axis: int) -> Table:
    """Add the absorbed classes to the reference, which comes first, and keep the others in order."""
    together = [categories.reference, *categories.absorbed]
    reference = np.take(table, together, axis=axis).sum(axis=axis, keepdims=True)
    return np.concatenate([reference, np.take(table, list(categories.kept), axis=axis)], axis=axis)


def _count(data: ModelData, names: tuple[str, ...]) -> Table:
    """Return the table of counts of some categorical variables."""
    shape = tuple(len(data.named(name).classes) for name in names)
    place: IntArray = np.zeros(1, dtype=np.int64)
    for name, size in zip(names, shape, strict=True):
        codes = data.named(name).codes
        place = place * size + (np.zeros(0, dtype=np.int64) if codes is None else codes.astype(np.int64, copy=False))
    return np.bincount(place, minlength=int(np.prod(shape))).reshape(shape)

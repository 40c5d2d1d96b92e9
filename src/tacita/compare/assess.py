"""Assess: the risk that one file carries by its keys, before or after masking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tacita.compare.assessment import Assessment, Combination, Households
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.parameters import Columns
from tacita.core.selectors import keys
from tacita.core.vocabulary import MISSING_KEYS, MissingKeys, Role
from tacita.data.keys.key_counts import KeyCounts, count_keys
from tacita.data.keys.patterns import key_frequencies
from tacita.data.microdata import Microdata
from tacita.risk.individual_risk import HouseholdRisk

__all__ = ["assess", "assess_counts", "riskiest_combinations", "with_roles"]

_SETS = 2000
"""Sets of keys that are visited at most for special uniques where the caller says nothing."""
_SIZE = 6
"""Largest set of keys that is visited where the caller says nothing."""


def assess(
    data: Microdata,
    columns: Columns | None = None,
    *,
    weight: str | None = None,
    household: str | None = None,
    missing: MissingKeys = "wildcard",
    knows_sample: bool = False,
    thresholds: Sequence[int] = (2, 3, 5),
    top: int = 10,
    largest: int | None = None,
) -> Assessment:
    """Report the disclosure risk of one file: rare combinations of keys, and what makes them rare.

    Parameters
    ----------
    data
        The file.
    columns
        The columns that an intruder may know; by default all keys.
    weight
        Take this column for the sampling weight; by default the one with that role.
    household
        Take this column for the household number; by default the one with that role.
    missing
        What a missing key matches: ``wildcard``, ``own category`` or ``conservative``; see the measure ``k_anonymity``.
    knows_sample
        Whether the intruder knows who is in the file; then the risk of a record is 1 / f, whatever its weight.
    thresholds
        Count the records whose combination fewer than k records have, for these k.
    top
        How many of the riskiest combinations to keep, with their values.
    largest
        Largest set of keys that is looked at for special uniques; by default 6, or less where keys are so many that
        more than 2000 sets would be visited.

    Returns
    -------
    Assessment
        Numbers by name, the riskiest combinations, and what each key contributes to uniqueness.

    Raises
    ------
    ColumnError
        When no column is a key and none was named, or a named one is not there.
    MeasureError
        When there are no records.

    Complexity
    ----------
    O(n d) time for the frequencies, O(s m d) for the special uniques of m combinations in s sets of keys.

    Notes
    -----
    The risk of a record is E[1/F | f], as in the measure ``individual_risk``. Without weights every record stands for
    itself and the risk is 1/f: the file is then taken for the whole population.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = tc.assess(data, ["sex", "region"])
    >>> found.records, found.below[2] <= found.below[3] <= found.below[5]
    (300, True)
    """
    if not isinstance(data, Microdata):
        raise ParameterError(
            f"assess: 'data' must be Microdata, got {type(data).__name__}; Microdata.from_frame makes them of a frame."
        )
    data = with_roles(data, weight=weight, household=household)
    if columns is None and not data.schema.keys:
        raise ColumnError("assess: no column has the role 'key'. Name the keys, or give the columns their roles.")
    names = data.schema.resolve(keys() if columns is None else columns, owner="assess")
    if not len(data):
        raise MeasureError("assess: there are no records to look at.")
    how: dict[str, Any] = {"missing": missing, "knows_sample": knows_sample}
    found = assess_counts(count_keys(data, names), **how, thresholds=thresholds, top=top, largest=largest)
    found = replace(found, frame_kind=data._frame_kind)
    if data.schema.household is None:
        return found
    try:
        measured = HouseholdRisk(columns=names, **how).assess(data)
    except MeasureError as error:
        if household is not None:
            raise  # what was asked for by name must not vanish from the report
        return replace(found, notes=(*found.notes, str(error)))
    facts = Households(data.schema.household, measured.parts["households"], measured.parts["expected households"])
    return replace(found, households=facts)


def assess_counts(
    counts: KeyCounts,
    *,
    missing: MissingKeys = "wildcard",
    knows_sample: bool = False,
    thresholds: Sequence[int] = (2, 3, 5),
    top: int = 10,
    largest: int | None = None,
) -> Assessment:
    """Report the risk from the counts of key combinations alone, as :func:`assess` does; without household risk."""
    from tacita.numeric.keys.individual_risk import individual_risk  # loads when used

    _check(missing, thresholds, top, largest)
    if not counts.records:
        raise MeasureError("assess: there are no records to look at.")
    fk, totals = counts.frequencies(missing)
    risk = 1.0 / fk if knows_sample else individual_risk(fk, totals)
    expected = float(counts.counts @ risk)
    largest_risk, riskiest = 100 * float(risk.max()), _riskiest(counts, fk, totals, risk, top)
    below = {int(k): int(counts.counts[fk < k].sum()) for k in thresholds}
    del fk, totals, risk  # arrays as long as the list of combinations
    size = _set_size(len(counts.names)) if largest is None else min(largest, len(counts.names))
    contributions, msus = _special(counts, size)
    notes = () if counts.is_weighted else ("There are no weights, so the file is taken for the whole population.",)
    if knows_sample and counts.is_weighted:
        notes = ("The intruder knows who is in the file, so that weights protect nobody.",)
    return Assessment(
        records=counts.records,
        keys=counts.names,
        missing=missing,
        patterns=len(counts.counts),
        below=below,
        population=float(counts.totals.sum()),
        risk=100 * expected / counts.records,
        expected=expected,
        largest_risk=largest_risk,
        riskiest=riskiest,
        contributions=contributions,
        msus=msus,
        weight=counts.weight,
        notes=notes,
    )


def riskiest_combinations(
    data: Microdata, names: Sequence[str], *, knows_sample: bool = False, top: int = 10
) -> tuple[Combination, ...]:
    """Return the riskiest combinations of keys as :func:`assess` has them, without all the rest."""
    from tacita.numeric.keys.individual_risk import individual_risk  # loads when used

    counts, (_, fk, totals) = count_keys(data, names), key_frequencies(data, names, "wildcard")
    risk = 1.0 / fk if knows_sample else individual_risk(fk, totals)
    return _riskiest(counts, fk, totals, risk, top)


def _check(missing: str, thresholds: Sequence[int], top: int, largest: int | None) -> None:
    if missing not in MISSING_KEYS:
        raise ParameterError(f"assess: 'missing' must be one of {', '.join(MISSING_KEYS)}, got '{missing}'.")
    if not thresholds or any(k < 1 for k in thresholds):
        raise ParameterError(f"assess: 'thresholds' must be numbers of at least 1, got {list(thresholds)}.")
    if top < 0:
        raise ParameterError(f"assess: 'top' must be at least 0, got {top}.")
    if largest is not None and largest < 1:
        raise ParameterError(f"assess: 'largest' must be at least 1, got {largest}.")


def _riskiest(
    counts: KeyCounts, fk: np.ndarray, totals: np.ndarray, risk: np.ndarray, top: int
) -> tuple[Combination, ...]:
    """Return the combinations of highest risk; of equal risk those of fewest records, then in the order of values."""
    if 0 < top < len(risk):  # few are sorted: those that have the risk of the last one, or more
        least = float(np.partition(risk, len(risk) - top)[len(risk) - top])
        some = np.flatnonzero(risk >= least)
    else:
        some = np.arange(len(risk))
    order = some[np.lexsort((some, fk[some], -risk[some]))][:top]
    return tuple(
        Combination(
            values=counts.values(i),
            records=int(counts.counts[i]),
            frequency=float(fk[i]),
            population=float(totals[i]),
            risk=100 * float(risk[i]),
        )
        for i in order.tolist()
    )


def _special(counts: KeyCounts, largest: int) -> tuple[dict[str, float], tuple[int, ...]]:
    """Return each key's percentage of the whole SUDA score, and the number of minimal sample uniques by size."""
    from tacita.numeric.keys.suda import special_totals  # loads when used

    total, sizes, contributions = special_totals(counts.patterns, largest)
    shares = 100 * contributions / total if total else np.zeros(len(counts.names))
    return dict(zip(counts.names, shares.tolist(), strict=True)), tuple(sizes.tolist())


def _set_size(keys: int) -> int:
    """Return the largest size up to which all sets of keys together stay few enough to visit."""
    size, sets = 1, keys
    while size < min(_SIZE, keys) and sets + math.comb(keys, size + 1) <= _SETS:
        size += 1
        sets += math.comb(keys, size)
    return size


def with_roles(data: Microdata, *, weight: str | None, household: str | None) -> Microdata:
    """Return the data with these columns as weight and household, where they are named."""
    for name, role in ((weight, "weight"), (household, "household")):
        if name is not None:
            data = _with_role(data, name, role)  # type: ignore[arg-type]
    return data


def _with_role(data: Microdata, name: str, role: Role) -> Microdata:
    """Give a column a role that only one column can have; whoever had it becomes an ordinary column."""
    schema = data.schema
    for holder in schema.with_role(role):
        left = tuple(r for r in schema[holder].roles if r != role)
        schema = schema.change(holder, roles=left or ("other",))
    given = tuple(r for r in schema[name].roles if r != "other")
    return data.with_schema(schema.change(name, roles=(*given, role)))

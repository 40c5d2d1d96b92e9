"""Frequencies: what each record of a file has in common with others, and how risky that makes it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.parameters import Columns
from tacita.core.selectors import keys
from tacita.core.vocabulary import MissingKeys
from tacita.data.frames import frame_from_arrow
from tacita.data.keys.patterns import key_frequencies
from tacita.data.microdata import Microdata
from tacita.risk.individual_risk import HouseholdRisk, IndividualRisk
from tacita.risk.suda import Suda

__all__ = ["RecordRisks", "ValueShare", "frequencies"]


@dataclass(frozen=True)
class ValueShare:
    """What one value of a key has to do with uniqueness; internal, because it names a value.

    Parameters
    ----------
    key, value
        The column and the value; None where it is missing.
    records
        Records that have it.
    share
        Percentage of the whole SUDA score that is in records with this value, by uniques with this key.
    """

    key: str
    value: Any = field(repr=False)
    records: int
    share: float


@dataclass(frozen=True, eq=False)
class RecordRisks:
    """The risk of each record; internal, because it points at the riskiest ones.

    Parameters
    ----------
    keys
        The columns that an intruder may know.
    fk
        (n,): records that share a record's keys, itself included.
    population
        (n,): people that these stand for, by their weights (Fk).
    risk
        (n,): chance of re-identification, from 0 to 1 (rk).
    household
        (n,): chance that somebody of the household is re-identified; None where not everybody is in one.
    suda
        (n,): SUDA score, without a unit.
    dis
        (n,): DIS-SUDA score, from 0 to 1.
    contributions
        (n, d): part of each record's SUDA score that comes from uniques with a key.
    by_value
        For each value of each key its share of the whole SUDA score, largest first.
    """

    keys: tuple[str, ...]
    fk: FloatArray = field(repr=False)
    population: FloatArray = field(repr=False)
    risk: FloatArray = field(repr=False)
    household: FloatArray | None = field(repr=False)
    suda: FloatArray = field(repr=False)
    dis: FloatArray = field(repr=False)
    contributions: FloatArray = field(repr=False)
    by_value: tuple[ValueShare, ...] = field(repr=False)
    _frame_kind: str = field(default="pyarrow", repr=False)

    def __len__(self) -> int:
        return len(self.fk)

    def to_arrow(self) -> pa.Table:
        """Return one row for each record, in the order of the file."""
        columns: dict[str, Any] = {"fk": self.fk, "Fk": self.population, "rk": self.risk}
        if self.household is not None:
            columns["household_risk"] = self.household
        columns |= {"suda": self.suda, "dis_suda": self.dis}
        columns |= {f"suda_{name}": self.contributions[:, j] for j, name in enumerate(self.keys)}
        return pa.table({name: pa.array(values) for name, values in columns.items()})

    def to_frame(self) -> Any:
        """Return one row for each record as a frame of the kind that the data came from."""
        return frame_from_arrow(self.to_arrow(), self._frame_kind)

    def write(self, path: str | Path) -> Path:
        """Write one row for each record to a Parquet file that only its owner can read."""
        import pyarrow.parquet as pq

        from tacita.data.atomic import atomic_file

        with atomic_file(path, private=True) as temporary:
            pq.write_table(self.to_arrow(), temporary)
        return Path(path)


def frequencies(
    data: Microdata,
    columns: Columns | None = None,
    *,
    missing: MissingKeys = "wildcard",
    knows_sample: bool = False,
    largest: int | None = None,
) -> RecordRisks:
    """Return frequencies and risks of each record of a file.

    Parameters
    ----------
    data
        The file.
    columns
        The columns that an intruder may know; by default all keys.
    missing
        What a missing key matches; see the measure ``k_anonymity``.
    knows_sample
        Whether the intruder knows who is in the file; then the chance of a record is 1 / fk.
    largest
        Largest set of keys that is looked at for special uniques; by default that of the measure ``suda``.

    Returns
    -------
    RecordRisks
        fk, Fk, rk, household risk, SUDA and DIS-SUDA scores of each record, and contributions by key and by value.

    Raises
    ------
    ColumnError
        When no column is a key and none was named.
    MeasureError
        When there are no records.

    Complexity
    ----------
    O(n d) time for the frequencies; the special uniques as in the measure ``suda``.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> found = tc.frequencies(data, ["sex", "region", "education"])
    >>> len(found), bool((found.risk <= 1 / found.fk + 1e-12).all())
    (300, True)
    """
    if not isinstance(data, Microdata):
        raise ParameterError(f"frequencies: 'data' must be Microdata, got {type(data).__name__}.")
    if columns is None and not data.schema.keys:
        raise ColumnError("frequencies: no column has the role 'key'. Name the keys, or give the columns their roles.")
    names = data.schema.resolve(keys() if columns is None else columns, owner="frequencies")
    if not len(data):
        raise MeasureError("frequencies: there are no records to look at.")
    patterns, fk, totals = key_frequencies(data, names, missing)
    chance: dict[str, Any] = {"columns": names, "missing": missing, "knows_sample": knows_sample}
    suda = (Suda(columns=names) if largest is None else Suda(columns=names, largest=largest)).scores(data)
    household = None
    if data.schema.household is not None:
        with suppress(MeasureError):  # somebody is in no household
            household = HouseholdRisk(**chance).assess(data).per_record
    risk = IndividualRisk(**chance).assess(data).per_record
    return RecordRisks(
        keys=names,
        fk=fk[patterns.labels],
        population=totals[patterns.labels],
        risk=np.zeros(0) if risk is None else risk,
        household=household,
        suda=suda.raw,
        dis=suda.odds,
        contributions=suda.contributions,
        by_value=_by_value(data, names, suda.contributions, float(suda.raw.sum())),
        _frame_kind=data._frame_kind,
    )


def _by_value(
    data: Microdata, names: tuple[str, ...], contributions: FloatArray, total: float
) -> tuple[ValueShare, ...]:
    """Return for each value of each key what it brings to the whole score, largest first."""
    found: list[ValueShare] = []
    for j, name in enumerate(names):
        codes = data.codes(name)
        places = codes.values + 1  # missing first
        sums = np.bincount(places, weights=contributions[:, j], minlength=len(codes.categories) + 1)
        counts = np.bincount(places, minlength=len(codes.categories) + 1)
        for place in np.flatnonzero(counts).tolist():
            value = None if place == 0 else codes.categories[place - 1]
            share = 100 * float(sums[place]) / total if total > 0 else 0.0
            found.append(ValueShare(name, value, int(counts[place]), share))
    return tuple(sorted(found, key=lambda one: -one.share))

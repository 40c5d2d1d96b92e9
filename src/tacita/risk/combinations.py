"""Combination rules: records with values that are rare in some small table of keys."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.core.parameters import Interval
from tacita.core.progress import track
from tacita.core.traits import MeasureTraits
from tacita.data.keys.patterns import key_patterns
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.risk.file_risk import FileRisk

__all__ = ["CombinationRule"]


_MOST_TABLES = 20_000


@dataclass(frozen=True, kw_only=True)
class CombinationRule(FileRisk):
    """Share of records that have a rare combination of values in some table of a few keys.

    An intruder rarely knows all keys. The rule looks at all tables of one, two, ... up to ``dimension`` keys; a combination of
    values that fewer records have than the threshold of its dimension is unsafe, and so is every record that has it.

    Parameters
    ----------
    dimension
        Largest number of keys in a table.
    thresholds
        Smallest safe frequency in tables of 1, 2, ... keys; the last one is for all larger tables.
    identification
        Identification level of keys: 1 identifies most, 2 much, 3 and more less, 0 not at all. Only tables that take one key for
        each level 1, 2, ... are looked at, a key of a lower level standing in for a higher one. Keys that are not named have
        level 1; without any level all tables are looked at.

    Returns
    -------
    Measured
        Percent of records with an unsafe combination; for each record the number of tables in which it has one; in the
        parts the number of tables, the unsafe combinations in all, by dimension and by key.

    Raises
    ------
    ColumnError
        When a level is given for a column that is none of the keys.
    MeasureError
        When there are more than 20 000 tables, or the levels allow none.

    Complexity
    ----------
    O(n d) for the patterns, then O(m) a table for m patterns.

    Notes
    -----
    A combination with a missing value is neither counted nor unsafe. The threshold is the frequency that is still safe, as for
    k-anonymity; other tools call the largest unsafe frequency so. An unsafe combination of two keys is counted again in
    every table of three keys that contains it.

    References
    ----------
    Willenborg and de Waal (2001), Elements of statistical disclosure control; Hundepool et al. (2012), Statistical Disclosure
    Control, section 3.3 (the rules of mu-ARGUS).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> rule = CombinationRule(columns=["region", "sex", "education"], dimension=2, thresholds=[20, 5])
    >>> rule.assess(data).parts["tables"]
    6.0
    >>> levels = {"region": 1, "sex": 2, "education": 3}
    >>> CombinationRule(columns=["region", "sex", "education"], identification=levels).assess(data).parts["tables"]
    3.0
    """

    name = "combination_rule"
    title = "Rare combinations of keys"
    part_units = (("tables", "tables"), ("unsafe*", "combinations"))
    traits = MeasureTraits(
        scales={"numeric", "ordinal", "nominal", "date"},
        per_record=True,
        unit="%",
        upper=100.0,
        of_file=True,
        by_default=False,
    )
    dimension: Annotated[int, Interval(1)] = 3
    thresholds: Sequence[int] = (3,)
    identification: Mapping[str, int] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_plain(), sort_keys=True))

    def check(self) -> None:
        """Check thresholds and levels."""
        if not self.thresholds or min(self.thresholds) < 1:
            raise ParameterError(
                f"CombinationRule: 'thresholds' must be numbers of at least 1, got {list(self.thresholds)}."
            )
        for name, level in self.identification.items():
            if not isinstance(level, int) or isinstance(level, bool) or level < 0:
                raise ParameterError(
                    f"CombinationRule: 'identification' must give whole numbers from 0, got {level!r} for '{name}'."
                )

    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Count unsafe combinations in all tables."""
        from tacita.numeric.keys.combinations import unsafe_combinations  # loads when used

        tables = self._tables(names)
        patterns = key_patterns(data, names)
        found = unsafe_combinations(patterns, track(tables, "Counting combinations"), tuple(self.thresholds))
        per_record = found.per_pattern.astype(np.float64)[patterns.labels]
        deepest = max(len(table) for table in tables)
        parts = {
            "tables": float(found.tables),
            "unsafe": float(found.per_dimension.sum()),
            **{f"unsafe of {size} keys": float(found.per_dimension[size - 1]) for size in range(1, deepest + 1)},
            **{f"unsafe with {name}": float(n) for name, n in zip(names, found.per_column, strict=True)},
        }
        return Measured(self.summed(per_record), per_record=per_record, parts=parts, note=f"keys: {', '.join(names)}")

    def summed(self, per_record: FloatArray) -> float:
        """Return the percentage of records with an unsafe combination."""
        return 100 * float((per_record > 0).mean())

    def _tables(self, names: tuple[str, ...]) -> list[tuple[int, ...]]:
        from tacita.numeric.keys.combinations import level_tables, table_count

        strangers = [name for name in self.identification if name not in names]
        if strangers:
            raise ColumnError(
                f"CombinationRule: 'identification' names '{strangers[0]}', which is not among the keys {', '.join(names)}."
            )
        most = table_count(len(names), self.dimension)
        if most > _MOST_TABLES:
            raise MeasureError(
                f"CombinationRule: {len(names)} keys have {most:,} tables of up to {self.dimension} keys, more than "
                f"{_MOST_TABLES:,}; take fewer keys or a smaller 'dimension'."
            )
        tables = list(level_tables([self.identification.get(name, 1) for name in names], self.dimension))
        if not tables:
            raise MeasureError("CombinationRule: 'identification' allows no table; at least one key needs level 1.")
        return tables

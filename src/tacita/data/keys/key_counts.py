"""Key counts: how many records have each combination of key values, and how many people they stand for.

The counts are all that k-anonymity, individual risk and special uniques need. They come from data in memory, or from a
file that is never read into memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, did_you_mean
from tacita.core.vocabulary import MissingKeys
from tacita.data.file_query import SOURCE, asking, check_memory, form_of, quoted, typed
from tacita.data.formats.base import plain_types
from tacita.data.keys.patterns import coded_keys
from tacita.data.microdata import Microdata
from tacita.data.schema_file import read_declarations

if TYPE_CHECKING:
    from tacita.numeric.keys.frequencies import Patterns

__all__ = ["KeyCounts", "count_keys", "count_keys_of_file"]


@dataclass(frozen=True, eq=False)
class KeyCounts:
    """The distinct combinations of key values of a file.

    Parameters
    ----------
    names
        The keys.
    categories
        The values of each key; the codes of the patterns are positions in them.
    patterns
        The combinations and how many records have each. Its labels are empty where the records were not kept.
    totals
        (m,): sum of the weights of each combination; its number of records where the file has no weights.
    weight
        The column of weights that the totals come from, where there is one.
    """

    names: tuple[str, ...]
    categories: tuple[tuple[Any, ...], ...] = field(repr=False)
    patterns: Patterns = field(repr=False)
    totals: FloatArray = field(repr=False)
    weight: str | None = None

    @property
    def is_weighted(self) -> bool:
        """Whether the totals come from weights."""
        return self.weight is not None

    @property
    def records(self) -> int:
        """Number of records."""
        return int(self.patterns.counts.sum())

    @property
    def counts(self) -> IntArray:
        """(m,): records that have exactly this combination, a missing key being a value of its own."""
        return self.patterns.counts

    def frequencies(self, missing: MissingKeys = "wildcard") -> tuple[FloatArray, FloatArray]:
        """Return for each combination how many records match it (fk) and the sum of their weights (Fk).

        Examples
        --------
        >>> import pyarrow as pa
        >>> table = pa.table({"sex": ["f", "f", "m"], "w": [10.0, 20.0, 5.0]})
        >>> found = count_keys(Microdata.from_frame(table, keys=["sex"], weight="w"), ["sex"])
        >>> [part.tolist() for part in found.frequencies()]
        [[2.0, 1.0], [30.0, 5.0]]
        """
        from tacita.numeric.keys.missing_keys import pattern_frequencies  # loads when used

        fk = pattern_frequencies(self.patterns, self.patterns.counts, missing)
        return fk, pattern_frequencies(self.patterns, self.totals, missing)

    def values(self, pattern: int) -> tuple[Any, ...]:
        """Return the values of one combination; None where a key is missing."""
        codes = self.patterns.codes[pattern]
        return tuple(None if c < 0 else known[c] for c, known in zip(codes, self.categories, strict=True))


def count_keys(data: Microdata, names: Iterable[str]) -> KeyCounts:
    """Count the key combinations of data in memory. O(n d) time, a few arrays of length n."""
    listed = tuple(names)
    patterns, categories, totals = coded_keys(data, listed)
    weight = data.schema.weight
    return KeyCounts(names=listed, categories=categories, patterns=patterns, totals=totals, weight=weight)


# --- files that are not read into memory --------------------------------------------------------------------------------------


def count_keys_of_file(
    path: str | Path,
    names: Sequence[str] | None = None,
    *,
    schema: str | Path | None = None,
    weight: str | None = None,
    memory: str = "4GB",
    separator: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
) -> KeyCounts:
    """Count the key combinations of a Parquet or CSV file without reading it into memory.

    DuckDB groups the records by their keys, on disk where they do not fit into ``memory``; only the distinct combinations
    come back. They are then typed, and missing codes taken out, by the same rules as for a whole file.

    Parameters
    ----------
    path
        The file: .parquet, .csv, .tsv or .txt. The path is taken as it is: no pattern, and no columns from its directories.
    names
        The keys; by default the columns that the schema gives this role.
    schema
        A schema file, for roles, scales and missing codes.
    weight
        The column of sampling weights; by default the one that the schema gives this role.
    memory
        How much memory DuckDB may use, such as ``4GB``.
    separator, decimal, encoding
        Of a CSV file; found out when left out. The encoding must be UTF-8.

    Raises
    ------
    FileError
        When the file cannot be read, or is of another format.
    ColumnError
        When a column is not in the file, or no column is a key.
    DataError
        When a weight is missing or negative.

    Notes
    -----
    A CSV file is read once more before, for its encoding. Whatever DuckDB writes to disk lies in a temporary directory, which is
    gone afterwards. Sums of weights may differ in the last digits from one run to the next.
    """
    path = Path(path)
    check_memory(memory)
    declared = {} if schema is None else read_declarations(Path(schema))
    known, form = form_of(path, separator, encoding)
    chosen, weight = _chosen(declared, known, names, weight)
    number = _number(weight, is_text=form is not None)
    listed = ", ".join(quoted(name) for name in chosen)
    query = (
        f"select {listed}, count(*)::bigint, fsum({number}), "
        f"count(*) filter (where not coalesce({number} >= 0 and isfinite({number}), false))::bigint "
        f"from {SOURCE} group by {', '.join(str(i + 1) for i in range(len(chosen)))}"
    )
    with asking(path, form, memory, "combinations of keys") as connection:
        found = plain_types(connection.sql(query).to_arrow_table())
    counts, totals, bad = (found.column(len(chosen) + i).to_numpy() for i in range(3))
    if bad.sum():
        raise DataError(
            f"The weight '{weight}' is negative or missing in {int(bad.sum())} records; weights must be 0 or more."
        )
    table = found.select(range(len(chosen))).rename_columns(chosen)
    small = typed(table, {name: declared[name] for name in chosen if name in declared}, form, decimal)
    return _regrouped(small, chosen, counts, totals, weight)


def _chosen(
    declared: Mapping[str, Mapping[str, Any]], known: tuple[str, ...], names: Sequence[str] | None, weight: str | None
) -> tuple[list[str], str | None]:
    """Return the keys and the weight: those named, or those with the role."""
    with_role = {
        role: [n for n, facts in declared.items() if role in facts.get("roles", ())] for role in ("key", "weight")
    }
    chosen = list(names) if names else with_role["key"]
    if not chosen:
        raise ColumnError("No column has the role 'key'. Name the keys, or give a schema that has the role.")
    if weight is None and with_role["weight"]:
        weight = with_role["weight"][0]
    for name in [*chosen, *([] if weight is None else [weight])]:
        if name not in known:
            raise ColumnError(f"Column '{name}' is not in the data.{did_you_mean(name, known)}")
    if len(set(chosen)) < len(chosen):
        raise ColumnError("The keys name a column twice.")
    return chosen, weight


def _regrouped(
    small: Microdata, names: Sequence[str], counts: IntArray, totals: FloatArray, weight: str | None
) -> KeyCounts:
    """Put together the combinations that became equal, as missing codes and empty fields do."""
    found = count_keys(small, names)
    labels, m = found.patterns.labels, len(found.patterns.counts)
    whole, sums = np.zeros(m, dtype=np.int64), np.zeros(m)
    np.add.at(whole, labels, counts)
    np.add.at(sums, labels, totals)
    patterns = replace(found.patterns, labels=np.empty(0, dtype=np.int64), counts=whole)
    return KeyCounts(names=tuple(names), categories=found.categories, patterns=patterns, totals=sums, weight=weight)


def _number(weight: str | None, *, is_text: bool) -> str:
    """Return the weight as DuckDB computes it: null where it is no number."""
    if weight is None:
        return "1.0"
    column = quoted(weight)
    text = f"replace({column}, ',', '.')" if is_text else column
    return f"try_cast({text} as double)"

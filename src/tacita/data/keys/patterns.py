"""Key patterns of a file: the way from columns to the frequency kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError
from tacita.core.vocabulary import MissingKeys
from tacita.data.microdata import Microdata

if TYPE_CHECKING:
    from tacita.numeric.keys.frequencies import Patterns

__all__ = ["CodedKeys", "KeyFrequencies", "coded_keys", "coded_patterns", "key_frequencies", "key_patterns"]


class KeyFrequencies(NamedTuple):
    """How often key patterns occur: the patterns, the records that each matches, and the people that these stand for."""

    patterns: Patterns
    fk: FloatArray
    totals: FloatArray


class CodedKeys(NamedTuple):
    """Key patterns with the categories of each column, and the sum of the weights in each pattern."""

    patterns: Patterns
    categories: tuple[tuple[Any, ...], ...]
    totals: FloatArray


def key_frequencies(data: Microdata, names: Iterable[str], missing: MissingKeys) -> KeyFrequencies:
    """Count the key patterns of a file once: several risks of one file ask for the same."""
    listed = tuple(names)
    found: KeyFrequencies = data.remembered(
        ("key frequencies", listed, missing, data.schema.weight),
        lambda: _counted(data, listed, missing),
        of=_used(data, listed),
    )
    return found


def _counted(data: Microdata, names: tuple[str, ...], missing: MissingKeys) -> KeyFrequencies:
    from tacita.numeric.keys.missing_keys import pattern_frequencies  # loads when used

    patterns, _, totals = coded_keys(data, names)
    fk = pattern_frequencies(patterns, patterns.counts, missing)
    if data.schema.weight is None:
        return KeyFrequencies(patterns, fk, fk)
    return KeyFrequencies(patterns, fk, pattern_frequencies(patterns, totals, missing))


def coded_keys(data: Microdata, names: Iterable[str]) -> CodedKeys:
    """Return the key patterns of a file, found once; their codes are narrow integers."""
    listed = tuple(names)

    def made() -> CodedKeys:
        patterns, categories = coded_patterns(data, listed, is_narrow=True)
        is_weighted = data.schema.weight is not None
        totals = patterns.total(data.weights()) if is_weighted else patterns.counts.astype(np.float64)
        return CodedKeys(patterns, categories, totals)

    found: CodedKeys = data.remembered(("coded keys", listed, data.schema.weight), made, of=_used(data, listed))
    return found


def _used(data: Microdata, names: tuple[str, ...]) -> tuple[str, ...]:
    return names if data.schema.weight is None else (*names, data.schema.weight)


def key_patterns(data: Microdata, names: Iterable[str]) -> Patterns:
    """Return the distinct combinations of values in some columns; codes are positions in each column's categories."""
    return coded_patterns(data, names)[0]


def coded_patterns(
    data: Microdata, names: Iterable[str], *, is_narrow: bool = False
) -> tuple[Patterns, tuple[tuple[Any, ...], ...]]:
    """Return the distinct combinations of values in some columns, and the categories of each column.

    Columns are read one at a time, so that a long file needs little memory beside itself.
    """
    from tacita.numeric.keys.frequencies import find_patterns  # loads when used

    listed, categories = list(names), []
    if not listed:
        raise ColumnError("Key patterns need at least one column.")

    def columns() -> Iterator[tuple[IntArray, int]]:
        for name in listed:
            codes = data.codes(name)
            categories.append(codes.categories)
            yield codes.values, len(codes.categories)

    return find_patterns(columns(), is_narrow=is_narrow), tuple(categories)

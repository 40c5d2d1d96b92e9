"""Key patterns of a file: the way from columns to the frequency kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError
from tacita.data.microdata import Microdata

if TYPE_CHECKING:
    from tacita.numeric.keys.frequencies import Patterns

__all__ = ["coded_patterns", "key_patterns"]


def key_patterns(data: Microdata, names: Iterable[str]) -> Patterns:
    """Return the distinct combinations of values in some columns; codes are positions in each column's categories."""
    return coded_patterns(data, names)[0]


def coded_patterns(data: Microdata, names: Iterable[str]) -> tuple[Patterns, tuple[tuple[Any, ...], ...]]:
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

    return find_patterns(columns()), tuple(categories)

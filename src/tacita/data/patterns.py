"""Key patterns of a file: the way from columns to the frequency kernels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tacita.core.errors import ColumnError
from tacita.data.microdata import Microdata

if TYPE_CHECKING:
    from tacita.numeric.frequencies import Patterns

__all__ = ["key_patterns"]


def key_patterns(data: Microdata, names: Iterable[str]) -> Patterns:
    """Return the distinct combinations of values in some columns; codes are positions in each column's categories.

    Columns are read one at a time, so that a long file needs little memory beside itself.
    """
    from tacita.numeric.frequencies import find_patterns  # numba loads here, not on import

    listed = list(names)
    if not listed:
        raise ColumnError("Key patterns need at least one column.")
    coded = (data.codes(name) for name in listed)
    return find_patterns((codes.values, len(codes.categories)) for codes in coded)

"""Given columns: what synthetic values may depend on, as numbers."""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ColumnError
from tacita.core.parameters import Columns
from tacita.data.microdata import Microdata

__all__ = ["MOST_CATEGORIES", "given_numbers"]

MOST_CATEGORIES = 50
"""Values of a nominal column that can be told apart by columns of 0 and 1."""


def given_numbers(data: Microdata, given: Columns, masked: tuple[str, ...], *, owner: str) -> FloatArray:
    """Return given columns as numbers: nominal ones as a column of 0 and 1 for each value but the first.

    Raises
    ------
    ColumnError
        When a column is both given and drawn anew, or a nominal one has more than 50 values.
    """
    names = data.schema.resolve(given, owner=owner, parameter="given") if given != () else ()
    both = [name for name in names if name in masked]
    if both:
        raise ColumnError(f"{owner}: column '{both[0]}' cannot be masked and given at once.")
    return np.hstack([np.empty((len(data), 0)), *(_as_numbers(data, name, owner) for name in names)])


def _as_numbers(data: Microdata, name: str, owner: str) -> FloatArray:
    if data.schema[name].scale in ("numeric", "ordinal"):
        return data.numbers(name)[:, None]
    codes = data.codes(name)
    if len(codes.categories) > MOST_CATEGORIES:
        raise ColumnError(
            f"{owner}: column '{name}' in 'given' has more than {MOST_CATEGORIES} different values; recode it first."
        )
    return np.asarray(codes.values[:, None] == np.arange(1, max(len(codes.categories), 1)), dtype=np.float64)

"""A file of columns that a program made: for studies, whose scenes need a few records of a certain shape."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from tacita.data.microdata import Microdata

__all__ = ["file_of_columns"]


def file_of_columns(columns: Mapping[str, Any], **roles: Any) -> Microdata:
    """Return microdata of some columns, lists or arrays of equal length; ``roles`` as :meth:`Microdata.from_frame` takes them.

    Examples
    --------
    >>> file_of_columns({"place": ["a", "b"], "income": [1.0, 2.0]}, keys=["place"]).names
    ('place', 'income')
    """
    return Microdata.from_frame(pa.table(dict(columns)), **roles)

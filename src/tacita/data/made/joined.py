"""Records of several files of one schema put below each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from tacita.data.microdata import Microdata
from tacita.data.schema import Schema

__all__ = ["joined_records"]


def joined_records(parts: Sequence[Microdata], schema: Schema) -> Microdata:
    """Return records of several files of one schema as one file.

    Where all files were derived from the same data, each record stays linked to the one that it came from; otherwise the file is
    one of its own.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(30, seed=1)
    >>> joined_records([data.take([4, 2]), data.take([7])], data.schema).origin_rows().tolist()
    [4, 2, 7]
    """
    made = Microdata(pa.concat_tables([part.to_arrow() for part in parts], promote_options="permissive"), schema)
    if len({part.source for part in parts}) == 1:
        made._source, made._rows = parts[0]._source, np.concatenate([part.origin_rows() for part in parts])
    return made.with_history(parts[0].history)

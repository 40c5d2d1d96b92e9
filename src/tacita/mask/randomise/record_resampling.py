"""Resampling of whole records: a file of M records drawn with replacement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.attacks import Attack
from tacita.core.parameters import Columns, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask

__all__ = ["RecordResampling"]


@dataclass(frozen=True, kw_only=True)
class RecordResampling(Mask):
    """Draw whole records with replacement.

    The masked file has ``records`` rows; each is a copy of a record drawn at random, so some records occur several times
    and others not at all.

    Protects by uncertainty only: an intruder does not know whether a person is in the file, nor whether a value that
    occurs once was unique. Does not protect the values of those who were drawn: they are published as they are.

    Parameters
    ----------
    records
        Number of records of the masked file; by default as many as the original has.
    by
        Strata: within each, records are drawn in proportion to its size.

    Returns
    -------
    Microdata
        The drawn records, linked inside to those they are copies of.

    Raises
    ------
    ParameterError
        When ``records`` is negative.

    Preserves
    ---------
    rows: every record of the masked file stands in the original.

    Complexity
    ----------
    O(records) time for each column.

    Notes
    -----
    With ``by`` the number of records of a stratum is its share of ``records``, rounded down, and what is left goes to the
    strata with the largest remainders. From an empty file an empty file is drawn.

    References
    ----------
    Fienberg, S. E. (1994), A radical proposal for the provision of micro-data samples and the preservation of
    confidentiality.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> RecordResampling(records=50).apply(data, seed=7).n_rows
    50
    """

    name = "record_resampling"
    title = "Resampling of records"
    attacks = (
        Attack(measure="dld", knows="the values of each record are unchanged"),
        Attack(measure="individual_risk", knows="the keys of each record are unchanged"),
    )
    traits = Traits(
        scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, keeps_rows=False, preserves=("rows",)
    )
    records: Annotated[int, Interval(0)] | None = None
    by: Columns = ()

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Draw the records."""
        rng = streams.stream(self.name)
        wanted = len(data) if self.records is None else self.records
        if len(data) == 0:
            return data
        if self.by == ():
            return data.take(rng.integers(0, len(data), wanted))
        strata = data.groups(data.schema.resolve(self.by, owner=type(self).__name__, parameter="by"))
        sizes = np.bincount(strata)
        exact = sizes * (wanted / len(data))
        counts = np.floor(exact).astype(np.int64)
        rest = np.argsort(-(exact - counts), kind="stable")[: wanted - int(counts.sum())]
        counts[rest] += 1
        order, starts = np.argsort(strata, kind="stable"), np.concatenate([[0], np.cumsum(sizes)[:-1]])
        drawn = [order[starts[s] + rng.integers(0, sizes[s], counts[s])] for s in range(len(sizes))]
        return data.take(np.concatenate(drawn))

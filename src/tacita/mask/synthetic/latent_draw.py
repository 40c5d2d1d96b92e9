"""The one mechanism around every mask that draws a whole new file from margins and correlations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.parameters import Columns, Interval
from tacita.core.streams import Streams
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.mask.synthetic.column_source import ColumnSource, made_of, take_apart
from tacita.mask.synthetic.new_records import NewWeights, described_columns, new_records, shared_out
from tacita.mask.synthetic.repeats import Repeats, without_repeats
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.copula import copula_shares
from tacita.numeric.synthesis.latent import LatentFile, fit_latent

__all__ = ["LatentDraw"]

_SMALL = 10
"""Strata with fewer than so many times k records are drawn together."""


@dataclass(frozen=True, kw_only=True)
class LatentDraw(Mask):
    """Base of masks that draw a whole new file from smoothed margins and rank correlations.

    Parameters
    ----------
    k
        Values of a number column that fewer records share are smoothed over so many neighbouring ones.
    records
        Number of records of the new file; by default as many as the original has.
    by
        Strata: margins and correlations are those of each stratum, and it keeps its share of the records. Strata with fewer than
        10 k records are drawn together.
    new_weights
        ``draw``: weights are drawn like a column; ``equal`` ones. Both add up to the total of the original.
    repeats
        What becomes of a drawn record that equals one of the original in all columns: ``redraw``, or ``keep``.

    Returns
    -------
    Microdata
        New records that come from nobody, with empty identifiers; each is a household of its own.

    Raises
    ------
    DataError
        When the original has fewer than k records, or so few different ones that more than 10 % of those drawn are among them.

    Preserves
    ---------
    Nothing exactly. Means, distributions and rank correlations are near those of the original.
    """

    k: Annotated[int, Interval(2)] = 10
    records: Annotated[int, Interval(0)] | None = None
    by: Columns = ()
    new_weights: NewWeights = "draw"
    repeats: Repeats = "redraw"

    @abstractmethod
    def draw_shares(self, file: LatentFile, n: int, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Return (n, latent columns) shares, and latent correlations by which single records are drawn anew."""

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Draw the file, stratum by stratum."""
        names = tuple(sorted(described_columns(data.schema)))
        drawn = names + ((data.schema.weight,) if data.schema.weight and self.new_weights == "draw" else ())
        wanted = len(data) if self.records is None else self.records
        if not names or wanted == 0:
            return new_records(data.take(np.zeros(0, np.int64)).select(drawn), data, self.new_weights)
        if len(data) < self.k:
            raise DataError(
                f"{type(self).__name__}: k = {self.k} needs at least {self.k} records to learn from, got {len(data)}."
            )
        known = take_apart(data, drawn)

        def file_of(columns: list[ColumnValues]) -> Microdata:
            return made_of(known, dict(zip(drawn, columns, strict=True)), data)

        parts = list(self._parts(data, list(known.values()), wanted, streams))
        made = file_of(_joined([part.columns for part in parts]))
        if self.repeats == "redraw":
            part_of = np.repeat(np.arange(len(parts)), [len(part.columns[0]) for part in parts])

            def redraw(rows: IntArray) -> Microdata:
                some = [parts[number].again(int((part_of[rows] == number).sum())) for number in range(len(parts))]
                return file_of(_joined(some))

            made = without_repeats(made, data, names, redraw, owner=type(self).__name__)[0]
        return new_records(made, data, self.new_weights)

    def _parts(
        self, data: Microdata, columns: list[ColumnSource], wanted: int, streams: Streams
    ) -> Iterator[_DrawnStratum]:
        strata = self._strata(data)
        sizes = np.bincount(strata)
        for number, count in enumerate(shared_out(wanted, sizes).tolist()):
            rows = np.flatnonzero(strata == number)
            file = fit_latent([column.values.of(rows) for column in columns], self.k)
            rng = streams.stream(self.name, f"stratum {number}")
            shares, correlations = self.draw_shares(file, count, rng)
            yield _DrawnStratum(file, correlations, rng, file.columns_at(shares))

    def _strata(self, data: Microdata) -> IntArray:
        """Return the stratum of each record; small ones are one, which counts as the last."""
        if self.by == ():
            return np.zeros(len(data), np.int64)
        strata = data.groups(data.schema.resolve(self.by, owner=type(self).__name__, parameter="by"))
        small = np.bincount(strata) < _SMALL * self.k
        strata = np.where(small[strata], len(small), strata)
        return np.asarray(np.unique(strata, return_inverse=True)[1].ravel(), np.int64)


@dataclass(frozen=True)
class _DrawnStratum:
    """What was drawn of one stratum, and what it was drawn from."""

    file: LatentFile
    correlations: FloatArray
    rng: np.random.Generator
    columns: list[ColumnValues]

    def again(self, n: int) -> list[ColumnValues]:
        """Draw n more records."""
        return self.file.columns_at(copula_shares(self.correlations, n, self.rng))


def _joined(parts: list[list[ColumnValues]]) -> list[ColumnValues]:
    """Return the records of several strata as one."""
    return [
        parts[0][j].like(
            np.concatenate([part[j].values for part in parts]), np.concatenate([part[j].gaps for part in parts])
        )
        for j in range(len(parts[0]))
    ]

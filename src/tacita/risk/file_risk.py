"""Risks that one file carries by itself, whatever it was made from: rare key patterns, uniqueness, diversity."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace

from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError, ParameterError
from tacita.core.parameters import Columns
from tacita.core.selectors import keys
from tacita.data.measure import Measured
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair
from tacita.risk.base import Risk

__all__ = ["FileRisk"]


@dataclass(frozen=True, kw_only=True)
class FileRisk(Risk):
    """Base of risks of a single file.

    On a scorecard the masked file is looked at; :meth:`assess` looks at any file, such as an original before masking.

    Parameters
    ----------
    columns
        The columns that an intruder may know; by default all keys.
    """

    looks_at = "keys"
    columns: Columns = keys()

    def assess(self, data: Microdata) -> Measured:
        """Return the risk of one file."""
        owner = type(self).__name__
        if not isinstance(data, Microdata):
            raise ParameterError(
                f"{owner}: 'data' must be Microdata, got {type(data).__name__}; Microdata.from_frame makes them of a frame."
            )
        names = data.schema.resolve(self.columns, owner=owner, scales=frozenset(self.traits.scales))
        if not len(data):
            raise MeasureError(f"{owner}: there are no records to look at.")
        return self.measure_file(data, names)

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the risk of the masked file; for some of its records the part of it that is theirs."""
        measured = self.measure_file(pair.masked, names)
        if measured.per_record is None:
            return measured
        if pair.is_aligned and not pair.is_part:
            return measured
        theirs = measured.per_record[pair.masked_rows]
        whole = not pair.is_part and len(theirs) == len(measured.per_record)
        return replace(measured, value=measured.value if whole else self.summed(theirs), per_record=theirs)

    @abstractmethod
    def measure_file(self, data: Microdata, names: tuple[str, ...]) -> Measured:
        """Return the risk of the file in the named columns."""

    def summed(self, per_record: FloatArray) -> float:
        """Return the value of a file whose records have these risks; by default their mean in percent."""
        return 100 * float(per_record.mean())

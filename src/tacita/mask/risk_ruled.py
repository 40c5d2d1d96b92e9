"""Masks that act on the records that a risk rule calls risky; the rule is named, whichever room it lives in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from tacita.core import registry
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask

__all__ = ["RiskRuledMask"]

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class RiskRuledMask(Mask):
    """Base of masks that find risky records by a registered rule.

    Parameters
    ----------
    rule
        Name of a registered risk of a single file that has a value for each record, such as ``k_anonymity``.
    limit
        A record is risky when its risk is above this limit. For ``k_anonymity`` the risk of a record is 1 or 0.
    keys
        The columns that an intruder may know; by default all keys.
    k
        Passed to rules that have it: the smallest frequency that is safe.
    settings
        Further parameters of the rule, as pairs of a name and a value: ``[["missing", "own category"]]``.
    """

    rule: str = "k_anonymity"
    limit: float = 0.0
    keys: Columns = Selector("keys")
    k: Annotated[int, Interval(1)] = 3
    settings: tuple[tuple[str, str | int | float | bool], ...] = ()

    def check(self) -> None:
        """Check the rule and its settings."""
        super().check()
        self._rule()

    def _rule(self) -> Any:
        """Build the rule."""
        owner, found = type(self).__name__, registry.find("risk", self.rule)
        if not (found.traits.of_file and found.traits.per_record):
            usable = [m.name for m in registry.methods("risk") if m.traits.of_file and m.traits.per_record]
            raise ParameterError(
                f"{owner}: 'rule' must be a risk of one file with a value for each record, got '{self.rule}'. "
                f"There are: {', '.join(usable)}."
            )
        names = {parameter.name for parameter in found.parameters()}
        given: dict[str, Any] = {"columns": self.keys, **({"k": self.k} if "k" in names else {}), **dict(self.settings)}
        try:
            return found.from_plain(given)
        except ParameterError as error:
            raise ParameterError(f"{owner}: the rule '{self.rule}' was not understood: {error}") from error

    def risky(self, data: Microdata) -> BoolArray:
        """Return which records are above the limit."""
        measured = self._rule().assess(data).per_record
        if measured is None or len(measured) != len(data):
            raise DataError(
                f"{type(self).__name__}: the rule '{self.rule}' gave no risk for each record of these data."
            )
        return np.asarray(measured > self.limit)

    def safe_rows(self, data: Microdata, units: IntArray | None = None) -> IntArray:
        """Return the records that are left when risky ones are taken out, again and again until none is above the limit.

        One round is not always enough: a record may be safe only because of others that are taken out with it.

        Parameters
        ----------
        data
            The file.
        units
            Household of each record, where a risky member takes the whole household out.
        """
        kept = np.arange(len(data), dtype=np.int64)
        while len(kept):
            risky = self.risky(data if len(kept) == len(data) else data.take(kept))
            if units is not None:
                risky = np.isin(units[kept], units[kept[risky]])
            if not risky.any():
                break
            kept = kept[~risky]
        return kept

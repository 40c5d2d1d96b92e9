"""Masks that act on the records that a risk rule calls risky; the rule is named, whichever room it lives in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from tacita.core import registry
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector
from tacita.core.vocabulary import MissingKeys
from tacita.data.measure import judges_records
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask

__all__ = ["RiskRuledMask"]


@dataclass(frozen=True, kw_only=True)
class RiskRuledMask(Mask):
    """Base of masks that find risky records by a registered rule.

    Parameters
    ----------
    keys
        The columns that an intruder may know; by default all keys.
    k
        Smallest frequency that is safe: a record is risky when fewer than k records share its keys.
    missing
        What a missing key matches: ``wildcard`` everything; ``own category`` only other missing values;
        ``conservative`` everything for the record itself, while others' missing values protect nobody.
    rule
        Name of a registered risk that takes the place of k, such as ``individual_risk``: one of a single file that has a
        value for each record. It looks at ``keys``, and gets ``k`` and ``missing`` where it has them.
    threshold
        Largest risk of a record that is safe under ``rule``: a chance from 0 to below 1, not a percentage; 0.05 is 5 percent.
    settings
        Further parameters of the rule, as pairs of a name and a value: ``[["l", 2]]``.
    """

    keys: Columns = Selector("keys")
    k: Annotated[int, Interval(1)] = 3
    missing: MissingKeys = "wildcard"
    rule: str | None = None
    threshold: Annotated[float, Interval(0, 1, "left")] | None = None
    settings: tuple[tuple[str, str | int | float | bool], ...] = ()

    def check(self) -> None:
        """Check the rule and its settings."""
        super().check()
        owner = type(self).__name__
        if (self.rule is None) != (self.threshold is None):
            lacking, given = ("rule", "threshold") if self.rule is None else ("threshold", "rule")
            raise ParameterError(f"{owner}: '{given}' needs '{lacking}' beside it.")
        if self.rule is None and self.settings:
            raise ParameterError(f"{owner}: 'settings' needs 'rule', whose parameters they are.")
        self._rule()

    @property
    def rule_name(self) -> str:
        """Name of the rule; without one it is k-anonymity, under which the risk of a record is 1 or 0."""
        return "k_anonymity" if self.rule is None else self.rule

    def _rule(self) -> Any:
        """Build the rule."""
        owner, found = type(self).__name__, registry.find("risk", self.rule_name)
        if not judges_records(found):
            usable = [m.name for m in registry.methods("risk") if judges_records(m)]
            raise ParameterError(
                f"{owner}: 'rule' must be a risk of one file with a value for each record, got '{self.rule_name}'. "
                f"There are: {', '.join(usable)}."
            )
        names = {parameter.name for parameter in found.parameters()}
        own = {name: value for name, value in (("k", self.k), ("missing", self.missing)) if name in names}
        given: dict[str, Any] = {"columns": self.keys, **own, **dict(self.settings)}
        try:
            return found.from_plain(given)
        except ParameterError as error:
            raise ParameterError(f"{owner}: the rule '{self.rule_name}' was not understood: {error}") from error

    def risky(self, data: Microdata) -> BoolArray:
        """Return which records are risky."""
        measured: FloatArray | None = self._rule().assess(data).per_record
        if measured is None or len(measured) != len(data):
            raise DataError(
                f"{type(self).__name__}: the rule '{self.rule_name}' gave no risk for each record of these data."
            )
        return np.asarray(measured > (self.threshold or 0.0))

    def safe_rows(self, data: Microdata, units: IntArray | None = None) -> IntArray:
        """Return the records that are left when risky ones are taken out, again and again until none is above the threshold.

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
